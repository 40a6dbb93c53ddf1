package aisdk

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodePart decodes one part as [EncodePart] writes it, of V3 or V4. It keeps free-form values
// byte for byte.
//
// It returns a *[PartError] for input that is not JSON, for an unknown type, and for a member that
// is missing, of the wrong kind, or not a member of the part. So a payload in another format is
// never taken for a part. Invalid UTF-8 becomes U+FFFD. An optional member that is null counts as
// absent, and so does an empty text if the SDK's type is text|undefined.
func DecodePart(data []byte) (aisdkapi.Part, error) {
	d := plainjson.NewDecoder(data)
	part := aisdkapi.DecodePart(&d)
	if !d.Done() {
		var err error
		if part, err = decodeLeniently(plainjson.ValidUTF8(data)); err != nil {
			return nil, err
		}
	}
	if err := checkKind(part); err != nil {
		return nil, err
	}
	return part, nil
}

// decodeLeniently decodes a part that is not plain, or finds its error.
func decodeLeniently(data []byte) (aisdkapi.Part, error) {
	if fault := plainjson.CheckObject(data); fault != nil {
		return nil, newSyntaxError(fault)
	}
	d := plainjson.NewLenientDecoder(data)
	part := aisdkapi.DecodePart(&d)
	if d.Done() {
		return part, nil
	}
	return nil, newPartError(typeOf(data), d.Fault(), data)
}

// typeOf returns the type of a part, or "" if the type is not a part's.
func typeOf(data []byte) aisdkapi.PartType {
	d := plainjson.NewLenientDecoder(data)
	if kind := aisdkapi.PartType(d.Variant("type")); kind.Valid() {
		return kind
	}
	return ""
}

// ReadParts reads parts as [WritePart] writes them: one JSON object after the other, with any white
// space in between. It yields each part as soon as it has arrived. The first error ends the
// sequence: a *[PartError] with the part's offset, or a wrapped error of the reader.
func ReadParts(r io.Reader) iter.Seq2[aisdkapi.Part, error] {
	return func(yield func(aisdkapi.Part, error) bool) {
		d := jsontext.NewDecoder(r, plainjson.Lenient)
		for {
			part, err := readPart(d)
			if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return
			}
			if !yield(part, err) || err != nil {
				return
			}
		}
	}
}

func readPart(d *jsontext.Decoder) (aisdkapi.Part, error) {
	value, err := d.ReadValue()
	if _, isSyntax := errors.AsType[*jsontext.SyntacticError](err); isSyntax {
		return nil, newSyntaxError(plainjson.NewSyntaxFault(err))
	}
	if err != nil {
		return nil, fmt.Errorf("aisdk: reading parts at byte %d: %w", d.InputOffset(), err)
	}
	part, err := DecodePart(value)
	if partError, ok := errors.AsType[*PartError](err); ok {
		partError.Offset += d.InputOffset() - int64(len(value))
	}
	return part, err
}
