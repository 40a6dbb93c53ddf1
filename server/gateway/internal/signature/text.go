package signature

import (
	"hash/maphash"
	"strconv"
)

// A text has no id by which its signature could be found again. It is found by the text and by the
// conversation before it, as the signature of another conversation has the thoughts of that one.

// Question is the hash of a conversation, which distinguishes equal texts that answer different
// ones. It is made by [Memory.Question].
type Question struct{ hash maphash.Hash }

// Question returns the hash of an empty conversation.
func (m *Memory) Question() *Question {
	q := &Question{}
	q.hash.SetSeed(m.seed)
	return q
}

// Add adds a text, media or an id of the conversation.
func (q *Question) Add(said string) {
	_, _ = q.hash.WriteString(said) // which never fails
	_ = q.hash.WriteByte(0)
}

// Text is a text of an answer, whose signatures are kept or found. It is made by [Memory.Answer].
type Text struct {
	memory *Memory
	hash   maphash.Hash
}

// Answer returns a text that answers a question, of which nothing was said yet.
func (m *Memory) Answer(q *Question) *Text {
	t := &Text{memory: m}
	t.hash.SetSeed(m.seed)
	t.Add(strconv.FormatUint(q.hash.Sum64(), 36) + "\x00")
	return t
}

// Add adds a piece of the text.
func (t *Text) Add(piece string) { _, _ = t.hash.WriteString(piece) }

// name is that of an entry. No id begins like it.
func (t *Text) name() string { return "\x00text " + strconv.FormatUint(t.hash.Sum64(), 36) }

// Keep keeps what carries the signatures of the text. Of two texts that are equal, and answer the
// same question, the later one counts.
func (t *Text) Keep(carrier string) {
	m, e := t.memory, entry{name: t.name(), signature: carrier, isLate: true}
	if e.size() > m.limit {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if known, ok := m.late[e.name]; ok {
		m.size -= known.Value.(entry).size()
		m.recent.Remove(known)
	}
	m.late[e.name] = m.recent.PushFront(e)
	m.size += e.size()
	m.forget()
}

// Find returns what carries the signatures of the text, "" where nothing is kept.
func (t *Text) Find() string {
	t.memory.mu.Lock()
	defer t.memory.mu.Unlock()
	return t.memory.find(t.memory.late[t.name()])
}
