package wire

import (
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
)

// MalformedError reports why bytes are not the payload that they were decoded as, and where. Its
// text never quotes the payload, except for member names in the pointer.
type MalformedError struct {
	// Wire is the format that the payload belongs to: "gemini", "openai", "responses", "anthropic",
	// or a form of gemwire's own, such as "normalize".
	Wire string
	// Payload names the decoded payload: "response", "request", "countTokens request" and so on.
	Payload string
	// Pointer is the JSON pointer (RFC 6901) of the faulty value. If the bytes stopped being JSON,
	// it is the pointer of the innermost value that was being read. "" is the whole payload. Names
	// are spelled as in the input, also if the input does not use camelCase.
	Pointer string
	// Offset is the number of input bytes before the fault.
	Offset int64
	// Message describes the fault, for example "a list was expected, found a string".
	Message string
	// Err is the cause: an error of the JSON library. It wraps [io.ErrUnexpectedEOF] if the input
	// ends too early, and [jsontext.ErrDuplicateName] if a member occurs twice. The text of Err may
	// quote a number or a short string of the payload.
	Err error
}

// Error returns one line such as
// "gemini: response: /candidates/0/content: offset 17: an object was expected, found a list".
// A pointer of more than 200 bytes is shortened in its middle. The field Pointer has all of it.
func (e *MalformedError) Error() string {
	return prefix(e.Wire, e.Payload, e.Pointer) + "offset " + strconv.FormatInt(e.Offset, 10) +
		": " + e.Message
}

// Unwrap returns Err.
func (e *MalformedError) Unwrap() error { return e.Err }

// Location returns Pointer and Offset.
func (e *MalformedError) Location() (pointer string, offset int64) { return e.Pointer, e.Offset }

// Reason returns Message, which describes the fault without its location.
func (e *MalformedError) Reason() string { return e.Message }

// prefix returns the start of an error's text, which precedes the reason.
func prefix(wire, payload, at string) string {
	text := wire + ": " + payload + ": "
	if at != "" {
		text += jsonx.ShortenPointer(at) + ": "
	}
	return text
}
