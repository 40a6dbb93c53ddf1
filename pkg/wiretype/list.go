package wiretype

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// NullableList is a JSON list or null: the token log probabilities of an answer, the bytes of a
// token. A nil list is null and an empty list is []; a plain Go slice would be [] for both. Use it
// like a slice.
type NullableList[T any] []T

// MarshalJSON returns the list, or null for a nil list.
func (l NullableList[T]) MarshalJSON() ([]byte, error) { return json.Marshal(l, canonical) }

// MarshalJSONTo writes the list, or null for a nil list.
func (l NullableList[T]) MarshalJSONTo(enc *jsontext.Encoder) error {
	if l == nil {
		return enc.WriteToken(jsontext.Null)
	}
	return json.MarshalEncode(enc, []T(l))
}

// UnmarshalJSON reads a list; null makes it nil.
func (l *NullableList[T]) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, l) }

// UnmarshalJSONFrom reads a list; null makes it nil.
func (l *NullableList[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return json.UnmarshalDecode(dec, (*[]T)(l))
}
