package request

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/layout"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
)

// answer converts a message of the model. A message with a layout becomes the turn that the layout
// describes. In any other message, thoughts come first, then texts and media, then calls.
func (b *history) answer(m *openaiapi.ChatMessage, at int) error {
	google := cmp.Or(b.extension(m.ExtraContent, b.At(at), inAnswer), &b.noExtension)
	if len(m.Annotations) > 0 {
		b.Report.Add(report.Approximated, b.At(at).Pointer("/annotations"),
			"omitted, because they describe an answer, and requests do not repeat them")
	}
	m = b.withThoughts(m, at)
	a := answer{history: b, message: m, google: google,
		turn: conversation.Turn{Role: conversation.Model, Index: at}}
	if len(google.Parts) > 0 {
		if isRestored, err := a.restore(); isRestored {
			return err
		}
		a.loseLayout()
	}
	return a.convert()
}

// answer is a message of the model while it is converted to a turn.
type answer struct {
	*history
	message *openaiapi.ChatMessage
	google  *openaiapi.GoogleExtraContent // never nil
	turn    conversation.Turn
	// callSignature is the message's signature if it belongs to function_call.
	callSignature *string
}

// convert converts a message without a layout.
func (a *answer) convert() error {
	a.turn.Parts = make([]geminiapi.Part, 0, 1+len(a.message.ToolCalls))
	a.turn.Calls = make([]conversation.Call, 0, len(a.message.ToolCalls))
	if thoughts := a.message.ReasoningContent; thoughts != nil {
		a.keep(&geminiapi.Part{Text: thoughts, Thought: new(true)})
	}
	if err := a.addContent(); err != nil {
		return err
	}
	if refusal := a.message.Refusal; refusal != nil && *refusal != "" {
		a.Report.Add(report.Approximated, a.At(a.turn.Index).Pointer("/refusal"), detailRefusal)
		a.keep(&geminiapi.Part{Text: refusal})
	}
	a.addAudio()
	for i := range a.message.Images {
		part, err := a.part(&a.message.Images[i], a.message.Role, a.at("images", i))
		if err != nil {
			return err
		}
		a.keep(&part)
	}
	for i := range a.message.ToolCalls {
		if err := a.addCall(i, &geminiapi.Part{}); err != nil {
			return err
		}
	}
	if a.message.FunctionCall != nil {
		if err := a.addFunctionCall(a.message.FunctionCall); err != nil {
			return err
		}
	}
	return a.finish()
}

// keep adds a part to the turn unless it is empty, and reports whether it added the part.
func (a *answer) keep(p *geminiapi.Part) bool {
	before := len(a.turn.Parts)
	a.turn.Parts = conversation.AppendPart(a.turn.Parts, p)
	return len(a.turn.Parts) > before
}

// at returns the location of an element of one of the message's lists.
func (a *answer) at(list string, item int) conversation.Location {
	return a.At(a.turn.Index).In(list, item)
}

// addContent adds the content. The last text gets the signature of the message.
func (a *answer) addContent() error {
	parts, err := a.content(a.message, a.turn.Index)
	if err != nil {
		return err
	}
	switch {
	case a.google.ThoughtSignature != nil:
		parts = a.signContent(parts)
	case a.google.Checksum != nil:
		a.loseMember("checksum", "there is no signature")
	}
	if a.google.Thought != nil {
		a.markThought(parts)
	}
	a.turn.Parts = append(a.turn.Parts, parts...)
	return nil
}

// signContent gives the signature of the message to the last text, unless that has its own. Without
// a text the signature becomes a part of its own, or goes to the call of function_call, which has
// no member for a signature.
func (a *answer) signContent(parts []geminiapi.Part) []geminiapi.Part {
	last := conversation.LastText(parts)
	content, _ := plainText(a.message)
	switch {
	case len(a.google.Parts) > 0 || layout.IsChanged(content, a.google.Checksum):
		a.loseMember("thought_signature", layout.DetailChanged)
	case last == nil && a.message.FunctionCall != nil:
		a.callSignature = a.google.ThoughtSignature
	case last == nil:
		parts = conversation.AppendPart(parts,
			&geminiapi.Part{ThoughtSignature: a.google.ThoughtSignature})
	case last.ThoughtSignature == nil:
		last.ThoughtSignature = a.google.ThoughtSignature
	case *last.ThoughtSignature != *a.google.ThoughtSignature:
		a.loseMember("thought_signature", "the text has its own signature")
	}
	return parts
}

// markThought turns the texts of a message into thoughts if the message is marked as a thought.
func (a *answer) markThought(parts []geminiapi.Part) {
	marked := false
	for i := range parts {
		if parts[i].Text != nil && parts[i].Thought == nil {
			parts[i].Thought, marked = a.google.Thought, true
		}
	}
	if !marked {
		a.loseMember("thought", "there is no text that it could apply to")
	}
}

// loseMember reports a member of the extension that has no effect in the message.
func (a *answer) loseMember(member, detail string) {
	a.Report.Add(report.Lost, a.At(a.turn.Index).Pointer("/"+extensionName(a.message)+"/"+member),
		detail)
}

// extensionName returns the pointer of the extension within a message.
func extensionName(m *openaiapi.ChatMessage) string {
	if m.ExtraContent != nil && m.ExtraContent.Google == nil {
		return "extra_content/vertex"
	}
	return "extra_content/google"
}
