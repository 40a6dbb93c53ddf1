package schema

import (
	"errors"
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// These are the causes of an [Error], for [errors.Is].
var (
	// ErrNotSchema is the cause for a document that is JSON, but neither an object nor a boolean.
	ErrNotSchema = errors.New("a schema must be an object or a boolean")
	// ErrNotObject is the cause for parameters that do not describe an object; see [ForParameters].
	ErrNotObject = errors.New("parameters must describe an object")
	// ErrCycle is the cause for a reference to a schema that contains the reference. Inlining such
	// a schema has no end. If the API accepts JSON Schema itself, send the document unchanged.
	ErrCycle = errors.New("a cycle of references")
	// ErrUnresolved is the cause for a reference without a target in the document, or whose target
	// is not a schema.
	ErrUnresolved = errors.New("an unresolved reference")
	// ErrTooLarge is the cause for a result with more than about 50,000 values, or more than 100
	// nested schemas. References can make a small document grow to that size.
	ErrTooLarge = errors.New("the schema becomes too large")
)

// Error reports why a document cannot be converted, and where. Its text quotes nothing of the
// document except names in pointers and the text of a reference.
type Error struct {
	// Pointer is the JSON pointer (RFC 6901) of the location in the document. For a reference it is
	// the pointer of its keyword. "" is the whole document.
	Pointer string
	// Target is the target of the reference. For [ErrCycle] it is the pointer of the schema that
	// contains the reference, for [ErrUnresolved] the text of the reference. It is "" for all other
	// causes, and for the whole document.
	Target string
	// Err is one of the causes of this package. If the document is not JSON, it is the
	// *[jsontext.SyntacticError] of the JSON library.
	Err error
}

// Error returns one line such as "schema: /properties/child/$ref: a cycle of references: it is a
// part of its target "#/$defs/node"". Long pointers and references are shortened in the middle.
func (e *Error) Error() string {
	text := "schema: "
	if e.Pointer != "" {
		text += jsonx.ShortenPointer(e.Pointer) + ": "
	}
	text += e.Reason()
	if _, offset := e.Location(); offset >= 0 {
		text += " at offset " + strconv.FormatInt(offset, 10)
	}
	return text
}

// Location returns Pointer and the offset of a JSON syntax error, or -1.
func (e *Error) Location() (pointer string, offset int64) {
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](e.Err); ok {
		return e.Pointer, syntactic.ByteOffset
	}
	return e.Pointer, -1
}

// Reason returns the text of [Error.Error] without the location.
func (e *Error) Reason() string {
	switch _, isSyntactic := errors.AsType[*jsontext.SyntacticError](e.Err); {
	case isSyntactic:
		return "not JSON"
	case errors.Is(e.Err, ErrCycle):
		return e.Err.Error() + ": it is a part of its target " +
			strconv.Quote(jsonx.ShortenPointer("#"+e.Target))
	case errors.Is(e.Err, ErrUnresolved):
		return e.Err.Error() + ": " + strconv.Quote(jsonx.ShortenPointer(e.Target))
	default:
		return e.Err.Error()
	}
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
