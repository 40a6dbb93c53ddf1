// Package optional reads and makes the optional members of the wire types, which are pointers.
package optional

import "github.com/go-json-experiment/json/jsontext"

// Value returns what a member holds. Absent means the zero value.
func Value[T any](member *T) T {
	if member == nil {
		var zero T
		return zero
	}
	return *member
}

// Copy returns a member of its own that holds the same, nil for an absent one.
func Copy[T any](member *T) *T {
	if member == nil {
		return nil
	}
	return new(*member)
}

// Text returns a member with the text, nil for "", which stands for absent in types without pointers.
func Text[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return new(text)
}

// JSON returns what a free-form member holds, nil when it is absent or null.
func JSON(member jsontext.Value) jsontext.Value {
	if len(member) == 0 || member.Kind() == jsontext.KindNull {
		return nil
	}
	return member
}
