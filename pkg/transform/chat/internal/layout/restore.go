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

// Report is called with the entry at a position, or one of its members, such as "/part/text".
type Report func(entry int, kind report.Kind, member, detail string)

// Restorer makes the parts of a turn from a message's members, in the order of the layout. The
// layout must fit the message.
type Restorer struct {
	message *Message
	report  Report

	entries            int    // number of entries so far
	content, reasoning string // the remaining texts
	calls, images      int    // so far
	sound              sound
}

// NewRestorer returns a Restorer of a message's parts.
func NewRestorer(m *Message, report Report) *Restorer {
	return &Restorer{message: m, report: report, content: m.Content, reasoning: m.Reasoning}
}

// Part is a part of the model's turn.
type Part struct {
	geminiapi.Part
	// Member is the message member that holds the part, or "" if only the layout has it. For a tool
	// call, the part has only what the call does not show.
	Member openaiapi.PartMember
	// Position is the position of the tool call or the image in its list.
	Position int
	// IsLeftOut means that the client did not send the member back. The part has at most a
	// signature.
	IsLeftOut bool
}

// Next makes the part of the next entry.
func (r *Restorer) Next(p *openaiapi.PreservedPart) Part {
	r.entries++
	out := Part{Member: jsonx.Deref(p.In)}
	if r.message.lacks(p) {
		r.add(report.Approximated, "",
			"only its signature is kept, because the client did not send it back")
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
		mimeType, data, _ := r.message.Images[r.images].ImageURL.URL.Inline()
		r.images++
		r.setBlob(&out.Part, mimeType, data)
	case openaiapi.PartMemberAudio:
		r.audio(&out.Part, p.Length)
	}
	return out
}

// signatureAlone returns the signature of a part whose member is missing.
func signatureAlone(p *openaiapi.PreservedPart) geminiapi.Part {
	out := geminiapi.Part{Text: new(""), ThoughtSignature: jsonx.Deref(p.Part).ThoughtSignature}
	if *p.In == openaiapi.PartMemberReasoningContent {
		out.Thought = new(true)
	}
	return out
}

// After returns the remainder of a part whose member a stream sent before the layout came. It is
// the whole part if no member has it. For a text it is the signature, as a part of its own. ok is
// false if nothing remains.
func After(p *openaiapi.PreservedPart) (part geminiapi.Part, ok bool) {
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

// text sets the text of a part. A text that differs from the signed text gets no signature.
func (r *Restorer) text(part *geminiapi.Part, from *string, p *openaiapi.PreservedPart) {
	r.overlaid(part.Text != nil, "/part/text")
	part.Text = cut(from, *p.Length)
	if part.ThoughtSignature != nil && IsChanged(*part.Text, p.Checksum) {
		part.ThoughtSignature = nil
		r.add(report.Lost, "/part/thoughtSignature", DetailChanged)
	}
}

// DetailChanged is the report detail for a signature whose text was changed.
const DetailChanged = "the text was changed after it was signed"

// IsChanged reports whether a text differs from the text of the checksum, if there is a checksum.
func IsChanged(text string, checksum *string) bool {
	return checksum != nil && *checksum != callid.Checksum(text)
}

func (r *Restorer) audio(part *geminiapi.Part, length *int) {
	if r.sound.size == 0 {
		r.sound = sound{data: r.message.Sound, mimeType: r.message.SoundType(),
			size: soundSize(r.message.Sound)}
	}
	r.setBlob(part, r.sound.mimeType, r.sound.next(length))
}

// setBlob sets the type and the data of a part. It keeps the other members of the layout.
func (r *Restorer) setBlob(part *geminiapi.Part, mimeType, data string) {
	blob := jsonx.Deref(part.InlineData)
	r.overlaid(blob.MIMEType != nil, "/part/inlineData/mimeType")
	r.overlaid(blob.Data != nil, "/part/inlineData/data")
	blob.MIMEType, blob.Data = &mimeType, &data
	part.InlineData = &blob
}

// reportEntry reports the members of an entry that have no effect, except unknown members.
func (r *Restorer) reportEntry(p *openaiapi.PreservedPart) {
	if p.Index != nil && *p.Index != r.entries-1 {
		r.add(report.Approximated, "/index", "the order of the list is used instead")
	}
	switch jsonx.Deref(p.In) {
	case openaiapi.PartMemberContent, openaiapi.PartMemberReasoningContent,
		openaiapi.PartMemberAudio:
	default:
		r.overlaid(p.Length != nil, "/length")
	}
	if p.Checksum != nil && (p.Length == nil || jsonx.Deref(p.Part).ThoughtSignature == nil) {
		r.add(report.Lost, "/checksum", "the text has no signature")
	}
}

// overlaid reports a member of the layout that has no effect because the message has it.
func (r *Restorer) overlaid(present bool, member string) {
	if present {
		r.add(report.Lost, member, "the message has it")
	}
}

func (r *Restorer) add(kind report.Kind, member, detail string) {
	r.report(r.entries-1, kind, member, detail)
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

// sound is the sound of a message. The layout cuts its pieces off one after the other.
type sound struct {
	data, mimeType string
	size           int // in bytes
	taken          int // of them
}

// next returns the next bytes of the sound, or all remaining bytes if the entry has no length.
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
