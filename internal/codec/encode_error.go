package codec

import (
	"errors"
	"strings"

	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// EncodeError reports why a payload cannot be written as JSON.
type EncodeError struct {
	// Wire is whose payload it is: "gemini" or "openai".
	Wire string
	// Payload is what was encoded, by the names of [MalformedError].
	Payload string
	// Pointer is the JSON pointer of the value at fault; "" is the whole payload.
	Pointer string
	// Err is the cause.
	Err error
}

// Error returns one line such as
// "gemini: request: /contents/0/parts/0/functionCall/args: not JSON".
func (e *EncodeError) Error() string {
	return inFront(e.Wire, e.Payload, e.Pointer) + e.Reason()
}

// Location returns Pointer, and -1 for the offset.
func (e *EncodeError) Location() (pointer string, offset int64) { return e.Pointer, -1 }

// Reason returns what is wrong without the location.
func (e *EncodeError) Reason() string {
	switch {
	case errors.Is(e.Err, ErrNothing):
		return ErrNothing.Error()
	case errors.Is(e.Err, jsontext.ErrDuplicateName):
		return reasonDuplicate
	case isInvalidUTF8(e.Err):
		return reasonUTF8
	case strings.Count(e.Pointer, "/") >= plainjson.LibraryDepth:
		return ReasonDepth
	default:
		return reasonNotJSON
	}
}

// isInvalidUTF8 reports whether the JSON library refused a text that is not UTF-8. It does not export its error for that.
func isInvalidUTF8(err error) bool {
	_, refused := jsontext.AppendQuote(nil, []byte{0xff})
	return errors.Is(err, errors.Unwrap(refused))
}

// Unwrap returns Err.
func (e *EncodeError) Unwrap() error { return e.Err }

// NewEncodeError returns the error for a payload that the JSON library refused with err.
func NewEncodeError(payload Payload, err error) error {
	out := &EncodeError{Wire: payload.Wire, Payload: payload.Name, Err: err}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		out.Pointer = string(semantic.JSONPointer)
	}
	syntactic, ok := errors.AsType[*jsontext.SyntacticError](err)
	if ok && jsontext.Pointer(out.Pointer).Contains(syntactic.JSONPointer) { // more exact
		out.Pointer = string(syntactic.JSONPointer)
	}
	return out
}

// ErrNothing is the cause of the error that a nil payload meets.
var ErrNothing = errors.New("nothing to encode")
