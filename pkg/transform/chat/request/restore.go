package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/layout"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
)

// layoutList is the pointer of the layout within a message's extension.
const layoutList = "/parts"

// held returns the message's content that parts can be made of.
func (a *answer) held() *layout.Message {
	m := a.message
	content, isText := plainText(m)
	out := &layout.Message{
		Content: content, Reasoning: jsonx.Deref(m.ReasoningContent), Calls: len(m.ToolCalls),
		Images:    m.Images,
		HasOthers: !isText || jsonx.Deref(m.Refusal) != "" || m.FunctionCall != nil,
	}
	if m.Audio != nil {
		out.Sound = jsonx.Deref(m.Audio.Data)
	}
	out.SoundType = func() string {
		a.reportAudio()
		return a.audioType()
	}
	return out
}

// plainText returns the text of a message whose content is only text.
func plainText(m *openaiapi.ChatMessage) (text string, ok bool) {
	if text, ok = m.Content.AsString(); ok {
		return text, true
	}
	var texts strings.Builder
	list, _ := m.Content.AsValue()
	for i := range list {
		p, isText := &list[i], true
		visitMembersOfContentPart(p,
			func(name string) { isText = isText && (name == "type" || name == "text") })
		if !isText || p.Unknown != nil || p.Type != "" && p.Type != openaiapi.ContentPartTypeText {
			return "", false
		}
		texts.WriteString(jsonx.Deref(p.Text))
	}
	return texts.String(), true
}

// restore rebuilds the model's turn from the message and its layout, part by part. isRestored is
// false if there is no layout that fits.
func (a *answer) restore() (isRestored bool, err error) {
	held := a.held()
	if !layout.Fits(a.google.Parts, held) {
		return false, nil
	}
	r := restorer{answer: a, list: extensionName(a.message) + layoutList}
	from := layout.NewRestorer(held, func(entry int, kind report.Kind, member, detail string) {
		a.Report.Add(kind, a.at(r.list, entry).Pointer(member), detail)
	})
	a.turn.Parts = make([]geminiapi.Part, 0, len(a.google.Parts))
	for i := range a.google.Parts {
		part := from.Next(&a.google.Parts[i])
		if err := r.add(&part, &a.google.Parts[i], a.at(r.list, i)); err != nil {
			return true, err
		}
	}
	r.reportRest()
	return true, a.finish()
}

// restorer adds the parts of a layout to a turn.
type restorer struct {
	*answer
	list      string
	signature *string // the last signature of a part that is not a call
}

// add adds the part of a layout entry.
func (r *restorer) add(part *layout.Part, p *openaiapi.PreservedPart,
	at conversation.Location) error {
	if !part.IsLeftOut {
		r.loseUnknownIn(at, "", p.Unknown)
	}
	switch {
	case part.IsLeftOut && part.ThoughtSignature == nil:
		return nil
	case part.Member == openaiapi.PartMemberToolCalls:
		return r.addCall(part.Position, &part.Part)
	case part.Member == openaiapi.PartMemberImages && !part.IsLeftOut:
		r.reportImage(&part.Part, part.Position)
	case part.Member == "":
		r.nextTo(&part.Part)
	}
	if part.ThoughtSignature != nil {
		r.signature = part.ThoughtSignature
	}
	if !r.keep(&part.Part) && p.Part != nil && !part.IsLeftOut {
		r.Report.Add(report.Approximated, at.Pointer("/part"),
			"Gemini does not accept an empty part")
	}
	return nil
}

// This method registers a call that only the layout has, because the call needs a result. It
// registers results of such calls too.
func (r *restorer) nextTo(part *geminiapi.Part) {
	if call := part.FunctionCall; call != nil {
		r.turn.Calls = append(r.turn.Calls,
			conversation.Call{ID: jsonx.Deref(call.ID), WireID: call.ID,
				Name: jsonx.Deref(call.Name), At: r.At(r.turn.Index), NoMember: true})
	}
	if part.FunctionResponse != nil {
		r.turn.Serve(part.FunctionResponse)
	}
}

// reportImage reports the members of an image that only describe it, and sets the image's detail.
func (r *restorer) reportImage(part *geminiapi.Part, position int) {
	image, at := &r.message.Images[position], r.at("images", position)
	r.partMembers(image, openaiapi.ContentPartTypeImageURL, at, inMessage)
	r.loseUnknownIn(at, "/image_url", image.ImageURL.Unknown)
	media := mediaOf(image, openaiapi.ContentPartTypeImageURL)
	r.Report = append(r.Report, r.Media.SetDetail(part, media, at.Pointer)...)
}

// reportRest reports the members of the extension that have no effect, because the layout takes
// precedence. A message signature that repeats the last signature of the layout is not reported.
func (r *restorer) reportRest() {
	if own := r.google.ThoughtSignature; own != nil &&
		(r.signature == nil || *own != *r.signature) {
		r.loseMember("thought_signature", "the parts have their own")
	}
	if r.google.Checksum != nil {
		r.loseMember("checksum", "the parts have their own")
	}
	if r.google.Thought != nil {
		r.loseMember("thought", "the parts have it")
	}
	if r.google.MIMEType != nil &&
		(r.message.Audio == nil || jsonx.Deref(r.message.Audio.Data) == "") {
		r.loseMember("mime_type", "there is no sound")
	}
	if r.message.Audio != nil && jsonx.Deref(r.message.Audio.Data) == "" {
		r.reportAudio()
	}
}

// loseLayout reports a layout that no longer fits. Parts that only the layout has are lost.
func (a *answer) loseLayout() {
	list := extensionName(a.message) + layoutList
	a.Report.Add(report.Approximated, a.At(a.turn.Index).Pointer("/"+list),
		"the message was changed, so its parts are in the usual order")
	for i := range a.google.Parts {
		if p := &a.google.Parts[i]; p.Part != nil && jsonx.Deref(p.In) == "" {
			a.Report.Add(report.Lost, a.at(list, i).Pointer(""),
				"dropped with a layout that does not fit the message")
		}
	}
}
