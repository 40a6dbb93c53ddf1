package chat

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// refuse puts the refusal of the prompt into the first choice of a completion. Google sends no
// candidates with a refusal, so this is the only choice. The ratings are in the prompt feedback,
// which is in the completion's extension. A stream may have sent candidates before the refusal.
// They stay, and end in content_filter too.
func (c *converter) refuse(out *openaiapi.CreateChatCompletionResponse) {
	if len(out.Choices) == 0 {
		c.report.Add(report.Added, "/candidates", detailRefusal)
		choice := openaiapi.Choice{FinishReason: openaiapi.FinishReasonContentFilter}
		choice.Message.Role = openaiapi.RoleAssistant
		if !c.plain && c.blocked.Reason != "" {
			choice.NativeFinishReason = new(string(c.blocked.Reason))
		}
		out.Choices = []openaiapi.Choice{choice}
	}
	out.Choices[0].Message.Refusal = new(openaianswer.RefusalText(c.blocked))
}

const detailRefusal = "one choice that says that the prompt was refused"
