// Package signature finds thought signatures again that are not in the id of their call.
//
// Of one that is too long for it, the id ends in the name of the signature, which is a hash of it:
//
//	ID__gwm1_NAME
//
// So equal signatures are kept once, and no id leads to another signature than its own. Of one that
// came when the id was sent already, as Vertex AI may send it behind the beginning of a call that
// it streams in pieces, the id itself is the name. What was forgotten, or was kept by another
// replica, is not found; Google documents a word for calls without a signature.
package signature

import (
	"container/list"
	"crypto/sha256"
	"encoding/base64"
	"hash/maphash"
	"strings"
	"sync"
)

// mark stands between an id and the name of a signature. All of it is letters, digits, _ and -.
const mark = "__gwm1_"

// nameSize is how many bytes of the hash are in a name: enough that nobody finds two signatures of
// one name.
const nameSize = 18

// overhead is what an entry takes besides its signature, roughly.
const overhead = 200

// Memory keeps the signatures that were used last, up to a number of bytes. It is safe for use by
// several goroutines.
type Memory struct {
	limit int
	seed  maphash.Seed // of the hashes of texts

	mu     sync.Mutex
	size   int
	named  map[string]*list.Element // by the names that are hashes
	late   map[string]*list.Element // by the ids that they came behind
	recent *list.List               // of entry, the one used last in front
}

// entry is a signature. That of an id which came with two of them is "", as nobody knows which one
// is right.
type entry struct {
	name, signature string
	isLate          bool // the name is an id
}

// size is what an entry takes, roughly.
func (e entry) size() int { return len(e.name) + len(e.signature) + overhead }

// NewMemory returns a memory of so many bytes.
func NewMemory(limit int) *Memory {
	return &Memory{limit: limit, seed: maphash.MakeSeed(), named: map[string]*list.Element{},
		late: map[string]*list.Element{}, recent: list.New()}
}

// Keep keeps a signature, and returns the id of its call with the name. One that alone is larger
// than the memory is not kept, and the id is as it was.
func (m *Memory) Keep(id, signature string) string {
	e := entry{name: nameOf(signature), signature: signature}
	if strings.Contains(id, mark) || m.keep(e) == "" {
		return id
	}
	return id + mark + e.name
}

// nameOf returns the name of a signature.
func nameOf(signature string) string {
	sum := sha256.Sum256([]byte(signature))
	return base64.RawURLEncoding.EncodeToString(sum[:nameSize])
}

// KeepLate keeps the signature of a call whose id was sent without it. It reports whether the id
// leads to it now: not to one that alone is larger than the memory, nor where another call had the
// same id.
func (m *Memory) KeepLate(id, signature string) bool {
	return m.keep(entry{name: id, signature: signature, isLate: true}) != ""
}

// keep makes an entry the one used last, and returns the signature that its name leads to.
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
	if before := known.Value.(entry); before.signature != e.signature {
		e.signature = ""
		known.Value = e
		m.size -= len(before.signature)
	}
	return e.signature
}

// entries returns the map that an entry belongs to.
func (m *Memory) entries(e entry) map[string]*list.Element {
	if e.isLate {
		return m.late
	}
	return m.named
}

// forget makes room.
func (m *Memory) forget() {
	for m.size > m.limit {
		e := m.recent.Remove(m.recent.Back()).(entry)
		delete(m.entries(e), e.name)
		m.size -= e.size()
	}
}

// Find takes an id apart: into that of the call, and the signature that is kept for it, "" for
// none. IsNamed is whether the id has a name in it. A signature that came behind the id counts
// more.
func (m *Memory) Find(id string) (bare, signature string, isNamed bool) {
	bare, name, isNamed := strings.Cut(id, mark)
	m.mu.Lock()
	defer m.mu.Unlock()
	if signature = m.find(m.late[id]); signature == "" && isNamed {
		signature = m.find(m.named[name])
	}
	return bare, signature, isNamed
}

// find returns the signature of an element, "" for nil.
func (m *Memory) find(e *list.Element) string {
	if e == nil {
		return ""
	}
	m.recent.MoveToFront(e)
	return e.Value.(entry).signature
}
