package aisdk

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// RawPart is a chunk of the provider as it came. The SDK wants these only when it was asked for them
// (includeRawChunks).
type RawPart struct {
	// RawValue is any JSON; nil is null.
	RawValue jsontext.Value
}

// PartType returns [TypeRaw].
func (RawPart) PartType() PartType { return TypeRaw }

// MarshalJSON returns what [EncodePart] returns.
func (p RawPart) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p RawPart) write(w *partWriter) { w.value("rawValue", p.RawValue) }

func readRawPart(r *partReader) Part { return RawPart{RawValue: r.value("rawValue")} }

// ErrorPart is a failure within the stream; a [Finish] may still follow.
type ErrorPart struct {
	// Error is any JSON: the provider's error object, or a string that says what happened. nil is
	// null.
	Error jsontext.Value
}

// NewErrorPart returns the part for a failure in words: the error is a JSON string.
func NewErrorPart(message string) ErrorPart {
	// The error only tells of bytes that are not UTF-8; they have become U+FFFD.
	text, _ := jsontext.AppendQuote(nil, message)
	return ErrorPart{Error: text}
}

// PartType returns [TypeError].
func (ErrorPart) PartType() PartType { return TypeError }

// MarshalJSON returns what [EncodePart] returns.
func (p ErrorPart) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p ErrorPart) write(w *partWriter) { w.value("error", p.Error) }

func readErrorPart(r *partReader) Part { return ErrorPart{Error: r.value("error")} }

// Ping keeps a connection alive and says nothing. V4 only.
type Ping struct{}

// PartType returns [TypePing].
func (Ping) PartType() PartType { return TypePing }

// MarshalJSON returns what [EncodePart] returns, but in the form of V4.
func (p Ping) MarshalJSON() ([]byte, error) { return EncodePart(p, ForV4()) }

func (Ping) write(w *partWriter) { w.onlyV4("") }

func readPing(*partReader) Part { return Ping{} }

// Custom is content of a kind that only its provider knows. V4 only.
type Custom struct {
	// Kind is the provider's name, a full stop, and the provider's name for the kind of content.
	Kind string
	// ProviderMetadata has the content; it is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeCustom].
func (Custom) PartType() PartType { return TypeCustom }

// MarshalJSON returns what [EncodePart] returns, but in the form of V4.
func (p Custom) MarshalJSON() ([]byte, error) { return EncodePart(p, ForV4()) }

func (p Custom) write(w *partWriter) {
	w.onlyV4("")
	if !strings.Contains(p.Kind, ".") {
		w.fail("kind", reasonKind)
	}
	w.text("kind", p.Kind)
	w.metadata(p.ProviderMetadata)
}

func readCustom(r *partReader) Part {
	p := Custom{Kind: r.text("kind"), ProviderMetadata: r.metadata()}
	if !strings.Contains(p.Kind, ".") {
		r.fail("kind", reasonKind)
	}
	return p
}

const reasonKind = `"provider.kind" was expected`
