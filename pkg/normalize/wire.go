package normalize

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// deref reads an optional member of the wire types: absent means the zero value.
func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// optional makes an optional member of the wire types: "" is what absent looks like in the model.
func optional[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return new(text)
}

// present returns a free-form member of the wire types, nil when it is absent or null.
func present(value jsontext.Value) jsontext.Value {
	if len(value) == 0 || value.Kind() == jsontext.KindNull {
		return nil
	}
	return value
}

// member returns what stands in a raw JSON object under a name, nil when the object has no such
// member, when it is null, or when there is no object.
func member(object jsontext.Value, name string) jsontext.Value {
	if len(object) == 0 {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(object), anyText)
	if token, err := dec.ReadToken(); err != nil || token.Kind() != jsontext.KindBeginObject {
		return nil
	}
	for dec.PeekKind() == jsontext.KindString {
		token, err := dec.ReadToken()
		if err != nil {
			return nil
		}
		found := token.String() == name
		value, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		if found {
			return present(value.Clone())
		}
	}
	return nil
}

// anyText reads JSON that the codec let pass without a look inside.
var anyText = jsontext.AllowInvalidUTF8(true)

// textOf returns the text of a JSON string, "" for any other value.
func textOf(value jsontext.Value) string {
	if value.Kind() != jsontext.KindString {
		return ""
	}
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return ""
	}
	return string(text)
}
