package toolloop

import (
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// Result is what a run came to, so far or in the end.
type Result struct {
	// Answer is the last answer of the model in normalised form; nil when there was none.
	Answer *normalize.Response
	// Contents are the turns of the request and those that the run added: the model's, each
	// followed by the results of its calls, up to the answer. A request that continues the
	// conversation begins with them.
	Contents []geminiapi.Content
	// Steps are all steps, the last of which may not be complete.
	Steps []Step
	// Usage is what all steps cost together.
	Usage normalize.Usage
}

// Text returns the text of the last answer, "" when there was none, also for a nil result.
func (r *Result) Text() string {
	if r == nil {
		return ""
	}
	return r.Answer.Text()
}

// Step is one answer of the model with the calls in it.
type Step struct {
	// Number counts from 1.
	Number int
	// Response is the answer as it came, of a stream what its chunks make together.
	Response *geminiapi.GenerateContentResponse
	// Answer is the same, normalised.
	Answer *normalize.Response
	// Calls are what the model called, in its order. They have a result unless the run ended
	// before.
	Calls []Call
}

// Call is a call of a function, and what came of it.
type Call struct {
	// ID is the model's own id of the call, or one that was made. Events of a stream have the same.
	ID string
	// FunctionCall is the call as it came. It must not be changed.
	FunctionCall *geminiapi.FunctionCall
	// Response is what the model is told; nil when the run ended before.
	Response *geminiapi.FunctionResponse
	// Err is why there is no proper result: what the tool returned, an *[ArgumentsError],
	// *[ToolTimeoutError], *[PanicError] or *[UnknownFunctionError], or the error of the context
	// when the run ended before.
	Err error
	// Duration is how long the tool took, or was waited for.
	Duration time.Duration
}

// Event is what [Loop.Stream] yields: one of Delta, Call and Result is set.
type Event struct {
	// Step is the number of the step that the event belongs to, counted from 1.
	Step int
	// Delta is an event of the model's answer. Each step has an [normalize.EventStart] and a
	// [normalize.EventDone].
	Delta *normalize.Event
	// Call is a call that has its result.
	Call *Call
	// Result is what the run came to. It is in the last event, and in no other.
	Result *Result
}
