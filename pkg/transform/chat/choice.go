package chat

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// choice converts a candidate; at is its position on the wire. A candidate without content becomes
// a choice too: in some responses the reason why there is no content is the only information.
func (c *converter) choice(out *openaiapi.Choice, candidate *normalize.Candidate, at int,
	index *choiceIndex) {
	var moved bool
	out.Index, moved = index.take(candidate.Index)
	c.index, c.candidate, c.joined, c.ids = out.Index, candidate, nil, callIDs{}
	if moved {
		c.report.Add(report.Approximated, answer.Pointer(at, "/index"), answer.DetailIndexMoved)
	}
	c.message(&out.Message, candidate, at)
	out.Logprobs = c.logprobs(candidate, at)
	out.FinishReason = c.finishReason(candidate, answer.CallsOf(candidate), at)
	if native := c.nativeReason(candidate); !c.plain && native != "" {
		out.NativeFinishReason = &native
	}
}

// choiceIndex keeps the indices of choices unique. Only responses that package normalize did not
// make can have two candidates with the same index.
type choiceIndex struct {
	several bool // There are several choices.
	taken   map[int]bool
	next    int
}

// take returns the index if it is free, else the lowest free index.
func (x *choiceIndex) take(index int) (unique int, moved bool) {
	if !x.several {
		return index, false
	}
	if x.taken == nil {
		x.taken = map[int]bool{}
	}
	unique = index
	for x.taken[unique] {
		unique = x.next
		x.next++
	}
	x.taken[unique] = true
	return unique, unique != index
}

// message converts the candidate's content to the members of a message.
func (c *converter) message(out *openaiapi.ResponseMessage, candidate *normalize.Candidate,
	at int) {
	out.Role = openaiapi.RoleAssistant
	members := c.content(out, candidate, at)
	annotations := newAnnotations(candidate, at)
	annotations.report(&c.report)
	out.Annotations = annotations.out
	if c.plain {
		c.loseBlocks(candidate.Blocks, members, at)
		c.loseCandidate(candidate, at)
		return
	}
	out.ExtraContent = c.messageExtension(candidate, c.preservedTurn(candidate, members, at))
}

// content converts the candidate's blocks. For each block it returns the message member that holds
// it, or "" if no member does.
func (c *converter) content(out *openaiapi.ResponseMessage, candidate *normalize.Candidate,
	at int) []openaiapi.PartMember {
	members := make([]openaiapi.PartMember, len(candidate.Blocks))
	var text, thinking bool
	var heard sounds
	for i := range candidate.Blocks {
		members[i] = c.addBlock(out, &candidate.Blocks[i], at, &heard)
		text = text || members[i] == openaiapi.PartMemberContent
		thinking = thinking || members[i] == openaiapi.PartMemberReasoningContent
	}
	if text {
		out.Content = new(candidate.Text())
	}
	if thinking {
		out.ReasoningContent = new(candidate.Thinking())
	}
	if out.Audio != nil {
		out.Audio.Data = joinedSound(candidate.Blocks, members)
	}
	return members
}

// addBlock adds a block to the message and returns the member that holds it, or "" if no member
// does. Text is only assigned to a member here. content joins the text when it has all of it.
func (c *converter) addBlock(out *openaiapi.ResponseMessage, b *normalize.Block, at int,
	heard *sounds) openaiapi.PartMember {
	switch b.Type {
	case normalize.BlockText:
		return openaiapi.PartMemberContent
	case normalize.BlockThinking:
		if c.plain {
			return ""
		}
		return openaiapi.PartMemberReasoningContent
	case normalize.BlockToolCall:
		out.ToolCalls = append(out.ToolCalls, c.toolCall(b, at))
		return openaiapi.PartMemberToolCalls
	case normalize.BlockMedia:
		return c.addMedia(out, b, at, heard)
	default:
		return ""
	}
}
