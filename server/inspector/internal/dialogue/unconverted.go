package dialogue

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// unconverted returns the messages of a client's request that could not be converted. It reads
// only what all APIs share: lists of messages with a role and texts.
func unconverted(body string) (out []Message) {
	data := []byte(body)
	for _, name := range []string{"instructions", "system", "system_instruction",
		"systemInstruction"} {
		if value := jsonx.Member(data, name); len(value) > 0 {
			out = appendMessage(out, System, value, "/"+name)
		}
	}
	for _, name := range []string{"messages", "input", "contents"} {
		value := jsonx.Member(data, name)
		var items []jsontext.Value
		if len(value) == 0 {
			continue
		}
		if json.Unmarshal(value, &items) != nil {
			out = appendMessage(out, User, value, "/"+name)
		}
		for i, item := range items {
			out = appendMessage(out, roleOfValue(item), item, "/"+name+"/"+strconv.Itoa(i))
		}
	}
	return out
}

func roleOfValue(message jsontext.Value) Role {
	switch textOf(jsonx.Member(message, "role")) {
	case "system", "developer":
		return System
	case "assistant", "model":
		return Model
	case "tool":
		return Tool
	default:
		return User
	}
}

// appendMessage adds a message if it has a part.
func appendMessage(to []Message, role Role, value jsontext.Value, pointer string) []Message {
	m := Message{Role: role, Parts: []Part{}}
	m.addParts(value, pointer)
	if len(m.Parts) == 0 {
		return to
	}
	return append(to, m)
}

// addParts adds the parts of a value: a text, a list of parts, or an object that has one of them.
func (m *Message) addParts(value jsontext.Value, pointer string) {
	switch value.Kind() {
	case '"':
		m.Parts = append(m.Parts, Part{Kind: KindText, Text: textOf(value), Client: &pointer})
	case '[':
		var items []jsontext.Value
		if json.Unmarshal(value, &items) != nil {
			return
		}
		for i, item := range items {
			m.addParts(item, pointer+"/"+strconv.Itoa(i))
		}
	case '{':
		for _, name := range []string{"content", "parts", "text"} {
			if inner := jsonx.Member(value, name); len(inner) > 0 && inner.Kind() != 'n' {
				m.addParts(inner, pointer+"/"+name)
				return
			}
		}
		m.Parts = append(m.Parts, Part{Kind: KindOther, JSON: compact(value), Client: &pointer})
	}
}

// textOf returns the text of a JSON string, or "".
func textOf(value jsontext.Value) (text string) {
	if value.Kind() != '"' || json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

// ModelOf returns the model that a client's request names, or "".
func ModelOf(body string) string {
	const longest = 200
	model := textOf(jsonx.Member([]byte(body), "model"))
	return strings.ToValidUTF8(model[:min(len(model), longest)], "")
}
