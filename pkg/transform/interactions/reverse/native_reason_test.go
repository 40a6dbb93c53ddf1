package reverse_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	forward "github.com/gemwire/gemwire/pkg/transform/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
)

// An answer of Gemini without content becomes an interaction that failed without steps.
func TestAFinishReasonWithoutContentComesBack(t *testing.T) {
	t.Parallel()
	for _, reason := range []geminiapi.FinishReason{geminiapi.FinishReasonStop,
		geminiapi.FinishReasonMaxTokens, geminiapi.FinishReasonUnexpectedToolCall,
		geminiapi.FinishReasonMalformedFunctionCall, geminiapi.FinishReasonOther,
		geminiapi.FinishReasonSafety, geminiapi.FinishReasonRecitation} {
		in := &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{
			FinishReason: &reason, FinishMessage: new("Because.")}}}
		between, _, err := forward.FromGemini(in)
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := reverse.ToGemini(between)
		if err != nil {
			t.Errorf("%s: %v", reason, err)
			continue
		}
		candidate := gemini.FirstCandidate(out)
		if candidate == nil || jsonx.Deref(candidate.FinishReason) != reason ||
			jsonx.Deref(candidate.FinishMessage) != "Because." || out.PromptFeedback != nil {
			t.Errorf("%s came back as %+v", reason, out)
		}
		plain, _, err := forward.FromGemini(in, forward.WithoutExtensions())
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := reverse.ToGemini(plain); err != nil {
			t.Errorf("%s without the extension: %v", reason, err)
		}
	}
}
