package toolloop

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/recovered"
)

// ErrIncompleteCall is wrapped by the error of a run whose model broke off within a call, of which the arguments
// came in pieces. Such a call must not be run.
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

// FinishError reports that the model ended its answer for a reason that leaves it unusable, such as a filter or a
// call that it could not write.
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

// Error returns one line such as "arguments of get_weather: structured: /city: expected a string, found 7".
func (e *ArgumentsError) Error() string { return "arguments of " + e.Name + ": " + e.Err.Error() }

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

// ToolTimeoutError reports a tool that failed when its time was over. The model is told.
type ToolTimeoutError struct {
	// Limit is that of [WithToolTimeout].
	Limit time.Duration
	// Err is what the tool returned.
	Err error
}

// Error returns one line such as "no result within 5s".
func (e *ToolTimeoutError) Error() string { return fmt.Sprintf("no result within %v", e.Limit) }

// Unwrap returns Err.
func (e *ToolTimeoutError) Unwrap() error { return e.Err }

// PanicError reports that a tool has panicked. The model is told so, but not the value.
type PanicError = recovered.PanicError

// errNoResult is the error of a tool that returns neither a response nor an error.
var errNoResult = errors.New("no result")
