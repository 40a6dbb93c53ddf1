package chat

import (
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// turn is what a choice's last delta has to tell of the parts that were sent. They themselves are
// not kept, but for the text of the answer, which later chunks may cite anywhere, and for parts
// that only the extension has. So it grows by the text, and with extensions by about 50 bytes for
// each part. Of the answer to a request without sources only the shape of the text is kept.
type turn struct {
	answer    openaianswer.Text
	texts     bool // There was a part of text.
	thoughts  bool // There was a part that is in the reasoning content.
	cutCall   bool // There was a call that is not complete.
	signature string

	plain  bool // Nothing below is wanted.
	begun  bool
	last   normalize.Block // the part at hand, without its text
	record partRecord      // of the last
	text   string          // of the last's last event
	parts  []partRecord    // before the last
	order  turnOrder
	sounds int
}

// addText takes over a piece of a text or a thought.
func (t *turn) addText(e *normalize.Event, typ normalize.BlockType, member openaiapi.PartMember) {
	if typ == normalize.BlockText {
		t.answer.AddPart(e.Part, e.Text)
	}
	if !t.begun || t.last.Part != e.Part || t.last.Type != typ {
		t.add(&normalize.Block{Type: typ, Part: e.Part, Thought: e.Thought, Extra: e.Extra}, member)
	}
	t.text = e.Text
	t.record.length += utf8.RuneCountInString(e.Text)
}

// sign takes over the signature of a part that is no call. A signed text comes whole, in the event
// before.
func (t *turn) sign(e *normalize.Event, member openaiapi.PartMember) {
	if !t.begun || t.last.Part != e.Part {
		t.add(&normalize.Block{Type: e.BlockType, Part: e.Part, Thought: e.Thought, Extra: e.Extra},
			member)
	}
	t.last.Signature, t.signature = e.Signature, e.Signature
	if t.isText() {
		t.record.checksum = new(callid.Checksum(t.text))
	}
}

// addCall takes over a call that is sent. renamed says that the message shows another id than
// Gemini sent.
func (t *turn) addCall(e *normalize.Event, renamed bool) {
	t.cutCall = t.cutCall || e.Incomplete
	call := &normalize.ToolCall{ID: e.ToolCallID, MadeID: e.MadeID}
	t.add(&normalize.Block{
		Type: normalize.BlockToolCall, Part: e.Part, ToolCall: call, Signature: e.Signature,
		Thought: e.Thought, Extra: e.Extra,
	}, openaiapi.PartMemberToolCalls)
	t.record.renamed = renamed
}

// add takes over a part that a member of the message has, or none.
func (t *turn) add(b *normalize.Block, member openaiapi.PartMember) {
	t.texts = t.texts || member == openaiapi.PartMemberContent
	t.thoughts = t.thoughts || member == openaiapi.PartMemberReasoningContent
	t.endPart()
	t.begun, t.last, t.text = true, *b, ""
	t.record = partRecord{member: member}
	if b.Signature != "" && b.Type != normalize.BlockToolCall {
		t.signature = b.Signature
	}
}

// addSound takes over a piece of the audio.
func (t *turn) addSound(b *normalize.Block, length int) {
	t.sounds++
	t.add(b, openaiapi.PartMemberAudio)
	t.record.length = length
}

func (t *turn) isText() bool {
	return t.record.member == openaiapi.PartMemberContent ||
		t.record.member == openaiapi.PartMemberReasoningContent
}

// endPart records the part at hand, of which all is known.
func (t *turn) endPart() {
	if !t.begun || t.plain {
		return
	}
	last := &t.last
	if t.record.member == "" {
		last = new(t.last) // the extension has the part itself, with pointers into it
	}
	t.order.take(last, &t.record)
	t.record.describe(last)
	t.parts = append(t.parts, t.record)
	t.begun = false
}

// preserved returns what the extension of a message says of the parts.
func (t *turn) preserved(mimeType *string) preservedTurn {
	t.endPart()
	out := preservedTurn{signature: jsonx.NonEmpty(t.signature), mimeType: mimeType}
	if !t.order.unusual {
		if out.signature != nil {
			out.checksum = new(callid.FormatCRC32(t.answer.CRC32()))
		}
		return out
	}
	out.parts = make([]openaiapi.PreservedPart, 0, len(t.parts))
	for i := range t.parts {
		if r := &t.parts[i]; r.isKnown() {
			out.parts = append(out.parts, r.preserved(t.sounds > 1))
		}
	}
	return out
}
