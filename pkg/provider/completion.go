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

// Categories of failures that only calls have. None of them is retryable.
const (
	// CategoryCancelled is a call that was cancelled, by [Call.Cancel] or by its context.
	CategoryCancelled normalize.Category = "cancelled"
	// CategoryCallback is a call that a function of the program ended. The event callback of a
	// stream returned an error, panicked or ended its goroutine (*[CallbackError]). Or something
	// that the client was given panicked or ended the goroutine (*[AbortedError]).
	CategoryCallback normalize.Category = "callback"
)

// Completion describes how a call ended.
type Completion struct {
	// Success reports that there is an answer.
	Success bool
	// HTTPStatus is the status of the last reply, 0 without a reply. A stream that failed after its
	// start has a success status.
	HTTPStatus int
	// Response is the answer; for a stream, its joined events. It is nil without success.
	Response *normalize.Response
	// Category is the kind of failure, "" with success.
	Category normalize.Category
	// Message is the message of [normalize.Error], "" with success: "401: API key not valid".
	Message string
	// RetryAfterMS is the delay in milliseconds that the server asks for before the next try, -1 if
	// it names none.
	RetryAfterMS int64
	// Err is the failure with its cause; nil with success.
	Err *normalize.Error
}

// CallbackError reports that an event callback failed.
type CallbackError struct {
	// Err is the error that the callback returned, or a *[PanicError].
	Err error
}

// Error returns "provider: event callback: " and the text of Err.
func (e *CallbackError) Error() string { return fmt.Sprintf("provider: event callback: %v", e.Err) }

// Unwrap returns Err.
func (e *CallbackError) Unwrap() error { return e.Err }

// AbortedError reports that a background call ended in a function of the program other than a
// callback: middleware, an observer, a token source, a clock, the function of [WithToolCallIDs], or
// the Error method of one of their errors. [Provider.Generate] and [Provider.Stream] run on the
// caller's goroutine, so there such a panic reaches the caller.
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

// PanicError reports that a callback or another function of the program panicked.
type PanicError struct {
	// Value is the value that the function panicked with.
	Value any
	// Stack is the stack of the goroutine at the panic, as [debug.Stack] formats it.
	Stack []byte
}

// Error returns one line such as "panic: runtime error: integer divide by zero". It contains the
// text of a runtime error only. For any other value it contains the type, because the value may be
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

// errExited ends a call whose callback ended its goroutine.
var errExited = errors.New("the goroutine was ended")

// errCancelled ends a call that was cancelled.
var errCancelled = fmt.Errorf("provider: cancelled: %w", context.Canceled)

// completionOf makes a completion from an answer or from an error.
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

// milliseconds rounds up, because a try that comes too early is rejected.
func milliseconds(wait time.Duration) int64 {
	if wait <= 0 {
		return -1
	}
	return (wait + time.Millisecond - 1).Milliseconds()
}

// failureOf describes why a call with context ctx failed. If the call was stopped, that explains
// all other errors.
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
// text names a package that the caller has not used.
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

// described describes an error in a new copy.
func described(err error) *normalize.Error {
	if aborted, ok := errors.AsType[*AbortedError](err); ok {
		return &normalize.Error{Category: CategoryCallback, Message: messageOf(aborted),
			Err: aborted}
	}
	out := *normalize.FromError(err)
	return &out
}

// messageOf returns the text of an error of this package without the package name.
func messageOf(err error) string { return strings.TrimPrefix(err.Error(), "provider: ") }
