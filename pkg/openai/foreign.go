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

// foreignMembers are the members of a request that OpenAI does not have, by their names on the way
// to them. Servers that call a member so do not agree on its form: Ollama takes a word where
// OpenRouter takes an object. It is never written to.
var foreignMembers = map[string]bool{
	"random_seed":                true,
	"reasoning":                  true,
	"thinking":                   true,
	"enable_thinking":            true,
	"thinking_budget":            true,
	"messages/reasoning":         true,
	"messages/reasoning_details": true,
}

// IsForeignMember reports whether other servers on this wire have a member of a request, such as
// reasoning, that OpenAI has not. One in a form that is not known is among the unknown members
// behind decoding.
func IsForeignMember(name string) bool { return foreignMembers[name] }

// foreignMember is one in a form that is not known.
type foreignMember struct {
	message int // -1 for one of the request
	name    string
	value   jsontext.Value
}

// decodeForeign decodes a request that was refused. Foreign members in a form that is not known
// become unknown ones, as they would be without their descriptions.
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

// takeForeign takes the foreign members in a form that is not known out of a request: null stands
// in their place.
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

// nextForeign reads up to behind the next foreign member. It enters nothing but the request and its
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

// memberAt returns the member at a pointer, and its path: the names on the way to it. A lone
// message counts as the first one.
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

// isKnown reports whether the value is in a form that the codec reads.
func (m *foreignMember) isKnown() bool {
	object := jsonx.Object(m.name, m.value)
	if m.message >= 0 {
		object = jsonx.Object("messages", object)
	}
	_, err := codec.Decode[openaiapi.CreateChatCompletionRequest](payloadRequest, object)
	return err == nil
}
