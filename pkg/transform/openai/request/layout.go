package request

import (
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
)

// layoutList is where the layout of a message is in its extension.
const layoutList = "/parts"

// fits reports whether the message has a layout of its parts that still fits: the lengths in it add up to
// what the members hold. They do not when a client has made a text longer, for example. A member that the client has
// left out altogether spoils nothing: most know no reasoning_content.
func (a *answer) fits() bool {
	if len(a.google.Parts) == 0 {
		return false
	}
	left, ok := a.holdings()
	for i := range a.google.Parts {
		p := &a.google.Parts[i]
		ok = ok && (a.leftOut(p) || left.take(p))
	}
	return ok && left == holdings{}
}

// leftOut reports whether the client has not sent back the member that holds the part of an entry, which is one
// that OpenAI's own messages do not have.
func (a *answer) leftOut(p *openaiapi.PreservedPart) bool {
	switch optional.Value(p.In) {
	case openaiapi.PartMemberReasoningContent:
		return optional.Value(a.message.ReasoningContent) == "" && optional.Value(p.Length) > 0
	case openaiapi.PartMemberImages:
		return len(a.message.Images) == 0
	case openaiapi.PartMemberAudio:
		return a.message.Audio == nil || optional.Value(a.message.Audio.Data) == ""
	default:
		return false
	}
}

// holdings counts what the members of a message hold: characters of texts, elements of lists, bytes of
// the sound.
type holdings struct{ content, reasoning, calls, images, audio int }

// holdings counts what the message holds. ok is false when it holds something that no layout covers, such as
// a refusal.
func (a *answer) holdings() (left holdings, ok bool) {
	m := a.message
	content, ok := plainText(m)
	left = holdings{
		content:   utf8.RuneCountInString(content),
		reasoning: utf8.RuneCountInString(optional.Value(m.ReasoningContent)),
		calls:     len(m.ToolCalls),
		images:    len(m.Images),
	}
	if m.Audio != nil && optional.Value(m.Audio.Data) != "" {
		left.audio = soundSize(*m.Audio.Data)
	}
	for i := range m.Images {
		ok = ok && isInlineImage(&m.Images[i])
	}
	return left, ok && optional.Value(m.Refusal) == "" && m.FunctionCall == nil
}

func isInlineImage(p *openaiapi.ContentPart) bool {
	return partType(p) == openaiapi.ContentPartTypeImageURL && p.ImageURL != nil && mediapart.IsInline(p.ImageURL.URL)
}

// take subtracts what belongs to an entry of the layout, and reports whether there was that much.
func (h *holdings) take(p *openaiapi.PreservedPart) bool {
	switch optional.Value(p.In) {
	case "":
		return p.In == nil && p.Part != nil
	case openaiapi.PartMemberContent:
		return takeFrom(&h.content, p.Length)
	case openaiapi.PartMemberReasoningContent:
		return takeFrom(&h.reasoning, p.Length)
	case openaiapi.PartMemberToolCalls:
		return takeFrom(&h.calls, new(1))
	case openaiapi.PartMemberImages:
		return takeFrom(&h.images, new(1))
	case openaiapi.PartMemberAudio:
		return h.takeSound(p.Length)
	default:
		return false
	}
}

// takeSound subtracts bytes of the sound, all that are left where the entry has no length. No entry of a
// sound is empty.
func (h *holdings) takeSound(length *int) bool {
	if length == nil {
		length = new(max(h.audio, 1))
	}
	return *length > 0 && takeFrom(&h.audio, length)
}

func takeFrom(have *int, n *int) bool {
	if n == nil || *n < 0 || *n > *have {
		return false
	}
	*have -= *n
	return true
}

// plainText returns the text of a message whose content is nothing but text.
func plainText(m *openaiapi.ChatMessage) (text string, ok bool) {
	text, _ = m.Content.AsString()
	ok = true
	list, _ := m.Content.AsValue()
	for i := range list {
		p := &list[i]
		visitMembersOfContentPart(p, func(name string) { ok = ok && (name == "type" || name == "text") })
		if !ok || p.Unknown != nil || p.Type != "" && p.Type != openaiapi.ContentPartTypeText {
			return "", false
		}
		text += optional.Value(p.Text)
	}
	return text, true
}

// loseLayout reports a layout that no longer fits. Parts that are in the layout only are lost.
func (a *answer) loseLayout() {
	list := extensionName(a.message) + layoutList
	a.Report.Add(transform.Approximated, a.At(a.turn.Index).Pointer("/"+list), "the message has been changed since; its parts are put in the usual order")
	for i := range a.google.Parts {
		if p := &a.google.Parts[i]; p.Part != nil && optional.Value(p.In) == "" {
			a.Report.Add(transform.Lost, a.at(list, i).Pointer(""), "a part of a layout that does not fit the message")
		}
	}
}
