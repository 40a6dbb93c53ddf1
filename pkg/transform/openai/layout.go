package openai

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai/internal/callid"
)

// layout returns what a reader needs besides the message's members to restore the parts of the
// model's turn: an entry for each part in order, with the member that holds it, how much of that
// member's text is its own, in characters, or of a sound of several pieces, in bytes, and what of the
// part is not visible elsewhere. It is nil for the usual turn, which a reader restores without it:
//
//	one part of thinking, if there is reasoning_content,
//	one part of text, if there is content, with the signature of the message,
//	one part for each tool call, with the signature of the call.
func (c *converter) layout(blocks []normalize.Block, members []openaiapi.PartMember, at int) []openaiapi.PreservedPart {
	if isUsualTurn(blocks, members) {
		return nil
	}
	out := make([]openaiapi.PreservedPart, 0, len(blocks))
	joined := hasPieces(members)
	for i := range blocks {
		b := &blocks[i]
		entry := openaiapi.PreservedPart{Index: &b.Part}
		switch members[i] {
		case "":
			entry.Part = b.WirePart()
			if entry.Part == nil {
				c.report.Add(transform.Lost, partPointer(at, b.Part, ""), "Gemini has no such part")
				continue
			}
		case openaiapi.PartMemberContent, openaiapi.PartMemberReasoningContent:
			entry.Length = new(utf8.RuneCountInString(b.Text))
			if b.Signature != "" {
				entry.Checksum = new(callid.Checksum(b.Text))
			}
		case openaiapi.PartMemberAudio:
			if joined {
				length, _ := pieceLength(b)
				entry.Length = &length
			}
		}
		if members[i] != "" {
			entry.In, entry.Part = &members[i], partRest(b, members[i])
		}
		out = append(out, entry)
	}
	return out
}

// hasPieces reports whether the sound is put together from several parts.
func hasPieces(members []openaiapi.PartMember) bool {
	first := slices.Index(members, openaiapi.PartMemberAudio)
	return first >= 0 && slices.Contains(members[first+1:], openaiapi.PartMemberAudio)
}

// usualOrder orders the members in which a usual turn has its parts.
var usualOrder = map[openaiapi.PartMember]int{
	openaiapi.PartMemberReasoningContent: 1,
	openaiapi.PartMemberContent:          2,
	openaiapi.PartMemberToolCalls:        3,
}

func isUsualTurn(blocks []normalize.Block, members []openaiapi.PartMember) bool {
	last := 0
	for i := range blocks {
		b, member := &blocks[i], members[i]
		order := usualOrder[member]
		switch {
		case order < last || order == 0:
			return false
		case order == last && member != openaiapi.PartMemberToolCalls:
			return false
		case member == openaiapi.PartMemberReasoningContent && b.Signature != "":
			return false
		case b.Extra != nil || b.Thought || looksMade(b):
			return false
		}
		last = order
	}
	return true
}

// looksMade reports whether a call's own id would be taken for one that this package made.
func looksMade(b *normalize.Block) bool {
	return b.ToolCall != nil && !b.ToolCall.MadeID && strings.HasPrefix(b.ToolCall.ID, callid.Made)
}
