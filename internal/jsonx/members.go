package jsonx

import (
	"bytes"
	"iter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// anyText accepts texts that a codec did not check.
var anyText = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// Members iterates over the members of a JSON object. It stops at the first syntax error, and
// iterates over nothing if the value is not an object. A name may occur twice, and texts need not
// be valid UTF-8. The caller may keep the values.
func Members(object jsontext.Value) iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {
		if len(object) == 0 { // as nearly always, which spares a decoder
			return
		}
		dec := jsontext.NewDecoder(bytes.NewBuffer(object), anyText)
		if token, err := dec.ReadToken(); err != nil || token.Kind() != jsontext.KindBeginObject {
			return
		}
		for dec.PeekKind() == jsontext.KindString {
			name, err := dec.ReadToken()
			if err != nil {
				return
			}
			text := name.String()
			value, err := dec.ReadValue()
			if err != nil || !yield(text, value.Clone()) {
				return
			}
		}
	}
}

// Member returns the first member with a name. It returns nil if the value has no such member or is
// not an object.
func Member(object jsontext.Value, name string) jsontext.Value {
	for n, value := range Members(object) {
		if n == name {
			return value
		}
	}
	return nil
}
