package provider

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/recovered"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// Categories of failures that only calls have. No such call is worth repeating by itself.
const (
	// CategoryCancelled is a call that was cancelled, by [Call.Cancel] or by its context.
	CategoryCancelled normalize.Category = "cancelled"
	// CategoryCallback is a call that functions of the program have ended: a stream whose event
	// callback returned an error, panicked or ended its goroutine (*[CallbackError]), and a call in
	// which something that the client was given panicked or ended the goroutine (*[AbortedError]).
	CategoryCallback normalize.Category = "callback"
)

// Completion is how a call ended.
type Completion struct {
	// Success reports that there is an answer.
	Success bool
	// HTTPStatus is the status of the last reply, 0 when none came. A stream that failed after it
	// had begun has a status of success.
	HTTPStatus int
	// Response is the answer, of a stream what its events make together; nil without success.
	Response *normalize.Response
	// Category is the kind of failure, "" with success.
	Category normalize.Category
	// Message is that of [normalize.Error], "" with success: "401: API key not valid".
	Message string
	// RetryAfterMS is how many milliseconds the server asks to wait before the next try, -1 when it
	// does not say.
	RetryAfterMS int64
	// Err is the failure with its cause; nil with success.
	Err *normalize.Error
}

// CallbackError reports that an event callback did not take an event.
type CallbackError struct {
	// Err is what the callback returned, or a *[PanicError].
	Err error
}

// Error returns "provider: event callback: " and the text of Err.
func (e *CallbackError) Error() string { return fmt.Sprintf("provider: event callback: %v", e.Err) }

// Unwrap returns Err.
func (e *CallbackError) Unwrap() error { return e.Err }

// AbortedError reports that a call in the background ended in a function of the program that is no
// callback of it: middleware, an observer, a token source, a clock, the function of
// [WithToolCallIDs], or the text of an error of theirs. In [Provider.Generate] and
// [Provider.Stream], which run on the goroutine of their caller, such a panic is the caller's.
type AbortedError struct {
	// Err is a *[PanicError], or says that the goroutine was ended by [runtime.Goexit].
	Err error
}

// Error returns "provider: the call was aborted: " and the text of Err.
func (e *AbortedError) Error() string {
	return fmt.Sprintf("provider: the call was aborted: %v", e.Err)
}

// Unwrap returns Err.
func (e *AbortedError) Unwrap() error { return e.Err }

// PanicError reports that a callback, or something else that the program gave, has panicked.
type PanicError struct {
	// Value is the value that the function panicked with.
	Value any
	// Stack is the stack of the goroutine at the panic, as [debug.Stack] formats it.
	Stack []byte
}

// Error returns one line such as "panic: runtime error: integer divide by zero". It contains the
// text of a runtime error only. Of any other value it contains the type, because the value may be
// confidential.
func (e *PanicError) Error() string { return (*recovered.PanicError)(e).Error() }

// Unwrap returns Value if that is an error.
func (e *PanicError) Unwrap() error { return (*recovered.PanicError)(e).Unwrap() }

// callRecovered returns what f returns, or a *[PanicError] if f panics.
func callRecovered(f func() error) error {
	err := recovered.Call(f)
	if fault, ok := err.(*recovered.PanicError); ok {
		return (*PanicError)(fault)
	}
	return err
}

// errExited is why a call ends whose callback has ended its goroutine.
var errExited = errors.New("the goroutine was ended")

// errCancelled is why a call ends that was cancelled.
var errCancelled = fmt.Errorf("provider: cancelled: %w", context.Canceled)

// completionOf makes a completion of an answer or of why there is none.
func completionOf(status int, response *normalize.Response, failure *normalize.Error) Completion {
	if failure == nil {
		return Completion{Success: true, HTTPStatus: max(status, http.StatusOK), Response: response,
			RetryAfterMS: -1}
	}
	return Completion{
		HTTPStatus: status, Category: failure.Category, Message: failure.Message,
		RetryAfterMS: milliseconds(failure.RetryAfter), Err: failure,
	}
}

// milliseconds rounds up, as a try that comes too early is refused.
func milliseconds(wait time.Duration) int64 {
	if wait <= 0 {
		return -1
	}
	return (wait + time.Millisecond - 1).Milliseconds()
}

// failureOf describes why a call failed whose context is ctx. That the call was stopped explains
// whatever else went wrong.
func failureOf(ctx context.Context, err error) *normalize.Error {
	cause, isLate := context.Cause(ctx), errors.Is(ctx.Err(), context.DeadlineExceeded)
	callback, isCallback := errors.AsType[*CallbackError](cause)
	switch {
	case cause == nil, isLate && err != nil:
		return described(err)
	case isLate:
		return described(ctx.Err())
	case isCallback:
		return &normalize.Error{Category: CategoryCallback, Message: messageOf(callback),
			Err: callback}
	default:
		return &normalize.Error{Category: CategoryCancelled, Message: "cancelled", Err: cause}
	}
}

// requestError reports that a request cannot be sent. It wraps the *[normalize.Error], whose own
// text names a package that the caller has not called.
type requestError struct{ failure *normalize.Error }

// Error returns a line such as "provider: Model is required: set Model of the request, or use
// gemini.WithModel".
func (e *requestError) Error() string {
	text := "provider: " + e.failure.Message
	if errors.Is(e.failure, gemini.ErrModelRequired) {
		text += ": set Model of the request, or use gemini.WithModel"
	}
	return text
}

func (e *requestError) Unwrap() error { return e.failure }

// unsendable describes a request that cannot be sent.
func unsendable(err error) *normalize.Error {
	out := described(err)
	if out.Category == normalize.CategoryUnknown {
		out.Category = normalize.CategoryInvalidArg
	}
	return out
}

// described describes an error in a copy of its own.
func described(err error) *normalize.Error {
	if aborted, ok := errors.AsType[*AbortedError](err); ok {
		return &normalize.Error{Category: CategoryCallback, Message: messageOf(aborted),
			Err: aborted}
	}
	out := *normalize.FromError(err)
	return &out
}

// messageOf returns the text of an error of this package without its name.
func messageOf(err error) string { return strings.TrimPrefix(err.Error(), "provider: ") }
