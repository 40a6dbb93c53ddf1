package wiretype

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Nullable is a T or an explicit null, for members in which null has another meaning than absence.
// An example is stop_sequence: only the event that says why a message ended has it, and it may be
// null.
//
// The zero value is absent: it is left out of a struct with the option omitzero, else written as
// null.
//
// T must not itself be written as null.
type Nullable[T any] struct {
	form  nullableForm
	value T
}

// nullableForm says what a Nullable holds.
type nullableForm uint8

const (
	formAbsent nullableForm = iota
	formNull
	formPresent
)

// Null returns an explicit null.
func Null[T any]() Nullable[T] { return Nullable[T]{form: formNull} }

// Present returns a Nullable that holds v.
func Present[T any](v T) Nullable[T] { return Nullable[T]{form: formPresent, value: v} }

// Value returns the T. ok is false without a T.
func (n Nullable[T]) Value() (v T, ok bool) { return n.value, n.form == formPresent }

// IsNull reports whether n is an explicit null.
func (n Nullable[T]) IsNull() bool { return n.form == formNull }

// IsZero reports whether n is absent: neither a T nor null.
func (n Nullable[T]) IsZero() bool { return n.form == formAbsent }

// Equal reports whether n and other are both absent, both null, or have equal JSON. It encodes
// both, so use it in tests.
func (n Nullable[T]) Equal(other Nullable[T]) bool {
	return n.form == other.form && sameJSON(n, other)
}

// MarshalJSON returns the T or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n, canonical) }

// MarshalJSONTo writes the T or null.
func (n Nullable[T]) MarshalJSONTo(enc *jsontext.Encoder) error {
	if n.form == formPresent {
		return json.MarshalEncode(enc, n.value)
	}
	return enc.WriteToken(jsontext.Null)
}

// UnmarshalJSON reads what UnmarshalJSONFrom reads.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, n) }

// UnmarshalJSONFrom reads null as an explicit null, and everything else as a T.
func (n *Nullable[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*n = Nullable[T]{}
	if dec.PeekKind() == jsontext.KindNull {
		n.form = formNull
		return dec.SkipValue()
	}
	if err := json.UnmarshalDecode(dec, &n.value); err != nil {
		return err
	}
	n.form = formPresent
	return nil
}
