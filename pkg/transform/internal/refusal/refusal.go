// Package refusal has the error by which the rooms beside it say why a request cannot be converted.
// Each form makes its own error of it, in which the request is named by the API that it is for.
package refusal

import (
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/validation"
)

// Error says why a request cannot be converted, and where.
type Error struct {
	// Pointer is a JSON pointer (RFC 6901) into the request; "" is the whole request.
	Pointer string
	// Problem is what is wrong and what would be right.
	Problem string
	// Err is the cause; nil where Problem says it all.
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

// Reason returns a problem with its cause. The text of a *[validation.Error] is the problem itself.
func Reason(problem string, cause error) string {
	if _, isRefusal := cause.(*validation.Error); isRefusal || cause == nil {
		return problem
	}
	return problem + ": " + cause.Error()
}

// Error returns the problem with its place and cause.
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
