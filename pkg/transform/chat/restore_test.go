package chat_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/go-json-experiment/json/jsontext"
)

// restore rebuilds the parts of the model's turn from a message with its extensions. It proves that
// they are complete.
func restore(t testing.TB, m *openaiapi.ResponseMessage) []geminiapi.Part {
	t.Helper()
	google := &openaiapi.GoogleExtraContent{}
	if m.ExtraContent != nil {
		google = m.ExtraContent.Google
	}
	if google.Parts == nil {
		return restoreUsual(m, google)
	}
	r := restorer{message: m, google: google, content: text(m.Content),
		reasoning: text(m.ReasoningContent)}
	var parts []geminiapi.Part
	for _, p := range google.Parts {
		parts = append(parts, r.part(p))
	}
	if r.content != "" || r.reasoning != "" || r.call != len(m.ToolCalls) ||
		r.image != len(m.Images) || len(r.sound) > 0 {
		t.Errorf("the layout leaves over %q, %q and %d bytes of the sound, and it has %d of %d calls and %d of %d images",
			r.content, r.reasoning, len(r.sound), r.call, len(m.ToolCalls), r.image, len(m.Images))
	}
	return parts
}

func restoreUsual(m *openaiapi.ResponseMessage,
	google *openaiapi.GoogleExtraContent) []geminiapi.Part {
	var parts []geminiapi.Part
	if m.ReasoningContent != nil {
		parts = append(parts, geminiapi.Part{Text: m.ReasoningContent, Thought: new(true)})
	}
	if m.Content != nil {
		parts = append(parts,
			geminiapi.Part{Text: m.Content, ThoughtSignature: google.ThoughtSignature})
	}
	for i := range m.ToolCalls {
		parts = append(parts, restoreCall(&m.ToolCalls[i], geminiapi.Part{}))
	}
	return parts
}

// restorer consumes the members of a message part by part.
type restorer struct {
	message            *openaiapi.ResponseMessage
	google             *openaiapi.GoogleExtraContent
	content, reasoning string
	call, image        int
	sound              []byte // what is left of the joined pieces
	heard              bool
}

func (r *restorer) part(p openaiapi.PreservedPart) geminiapi.Part {
	var part geminiapi.Part
	if p.Part != nil {
		part = *p.Part
	}
	if p.In == nil {
		return part
	}
	switch *p.In {
	case openaiapi.PartMemberContent:
		part.Text = cut(&r.content, *p.Length)
	case openaiapi.PartMemberReasoningContent:
		part.Text, part.Thought = cut(&r.reasoning, *p.Length), new(true)
	case openaiapi.PartMemberToolCalls:
		part = restoreCall(&r.message.ToolCalls[r.call], part)
		r.call++
	case openaiapi.PartMemberImages:
		mimeType, data, _ := r.message.Images[r.image].ImageURL.URL.Inline()
		part.InlineData = restoreMedia(mimeType, data, part.InlineData)
		r.image++
	case openaiapi.PartMemberAudio:
		part.InlineData = restoreMedia(*r.google.MIMEType, r.nextSound(p.Length), part.InlineData)
	}
	return part
}

// nextSound returns the next piece of the sound, or all of it if there is no length.
func (r *restorer) nextSound(length *int) string {
	if length == nil {
		return r.message.Audio.Data
	}
	if !r.heard {
		r.sound, _ = base64.StdEncoding.DecodeString(r.message.Audio.Data)
		r.heard = true
	}
	piece := r.sound[:*length]
	r.sound = r.sound[*length:]
	return base64.StdEncoding.EncodeToString(piece)
}

func restoreCall(call *openaiapi.ToolCall, part geminiapi.Part) geminiapi.Part {
	var out geminiapi.FunctionCall
	if part.FunctionCall != nil {
		out = *part.FunctionCall
	}
	if out.ID == nil && !strings.HasPrefix(call.ID, "gemini-call-") {
		out.ID = &call.ID
	}
	out.Name = &call.Function.Name
	if out.Args == nil {
		out.Args = jsontext.Value(call.Function.Arguments)
	}
	part.FunctionCall = &out
	if call.ExtraContent != nil {
		part.ThoughtSignature = call.ExtraContent.Google.ThoughtSignature
	}
	return part
}

func restoreMedia(mimeType, data string, rest *geminiapi.Blob) *geminiapi.Blob {
	var out geminiapi.Blob
	if rest != nil {
		out = *rest
	}
	out.MIMEType, out.Data = &mimeType, &data
	return &out
}

// cut removes characters from the front of a text and returns them.
func cut(from *string, characters int) *string {
	end := 0
	for range characters {
		_, size := utf8.DecodeRuneInString((*from)[end:])
		end += size
	}
	front := (*from)[:end]
	*from = (*from)[end:]
	return &front
}

func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}
