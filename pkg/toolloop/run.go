package toolloop

import (
	"context"
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// run is the state of one conversation.
type run struct {
	*Loop
	request geminiapi.GenerateContentRequest // the next one, but for its contents
	opts    []gemini.CallOption
	result  *Result
	yield   func(Event) bool // of a stream; else nil
	tools   []*runningTool   // that were called; nil for calls that were not run
}

// steps runs step after step until the model answers.
func (r *run) steps(ctx context.Context) error {
	if r.options.timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, r.options.timeout)
		defer cancel()
		ctx = limited
	}
	for {
		step, err := r.ask(ctx)
		if step == nil {
			return err
		}
		if err == nil && len(step.Calls) > 0 {
			err = r.answer(ctx, step)
		}
		if err == nil {
			r.keep(step)
		}
		if stepErr := r.report(step); err == nil {
			err = stepErr
		}
		if err != nil || len(step.Calls) == 0 {
			return err
		}
		r.request.ToolConfig = withoutForce(r.request.ToolConfig)
	}
}

// report calls the function of [WithStep].
func (r *run) report(step *Step) error {
	if r.options.onStep == nil {
		return nil
	}
	if err := r.options.onStep(*step); err != nil {
		return fmt.Errorf("toolloop: step %d: %w", step.Number, err)
	}
	return nil
}

// ask adds a step with an answer of the model, whose calls have no results yet. The step is nil if
// there is no answer. A step that is returned with an error ends the run.
func (r *run) ask(ctx context.Context) (*Step, error) {
	number := len(r.result.Steps) + 1
	ids := callIDs{}
	request := r.request
	request.Contents = r.result.Contents
	response, err := r.generate(ctx, &request, number, ids)
	if err != nil {
		return nil, err
	}
	answer, err := normalize.FromResponse(response, normalize.WithToolCallIDs(ids.of))
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		r.result.Usage = r.result.Usage.Plus(blocked.Response.Usage)
	}
	if err != nil {
		return nil, err
	}
	r.result.Answer = answer
	r.result.Usage = r.result.Usage.Plus(answer.Usage)
	r.result.Steps = append(r.result.Steps,
		Step{Number: number, Response: response, Answer: answer, Calls: callsOf(response, answer)})
	step := &r.result.Steps[number-1]
	return step, r.checkAnswer(step)
}

// checkAnswer returns the error that ends the loop if an answer is unusable.
func (r *run) checkAnswer(step *Step) error {
	if len(step.Answer.Candidates) == 0 {
		return nil
	}
	candidate := &step.Answer.Candidates[0]
	switch candidate.FinishReason {
	case normalize.FinishError, normalize.FinishContentFilter:
		return &FinishError{Reason: candidate.NativeFinishReason, Message: candidate.FinishMessage}
	}
	for _, call := range candidate.ToolCalls() {
		if call.Incomplete {
			return fmt.Errorf("toolloop: %w: %s", ErrIncompleteCall, call.Name)
		}
	}
	if len(step.Calls) > 0 && step.Number >= r.options.maxSteps {
		return &LimitError{Steps: r.options.maxSteps}
	}
	return nil
}

// keep adds a step to the conversation: the model's turn as it arrived, and the results.
func (r *run) keep(step *Step) {
	turn := merge.Turn(step.Response)
	if turn == nil {
		return
	}
	r.result.Contents = append(r.result.Contents, *turn)
	if len(step.Calls) == 0 {
		return
	}
	results := make([]*geminiapi.FunctionResponse, len(step.Calls))
	for i := range step.Calls {
		results[i] = step.Calls[i].Response
	}
	r.result.Contents = append(r.result.Contents, gemini.UserResults(results...))
}

// callsOf returns the calls of the first candidate.
func callsOf(response *geminiapi.GenerateContentResponse, answer *normalize.Response) []Call {
	var calls []Call
	for _, block := range answer.Blocks() {
		if block.Type == normalize.BlockToolCall {
			wire := merge.FirstCandidate(response).Content.Parts[block.Part].FunctionCall
			calls = append(calls, Call{ID: block.ToolCall.ID, FunctionCall: wire})
		}
	}
	return calls
}

// callIDs are the made ids of the calls of a step, by candidate and part.
type callIDs map[[2]int]string

// of returns the id of a call and makes it at the first request.
func (ids callIDs) of(_ string, candidate, part int) string {
	at := [2]int{candidate, part}
	if ids[at] == "" {
		ids[at] = normalize.RandomID()
	}
	return ids[at]
}

// withoutForce returns settings that do not force the model to call a function. It removes the list
// of allowed names, too, because only the forcing mode accepts it.
func withoutForce(config *geminiapi.ToolConfig) *geminiapi.ToolConfig {
	if config == nil || config.FunctionCallingConfig == nil ||
		jsonx.Deref(config.FunctionCallingConfig.Mode) != geminiapi.FunctionCallingModeAny {
		return config
	}
	out, calling := *config, *config.FunctionCallingConfig
	calling.Mode, calling.AllowedFunctionNames = new(geminiapi.FunctionCallingModeAuto), nil
	out.FunctionCallingConfig = &calling
	return &out
}
