// Package signature finds thought signatures again that are too long for the id of a call.
//
// The id of such a call ends in the name of its signature, which is a hash of it:
//
//	ID__gwm1_NAME
//
// So equal signatures are kept once, and no id leads to another signature than its own. What was forgotten, or was kept
// by another replica, is not found; Google documents a word for calls without a signature.
package signature

import (
	"container/list"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"sync"
)

// mark stands between an id and the name of a signature. All of it is letters, digits, _ and -.
const mark = "__gwm1_"

// nameSize is how many bytes of the hash are in a name: enough that nobody finds two signatures of one name.
const nameSize = 18

// overhead is what an entry takes besides its signature, roughly.
const overhead = 200

// Memory keeps the signatures that were used last, up to a number of bytes. It is safe for use by several goroutines.
type Memory struct {
	limit int

	mu      sync.Mutex
	size    int
	entries map[string]*list.Element
	recent  *list.List // of entry, the one used last in front
}

type entry struct{ name, signature string }

// NewMemory returns a memory of so many bytes.
func NewMemory(limit int) *Memory {
	return &Memory{limit: limit, entries: map[string]*list.Element{}, recent: list.New()}
}

// Keep keeps a signature, and returns the id of its call with the name. One that alone is larger than the memory is not
// kept, and the id is as it was.
func (m *Memory) Keep(id, signature string) string {
	if len(signature)+overhead > m.limit || strings.Contains(id, mark) {
		return id
	}
	sum := sha256.Sum256([]byte(signature))
	name := base64.RawURLEncoding.EncodeToString(sum[:nameSize])
	m.mu.Lock()
	defer m.mu.Unlock()
	if known, ok := m.entries[name]; ok {
		m.recent.MoveToFront(known)
	} else {
		m.entries[name] = m.recent.PushFront(entry{name, signature})
		m.size += len(signature) + overhead
		m.forget()
	}
	return id + mark + name
}

// forget makes room.
func (m *Memory) forget() {
	for m.size > m.limit {
		oldest := m.recent.Back()
		e := m.recent.Remove(oldest).(entry)
		delete(m.entries, e.name)
		m.size -= len(e.signature) + overhead
	}
}

// Find takes an id apart: into that of the call, and the signature that is kept for it, "" for none. IsNamed is whether
// the id has a name at all.
func (m *Memory) Find(id string) (bare, signature string, isNamed bool) {
	bare, name, isNamed := strings.Cut(id, mark)
	if !isNamed {
		return id, "", false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if known, ok := m.entries[name]; ok {
		m.recent.MoveToFront(known)
		signature = known.Value.(entry).signature
	}
	return bare, signature, true
}
