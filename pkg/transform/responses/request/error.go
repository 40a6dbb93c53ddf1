package request

import (
	"errors"
	"net/http"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
)

// Error reports why a request cannot be converted, and where. Its text never quotes media, thought
// signatures or texts of messages.
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
	// Code is OpenAI's code for the problem, such as "previous_response_not_found", or "".
	Code string
	// HTTPStatus is the status that OpenAI returns: 404 for an item that is not stored, else 400.
	HTTPStatus int
	// NeedsStore is true if a server that stores responses could do what is requested; see
	// [WithStore].
	NeedsStore bool
}

// Error returns one line such as
// `responses: request: /input/3: a result for "call_2" is missing`.
func (e *Error) Error() string {
	return refusal.Text("responses: request", e.Pointer, e.Reason())
}

// Location returns Pointer. The offset is always -1, because it is unknown.
func (e *Error) Location() (pointer string, offset int64) { return e.Pointer, -1 }

// Reason returns the text of [Error.Error] without the location: Problem, and the cause if there is
// one.
func (e *Error) Reason() string { return refusal.Reason(e.Problem, e.Err) }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Param returns Pointer in the notation of OpenAI's errors, such as "input[3].arguments". It
// returns "" for the whole request.
func (e *Error) Param() string { return jsonx.ParamOf(e.Pointer) }

// asError returns the error of a failed conversion as an [Error].
func asError(err error) error {
	if r, ok := errors.AsType[*refusal.Error](err); ok {
		return &Error{Pointer: r.Pointer, Problem: r.Problem, Err: r.Err,
			HTTPStatus: http.StatusBadRequest}
	}
	return err
}

// refuse returns the error for a value that has no counterpart.
func refuse(pointer, problem string) error {
	return &refusal.Error{Pointer: pointer, Problem: problem}
}
