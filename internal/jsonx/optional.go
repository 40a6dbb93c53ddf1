package jsonx

import "github.com/go-json-experiment/json/jsontext"

// Deref returns what a member holds. Absent means the zero value.
func Deref[T any](member *T) T {
	if member == nil {
		var zero T
		return zero
	}
	return *member
}

// CopyOf returns a member of its own that holds the same, nil for an absent one.
func CopyOf[T any](member *T) *T {
	if member == nil {
		return nil
	}
	return new(*member)
}

// NonEmpty returns a member with the text, nil for "", which stands for absent in types without
// pointers.
func NonEmpty[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return new(text)
}

// NonNull returns what a free-form member holds, nil when it is absent or null.
func NonNull(member jsontext.Value) jsontext.Value {
	if len(member) == 0 || member.Kind() == jsontext.KindNull {
		return nil
	}
	return member
}

// Keep sets a member that is absent to another one, which may be absent too.
func Keep[T any](member **T, other *T) {
	if *member == nil {
		*member = other
	}
}

// Replace sets a member to a later one, unless the later one is absent.
func Replace[T any](member **T, later *T) {
	if later != nil {
		*member = later
	}
}
