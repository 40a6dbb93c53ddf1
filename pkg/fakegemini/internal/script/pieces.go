package script

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Pieces are the pieces of a text. In a file, one piece is a text, and several are a list of texts.
type Pieces []string

// String returns the whole text.
func (p Pieces) String() string { return strings.Join(p, "") }

// MarshalJSONTo writes a text or a list.
func (p Pieces) MarshalJSONTo(enc *jsontext.Encoder) error {
	return marshalOneOrMany(enc, p)
}

// UnmarshalJSONFrom reads a text or a list.
func (p *Pieces) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return unmarshalOneOrMany(dec, (*[]string)(p))
}

// Names is a list of names. Either one or all of them must match. In a file, a single name is a
// text.
type Names []string

// MarshalJSONTo writes a text or a list.
func (n Names) MarshalJSONTo(enc *jsontext.Encoder) error { return marshalOneOrMany(enc, n) }

// UnmarshalJSONFrom reads a text or a list.
func (n *Names) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return unmarshalOneOrMany(dec, (*[]string)(n))
}

func marshalOneOrMany[T any](enc *jsontext.Encoder, values []T) error {
	if len(values) == 1 {
		return json.MarshalEncode(enc, values[0])
	}
	return json.MarshalEncode(enc, values)
}

// unmarshalOneOrMany reads a list, or any other value as a list with one element.
func unmarshalOneOrMany[T any](dec *jsontext.Decoder, values *[]T) error {
	if dec.PeekKind() == jsontext.KindBeginArray {
		return json.UnmarshalDecode(dec, values)
	}
	*values = make([]T, 1)
	return json.UnmarshalDecode(dec, &(*values)[0])
}
