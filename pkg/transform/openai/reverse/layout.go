package reverse

import (
	"strconv"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
)

// restore adds the parts of a message as its layout has them, if there is one that fits, and reports whether it did.
func (t *turn) restore(m *openaiapi.ResponseMessage) bool {
	if len(t.google.Parts) == 0 {
		return false
	}
	r := restorer{turn: t, message: m, content: optional.Value(m.Content), reasoning: optional.Value(m.ReasoningContent)}
	if !r.fits() {
		t.report.add(transform.Approximated, t.at+"/extra_content/google/parts", "it does not fit the message; the parts are in the usual order")
		t.loseParts()
		return false
	}
	layout := t.google.Parts
	for i := range layout {
		r.part(&layout[i])
	}
	t.google.Parts, t.google.ThoughtSignature, t.google.Checksum, t.google.MIMEType = nil, nil, nil, nil
	t.reportRestored(m)
	return true
}

// reportRestored reports what of a message and its layout only says how the parts are made.
func (t *turn) reportRestored(m *openaiapi.ResponseMessage) {
	t.report.add(transform.Approximated, t.at+"/extra_content/google/parts", "it says how the parts are made of the message")
	if len(m.Images) > 0 {
		t.report.add(transform.Approximated, t.at+"/images", "parts that are made by the layout")
	}
	if m.Audio != nil {
		t.report.add(transform.Approximated, t.at+"/audio", "parts that are made by the layout")
	}
}

// loseParts reports the parts that only a layout has which does not fit.
func (t *turn) loseParts() {
	for i := range t.google.Parts {
		if p := &t.google.Parts[i]; p.Part != nil && optional.Value(p.In) == "" {
			t.report.add(transform.Lost, t.at+"/extra_content/google/parts/"+strconv.Itoa(i), "a part of a layout that does not fit the message")
		}
	}
	t.google.Parts = nil
}

// restorer assigns the members of a message to parts, in the order of the layout.
type restorer struct {
	*turn
	message            *openaiapi.ResponseMessage
	content, reasoning string
	calls, images      int
	heard              int // bytes of the sound
}

// fits reports whether the members of the message are just what the layout makes parts of.
func (r *restorer) fits() bool {
	var content, reasoning, calls, images int
	for i := range r.google.Parts {
		p := &r.google.Parts[i]
		length := optional.Value(p.Length)
		if length < 0 {
			return false
		}
		switch optional.Value(p.In) {
		case openaiapi.PartMemberContent:
			content += length
		case openaiapi.PartMemberReasoningContent:
			reasoning += length
		case openaiapi.PartMemberToolCalls:
			calls++
		case openaiapi.PartMemberImages:
			images++
		case openaiapi.PartMemberAudio:
			if r.message.Audio == nil {
				return false
			}
		case "":
			if p.Part == nil {
				return false
			}
		default:
			return false
		}
	}
	return content == utf8.RuneCountInString(r.content) && reasoning == utf8.RuneCountInString(r.reasoning) &&
		calls == len(r.message.ToolCalls) && images == len(r.message.Images) && optional.Value(r.message.Refusal) == "" && r.message.FunctionCall == nil
}

// part restores the part of an entry.
func (r *restorer) part(p *openaiapi.PreservedPart) {
	part := optional.Value(p.Part)
	switch optional.Value(p.In) {
	case openaiapi.PartMemberContent:
		part.Text = cut(&r.content, optional.Value(p.Length))
	case openaiapi.PartMemberReasoningContent:
		part.Text, part.Thought = cut(&r.reasoning, optional.Value(p.Length)), new(true)
	case openaiapi.PartMemberToolCalls:
		r.calls++
		r.call(&r.message.ToolCalls[r.calls-1], part, r.at+"/tool_calls/"+strconv.Itoa(r.calls-1))
		return
	case openaiapi.PartMemberImages:
		r.images++
		r.restoreImage(&part, &r.message.Images[r.images-1])
	case openaiapi.PartMemberAudio:
		setBlob(&part, r.soundType(), r.sounds(p.Length))
	}
	if part.Thought != nil && *part.Thought && r.noThoughts {
		r.report.add(transform.Lost, r.at+"/reasoning_content", "thoughts were not asked for")
		return
	}
	r.parts = append(r.parts, part)
}

func (r *restorer) restoreImage(part *geminiapi.Part, image *openaiapi.ContentPart) {
	if image.ImageURL == nil {
		return
	}
	mimeType, data, _ := image.ImageURL.URL.Inline()
	setBlob(part, mimeType, data)
}

// setBlob sets the type and the data of a part, beside the other members in the layout.
func setBlob(part *geminiapi.Part, mimeType, data string) {
	blob := optional.Value(part.InlineData)
	blob.MIMEType, blob.Data = &mimeType, &data
	part.InlineData = &blob
}

// sounds takes the next bytes of the sound, all that are left where there is no length.
func (r *restorer) sounds(length *int) string {
	data := r.message.Audio.Data
	if length == nil {
		return data
	}
	from := r.heard
	r.heard += *length
	return media.CutBase64(data, from, r.heard)
}

// cut takes characters off the front of a text.
func cut(from *string, characters int) *string {
	end := max(byteOffset(*from, characters), 0)
	front := (*from)[:end]
	*from = (*from)[end:]
	return &front
}
