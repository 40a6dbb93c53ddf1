package request

import "github.com/gemwire/gemwire/pkg/transform/internal/refusal"

// Error reports why a request cannot be converted, and where. Its text never quotes media, thought
// signatures or texts of the conversation.
type Error struct {
	// Pointer is a JSON pointer (RFC 6901) into the Gemini request. "" is the whole request, for
	// problems that only the converted request shows.
	Pointer string
	// Problem says what is wrong and what would be right.
	Problem string
	// Err is the cause. It is nil if Problem is complete. If Google would refuse the converted
	// request, Err is a *[validation.Error] and Problem is its text.
	Err error
}

// Error returns one line such as
// `interactions: reverse: /cachedContent: names a cache, which an interaction cannot read`.
func (e *Error) Error() string {
	return refusal.Text("interactions: reverse", e.Pointer, e.Reason())
}

// Location returns Pointer. The offset is always -1, because it is unknown.
func (e *Error) Location() (pointer string, offset int64) { return e.Pointer, -1 }

// Reason returns the text of [Error.Error] without the location: Problem, and the cause if there is
// one.
func (e *Error) Reason() string { return refusal.Reason(e.Problem, e.Err) }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
