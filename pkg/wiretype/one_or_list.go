package wiretype

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// OneOrList is a list of T, or one T in place of a list: a tool result is a list of results or one
// error; citations are a list in an answer and a setting in a request.
//
// The zero value holds neither. It is written as null, or left out of a struct with the option
// omitzero. A JSON null is read as the zero value. An empty list is not zero.
//
// T must be written as an object.
type OneOrList[T any] struct {
	list []T
	one  *T
}

// ListOf returns a union that holds a list, which may be empty. It shares the memory of list.
func ListOf[T any](list []T) OneOrList[T] {
	if list == nil {
		list = []T{}
	}
	return OneOrList[T]{list: list}
}

// OneOf returns a union that holds one T.
func OneOf[T any](one T) OneOrList[T] { return OneOrList[T]{one: &one} }

// AsList returns the list. ok is false if the union holds none.
func (u OneOrList[T]) AsList() (list []T, ok bool) { return u.list, u.list != nil }

// AsOne returns the single T, nil if the union holds none.
func (u OneOrList[T]) AsOne() *T { return u.one }

// All returns the elements of the list, or the single T as a list.
func (u OneOrList[T]) All() []T {
	if u.one != nil {
		return []T{*u.one}
	}
	return u.list
}

// IsZero reports whether the union holds neither a list nor a T.
func (u OneOrList[T]) IsZero() bool { return u.list == nil && u.one == nil }

// Equal reports whether u and other have the same form and equal JSON. It encodes both, so use it
// in tests.
func (u OneOrList[T]) Equal(other OneOrList[T]) bool { return sameJSON(u, other) }

// MarshalJSON returns the list, the T, or null.
func (u OneOrList[T]) MarshalJSON() ([]byte, error) { return json.Marshal(u, canonical) }

// MarshalJSONTo writes the list, the T, or null.
func (u OneOrList[T]) MarshalJSONTo(enc *jsontext.Encoder) error {
	switch {
	case u.one != nil:
		return json.MarshalEncode(enc, u.one)
	case u.list != nil:
		return json.MarshalEncode(enc, u.list)
	default:
		return enc.WriteToken(jsontext.Null)
	}
}

// UnmarshalJSON reads what UnmarshalJSONFrom reads.
func (u *OneOrList[T]) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, u) }

// UnmarshalJSONFrom reads an object as the T, null as the zero value, and everything else as a
// list.
func (u *OneOrList[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*u = OneOrList[T]{}
	switch dec.PeekKind() {
	case jsontext.KindBeginObject:
		var one T
		if err := json.UnmarshalDecode(dec, &one); err != nil {
			return err
		}
		u.one = &one
	case jsontext.KindNull:
		return dec.SkipValue()
	default:
		return json.UnmarshalDecode(dec, &u.list)
	}
	return nil
}
