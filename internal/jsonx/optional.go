package jsonx

import "github.com/go-json-experiment/json/jsontext"

// Deref returns the value of a member, or the zero value if the member is absent.
func Deref[T any](member *T) T {
	if member == nil {
		var zero T
		return zero
	}
	return *member
}

// CopyOf returns a copy of a member, or nil if the member is absent.
func CopyOf[T any](member *T) *T {
	if member == nil {
		return nil
	}
	return new(*member)
}

// NonEmpty returns a member with the text, or nil for "". In types without pointers "" means
// absent.
func NonEmpty[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return new(text)
}

// NonNull returns the value of a free-form member, or nil if it is absent or null.
func NonNull(member jsontext.Value) jsontext.Value {
	if len(member) == 0 || member.Kind() == jsontext.KindNull {
		return nil
	}
	return member
}

// Keep sets an absent member to another value, which may also be absent.
func Keep[T any](member **T, other *T) {
	if *member == nil {
		*member = other
	}
}

// Replace sets a member to a later value, unless the later value is absent.
func Replace[T any](member **T, later *T) {
	if later != nil {
		*member = later
	}
}
