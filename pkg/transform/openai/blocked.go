package openai

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
)

// refusal makes a completion of a refused prompt: one choice without content that ends in
// content_filter and says why. The ratings are in the prompt's feedback, in the extension of the
// completion. Google sends no candidates beside a refusal; if any were there, they are too.
func (c *converter) refusal(blocked *normalize.BlockedError, candidates []geminiapi.Candidate) *openaiapi.CreateChatCompletionResponse {
	c.refused = true
	out := c.envelope()
	choice := openaiapi.Choice{
		Message: openaiapi.ResponseMessage{
			Role:    openaiapi.RoleAssistant,
			Refusal: new(refusalText(blocked)),
		},
		FinishReason: openaiapi.FinishReasonContentFilter,
	}
	if !c.plain && blocked.Reason != "" {
		choice.NativeFinishReason = new(string(blocked.Reason))
	}
	out.Choices = []openaiapi.Choice{choice}
	switch {
	case len(candidates) > 0 && !c.plain:
		keepCandidates(out, candidates)
	case len(candidates) > 0 || len(c.in.Candidates) > 0:
		c.report.Add(transform.Lost, "/candidates", "the prompt was refused")
	default:
		c.report.Add(transform.Added, "/candidates", detailRefusal)
	}
	c.ignored()
	return out
}

// refused returns the refusal in a response of package normalize, nil when the prompt was
// accepted.
func refused(r *normalize.Response) *normalize.BlockedError {
	if r.PromptFeedback == nil || r.PromptFeedback.BlockReason == nil {
		return nil
	}
	return &normalize.BlockedError{
		Reason:   *r.PromptFeedback.BlockReason,
		Message:  optional.Value(r.PromptFeedback.BlockReasonMessage),
		Response: r,
	}
}

const detailRefusal = "one choice says that the prompt was refused"

// refusalText returns why a prompt was refused, with Google's own explanation where there is one.
func refusalText(blocked *normalize.BlockedError) string {
	text := "The prompt was blocked"
	if blocked.Reason != "" {
		text += ": " + string(blocked.Reason)
	}
	text += "."
	if blocked.Message != "" {
		text += " " + blocked.Message
	}
	return text
}

// keepCandidates adds them to the extension, which is there: it has the prompt's feedback.
func keepCandidates(out *openaiapi.CreateChatCompletionResponse, candidates []geminiapi.Candidate) {
	google := out.ExtraContent.Google
	rest := optional.Value(google.Response)
	rest.Candidates = candidates
	google.Response = &rest
}
