package openai

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// foreignMembers are the request members that OpenAI does not have, by their paths. Servers with
// such a member disagree on its form: Ollama accepts a word where OpenRouter accepts an object. It
// is never modified.
var foreignMembers = map[string]bool{
	"random_seed":                true,
	"reasoning":                  true,
	"thinking":                   true,
	"enable_thinking":            true,
	"thinking_budget":            true,
	"messages/reasoning":         true,
	"messages/reasoning_details": true,
}

// IsForeignMember reports whether other servers of this format have a request member, such as
// reasoning, that OpenAI does not have. If its form is unknown, decoding puts it among the unknown
// members.
func IsForeignMember(name string) bool { return foreignMembers[name] }

// foreignMember is a foreign member in an unknown form.
type foreignMember struct {
	message int // -1 for a member of the request
	name    string
	value   jsontext.Value
}

// decodeForeign decodes a request that the strict decoder refused. Foreign members in an unknown
// form become unknown members, as if they had no description.
func decodeForeign(data []byte) (*openaiapi.CreateChatCompletionRequest, error) {
	data, members := takeForeign(data)
	r, err := codec.Decode[openaiapi.CreateChatCompletionRequest](payloadRequest, data)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		unknown := &r.Unknown
		if m.message >= 0 {
			unknown = &r.Messages[m.message].Unknown
		}
		*unknown = jsonx.MergeObjects(*unknown, jsonx.Object(m.name, m.value))
	}
	return r, nil
}

// takeForeign removes the foreign members in an unknown form from a request and puts null in their
// place.
func takeForeign(data []byte) (rest []byte, members []foreignMember) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	copied := 0
	for {
		m, ok := nextForeign(dec)
		if !ok {
			return append(rest, data[copied:]...), members
		}
		if !m.isKnown() {
			end := int(dec.InputOffset())
			rest = append(append(rest, data[copied:end-len(m.value)]...), "null"...)
			copied = end
			members = append(members, m)
		}
	}
}

// nextForeign reads until after the next foreign member. It enters only the request and its
// messages.
func nextForeign(dec *jsontext.Decoder) (m foreignMember, ok bool) {
	for {
		if kind, length := dec.StackIndex(dec.StackDepth()); kind == jsontext.KindBeginObject &&
			length%2 == 1 {
			m, path := memberAt(dec.StackPointer())
			if path != "messages" {
				value, err := dec.ReadValue()
				if err != nil {
					return m, false
				}
				if foreignMembers[path] {
					m.value = value.Clone()
					return m, true
				}
				continue
			}
		}
		if _, err := dec.ReadToken(); err != nil {
			return m, false
		}
	}
}

// memberAt returns the member at a pointer, and its path: the names on the way to it. A message
// without a list counts as the first one.
func memberAt(pointer jsontext.Pointer) (m foreignMember, path string) {
	m = foreignMember{message: -1, name: pointer.LastToken()}
	in, rest, _ := strings.Cut(strings.TrimPrefix(string(pointer), "/"), "/")
	if in != "messages" || rest == "" {
		return m, m.name
	}
	m.message = 0
	if position, _, isElement := strings.Cut(rest, "/"); isElement {
		m.message, _ = strconv.Atoi(position)
	}
	return m, "messages/" + m.name
}

// isKnown reports whether the codec can read the form of a value.
func (m *foreignMember) isKnown() bool {
	object := jsonx.Object(m.name, m.value)
	if m.message >= 0 {
		object = jsonx.Object("messages", object)
	}
	_, err := codec.Decode[openaiapi.CreateChatCompletionRequest](payloadRequest, object)
	return err == nil
}
