package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/reasoning"
)

// withThoughts returns the message with its thoughts in reasoning_content. It also reads the
// members of other servers.
func (b *history) withThoughts(m *openaiapi.ChatMessage, at int) *openaiapi.ChatMessage {
	if m.Reasoning == nil && len(m.ReasoningDetails) == 0 {
		return m
	}
	thoughts := reasoning.Members{
		Content: jsonx.Deref(m.ReasoningContent), Reasoning: jsonx.Deref(m.Reasoning),
		Details: m.ReasoningDetails,
	}
	thoughts.Report(b.reportAt(at))
	for i := range m.ReasoningDetails {
		b.loseUnknownIn(b.At(at).In("reasoning_details", i), "", m.ReasoningDetails[i].Unknown)
	}
	out := *m
	out.ReasoningContent = new(thoughts.Text())
	return &out
}

// reportAt returns a function that adds entries with pointers relative to a message.
func (b *history) reportAt(at int) func(kind report.Kind, pointer, detail string) {
	return func(kind report.Kind, pointer, detail string) {
		b.Report.Add(kind, b.At(at).Pointer(pointer), detail)
	}
}

// finish adds the turn to the conversation. It first signs its parts with the signatures in
// reasoning_details.
func (a *answer) finish() error {
	if len(a.message.ReasoningDetails) > 0 {
		ids := make([]string, len(a.turn.Calls))
		for i := range ids {
			ids[i] = a.turn.Calls[i].ID
		}
		if alone := reasoning.Sign(a.turn.Parts, ids, a.message.ReasoningDetails,
			a.reportAt(a.turn.Index)); alone != nil {
			a.keep(&geminiapi.Part{ThoughtSignature: alone})
		}
	}
	return a.add(&a.turn)
}
