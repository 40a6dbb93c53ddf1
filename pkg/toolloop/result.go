package toolloop

import (
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// Result is the outcome of a run, final or so far.
type Result struct {
	// Answer is the last answer of the model in normalised form, nil without an answer.
	Answer *normalize.Response
	// Contents are the turns of the request and those that the run added: the model's turns, each
	// followed by the results of its calls, up to the answer. To continue the conversation, begin
	// the next request with them.
	Contents []geminiapi.Content
	// Steps are all steps. The last one may be incomplete.
	Steps []Step
	// Usage is the sum of all steps.
	Usage normalize.Usage
}

// Text returns the text of the last answer. It returns "" without an answer, and for a nil result.
func (r *Result) Text() string {
	if r == nil {
		return ""
	}
	return r.Answer.Text()
}

// Step is one answer of the model with its calls.
type Step struct {
	// Number counts from 1.
	Number int
	// Response is the answer as it arrived; for a stream, its joined chunks.
	Response *geminiapi.GenerateContentResponse
	// Answer is the normalised Response.
	Answer *normalize.Response
	// Calls are the model's calls, in order. They have a result unless the run ended before.
	Calls []Call
}

// Call is a call of a function with its result.
type Call struct {
	// ID is the model's own id of the call, or a made one. Events of a stream have the same id.
	ID string
	// FunctionCall is the call as it arrived. Do not change it.
	FunctionCall *geminiapi.FunctionCall
	// Response is the result that the model gets, nil if the run ended before.
	Response *geminiapi.FunctionResponse
	// Err says why there is no proper result: the tool's error, an *[ArgumentsError],
	// *[ToolTimeoutError], *[PanicError] or *[UnknownFunctionError], or the error of the context if
	// the run ended before.
	Err error
	// Duration is how long the tool ran, or how long the run waited for it.
	Duration time.Duration
}

// Event is an event of [Loop.Stream]: one of Delta, Call and Result is set.
type Event struct {
	// Step is the number of the step that the event belongs to, counted from 1.
	Step int
	// Delta is an event of the model's answer. Each step has an [normalize.EventStart] and an
	// [normalize.EventDone].
	Delta *normalize.Event
	// Call is a call with its result.
	Call *Call
	// Result is the outcome of the run. Only the last event has it.
	Result *Result
}
