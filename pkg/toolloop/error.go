package toolloop

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/recovered"
)

// ErrIncompleteCall is wrapped by the error of a run whose model broke off within a call, of which
// the arguments came in pieces. Such a call must not be run.
var ErrIncompleteCall = errors.New("a call that is not complete")

// LimitError reports that the model still called functions after as many steps as were allowed.
type LimitError struct {
	// Steps is the limit.
	Steps int
}

// Error returns one line such as "toolloop: no answer after 20 steps".
func (e *LimitError) Error() string {
	return fmt.Sprintf("toolloop: no answer after %d steps", e.Steps)
}

// FinishError reports that the model ended its answer for a reason that leaves it unusable, such as
// a filter or a call that it could not write.
type FinishError struct {
	// Reason is the wire's reason.
	Reason geminiapi.FinishReason
	// Message explains the reason, "" where the wire does not.
	Message string
}

// Error returns one line such as "toolloop: the model ended with MALFORMED_FUNCTION_CALL".
func (e *FinishError) Error() string {
	text := "toolloop: the model ended with " + string(e.Reason)
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// ArgumentsError reports that arguments of a call are not those of the function. The model is told.
type ArgumentsError struct {
	// Name is the function's.
	Name string
	// Err is the error of package structured, which knows the place.
	Err error
}

// Error returns one line such as "arguments of get_weather: structured: /city: expected a string,
// found 7".
func (e *ArgumentsError) Error() string { return fmt.Sprintf("arguments of %s: %v", e.Name, e.Err) }

// Unwrap returns Err.
func (e *ArgumentsError) Unwrap() error { return e.Err }

// UnknownFunctionError reports a call of a function that no tool has. The model is told.
type UnknownFunctionError struct {
	// Name is what the model called.
	Name string
	// Known are the names that there are, in the order of the tools.
	Known []string
}

// Error returns one line such as `no function "weather"; expected one of "get_weather"`.
func (e *UnknownFunctionError) Error() string {
	text := fmt.Sprintf("no function %q", e.Name)
	if len(e.Known) == 0 {
		return text
	}
	return text + fmt.Sprintf(`; expected one of "%s"`, strings.Join(e.Known, `", "`))
}

// ToolTimeoutError reports a tool that failed when its time was over, or had not returned by then.
// The model is told.
type ToolTimeoutError struct {
	// Limit is that of [WithToolTimeout].
	Limit time.Duration
	// Running tells that the tool has not returned, as it does not heed its context or has
	// something to close first. Its goroutine goes on until it does; what it returns is dropped.
	Running bool
	// Err is what the tool returned, [context.DeadlineExceeded] if it did not.
	Err error
}

// Error returns one line such as "no result within 5s".
func (e *ToolTimeoutError) Error() string { return fmt.Sprintf("no result within %v", e.Limit) }

// Unwrap returns Err.
func (e *ToolTimeoutError) Unwrap() error { return e.Err }

// PanicError reports that a tool has panicked. The model is told so, but not the value.
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

// InterruptedError reports that the time of a run was over, or its context cancelled, while tools
// ran.
type InterruptedError struct {
	// Step is the number of the step, counted from 1.
	Step int
	// Running are the names of the tools that had not returned, in the order of their calls, each
	// once: of this step, and of those before whose time was over. Their context has ended. Their
	// goroutines end when they return, which they do to nobody; of a tool that heeds its context
	// and has something to close first, that is soon.
	Running []string
	// Err is the error of the context.
	Err error
}

// Error returns one line such as `toolloop: step 2: context canceled; still running:
// "get_weather"`.
func (e *InterruptedError) Error() string {
	text := fmt.Sprintf("toolloop: step %d: %v", e.Step, e.Err)
	if len(e.Running) == 0 {
		return text
	}
	return text + fmt.Sprintf(`; still running: "%s"`, strings.Join(e.Running, `", "`))
}

// Unwrap returns Err.
func (e *InterruptedError) Unwrap() error { return e.Err }

// What a loop cannot do without.
var (
	// ErrNoModel is the error of [New] without a model.
	ErrNoModel = errors.New("toolloop: there is no model")
	// ErrNotMade is the error of a [Loop] that [New] has not made.
	ErrNotMade = errors.New("toolloop: the loop was not made by New")
)

// ToolError reports a tool that [New] does not take.
type ToolError struct {
	// Position is where the tool stands in the list, counted from 0.
	Position int
	// Name is the tool's, "" if it has none.
	Name string
	// Err says what is wrong with it.
	Err error
}

// Error returns one line such as `toolloop: tool 1, "get_weather": it has no Handle`.
func (e *ToolError) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("toolloop: tool %d: %v", e.Position, e.Err)
	}
	return fmt.Sprintf("toolloop: tool %d, %q: %v", e.Position, e.Name, e.Err)
}

// Unwrap returns Err.
func (e *ToolError) Unwrap() error { return e.Err }

// RequestError reports a request that a loop cannot run. Nothing was sent.
type RequestError struct {
	// Pointer is the JSON pointer of the member that is wrong, "" for the request itself.
	Pointer string
	// Problem says what is wrong, and what would be right.
	Problem string
}

// Error returns one line such as "toolloop: /tools/0/functionDeclarations: ...".
func (e *RequestError) Error() string {
	if e.Pointer == "" {
		return "toolloop: " + e.Problem
	}
	return "toolloop: " + e.Pointer + ": " + e.Problem
}

// Location returns the pointer of the member that is wrong; a request in memory has no offsets, so
// that is -1.
func (e *RequestError) Location() (pointer string, offset int64) { return e.Pointer, -1 }

// Reason returns what is wrong, without the place.
func (e *RequestError) Reason() string { return e.Problem }
