package request

import (
	"errors"

	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
)

// Error reports why a request cannot be converted, and where. Its text never quotes media, thought
// signatures or texts of steps.
type Error struct {
	// Pointer is a JSON pointer (RFC 6901) into the request. "" is the whole request, for problems
	// that only the converted request shows.
	Pointer string
	// Problem says what is wrong and what would be right.
	Problem string
	// Err is the cause, such as the error of a schema; the text includes it. It is nil if Problem
	// is complete. If Gemini would refuse the converted request, Err is a *[validation.Error] and
	// Problem is its text.
	Err error
	// Code is the code of the Interactions API for the problem, such as
	// [interactions.CodeInvalidRequest].
	Code string
	// NeedsStore is true if a server that stores interactions could do what is requested; see
	// [WithHistory] and [WithStore].
	NeedsStore bool
}

// asError returns the error of a failed conversion as an [Error].
func asError(err error) error {
	if r, ok := errors.AsType[*refusal.Error](err); ok {
		return &Error{Pointer: r.Pointer, Problem: r.Problem, Err: r.Err,
			Code: interactions.CodeInvalidRequest}
	}
	return err
}

// refuse returns the error for a value that has no counterpart.
func refuse(pointer, problem string) error {
	return &refusal.Error{Pointer: pointer, Problem: problem}
}

// Error returns one line such as
// `interactions: request: /input/3: a result for "call_2" is missing`.
func (e *Error) Error() string {
	return refusal.Text("interactions: request", e.Pointer, e.Reason())
}

// ErrorCode returns Code.
func (e *Error) ErrorCode() string { return e.Code }

// Location returns Pointer. The offset is always -1, because it is unknown.
func (e *Error) Location() (pointer string, offset int64) { return e.Pointer, -1 }

// Reason returns the text of [Error.Error] without the location: Problem, and the cause if there is
// one.
func (e *Error) Reason() string { return refusal.Reason(e.Problem, e.Err) }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
