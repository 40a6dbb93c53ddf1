package jsonx

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// References returns the texts of all members $ref in a JSON value, at any depth. It stops at the
// first syntax error. In the result of a function, Gemini reads these texts as names of attached
// media.
func References(value jsontext.Value) []string {
	// as nearly always
	if !bytes.Contains(value, []byte("$ref")) && !bytes.Contains(value, []byte(`\u`)) {
		return nil
	}
	var out []string
	dec := jsontext.NewDecoder(bytes.NewBuffer(value), anyText)
	for {
		kind, length := dec.StackIndex(dec.StackDepth())
		isName := kind == jsontext.KindBeginObject && length%2 == 0
		token, err := dec.ReadToken()
		if err != nil {
			return out
		}
		if isName && token.Kind() == jsontext.KindString && token.String() == "$ref" &&
			dec.PeekKind() == jsontext.KindString {
			text, _ := dec.ReadToken() // an error comes again
			out = append(out, text.String())
		}
	}
}
