package reverse

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/layout"
	"github.com/go-json-experiment/json/jsontext"
)

// restore adds the parts of a message in its layout's order, if the layout fits. It reports whether
// it did.
func (t *turn) restore(m *openaiapi.ResponseMessage) bool {
	entries := t.google.Parts
	if len(entries) == 0 {
		return false
	}
	at := t.at + extensionOf(m.ExtraContent) + "/parts"
	held := t.held(m)
	if !layout.Fits(entries, held) {
		t.report.add(report.Approximated, at,
			"it does not fit the message; the parts are in the usual order")
		t.loseParts(at)
		return false
	}
	restorer := layout.NewRestorer(held, func(entry int, kind report.Kind, member, detail string) {
		t.report.add(kind, at+"/"+strconv.Itoa(entry)+member, detail)
	})
	for i := range entries {
		part := restorer.Next(&entries[i])
		t.restorePart(&part, m)
	}
	t.google.Parts, t.google.ThoughtSignature, t.google.Checksum, t.google.MIMEType = nil, nil, nil,
		nil
	t.reportRestored(m, at)
	return true
}

// held returns the message's content that parts can be made of.
func (t *turn) held(m *openaiapi.ResponseMessage) *layout.Message {
	out := &layout.Message{
		Content: jsonx.Deref(m.Content), Reasoning: jsonx.Deref(m.ReasoningContent),
		Calls:  len(m.ToolCalls),
		Images: m.Images, SoundType: t.soundType,
		HasOthers: jsonx.Deref(m.Refusal) != "" || m.FunctionCall != nil || hasContent(m.Unknown),
	}
	if m.Audio != nil {
		out.Sound = m.Audio.Data
	}
	return out
}

// hasContent reports whether a message has a content that is not a text.
func hasContent(unknown jsontext.Value) bool {
	content := jsonx.Member(unknown, memberContent)
	return content != nil && content.Kind() != jsontext.KindNull
}

// restorePart adds a part of a layout.
func (t *turn) restorePart(part *layout.Part, m *openaiapi.ResponseMessage) {
	switch {
	case part.IsLeftOut && part.ThoughtSignature == nil:
	case part.Member == openaiapi.PartMemberToolCalls:
		t.call(&m.ToolCalls[part.Position], part.Part,
			t.at+"/tool_calls/"+strconv.Itoa(part.Position))
	case jsonx.Deref(part.Thought) && t.noThoughts:
		t.report.add(report.Lost, t.at+"/reasoning_content", "thoughts were not requested")
	default:
		t.parts = append(t.parts, part.Part)
	}
}

// reportRestored reports the members of a message and its layout that only describe the parts.
func (t *turn) reportRestored(m *openaiapi.ResponseMessage, at string) {
	t.report.add(report.Approximated, at, "used to restore the parts of the message")
	if len(m.Images) > 0 {
		t.report.add(report.Approximated, t.at+"/images", "converted to the parts of the layout")
	}
	if m.Audio != nil {
		t.report.add(report.Approximated, t.at+"/audio", "converted to the parts of the layout")
	}
}

// loseParts reports the parts that only the layout has, if the layout does not fit.
func (t *turn) loseParts(at string) {
	for i := range t.google.Parts {
		if p := &t.google.Parts[i]; p.Part != nil && jsonx.Deref(p.In) == "" {
			t.report.add(report.Lost, at+"/"+strconv.Itoa(i),
				"dropped with a layout that does not fit the message")
		}
	}
	t.google.Parts = nil
}

// extensionOf returns the pointer of Google's members, relative to the object that has the
// extension.
func extensionOf(extra *openaiapi.ExtraContent) string {
	if extra != nil && extra.Google == nil {
		return "/extra_content/vertex"
	}
	return "/extra_content/google"
}
