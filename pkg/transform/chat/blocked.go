package chat

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// refuse says in the first choice of a completion that the prompt was refused. Google sends no
// candidates beside a refusal, so that this is the only choice; the ratings are in the prompt's
// feedback, in the extension of the completion. If there are candidates nonetheless, a stream has
// sent them before the refusal comes, so that they stay, and end in content_filter like the
// refusal.
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

const detailRefusal = "one choice says that the prompt was refused"
