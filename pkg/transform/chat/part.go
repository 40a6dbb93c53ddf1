package chat

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// partRest returns, in Gemini's form, what the message member does not show of its part, or nil.
// The result holds no pointer into the block, which may be reused. renamed reports that the member
// shows a different id than Gemini sent.
func partRest(b *normalize.Block, member openaiapi.PartMember, renamed bool) *geminiapi.Part {
	rest := jsonx.Deref(b.Extra)
	more := b.Extra != nil
	if b.Signature != "" && member != openaiapi.PartMemberToolCalls {
		rest.ThoughtSignature, more = new(b.Signature), true
	}
	if b.Thought {
		rest.Thought, more = new(true), true
	}
	if looksMade(b) || renamed {
		call := jsonx.Deref(rest.FunctionCall)
		call.ID = new(b.ToolCall.ID)
		rest.FunctionCall, more = &call, true
	}
	if b.Media != nil && b.Media.DisplayName != "" {
		data := jsonx.Deref(rest.InlineData)
		data.DisplayName = new(b.Media.DisplayName)
		rest.InlineData, more = &data, true
	}
	if !more {
		return nil
	}
	return new(rest)
}
