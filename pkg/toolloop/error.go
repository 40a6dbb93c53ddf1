package toolloop

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/recovered"
)

// ErrIncompleteCall is wrapped by the error of a run whose model stopped within a call, after only
// some pieces of the arguments. Such a call must not be run.
var ErrIncompleteCall = errors.New("a call that is not complete")

// LimitError reports that the model still called functions after the maximum number of steps.
type LimitError struct {
	// Steps is the limit.
	Steps int
}

// Error returns one line such as "toolloop: no answer after 20 steps".
func (e *LimitError) Error() string {
	return fmt.Sprintf("toolloop: no answer after %d steps", e.Steps)
}

// FinishError reports that the model's answer ended for a reason that makes it unusable, such as a
// filter or a call that the model could not write.
type FinishError struct {
	// Reason is the wire's reason.
	Reason geminiapi.FinishReason
	// Message explains the reason, "" if the wire does not.
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

// ArgumentsError reports that the arguments of a call do not fit the function. The model gets the
// error.
type ArgumentsError struct {
	// Name is the function's.
	Name string
	// Err is the error of package structured, with the location.
	Err error
}

// Error returns one line such as "arguments of get_weather: structured: /city: expected a string,
// found 7".
func (e *ArgumentsError) Error() string { return fmt.Sprintf("arguments of %s: %v", e.Name, e.Err) }

// Unwrap returns Err.
func (e *ArgumentsError) Unwrap() error { return e.Err }

// UnknownFunctionError reports a call of a function that no tool has. The model gets the error.
type UnknownFunctionError struct {
	// Name is the name that the model called.
	Name string
	// Known lists the existing names, in the order of the tools.
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

// ToolTimeoutError reports a tool that failed at its time limit, or had not returned by then. The
// model gets the error.
type ToolTimeoutError struct {
	// Limit is the limit of [WithToolTimeout].
	Limit time.Duration
	// Running reports that the tool has not returned, because it ignores its context or has
	// something to close first. Its goroutine runs until it returns; the result is dropped.
	Running bool
	// Err is the tool's error, or [context.DeadlineExceeded] if the tool has not returned.
	Err error
}

// Error returns one line such as "no result within 5s".
func (e *ToolTimeoutError) Error() string { return fmt.Sprintf("no result within %v", e.Limit) }

// Unwrap returns Err.
func (e *ToolTimeoutError) Unwrap() error { return e.Err }

// PanicError reports that a tool panicked. The model learns that, but not the value.
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

// InterruptedError reports that a run reached its time limit, or its context was cancelled, while
// tools were running.
type InterruptedError struct {
	// Step is the number of the step, counted from 1.
	Step int
	// Running lists the names of the tools that had not returned, in the order of their calls,
	// without repetitions. It includes tools of earlier steps that exceeded their time limit. Their
	// contexts have ended. Their goroutines end when the tools return; the results are dropped. A
	// tool that watches its context returns soon.
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

// Errors about loops that cannot run.
var (
	// ErrNoModel is returned by [New] without a model.
	ErrNoModel = errors.New("toolloop: no model is given")
	// ErrNotMade is returned by a [Loop] that [New] did not make.
	ErrNotMade = errors.New("toolloop: the loop was not made by New")
)

// ToolError reports a tool that [New] rejects.
type ToolError struct {
	// Position is the position of the tool in the list, counted from 0.
	Position int
	// Name is the tool's name, "" if it has none.
	Name string
	// Err says what is wrong with the tool.
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
	// Pointer is the JSON pointer of the invalid member, "" for the request itself.
	Pointer string
	// Problem says what is wrong, and what is expected.
	Problem string
}

// Error returns one line such as "toolloop: /tools/0/functionDeclarations: ...".
func (e *RequestError) Error() string {
	if e.Pointer == "" {
		return "toolloop: " + e.Problem
	}
	return "toolloop: " + e.Pointer + ": " + e.Problem
}

// Location returns the pointer of the invalid member. The offset is -1, because a request in memory
// has no offsets.
func (e *RequestError) Location() (pointer string, offset int64) { return e.Pointer, -1 }

// Reason returns Problem.
func (e *RequestError) Reason() string { return e.Problem }
