package chat

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// layout returns what a reader needs, in addition to the message's members, to restore the parts of
// the model's turn. It has an entry for each part in order. An entry names the member that holds
// the part, and has what no member shows of it. For a text it also has the length in characters,
// for a sound of several pieces the length in bytes. layout returns nil for the usual turn, which a
// reader restores without it:
//
//	one part of thinking, if there is reasoning_content,
//	one part of text, if there is content, with the signature of the message,
//	one part for each tool call, with the signature of the call.
func (c *converter) layout(blocks []normalize.Block, members []openaiapi.PartMember,
	at int) []openaiapi.PreservedPart {
	if c.isUsualTurn(blocks, members) {
		return nil
	}
	out, records := make([]openaiapi.PreservedPart, 0, len(blocks)), make([]partRecord, len(blocks))
	joined := hasPieces(members)
	for i := range blocks {
		b, r := &blocks[i], &records[i]
		*r = c.record(b, members[i])
		r.measure(b)
		r.describe(b)
		if !r.isKnown() {
			c.report.Add(report.Lost, answer.PartPointer(at, b.Part, ""), "Gemini has no such part")
			continue
		}
		out = append(out, r.preserved(joined))
	}
	return out
}

// partRecord holds the layout's statements about a part.
type partRecord struct {
	index    int
	member   openaiapi.PartMember // the member that holds the part, or ""
	length   int                  // of a text in characters, of a sound in bytes
	checksum *string              // of a signed text
	// the values that the member does not show; the whole part if there is no member
	rest *geminiapi.Part
	// The member shows a different id than Gemini sent, because an earlier call has the same id.
	renamed bool
}

// record returns what the member alone says about a part.
func (c *converter) record(b *normalize.Block, member openaiapi.PartMember) partRecord {
	renamed := b.ToolCall != nil && !b.ToolCall.MadeID && slices.Contains(c.ids.renamed, b.Part)
	return partRecord{member: member, renamed: renamed}
}

// measure sets the length of a text or a sound while the block still has it.
func (r *partRecord) measure(b *normalize.Block) {
	switch r.member {
	case openaiapi.PartMemberContent, openaiapi.PartMemberReasoningContent:
		r.length = utf8.RuneCountInString(b.Text)
		if b.Signature != "" {
			r.checksum = new(callid.Checksum(b.Text))
		}
	case openaiapi.PartMemberAudio:
		r.length, _ = media.Base64Length(b.Media.Data)
	}
}

// describe sets the position of the part, and what its member does not show of it.
func (r *partRecord) describe(b *normalize.Block) {
	r.index = b.Part
	if r.member == "" {
		r.rest = b.WirePart()
	} else {
		r.rest = partRest(b, r.member, r.renamed)
	}
}

// isKnown reports whether Gemini knows such a part.
func (r *partRecord) isKnown() bool { return r.member != "" || r.rest != nil }

// preserved returns the record in the form of the extension. The result points into the record.
// joined reports that the sound consists of several pieces.
func (r *partRecord) preserved(joined bool) openaiapi.PreservedPart {
	out := openaiapi.PreservedPart{Index: &r.index, Part: r.rest, Checksum: r.checksum}
	switch r.member {
	case "":
		return out
	case openaiapi.PartMemberContent, openaiapi.PartMemberReasoningContent:
		out.Length = &r.length
	case openaiapi.PartMemberAudio:
		if joined {
			out.Length = &r.length
		}
	}
	out.In = &r.member
	return out
}

// hasPieces reports whether the sound consists of several parts.
func hasPieces(members []openaiapi.PartMember) bool {
	first := slices.Index(members, openaiapi.PartMemberAudio)
	return first >= 0 && slices.Contains(members[first+1:], openaiapi.PartMemberAudio)
}

// usualOrder is the order of the members in a usual turn.
var usualOrder = map[openaiapi.PartMember]int{
	openaiapi.PartMemberReasoningContent: 1,
	openaiapi.PartMemberContent:          2,
	openaiapi.PartMemberToolCalls:        3,
}

func (c *converter) isUsualTurn(blocks []normalize.Block, members []openaiapi.PartMember) bool {
	var order turnOrder
	for i := range blocks {
		record := c.record(&blocks[i], members[i])
		order.take(&blocks[i], &record)
	}
	return !order.unusual
}

// turnOrder recognizes a usual turn from its parts, which it takes one by one.
type turnOrder struct {
	last    int // of usualOrder
	unusual bool
}

// take takes the next part with its record.
func (o *turnOrder) take(b *normalize.Block, record *partRecord) {
	member := record.member
	order := usualOrder[member]
	switch {
	case order < o.last || order == 0,
		order == o.last && member != openaiapi.PartMemberToolCalls,
		member == openaiapi.PartMemberReasoningContent && b.Signature != "",
		b.Extra != nil || b.Thought || looksMade(b) || record.renamed:
		o.unusual = true
	}
	o.last = order
}

// looksMade reports whether a call's own id looks like one that this package made.
func looksMade(b *normalize.Block) bool {
	return b.ToolCall != nil && !b.ToolCall.MadeID && strings.HasPrefix(b.ToolCall.ID, callid.Made)
}
