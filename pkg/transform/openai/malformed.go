package openai

import (
	"cmp"
	"errors"
	"io"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MalformedError says why bytes are not the payload that they were decoded as, and where. Its text
// never quotes the bytes, except for the names of members in the pointer.
type MalformedError struct {
	// Payload is what was decoded: "request", or "completion" for a whole one and a chunk alike, which
	// is also what "" stands for.
	Payload string
	// Pointer is the JSON pointer (RFC 6901) of the value at fault, or of the innermost value that
	// was being read when the bytes stopped being JSON. "" is the whole.
	Pointer string
	// Offset counts the bytes before the fault.
	Offset int64
	// Reason is the fault in words, for example "a number does not belong here".
	Reason string
	// Err is the cause: an error of the JSON library, [io.ErrUnexpectedEOF] in its chain if the
	// bytes end too early. Its own text may quote a number or a short string of them.
	Err error
}

// Error returns one line such as
// "openai: completion: /choices/0/message: offset 17: a list does not belong here".
func (e *MalformedError) Error() string {
	text := "openai: " + cmp.Or(e.Payload, payloadCompletion) + ": "
	if e.Pointer != "" {
		text += e.Pointer + ": "
	}
	return text + "offset " + strconv.FormatInt(e.Offset, 10) + ": " + e.Reason
}

// Unwrap returns Err.
func (e *MalformedError) Unwrap() error { return e.Err }

// What errors call the payloads.
const (
	payloadCompletion = "completion"
	payloadRequest    = "request"
)

func newMalformedError(payload string, err error) *MalformedError {
	out := &MalformedError{Payload: payload, Reason: "not JSON", Err: err}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		out.Pointer, out.Offset = string(semantic.JSONPointer), semantic.ByteOffset
		out.Reason = cmp.Or(kindNames[semantic.JSONKind], "this value") + " does not belong here"
	} else if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		out.Pointer, out.Offset = string(syntactic.JSONPointer), syntactic.ByteOffset
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			out.Reason = "the input ends too early"
		case errors.Is(err, jsontext.ErrDuplicateName):
			out.Reason = "the member is there twice"
		}
	}
	return out
}

var kindNames = map[jsontext.Kind]string{
	jsontext.KindNull:        "null",
	jsontext.KindFalse:       "a boolean",
	jsontext.KindTrue:        "a boolean",
	jsontext.KindString:      "a string",
	jsontext.KindNumber:      "a number",
	jsontext.KindBeginObject: "an object",
	jsontext.KindBeginArray:  "a list",
}

// EncodeError says why a payload cannot be written as JSON. Its text never quotes a value.
type EncodeError struct {
	// Payload is what was encoded, by the names of [MalformedError].
	Payload string
	// Pointer is the JSON pointer of the value at fault; "" is the whole payload.
	Pointer string
	// Err is the cause.
	Err error
}

// Error returns one line such as
// "openai: completion: /choices/0/message/content: cannot be written as JSON".
func (e *EncodeError) Error() string {
	text := "openai: " + cmp.Or(e.Payload, payloadCompletion) + ": "
	if e.Pointer != "" {
		text += e.Pointer + ": "
	}
	if errors.Is(e.Err, errNothing) {
		return text + errNothing.Error()
	}
	return text + "cannot be written as JSON"
}

// Unwrap returns Err.
func (e *EncodeError) Unwrap() error { return e.Err }

// errNothing is the cause of the error that a nil payload meets.
var errNothing = errors.New("nothing to encode")

func newEncodeError(payload string, err error) *EncodeError {
	out := &EncodeError{Payload: payload, Err: err}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		out.Pointer = string(semantic.JSONPointer)
	}
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok && jsontext.Pointer(out.Pointer).Contains(syntactic.JSONPointer) {
		out.Pointer = string(syntactic.JSONPointer) // more exact
	}
	return out
}
