// Package refusal defines the error that says why a request cannot be converted. The packages next
// to it return it, and each form makes its own error from it.
package refusal

import (
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/validation"
)

// Error reports why a request cannot be converted, and where.
type Error struct {
	// Pointer is a JSON pointer (RFC 6901) into the request; "" is the whole request.
	Pointer string
	// Problem says what is wrong and what would be right.
	Problem string
	// Err is the cause, or nil if Problem is complete.
	Err error
}

// Text returns the text of a form's error: `chat: request: /messages/3: a result for "call_2" is
// missing`. The prefix is the form and what is converted.
func Text(prefix, pointer, reason string) string {
	if pointer != "" {
		prefix += ": " + jsonx.ShortenPointer(pointer)
	}
	return prefix + ": " + reason
}

// Reason returns a problem with its cause. If the cause is a *[validation.Error], its text is
// already the problem.
func Reason(problem string, cause error) string {
	if _, isRefusal := cause.(*validation.Error); isRefusal || cause == nil {
		return problem
	}
	return problem + ": " + cause.Error()
}

// Error returns the problem with its pointer and cause.
func (e *Error) Error() string {
	text := e.Problem
	if e.Pointer != "" {
		text = e.Pointer + ": " + text
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
