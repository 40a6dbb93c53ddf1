package interactions_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// The parts, the finish reason and the sources of an answer of Gemini are the same after it was an
// interaction, but for ids of calls that it did not have.
func TestEveryRecordedAnswerIsTheSameAfterAnInteraction(t *testing.T) {
	t.Parallel()
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, in *geminiapi.GenerateContentResponse, body []byte) {
			out, _, err := interactions.FromGemini(in)
			if err != nil {
				t.Fatal(err)
			}
			data, err := wire.EncodeResponse(out)
			if err != nil {
				t.Fatal(err)
			}
			again, err := wire.DecodeResponse(data)
			if err != nil {
				t.Fatal(err)
			}
			back, _, err := reverse.ToGemini(again)
			if _, ok := errors.AsType[*wire.Error](err); ok && len(again.Steps) == 0 {
				return // the model failed without an answer
			}
			if err != nil {
				t.Fatal(err)
			}
			want, err := gemini.DecodeResponse(body)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(bare(t, want), bare(t, back)); diff != "" {
				t.Errorf("(-before +after):\n%s", diff)
			}
		})
}

// bare returns the first candidate of an answer as JSON, without what does not come back.
func bare(t *testing.T, in *geminiapi.GenerateContentResponse) string {
	t.Helper()
	if len(in.Candidates) == 0 {
		return "[]"
	}
	c := in.Candidates[0]
	out := geminiapi.Candidate{FinishReason: c.FinishReason, SafetyRatings: c.SafetyRatings,
		CitationMetadata: c.CitationMetadata, Content: &geminiapi.Content{}}
	if out.FinishReason == nil {
		out.FinishReason = new(geminiapi.FinishReasonStop)
	}
	if len(out.SafetyRatings) == 0 {
		out.SafetyRatings = nil
	}
	if c.Content == nil {
		c.Content = &geminiapi.Content{}
	}
	for _, p := range c.Content.Parts {
		if p.FunctionCall != nil {
			call := *p.FunctionCall
			if isMade(call.ID) {
				call.ID = nil
			}
			if call.Args == nil {
				call.Args = jsontext.Value("{}")
			}
			p.FunctionCall = &call
		}
		if !jsonx.Deref(p.Thought) {
			p.Thought = nil
		}
		if code := p.ExecutableCode; code != nil && isMade(code.ID) {
			p.ExecutableCode = &geminiapi.ExecutableCode{Code: code.Code, Language: code.Language}
		}
		if r := p.CodeExecutionResult; r != nil && isMade(r.ID) {
			p.CodeExecutionResult = &geminiapi.CodeExecutionResult{Outcome: r.Outcome,
				Output: r.Output}
		}
		if r := p.FunctionResponse; r != nil && isMade(r.ID) {
			response := *r
			response.ID = nil
			p.FunctionResponse = &response
		}
		p.Unknown = steps.WithoutExtension(p.Unknown)
		if !p.IsEmpty() && (p.Text == nil || *p.Text != "" || p.ThoughtSignature != nil) {
			out.Content.Parts = append(out.Content.Parts, p)
		}
	}
	body, err := gemini.EncodeResponse(&geminiapi.GenerateContentResponse{
		Candidates: []geminiapi.Candidate{out}})
	if err != nil {
		t.Fatal(err)
	}
	return compact(t, string(body))
}

// isMade reports whether an id was made for a call that had none.
func isMade(id *string) bool {
	return jsonx.Deref(id) == "" || strings.HasPrefix(*id, "call_gemini_")
}
