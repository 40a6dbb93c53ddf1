package aisdk

import (
	"fmt"
	"io"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/go-json-experiment/json/jsontext"
)

// EncodeOption sets how parts are encoded.
type EncodeOption func(*encodeOptions)

type encodeOptions struct{ version string }

// ForV4 encodes parts as LanguageModelV4StreamPart. By default they are encoded as
// LanguageModelV3StreamPart. Anything that only V4 has is then an error: [aisdkapi.Ping],
// [aisdkapi.Custom], [aisdkapi.ReasoningFile], the citations of an [aisdkapi.TextEnd], the URL of
// an [aisdkapi.File], [aisdkapi.UnifiedFinishReasonInterrupted], [aisdkapi.DeprecatedWarning].
func ForV4() EncodeOption {
	return func(o *encodeOptions) { o.version = "v4" }
}

// EncodePart returns a part as compact JSON on one line, without a line feed at the end. The member
// "type" comes first, there are no HTML escapes, and free-form values lose only their white space.
// Equal parts have equal bytes. Invalid UTF-8 becomes U+FFFD.
//
// It returns a *[PartError] if the part is nil, or holds a [jsontext.Value] that is not JSON or of
// the wrong kind, an enum value that the SDK does not know, or anything that only V4 has.
func EncodePart(p aisdkapi.Part, opts ...EncodeOption) ([]byte, error) {
	const usual = 128
	line, err := AppendPart(make([]byte, 0, usual), p, opts...)
	if err != nil {
		return nil, err
	}
	return line, nil
}

// AppendPart appends the encoding of [EncodePart] to dst and returns the extended slice. After an
// error it returns dst unchanged.
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

// WritePart writes the encoding of [EncodePart] and a line feed in one call of w.Write. If p cannot
// be encoded, it writes nothing. It wraps an error of w.
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

// NewErrorPart returns the part for a failure with a text: the error is a JSON string.
func NewErrorPart(message string) aisdkapi.ErrorPart {
	// The error only reports invalid UTF-8, which has become U+FFFD.
	text, _ := jsontext.AppendQuote(nil, message)
	return aisdkapi.ErrorPart{Error: text}
}
