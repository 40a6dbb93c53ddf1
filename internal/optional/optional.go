// Package optional reads and makes the optional members of the wire types, which are pointers.
package optional

// Value returns what a member holds. Absent means the zero value.
func Value[T any](member *T) T {
	if member == nil {
		var zero T
		return zero
	}
	return *member
}

// Text returns a member with the text, nil for "", which is what absent looks like elsewhere.
func Text[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return new(text)
}
