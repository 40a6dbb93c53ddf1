package jsonx

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Elements returns copies of the elements of a list in their order. It returns nil for a value that
// is not a list. If a list is cut short, it returns the elements before the cut. Texts need not be
// valid UTF-8.
func Elements(list jsontext.Value) []jsontext.Value {
	if list.Kind() != jsontext.KindBeginArray {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewReader(list), anyText)
	_, _ = dec.ReadToken() // the bracket
	var out []jsontext.Value
	for dec.PeekKind() != jsontext.KindEndArray {
		value, err := dec.ReadValue()
		if err != nil {
			break
		}
		out = append(out, value.Clone())
	}
	return out
}
