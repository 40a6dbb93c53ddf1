package wiretype

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// StringOr is a JSON string, or a T in place of a string: the content of a message is a text or a
// list of parts; a tool choice is a mode or an object.
//
// The zero value holds neither. It is written as null, or left out of a struct with the option
// omitzero. A JSON null is read as the zero value.
//
// T must not itself be written as a JSON string or as null, because such values would be read back
// differently.
type StringOr[T any] struct {
	form  form
	text  string
	value T
}

// form says what a StringOr holds.
type form uint8

const (
	formNone form = iota
	formString
	formValue
)

// StringOf returns a union that holds the string s, which may be empty.
func StringOf[T any](s string) StringOr[T] {
	return StringOr[T]{form: formString, text: s}
}

// ValueOf returns a union that holds v.
func ValueOf[T any](v T) StringOr[T] {
	return StringOr[T]{form: formValue, value: v}
}

// AsString returns the string. ok is false if the union holds none.
func (u StringOr[T]) AsString() (s string, ok bool) {
	return u.text, u.form == formString
}

// AsValue returns the T. ok is false if the union holds none.
func (u StringOr[T]) AsValue() (v T, ok bool) {
	return u.value, u.form == formValue
}

// IsZero reports whether the union holds neither a string nor a T.
func (u StringOr[T]) IsZero() bool {
	return u.form == formNone
}

// Equal reports whether u and other are the same JSON: the same form, and in it the same members
// and values. It encodes both, which is meant for tests.
func (u StringOr[T]) Equal(other StringOr[T]) bool {
	if u.form != other.form {
		return false
	}
	if u.form != formValue {
		return u.text == other.text
	}
	return sameJSON(u.value, other.value)
}

// sameJSON reports whether two values are written alike, which one that cannot be written never is.
func sameJSON[T any](a, b T) bool {
	one, errA := json.Marshal(a, json.Deterministic(true))
	other, errB := json.Marshal(b, json.Deterministic(true))
	return errA == nil && errB == nil && bytes.Equal(one, other)
}

// MarshalJSON returns the string, the T, or null.
func (u StringOr[T]) MarshalJSON() ([]byte, error) { return json.Marshal(u, canonical) }

// canonical makes equal values equal bytes, and leaves the escapes of strings in free-form values.
var canonical = json.JoinOptions(json.Deterministic(true), jsontext.PreserveRawStrings(true))

// MarshalJSONTo writes the string, the T, or null.
func (u StringOr[T]) MarshalJSONTo(enc *jsontext.Encoder) error {
	switch u.form {
	case formString:
		return json.MarshalEncode(enc, u.text)
	case formValue:
		return json.MarshalEncode(enc, u.value)
	default:
		return enc.WriteToken(jsontext.Null)
	}
}

// UnmarshalJSON reads what UnmarshalJSONFrom reads.
func (u *StringOr[T]) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, u) }

// UnmarshalJSONFrom reads a JSON string as the string, null as the zero value, and everything else
// as a T; what is neither fails with the error of reading a T.
func (u *StringOr[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*u = StringOr[T]{}
	switch dec.PeekKind() {
	case jsontext.KindString:
		if err := json.UnmarshalDecode(dec, &u.text); err != nil {
			return err
		}
		u.form = formString
	case jsontext.KindNull:
		return dec.SkipValue()
	default:
		if err := json.UnmarshalDecode(dec, &u.value); err != nil {
			return err
		}
		u.form = formValue
	}
	return nil
}
