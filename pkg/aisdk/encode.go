package aisdk

import (
	"fmt"
	"io"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/go-json-experiment/json/jsontext"
)

// EncodeOption changes how parts are encoded.
type EncodeOption func(*encodeOptions)

type encodeOptions struct{ version string }

// ForV4 encodes parts as LanguageModelV4StreamPart. By default they are encoded as
// LanguageModelV3StreamPart, and what only V4 has is an error: [aisdkapi.Ping], [aisdkapi.Custom],
// [aisdkapi.ReasoningFile], the citations of an [aisdkapi.TextEnd], the URL of an [aisdkapi.File],
// [aisdkapi.UnifiedFinishReasonInterrupted], [aisdkapi.DeprecatedWarning].
func ForV4() EncodeOption {
	return func(o *encodeOptions) { o.version = "v4" }
}

// EncodePart returns a part as compact JSON on one line, without a line feed at the end: the member
// "type" first, no HTML escapes, free-form values without white space and otherwise as they are,
// equal bytes for equal parts. Bytes of a text that are not UTF-8 become U+FFFD.
//
// It returns a *[PartError] when the part is nil, holds a [jsontext.Value] that is not JSON or not
// of the kind that belongs there, an enum value that the SDK does not know, or something that only
// V4 has.
func EncodePart(p aisdkapi.Part, opts ...EncodeOption) ([]byte, error) {
	const usual = 128
	line, err := AppendPart(make([]byte, 0, usual), p, opts...)
	if err != nil {
		return nil, err
	}
	return line, nil
}

// AppendPart appends what [EncodePart] returns to dst and returns the extended slice. After an
// error dst is returned as it was.
func AppendPart(dst []byte, p aisdkapi.Part, opts ...EncodeOption) ([]byte, error) {
	if p == nil {
		return dst, &PartError{Problem: "nothing to encode"}
	}
	if err := checkKind(p); err != nil {
		return dst, err
	}
	o := encodeOptions{version: "v3"}
	option.Apply(&o, opts)
	e := plainjson.Encoder{Version: o.version}
	out := aisdkapi.EncodePart(&e, dst, p)
	if e.Done() {
		return out, nil
	}
	e = plainjson.Encoder{Version: o.version, Lenient: true}
	out = aisdkapi.EncodePart(&e, dst, p)
	if e.Done() {
		return out, nil
	}
	fault := e.Fault()
	fault.Offset -= len(dst)
	return dst, newPartError(p.PartType(), fault, out[len(dst):])
}

// WritePart writes what [EncodePart] returns and a line feed in one call of w.Write, and nothing if
// p cannot be encoded. An error of w is returned wrapped.
func WritePart(w io.Writer, p aisdkapi.Part, opts ...EncodeOption) error {
	line, err := EncodePart(p, opts...)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("aisdk: %s: %w", p.PartType(), err)
	}
	return nil
}

// NewErrorPart returns the part for a failure in words: the error is a JSON string.
func NewErrorPart(message string) aisdkapi.ErrorPart {
	// The error only tells of bytes that are not UTF-8; they have become U+FFFD.
	text, _ := jsontext.AppendQuote(nil, message)
	return aisdkapi.ErrorPart{Error: text}
}
