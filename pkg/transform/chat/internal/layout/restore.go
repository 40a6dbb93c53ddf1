package layout

import (
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
)

// Report is told of the entry at a position, or of one of its members, such as "/part/text".
type Report func(entry int, kind report.Kind, member, detail string)

// Restorer makes the parts of a turn of the members of a message, in the order of its layout, which
// has to fit.
type Restorer struct {
	message *Message
	report  Report

	entries            int    // so far
	content, reasoning string // that are left
	calls, images      int    // so far
	sound              sound
}

// NewRestorer returns what restores the parts of a message.
func NewRestorer(m *Message, report Report) *Restorer {
	return &Restorer{message: m, report: report, content: m.Content, reasoning: m.Reasoning}
}

// Part is a part of the model's turn.
type Part struct {
	geminiapi.Part
	// Member is what holds it in the message, "" for a part that the layout alone has. Of a tool
	// call the part has what stands besides the call.
	Member openaiapi.PartMember
	// Position is that of the tool call or the image in its list.
	Position int
	// IsLeftOut says that the member has not come back. The part has its signature at most.
	IsLeftOut bool
}

// Next makes the part of the next entry.
func (r *Restorer) Next(p *openaiapi.PreservedPart) Part {
	r.entries++
	out := Part{Member: jsonx.Deref(p.In)}
	if r.message.lacks(p) {
		r.add(report.Approximated, "",
			"the message has come back without it, but for its signature")
		out.Part, out.IsLeftOut = signatureAlone(p), true
		return out
	}
	r.reportEntry(p)
	out.Part = jsonx.Deref(p.Part)
	switch out.Member {
	case openaiapi.PartMemberContent:
		r.text(&out.Part, &r.content, p)
	case openaiapi.PartMemberReasoningContent:
		r.overlaid(out.Thought != nil && !*out.Thought, "/part/thought")
		r.text(&out.Part, &r.reasoning, p)
		out.Thought = new(true)
	case openaiapi.PartMemberToolCalls:
		out.Position = r.calls
		r.calls++
	case openaiapi.PartMemberImages:
		out.Position = r.images
		r.image(&out.Part)
	case openaiapi.PartMemberAudio:
		r.audio(&out.Part, p.Length)
	}
	return out
}

// signatureAlone returns what is left of a part whose member is not there.
func signatureAlone(p *openaiapi.PreservedPart) geminiapi.Part {
	out := geminiapi.Part{Text: new(""), ThoughtSignature: jsonx.Deref(p.Part).ThoughtSignature}
	if *p.In == openaiapi.PartMemberReasoningContent {
		out.Thought = new(true)
	}
	return out
}

// Behind returns what a part has besides the member that a stream has sent before its layout came:
// all of it where no member has it, and the signature of a text, which stands alone then. ok is
// false for nothing.
func Behind(p *openaiapi.PreservedPart) (part geminiapi.Part, ok bool) {
	part = jsonx.Deref(p.Part)
	switch jsonx.Deref(p.In) {
	case "":
		return part, p.Part != nil
	case openaiapi.PartMemberReasoningContent:
		part.Thought = new(true)
	case openaiapi.PartMemberContent:
	default:
		return part, false
	}
	part.Text = new("")
	return part, part.ThoughtSignature != nil
}

// text sets the text of a part. A text that is not the one that was signed has no signature.
func (r *Restorer) text(part *geminiapi.Part, from *string, p *openaiapi.PreservedPart) {
	r.overlaid(part.Text != nil, "/part/text")
	part.Text = cut(from, *p.Length)
	if part.ThoughtSignature != nil && IsChanged(*part.Text, p.Checksum) {
		part.ThoughtSignature = nil
		r.add(report.Lost, "/part/thoughtSignature", DetailChanged)
	}
}

// DetailChanged is the detail for a signature of a text that somebody has changed.
const DetailChanged = "the text has been changed since it was signed"

// IsChanged reports whether a text is another than the one whose checksum was taken, where there is
// one.
func IsChanged(text string, checksum *string) bool {
	return checksum != nil && *checksum != callid.Checksum(text)
}

func (r *Restorer) image(part *geminiapi.Part) {
	mimeType, data, _ := r.message.Images[r.images].ImageURL.URL.Inline()
	r.images++
	r.setBlob(part, mimeType, data)
}

func (r *Restorer) audio(part *geminiapi.Part, length *int) {
	if r.sound.size == 0 {
		r.sound = sound{data: r.message.Sound, mimeType: r.message.SoundType(),
			size: soundSize(r.message.Sound)}
	}
	r.setBlob(part, r.sound.mimeType, r.sound.next(length))
}

// setBlob sets the type and the data of a part, beside the other members in the layout.
func (r *Restorer) setBlob(part *geminiapi.Part, mimeType, data string) {
	blob := jsonx.Deref(part.InlineData)
	r.overlaid(blob.MIMEType != nil, "/part/inlineData/mimeType")
	r.overlaid(blob.Data != nil, "/part/inlineData/data")
	blob.MIMEType, blob.Data = &mimeType, &data
	part.InlineData = &blob
}

// reportEntry reports the members of an entry that have no effect, but for those that no
// description knows.
func (r *Restorer) reportEntry(p *openaiapi.PreservedPart) {
	if p.Index != nil && *p.Index != r.entries-1 {
		r.add(report.Approximated, "/index", "the order of the list counts")
	}
	switch jsonx.Deref(p.In) {
	case openaiapi.PartMemberContent, openaiapi.PartMemberReasoningContent,
		openaiapi.PartMemberAudio:
	default:
		r.overlaid(p.Length != nil, "/length")
	}
	if p.Checksum != nil && (p.Length == nil || jsonx.Deref(p.Part).ThoughtSignature == nil) {
		r.add(report.Lost, "/checksum", "there is no signature of a text")
	}
}

// overlaid reports a member of the layout that has no effect, since the message has it.
func (r *Restorer) overlaid(present bool, member string) {
	if present {
		r.add(report.Lost, member, "the message says it")
	}
}

func (r *Restorer) add(kind report.Kind, member, detail string) {
	r.report(r.entries-1, kind, member, detail)
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

// sound is the sound of a message, whose pieces follow each other.
type sound struct {
	data, mimeType string
	size           int // in bytes
	taken          int // of them
}

// next takes the next bytes of the sound, all that are left where there is no length.
func (s *sound) next(length *int) string {
	from, to := s.taken, s.size
	if length != nil {
		to = from + *length
	}
	s.taken = to
	if from == 0 && to == s.size {
		return s.data
	}
	return media.CutBase64(s.data, from, to)
}
