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
	// Pointer is a JSON pointer (RFC 6901) into the request; "" is the whole request,
	// as for what only the converted request shows.
	Pointer string
	// Problem is what is wrong and what would be right.
	Problem string
	// Err is the cause, such as the error of a schema, which is a part of the text. It is nil where
	// Problem says it all, and a *[validation.Error] of which Problem is the text where Gemini
	// would refuse the converted request.
	Err error
	// Code is OpenAI's code for the problem, such as "previous_response_not_found"; "" where it has
	// none.
	Code string
	// HTTPStatus is the status that OpenAI answers with: 404 for an item that is not kept, else
	// 400.
	HTTPStatus int
	// NeedsStore says that a server which keeps responses could do what is asked, see [WithStore].
	NeedsStore bool
}

// Error returns one line such as
// `responses: request: /input/3: a result for "call_2" is missing`.
func (e *Error) Error() string {
	return refusal.Text("responses: request", e.Pointer, e.Reason())
}

// Location returns Pointer; the offset is -1, as there is none.
func (e *Error) Location() (pointer string, offset int64) { return e.Pointer, -1 }

// Reason returns what [Error.Error] says without the location: Problem, and the cause if there is
// one.
func (e *Error) Reason() string { return refusal.Reason(e.Problem, e.Err) }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Param returns Pointer as OpenAI's errors name a member, such as "input[3].arguments"; "" for the
// whole request.
func (e *Error) Param() string { return jsonx.ParamOf(e.Pointer) }

// asError returns the error for what cannot be converted.
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
