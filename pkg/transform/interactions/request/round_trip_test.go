package request_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
	reverse "github.com/gemwire/gemwire/pkg/transform/interactions/reverse/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// thereAndBack converts a request of Gemini to a request for an interaction and back. ok is false
// if the first conversion loses something.
func thereAndBack(t *testing.T, name string,
	in *geminiapi.GenerateContentRequest) (out *geminiapi.GenerateContentRequest, ok bool) {
	t.Helper()
	asked, losses, err := reverse.FromGemini(in, reverse.ForModel(flash36))
	if err != nil || len(losses.Of(report.Lost))+len(losses.Of(report.Approximated)) > 0 {
		return nil, false
	}
	out, entries, err := request.ToGemini(asked, request.WithoutValidation())
	if err != nil && strings.Contains(err.Error(), `a result for "gemini-call-`) {
		return nil, false // which Gemini 2.0 accepted
	}
	if err != nil || len(entries.Of(report.Lost)) > 0 {
		t.Errorf("%s: %v, %v", name, err, entries)
		return nil, false
	}
	return out, true
}

// A recorded request that becomes a request for an interaction without a loss becomes a request of
// Gemini again. Another round changes nothing. The contents keep their texts, arguments, results,
// media and signatures.
func TestRecordedRequestsOfGeminiComeBack(t *testing.T) {
	t.Parallel()
	compared := 0
	for _, p := range corpustest.Payloads(t, corpustest.Request) {
		if p.Endpoint != "generateContent" && p.Endpoint != "streamGenerateContent" {
			continue
		}
		in, err := gemini.DecodeRequest(p.Read(t))
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		once, ok := thereAndBack(t, p.Name, in)
		if !ok {
			continue
		}
		compared++
		if diff := cmp.Diff(contentLeaves(t, in), contentLeaves(t, once)); diff != "" {
			t.Errorf("%s: leaves of the contents (-want +got):\n%.2000s", p.Name, diff)
		}
		twice, ok := thereAndBack(t, p.Name, once)
		if !ok {
			t.Errorf("%s: the second round loses something", p.Name)
			continue
		}
		want, _ := gemini.EncodeRequest(once)
		if got, err := gemini.EncodeRequest(twice); err != nil || string(got) != string(want) {
			t.Errorf("%s: got %.2000s, want %.2000s (%v)", p.Name, got, want, err)
		}
	}
	if t.Logf("%d compared", compared); compared < corpustest.AtLeast(100) {
		t.Errorf("only %d compared", compared)
	}
}

// contentLeaves returns the sorted leaves of the contents, without the ids of calls and the
// placeholder of signatures, which the conversion adds, and without roles and empty texts. They are
// sorted, because the signature of a thought moves to the part after it.
func contentLeaves(t *testing.T, r *geminiapi.GenerateContentRequest) (leaves []string) {
	t.Helper()
	for i := range r.Contents {
		for j := range r.Contents[i].Parts {
			part := r.Contents[i].Parts[j] // a copy
			if call := part.FunctionCall; call != nil {
				part.FunctionCall = &geminiapi.FunctionCall{Name: call.Name, Args: call.Args}
			}
			if result := part.FunctionResponse; result != nil {
				part.FunctionResponse = &geminiapi.FunctionResponse{Name: result.Name,
					Response: result.Response, Parts: result.Parts}
			}
			if s := part.ThoughtSignature; s != nil && *s == "skip_thought_signature_validator" {
				part.ThoughtSignature = nil
			}
			if code := part.ExecutableCode; code != nil {
				part.ExecutableCode = &geminiapi.ExecutableCode{Code: code.Code,
					Language: code.Language}
			}
			if output := part.CodeExecutionResult; output != nil {
				part.CodeExecutionResult = &geminiapi.CodeExecutionResult{Output: output.Output,
					Outcome: output.Outcome}
			}
			data, err := part.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			found, err := leaftest.All(data)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range found {
				if leaf := l.Pointer + " " + value(data, l.Pointer); leaf != `/text ""` {
					leaves = append(leaves, leaf)
				}
			}
		}
	}
	slices.Sort(leaves)
	return leaves
}

// The steps of a recorded answer become contents, and the same steps again. Only annotations are
// not repeated, and a signed call has its signature on itself too.
func TestRecordedStepsComeBack(t *testing.T) {
	t.Parallel()
	for name, answer := range recorded(t) {
		in := mustDecode(t, string(nextTurn(t, answer)))
		contents, _, err := request.ToGemini(in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, _, err := reverse.FromGemini(contents)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(comparableSteps(t, in), comparableSteps(t, again)); diff != "" {
			t.Errorf("%s: (-want +got)\n%.1500s", name, diff)
		}
	}
}

// comparableSteps returns the steps of a request, without annotations and signatures of calls.
func comparableSteps(t *testing.T, r *interactionsapi.CreateInteractionRequest) (steps []string) {
	t.Helper()
	for _, step := range interactions.Steps(r.Input) {
		content := slices.Clone(interactions.ContentOf(&step.Step))
		for i := range content {
			content[i].Annotations = nil
		}
		if content != nil {
			step.Content = wiretype.ValueOf(content)
		}
		if step.Type == interactionsapi.StepTypeFunctionCall {
			step.Signature = nil
		}
		step.SearchType, step.IsError = nil, nil // web_search and false are the defaults
		data, err := step.Step.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, value(data, ""))
	}
	return steps
}
