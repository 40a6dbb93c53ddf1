package chat

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// toolCall converts a call. The arguments are the bytes of the wire, including key order, big
// numbers and escapes.
func (c *converter) toolCall(b *normalize.Block, at int) openaiapi.ToolCall {
	out := openaiapi.ToolCall{
		ID:   c.callID(b, at),
		Type: openaiapi.ToolTypeFunction,
		Function: &openaiapi.FunctionCall{
			Name:      c.tools.of(b.ToolCall.Name),
			Arguments: string(b.ToolCall.Arguments),
		},
	}
	if !c.plain && answer.HasOtherArguments(b.Extra) {
		c.report.Add(report.Approximated, answer.PartPointer(at, b.Part, "/functionCall/args"),
			detailOtherArguments)
	}
	out.ID = c.signedID(out.ID, b.Signature)
	if b.Signature != "" && !c.plain {
		out.ExtraContent = callExtension(b.Signature)
	}
	return out
}

const detailOtherArguments = "kept in the extension, because arguments must be an object; the call has an empty one"

func callExtension(signature string) *openaiapi.ExtraContent {
	return extraContent(openaiapi.GoogleExtraContent{ThoughtSignature: &signature})
}

// callID returns an id for a call that is unique in the message.
func (c *converter) callID(b *normalize.Block, at int) string {
	id, isTaken := c.ids.take(c.wantedID(b, at),
		func() string { return c.otherID(c.in.ID, c.index, c.joinedPart(b)) })
	if isTaken {
		c.ids.renamed = append(c.ids.renamed, b.Part)
		c.report.Add(report.Approximated, answer.PartPointer(at, b.Part, "/functionCall/id"),
			detailIDTaken)
	}
	return id
}

// wantedID returns Gemini's id of a call, or a generated one.
func (c *converter) wantedID(b *normalize.Block, at int) string {
	if !b.ToolCall.MadeID {
		return b.ToolCall.ID
	}
	c.report.Add(report.Added, answer.PartPointer(at, b.Part, "/functionCall/id"),
		"the call has no id")
	if c.toolCallID == nil {
		return b.ToolCall.ID
	}
	return c.madeID(b.ToolCall.ID, c.in.ID, c.index, c.joinedPart(b))
}

// joinedPart returns the position of the block's part that ids are made from.
func (c *converter) joinedPart(b *normalize.Block) int {
	if c.joined == nil && c.candidate != nil {
		c.joined = c.candidate.JoinedParts()
	}
	return c.joined[b.Part]
}

// madeID returns the id of a call that Gemini sent without one: the id of package normalize, unless
// an option sets another way.
func (o *options) madeID(id, responseID string, candidate, part int) string {
	if o.toolCallID == nil {
		return id
	}
	if id := o.toolCallID(responseID, candidate, part); id != "" {
		return id
	}
	return madeCallID(responseID, candidate, part)
}
