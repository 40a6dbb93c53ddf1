package schema

import (
	"errors"
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// What an [Error] can be about, for [errors.Is].
var (
	// ErrNotSchema is about a document that is JSON, but neither an object nor a boolean.
	ErrNotSchema = errors.New("a schema is an object or a boolean")
	// ErrNotObject is about parameters that do not describe an object; see [ForParameters].
	ErrNotObject = errors.New("parameters have to describe an object")
	// ErrCycle is about a reference to a schema that it is a part of. Such a schema has no end when
	// references are replaced by what they refer to; where the API takes JSON Schema itself, the
	// document can be sent as it is.
	ErrCycle = errors.New("a cycle of references")
	// ErrUnresolved is about a reference that leads nowhere, out of the document, or to what is no
	// schema.
	ErrUnresolved = errors.New("an unresolved reference")
	// ErrTooLarge is about a result of more than about 50,000 values, or more than 100 schemas
	// within each other, to which references can let a small document grow.
	ErrTooLarge = errors.New("the schema becomes too large")
)

// Error reports why a document cannot be converted, and where. Its text never quotes the document,
// except for names in pointers and the text of a reference.
type Error struct {
	// Pointer is the location in the document as a JSON pointer (RFC 6901), of a reference that of
	// the keyword itself. "" is the whole document.
	Pointer string
	// Target is where the reference leads: for [ErrCycle] the pointer of the schema that it is a
	// part of, for [ErrUnresolved] the text of the reference. "" for all others, and for the whole
	// document.
	Target string
	// Err is one of the errors of this package or, when the document is not JSON, that of the JSON
	// library, a *[jsontext.SyntacticError].
	Err error
}

// Error returns one line such as "schema: /properties/child/$ref: a cycle of references: it is a
// part of its target "#/$defs/node"". Long pointers and references are cut in their middle.
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

// Location returns Pointer, and where the document stops being JSON, -1 when it does not.
func (e *Error) Location() (pointer string, offset int64) {
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](e.Err); ok {
		return e.Pointer, syntactic.ByteOffset
	}
	return e.Pointer, -1
}

// Reason returns what [Error.Error] says without the location.
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
