package chat

import (
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// turn collects the values that the last delta of a choice says about the parts that were sent. It
// does not keep the parts, except the text of the answer, which later chunks may cite, and parts
// that only the extension has. So it grows with the text, and with extensions by about 50 bytes per
// part. If the request asked for no sources, it keeps only the shape of the text.
type turn struct {
	answer    openaianswer.Text
	texts     bool // There was a text part.
	thoughts  bool // There was a part in reasoning_content.
	cutCall   bool // There was an incomplete call.
	signature string

	plain  bool // The fields below are not needed.
	begun  bool
	last   normalize.Block // the current part, without its text
	record partRecord      // of the current part
	text   string          // of the current part's last event
	parts  []partRecord    // before the current part
	order  turnOrder
	sounds int
}

// addText adds a piece of a text or a thought.
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

// sign adds the signature of a part that is not a call. A signed text arrives whole, in the event
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

// addCall adds a call that was sent. renamed reports that the message shows a different id than
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

// add adds a part, with the message member that holds it, or "".
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

// addSound adds a piece of the audio.
func (t *turn) addSound(b *normalize.Block, length int) {
	t.sounds++
	t.add(b, openaiapi.PartMemberAudio)
	t.record.length = length
}

func (t *turn) isText() bool {
	return t.record.member == openaiapi.PartMemberContent ||
		t.record.member == openaiapi.PartMemberReasoningContent
}

// endPart records the current part, which is complete.
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

// preserved returns what a message's extension says about the parts.
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
