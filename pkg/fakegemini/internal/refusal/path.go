package refusal

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// location is a location in a request, in the servers' words.
type location struct {
	// path is the path in the message: "contents[1].parts[0].function_call". Elements of a map have
	// their index in the request: "parameters.properties[3].value". "" is the request itself.
	path string
	// names is the path without indexes.
	names []string
	// value is the value there, or nil.
	value jsontext.Value
}

// maps are the members that hold a map of messages.
var maps = []string{"properties", "defs"}

// locate resolves a JSON pointer in the body of a request. The pointer is into the decoded request:
// its names are in camelCase, and its lists are lists. The body may be different.
func locate(body jsontext.Value, pointer string) location {
	at := location{value: bytes.TrimSpace(body)}
	for token := range jsontext.Pointer(pointer).Tokens() {
		at = at.enter(token)
	}
	return at
}

func (p location) enter(token string) location {
	index, err := strconv.Atoi(token)
	switch {
	case len(p.names) > 0 && slices.Contains(maps, p.names[len(p.names)-1]) &&
		!strings.HasSuffix(p.path, ".value"):
		return p.enterMap(token)
	case err == nil && p.value.Kind() != jsontext.KindBeginObject:
		return location{path: p.path + "[" + token + "]", names: p.names,
			value: element(p.value, index)}
	case err == nil:
		// an element without its list
		return location{path: p.path + "[" + token + "]", names: p.names, value: p.value}
	default:
		return p.enterMember(token)
	}
}

func (p location) enterMember(name string) location {
	proto := protoName(name)
	path := proto
	if p.path != "" {
		path = p.path + "." + proto
	}
	var value jsontext.Value
	for n, v := range jsonx.Members(p.value) {
		if jsonx.FoldName(n) == jsonx.FoldName(name) {
			value = v
			break
		}
	}
	return location{path: path, names: append(slices.Clip(p.names), proto), value: value}
}

func (p location) enterMap(key string) location {
	i := 0
	for name, value := range jsonx.Members(p.value) {
		if name == key {
			return location{path: p.path + "[" + strconv.Itoa(i) + "].value", names: p.names,
				value: value}
		}
		i++
	}
	return location{path: p.path + "[0].value", names: p.names}
}

func element(list jsontext.Value, index int) jsontext.Value {
	dec := jsontext.NewDecoder(bytes.NewReader(list))
	if token, err := dec.ReadToken(); err != nil || token.Kind() != jsontext.KindBeginArray {
		return nil
	}
	for range index {
		if dec.SkipValue() != nil {
			return nil
		}
	}
	value, err := dec.ReadValue()
	if err != nil {
		return nil
	}
	return value.Clone()
}

// protoName returns the protocol buffer name of a member: inlineData is inline_data.
func protoName(name string) string {
	var b strings.Builder
	for i, r := range name {
		if 'A' <= r && r <= 'Z' && i > 0 {
			b.WriteByte('_')
		}
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}

// up returns the message that contains the location, and the member's name in the request.
func up(pointer string) (message, member string) {
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return "", ""
	}
	return pointer[:i], jsontext.Pointer(pointer[i:]).LastToken()
}
