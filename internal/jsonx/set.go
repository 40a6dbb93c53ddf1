package jsonx

import (
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// ErrNoPlace is returned if a pointer leads through a value that is not an object, or to a missing
// element.
var ErrNoPlace = errors.New("the pointer does not match the text")

// Set returns a JSON text with the value at a pointer replaced. It adds missing members and the
// objects on the way to them. It does not modify the given text.
func Set(data []byte, pointer jsontext.Pointer, value jsontext.Value) ([]byte, error) {
	at, rest := pointer, jsontext.Pointer("")
	start, end := Find(data, at)
	for end == 0 && at != "" {
		rest = jsontext.Pointer("").AppendToken(at.LastToken()) + rest
		at = at.Parent()
		start, end = Find(data, at)
	}
	if end == 0 {
		return nil, ErrNoPlace
	}
	replacement := value
	if rest != "" {
		object := jsontext.Value(data[start:end])
		if object.Kind() != jsontext.KindBeginObject {
			return nil, ErrNoPlace
		}
		replacement = MergeObjects(object, nested(rest, value))
	}
	return slices.Concat(data[:start], replacement, data[end:]), nil
}

// nested returns the objects along a pointer, in the innermost of which the value is.
func nested(pointer jsontext.Pointer, value jsontext.Value) jsontext.Value {
	for _, name := range slices.Backward(slices.Collect(pointer.Tokens())) {
		value = Object(name, value)
	}
	return value
}
