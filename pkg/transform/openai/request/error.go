package request

import "github.com/gemwire/gemwire/internal/pointer"

// Error reports why a request cannot be converted, and where. Its text never quotes media, thought
// signatures or texts of messages.
type Error struct {
	// Pointer is a JSON pointer (RFC 6901) into the OpenAI request; "" is the whole request,
	// as for what only the converted request shows.
	Pointer string
	// Problem is what is wrong and what would be right.
	Problem string
	// Err is the cause, such as a *[validation.Error]; nil where Problem says it all.
	Err error
}

// Error returns one line such as
// `openai: request: /messages/3: a result for "call_2" is missing`.
func (e *Error) Error() string {
	text := "openai: request: "
	if e.Pointer != "" {
		text += pointer.Shorten(e.Pointer) + ": "
	}
	return text + e.Reason()
}

// Location returns Pointer; the offset is -1, as there is none.
func (e *Error) Location() (pointer string, offset int64) { return e.Pointer, -1 }

// Reason returns what [Error.Error] says without the location: Problem, and the cause if there is one.
func (e *Error) Reason() string {
	if e.Err == nil {
		return e.Problem
	}
	return e.Problem + ": " + e.Err.Error()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
