package normalize

import (
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
