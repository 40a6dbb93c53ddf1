package signature

import (
	"crypto/sha256"
	"encoding/base64"
	"hash"
)

// A text has no id that could find its signature. The key is the text and the conversation before
// it, because a signature of another conversation belongs to other thoughts.

// Question is the hash of a conversation. It distinguishes equal texts that answer different
// conversations. [Memory.Question] makes it.
type Question struct{ hash hash.Hash }

// Question returns the hash of an empty conversation.
func (m *Memory) Question() *Question {
	return &Question{sha256.New()}
}

// Add adds a text, a medium or an id of the conversation.
func (q *Question) Add(said string) {
	_, _ = q.hash.Write(append([]byte(said), 0)) // which never fails
}

// Text is a text of an answer whose signatures are stored or found. [Memory.Answer] makes it.
type Text struct {
	memory *Memory
	hash   hash.Hash
}

// Answer returns an empty text that answers a question.
func (m *Memory) Answer(q *Question) *Text {
	t := &Text{memory: m, hash: sha256.New()}
	t.Add(sumOf(q.hash) + "\x00")
	return t
}

// Add adds a piece of the text.
func (t *Text) Add(piece string) { _, _ = t.hash.Write([]byte(piece)) }

// sumOf returns a hash as text. More may be added to the hash after it.
func sumOf(h hash.Hash) string {
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:nameSize])
}

// name returns the name of the entry. No id has this prefix.
func (t *Text) name() string { return "\x00text " + sumOf(t.hash) }

// Keep stores the carrier of the text's signatures. If two equal texts answer the same question,
// the later one replaces the earlier one.
func (t *Text) Keep(carrier string) {
	m, e := t.memory, entry{name: t.name(), signature: carrier, isLate: true}
	if e.size() > m.limit {
		return
	}
	m.replace(e)
	m.backed.keep(e)
}

// Find returns the carrier of the text's signatures, or "" if nothing is stored.
func (t *Text) Find() string {
	t.memory.load(entry{name: t.name(), isLate: true})
	t.memory.mu.Lock()
	defer t.memory.mu.Unlock()
	return t.memory.find(t.memory.late[t.name()])
}
