package request

import (
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/openai/internal/callid"
)

// restore rebuilds the model's turn from the message and its layout, part by part.
func (a *answer) restore() error {
	content, _ := plainText(a.message)
	r := restorer{answer: a, content: content, reasoning: optional.Value(a.message.ReasoningContent), list: extensionName(a.message) + layoutList}
	a.turn.Parts = make([]geminiapi.Part, 0, len(a.google.Parts))
	for i := range a.google.Parts {
		if err := r.part(&a.google.Parts[i], a.at(r.list, i)); err != nil {
			return err
		}
	}
	r.reportRest()
	return a.finish()
}

// restorer assigns the members of a message to parts, in the order of its layout.
type restorer struct {
	*answer
	list               string
	content, reasoning string
	calls, images      int
	sound              spoken
	signature          *string // the last of a part that is no call
}

// part restores the part of an entry.
func (r *restorer) part(p *openaiapi.PreservedPart, at conversation.Location) error {
	if r.leftOut(p) {
		r.signatureAlone(p, at)
		return nil
	}
	r.reportEntry(p, at)
	part := optional.Value(p.Part)
	switch optional.Value(p.In) {
	case openaiapi.PartMemberContent:
		r.text(&part, &r.content, p, at)
	case openaiapi.PartMemberReasoningContent:
		r.overlaid(part.Thought != nil && !*part.Thought, at, "/part/thought")
		r.text(&part, &r.reasoning, p, at)
		part.Thought = new(true)
	case openaiapi.PartMemberToolCalls:
		r.calls++
		return r.addCall(r.calls-1, &part)
	case openaiapi.PartMemberImages:
		r.image(&part, at)
	case openaiapi.PartMemberAudio:
		r.audio(&part, p.Length, at)
	default:
		r.beside(&part)
	}
	if part.ThoughtSignature != nil {
		r.signature = part.ThoughtSignature
	}
	if !r.keep(&part) && p.Part != nil {
		r.Report.Add(transform.Approximated, at.Pointer("/part"), "Gemini takes no part that says nothing")
	}
	return nil
}

// text sets the text of a part. A text that is not the one that was signed has no signature.
func (r *restorer) text(part *geminiapi.Part, from *string, p *openaiapi.PreservedPart, at conversation.Location) {
	r.overlaid(part.Text != nil, at, "/part/text")
	part.Text = cut(from, *p.Length)
	if part.ThoughtSignature != nil && isChanged(*part.Text, p.Checksum) {
		part.ThoughtSignature = nil
		r.Report.Add(transform.Lost, at.Pointer("/part/thoughtSignature"), detailChanged)
	}
}

// detailChanged is the detail for a signature of a text that the client has changed.
const detailChanged = "the text has been changed since it was signed"

// isChanged reports whether a text is another than the one whose checksum was taken, where there is one.
func isChanged(text string, checksum *string) bool {
	return checksum != nil && *checksum != callid.Checksum(text)
}

// signatureAlone keeps the signature of a part whose member the client has left out.
func (r *restorer) signatureAlone(p *openaiapi.PreservedPart, at conversation.Location) {
	r.Report.Add(transform.Approximated, at.Pointer(""), "the message has come back without it, but for its signature")
	signature := optional.Value(p.Part).ThoughtSignature
	if signature == nil {
		return
	}
	part := geminiapi.Part{ThoughtSignature: signature}
	if *p.In == openaiapi.PartMemberReasoningContent {
		part.Thought = new(true)
	}
	r.signature = signature
	r.keep(&part)
}

// beside takes notice of a call that only the layout has, which needs a result, and of such a result.
func (r *restorer) beside(part *geminiapi.Part) {
	if call := part.FunctionCall; call != nil {
		r.turn.Calls = append(r.turn.Calls, conversation.Call{ID: optional.Value(call.ID), WireID: call.ID, Name: optional.Value(call.Name), At: r.At(r.turn.Index), NoMember: true})
	}
	if part.FunctionResponse != nil {
		r.turn.Serve(part.FunctionResponse)
	}
}

func (r *restorer) image(part *geminiapi.Part, at conversation.Location) {
	r.images++
	image, imageAt := &r.message.Images[r.images-1], r.at("images", r.images-1)
	r.partMembers(image, openaiapi.ContentPartTypeImageURL, imageAt, inMessage)
	r.loseUnknownIn(imageAt, "/image_url", image.ImageURL.Unknown)
	mimeType, data, _ := image.ImageURL.URL.Inline()
	r.setBlob(part, mimeType, data, at)
	media := mediaOf(image, openaiapi.ContentPartTypeImageURL)
	r.Report = append(r.Report, r.Media.SetDetail(part, media, imageAt.Pointer)...)
}

func (r *restorer) audio(part *geminiapi.Part, length *int, at conversation.Location) {
	if r.sound.size == 0 {
		r.reportAudio()
		data := *r.message.Audio.Data
		r.sound = spoken{data: data, mimeType: r.audioType(), size: soundSize(data)}
	}
	r.setBlob(part, r.sound.mimeType, r.sound.next(length), at)
}

// setBlob sets the type and the data of a part, beside the other members in the layout.
func (r *restorer) setBlob(part *geminiapi.Part, mimeType, data string, at conversation.Location) {
	blob := optional.Value(part.InlineData)
	r.overlaid(blob.MIMEType != nil, at, "/part/inlineData/mimeType")
	r.overlaid(blob.Data != nil, at, "/part/inlineData/data")
	blob.MIMEType, blob.Data = &mimeType, &data
	part.InlineData = &blob
}

// overlaid reports a member of the layout that has no effect, since the message has it.
func (r *restorer) overlaid(present bool, at conversation.Location, member string) {
	if present {
		r.Report.Add(transform.Lost, at.Pointer(member), "the message says it")
	}
}

// reportEntry reports the members of an entry that have no effect.
func (r *restorer) reportEntry(p *openaiapi.PreservedPart, at conversation.Location) {
	if p.Index != nil && *p.Index != at.Item {
		r.Report.Add(transform.Approximated, at.Pointer("/index"), "the order of the list counts")
	}
	switch optional.Value(p.In) {
	case openaiapi.PartMemberContent, openaiapi.PartMemberReasoningContent, openaiapi.PartMemberAudio:
	default:
		r.overlaid(p.Length != nil, at, "/length")
	}
	if p.Checksum != nil && (p.Length == nil || optional.Value(p.Part).ThoughtSignature == nil) {
		r.Report.Add(transform.Lost, at.Pointer("/checksum"), "there is no signature of a text")
	}
	r.loseUnknownIn(at, "", p.Unknown)
}

// reportRest reports the members of the extension that have no effect beside the layout, except for a
// signature of the message that only repeats the last one of the layout.
func (r *restorer) reportRest() {
	if own := r.google.ThoughtSignature; own != nil && (r.signature == nil || *own != *r.signature) {
		r.loseMember("thought_signature", "the parts have their own")
	}
	if r.google.Checksum != nil {
		r.loseMember("checksum", "the parts have their own")
	}
	if r.google.Thought != nil {
		r.loseMember("thought", "the parts tell it")
	}
	if r.google.MIMEType != nil && (r.message.Audio == nil || optional.Value(r.message.Audio.Data) == "") {
		r.loseMember("mime_type", "there is no sound")
	}
	if r.message.Audio != nil && optional.Value(r.message.Audio.Data) == "" {
		r.reportAudio()
	}
}

// cut takes characters off the front of a text.
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
