package dialogue

import (
	"crypto/sha256"
	"hash"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Key identifies the messages of a conversation up to a point.
type Key [16]byte

// Keys returns the keys that connect an exchange with earlier and later ones. Earlier are the keys
// of the conversation up to each message of the request that an answer may have ended, from the
// longest. An earlier exchange is of the same conversation if one of them is in its After. After
// are the keys of the conversation with the answer, one for each candidate.
//
// A key ignores what clients change when they send a conversation back: thoughts, signatures, ids,
// the system instruction, white space at the ends of texts, and the layout of arguments.
func (v *View) Keys(client string) (earlier, after []Key) {
	c := chain{hash: sha256.New()}
	c.item("client", client)
	for i := range v.Messages {
		m := &v.Messages[i]
		if m.Role == System {
			continue
		}
		isModel := m.Role == Model
		if c.wasModel && !isModel {
			earlier = append(earlier, c.key())
		}
		c.message(m, isModel)
	}
	reverse(earlier)
	if !c.hasTurn {
		return earlier, nil
	}
	for i := range v.Answer {
		if answered := c.with(&v.Answer[i]); answered != nil {
			after = append(after, *answered)
		}
	}
	return earlier, after
}

func reverse(keys []Key) {
	for i, j := 0, len(keys)-1; i < j; i, j = i+1, j-1 {
		keys[i], keys[j] = keys[j], keys[i]
	}
}

// chain hashes the messages of a conversation. Texts that follow each other are one text.
type chain struct {
	hash     hash.Hash
	text     string // that is not hashed yet
	wasModel bool
	hasTurn  bool // a message was hashed
}

// item hashes words, each with its length.
func (c *chain) item(words ...string) {
	for _, word := range words {
		size := len(word)
		_, _ = c.hash.Write([]byte{byte(size), byte(size >> 8), byte(size >> 16), byte(size >> 24)})
		_, _ = c.hash.Write([]byte(word))
	}
}

// message hashes a message.
func (c *chain) message(m *Message, isModel bool) {
	if c.wasModel != isModel {
		c.flush()
		c.item("turn")
	}
	c.wasModel, c.hasTurn = isModel, true
	for i := range m.Parts {
		c.part(&m.Parts[i])
	}
}

func (c *chain) part(p *Part) {
	switch {
	case p.Thought || p.Kind == KindThinking:
	case p.Kind == KindText:
		c.text += p.Text
	case p.Kind == KindMedia:
		c.flush()
		c.item("media", p.MIME, p.Media, p.URI, decimal(p.Bytes))
	case p.Kind == KindCall:
		c.flush()
		c.item("call", p.Name, canonical(p.JSON))
	case p.Kind == KindResult:
		c.flush()
		c.item("result", canonical(p.JSON))
	}
	// Clients may drop all other parts.
}

// flush hashes the text so far.
func (c *chain) flush() {
	if text := strings.TrimSpace(c.text); text != "" {
		c.item("text", text)
	}
	c.text = ""
}

func (c *chain) key() (k Key) {
	c.flush()
	copy(k[:], c.hash.Sum(nil))
	return k
}

// with returns the key after an answer, or nil for an empty answer.
func (c *chain) with(answer *Message) *Key {
	if !c.hasContent(answer) {
		return nil
	}
	c.flush()
	copied := chain{hash: cloned(c.hash), wasModel: c.wasModel}
	copied.message(answer, true)
	key := copied.key()
	return &key
}

func (c *chain) hasContent(answer *Message) bool {
	for i := range answer.Parts {
		p := &answer.Parts[i]
		if p.Kind == KindCall || p.Kind == KindMedia ||
			p.Kind == KindText && !p.Thought && strings.TrimSpace(p.Text) != "" {
			return true
		}
	}
	return false
}

// cloned returns a copy of a hash with its state.
func cloned(h hash.Hash) hash.Hash {
	copied, err := h.(hash.Cloner).Clone()
	if err != nil { // which SHA-256 does not return
		return sha256.New()
	}
	return copied
}

// canonical returns JSON in a form that does not depend on its layout.
func canonical(text string) string {
	if text == "" {
		return "{}" // Arguments may be absent.
	}
	value := jsontext.Value(text)
	if value.Canonicalize() != nil {
		return text
	}
	return string(value)
}
