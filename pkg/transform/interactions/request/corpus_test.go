package request_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
)

// recorded returns recorded interactions by name.
func recorded(t *testing.T) map[string]*interactionsapi.Interaction {
	t.Helper()
	out := map[string]*interactionsapi.Interaction{}
	for _, p := range corpustest.InteractionPayloads(t, corpustest.Response) {
		in, err := interactions.DecodeResponse(p.Read(t))
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		out[p.Name] = in
	}
	return out
}

// nextTurn returns a request whose input is a question, the steps of an answer, and the results of
// its calls or another question.
func nextTurn(t *testing.T, answer *interactionsapi.Interaction) []byte {
	t.Helper()
	steps := append([]interactionsapi.Step{interactions.UserText("Begin.")}, answer.Steps...)
	calls := interactions.Calls(answer)
	for _, call := range calls {
		steps = append(steps, interactions.FunctionResult(call, []byte(`{"done":true}`)))
	}
	if len(calls) == 0 {
		steps = append(steps, interactions.UserText("Go on."))
	}
	model := flash36
	data, err := interactions.EncodeRequest(&interactionsapi.CreateInteractionRequest{
		Model: &model, Input: interactions.InputOf(steps...)})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The steps of every recorded answer can be sent back, with each signature and each argument.
// Nothing is lost.
func TestRecordedStepsAreSentBack(t *testing.T) {
	t.Parallel()
	for name, answer := range recorded(t) {
		document := nextTurn(t, answer)
		for mode, opts := range modes {
			data, entries, err := geminiRequest(document, opts...)
			if err != nil || len(entries.Of(report.Lost)) > 0 {
				t.Errorf("%s: %s: %v, %v", name, mode, err, entries)
				continue
			}
			for i := range answer.Steps {
				s := &answer.Steps[i]
				isSent := mode == "a later model" || s.Type == interactionsapi.StepTypeThought ||
					s.Type == interactionsapi.StepTypeFunctionCall
				if s.Signature != nil && isSent && !strings.Contains(string(data), *s.Signature) {
					t.Errorf("%s: %s: the signature of step %d is lost", name, mode, i)
				}
				arguments := s.Arguments.Clone()
				if arguments.Compact() == nil && s.Type == interactionsapi.StepTypeFunctionCall &&
					!strings.Contains(string(data), `"args":`+string(arguments)) {
					t.Errorf("%s: %s: the arguments of step %d changed", name, mode, i)
				}
			}
		}
	}
}

func TestNoRecordedStepIsConvertedWithSilentLoss(t *testing.T) {
	t.Parallel()
	for name, answer := range recorded(t) {
		document := nextTurn(t, answer)
		for mode, opts := range modes {
			opts := append(slices.Clone(opts), request.WithoutValidation())
			checkLeaves(t, name+": "+mode, document, false, opts)
		}
	}
}

// The recorded steps are the history of the same request.
func TestRecordedHistoryIsTheSameAsItsStepsAsInput(t *testing.T) {
	t.Parallel()
	for name, answer := range recorded(t) {
		if len(interactions.Calls(answer)) > 0 {
			continue
		}
		whole, _, err := geminiRequest(nextTurn(t, answer))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		history := append([]interactionsapi.Step{interactions.UserText("Begin.")}, answer.Steps...)
		continued, _, err := geminiRequest(
			[]byte(on(flash36, `"previous_interaction_id":"v1_a","input":"Go on."`)),
			request.WithHistory(history))
		if err != nil || string(continued) != string(whole) {
			t.Errorf("%s: got %s, want %s (%v)", name, continued, whole, err)
		}
	}
}
