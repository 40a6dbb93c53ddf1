package jsonx

import (
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// ErrNoPlace reports that a pointer leads through something that is no object, or to an element
// that is not there.
var ErrNoPlace = errors.New("the pointer leads to no place in the text")

// Set returns a JSON text in which the value at a pointer is replaced. Members that are not there
// are added, with the objects on the way to them. The text that was given is not written to.
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
