// Package signature remembers thought signatures that are not in the id of their call.
//
// If a signature is too long for the id, the id ends with the signature's name, which is a hash of
// it:
//
//	ID__gwm1_NAME
//
// So equal signatures are stored once, and an id never finds another signature. Vertex AI may send
// a signature after the start of a call that it streams in pieces, when the id was already sent.
// Then the id itself is the name. A signature that was forgotten is not found; Google documents a
// placeholder for calls without a signature.
//
// With a [Store], signatures outlive the process and reach every replica; see [Backed].
package signature

import (
	"container/list"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"sync"
)

// mark separates an id from the name of a signature. All characters are letters, digits, _ and -.
const mark = "__gwm1_"

// nameSize is the number of bytes of the hash in a name. It is large enough that two signatures
// with the same name cannot be found.
const nameSize = 18

// overhead is the approximate size of an entry without its signature.
const overhead = 200

// Memory holds the most recently used signatures up to a size in bytes. It is safe for concurrent
// use.
type Memory struct {
	limit  int
	backed *Backed // nil without a store

	mu     sync.Mutex
	size   int
	named  map[string]*list.Element // by the names that are hashes
	late   map[string]*list.Element // by the ids that they came after
	recent *list.List               // of entry, the one used last in front
}

// entry is a signature. It is "" for an id that came with two signatures, because the right one is
// unknown.
type entry struct {
	name, signature string
	isLate          bool // the name is an id
	isMissing       bool // the store had no signature of this name
}

// key is the name of an entry in a store.
func (e entry) key() string {
	if e.isLate {
		return "late " + e.name
	}
	return "named " + e.name
}

// size is the approximate size of an entry.
func (e entry) size() int { return len(e.name) + len(e.signature) + overhead }

// NewMemory returns a memory with a maximum size in bytes.
func NewMemory(limit int) *Memory {
	return &Memory{limit: limit, named: map[string]*list.Element{},
		late: map[string]*list.Element{}, recent: list.New()}
}

// SetStore adds a store. It must be called before the memory is used.
func (m *Memory) SetStore(store *Backed) { m.backed = store }

// Keep stores a signature, and returns the id of its call with the signature's name. A signature
// that is larger than the memory is not stored, and the id stays unchanged.
func (m *Memory) Keep(id, signature string) string {
	e := entry{name: nameOf(signature), signature: signature}
	if strings.Contains(id, mark) || m.keep(e) == "" {
		return id
	}
	m.backed.keep(e)
	return id + mark + e.name
}

// nameOf returns the name of a signature.
func nameOf(signature string) string {
	sum := sha256.Sum256([]byte(signature))
	return base64.RawURLEncoding.EncodeToString(sum[:nameSize])
}

// KeepLate stores the signature of a call whose id was sent without it. It reports whether the id
// now finds it. That fails if the signature is larger than the memory, or if another call had the
// same id.
func (m *Memory) KeepLate(id, signature string) bool {
	e := entry{name: id, signature: signature, isLate: true}
	if e.size() > m.limit {
		return false
	}
	e.signature = m.keep(e)
	m.backed.keep(e)
	return e.signature != ""
}

// keep marks an entry as the most recently used, and returns the signature of its name.
func (m *Memory) keep(e entry) string {
	if e.size() > m.limit {
		return ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	entries := m.entries(e)
	known, ok := entries[e.name]
	if !ok {
		entries[e.name] = m.recent.PushFront(e)
		m.size += e.size()
		m.forget()
		return e.signature
	}
	m.recent.MoveToFront(known)
	if before := known.Value.(entry); before.isMissing {
		known.Value = e
		m.size += len(e.signature)
		m.forget()
	} else if before.signature != e.signature {
		e.signature = ""
		known.Value = e
		m.size -= len(before.signature)
	}
	return e.signature
}

// replace puts an entry in the place of another one with its name.
func (m *Memory) replace(e entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	entries := m.entries(e)
	if known, ok := entries[e.name]; ok {
		m.size -= known.Value.(entry).size()
		m.recent.Remove(known)
	}
	entries[e.name] = m.recent.PushFront(e)
	m.size += e.size()
	m.forget()
}

// entries returns the map that an entry belongs to.
func (m *Memory) entries(e entry) map[string]*list.Element {
	if e.isLate {
		return m.late
	}
	return m.named
}

// forget removes entries to make room.
func (m *Memory) forget() {
	for m.size > m.limit {
		e := m.recent.Remove(m.recent.Back()).(entry)
		delete(m.entries(e), e.name)
		m.size -= e.size()
	}
}

// Find splits an id into the call's own id and the signature that is stored for it, or "". IsNamed
// reports whether the id contains a name. A signature that arrived after the id takes precedence.
func (m *Memory) Find(id string) (bare, signature string, isNamed bool) {
	bare, name, isNamed := strings.Cut(id, mark)
	m.mu.Lock()
	defer m.mu.Unlock()
	if signature = m.find(m.late[id]); signature == "" && isNamed {
		signature = m.find(m.named[name])
	}
	return bare, signature, isNamed
}

// find returns the signature of an element, or "" for nil.
func (m *Memory) find(e *list.Element) string {
	if e == nil {
		return ""
	}
	m.recent.MoveToFront(e)
	return e.Value.(entry).signature
}
