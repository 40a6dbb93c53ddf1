package signature

import (
	"hash/maphash"
	"strconv"
)

// A text has no id that could find its signature. The key is the text and the conversation before
// it, because a signature of another conversation belongs to other thoughts.

// Question is the hash of a conversation. It distinguishes equal texts that answer different
// conversations. [Memory.Question] makes it.
type Question struct{ hash maphash.Hash }

// Question returns the hash of an empty conversation.
func (m *Memory) Question() *Question {
	q := &Question{}
	q.hash.SetSeed(m.seed)
	return q
}

// Add adds a text, a medium or an id of the conversation.
func (q *Question) Add(said string) {
	_, _ = q.hash.WriteString(said) // which never fails
	_ = q.hash.WriteByte(0)
}

// Text is a text of an answer whose signatures are stored or found. [Memory.Answer] makes it.
type Text struct {
	memory *Memory
	hash   maphash.Hash
}

// Answer returns an empty text that answers a question.
func (m *Memory) Answer(q *Question) *Text {
	t := &Text{memory: m}
	t.hash.SetSeed(m.seed)
	t.Add(strconv.FormatUint(q.hash.Sum64(), 36) + "\x00")
	return t
}

// Add adds a piece of the text.
func (t *Text) Add(piece string) { _, _ = t.hash.WriteString(piece) }

// name returns the name of the entry. No id has this prefix.
func (t *Text) name() string { return "\x00text " + strconv.FormatUint(t.hash.Sum64(), 36) }

// Keep stores the carrier of the text's signatures. If two equal texts answer the same question,
// the later one replaces the earlier one.
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

// Find returns the carrier of the text's signatures, or "" if nothing is stored.
func (t *Text) Find() string {
	t.memory.mu.Lock()
	defer t.memory.mu.Unlock()
	return t.memory.find(t.memory.late[t.name()])
}
