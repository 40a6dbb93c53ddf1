package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
)

// result converts the message of a tool or of a function. Gemini wants the results of a turn's
// calls directly behind them, in one turn of their own and in the order of the calls.
func (b *history) result(m *openaiapi.ChatMessage, at int) error {
	call, err := b.answered(m, at)
	switch {
	case err != nil:
		return err
	case call == nil:
		return b.addOrphan(m, at)
	}
	response, err := b.response(m, at)
	if err != nil {
		return err
	}
	b.SetResult(call, response, b.At(at))
	if m.Role == openaiapi.RoleTool && m.Name != nil && *m.Name != call.Name && !call.Served {
		b.Report.Add(report.Approximated, b.At(at).Pointer("/name"),
			"the call names another function, which counts")
	}
	return nil
}

// answered returns the call that a result is of: the first one of its id, or name, that has none
// yet. It returns nil where no call waits for a result, as in a history whose beginning was cut
// off.
func (b *history) answered(m *openaiapi.ChatMessage, at int) (*conversation.Call, error) {
	if m.Role == openaiapi.RoleFunction {
		return b.Answered(b.At(at), conversation.ToFunction(jsonx.Deref(m.Name)))
	}
	return b.Answered(b.At(at), conversation.ToID(resultID(m)))
}

// resultID returns the id of the call that a result is of, without what it may carry.
func resultID(m *openaiapi.ChatMessage) string {
	return callid.WithoutSignature(jsonx.Deref(m.ToolCallID))
}

// addOrphan adds a result whose call is not in the conversation, as where a client has cut off its
// beginning. Gemini takes no result without the call, so that the user says it. Where the
// conversation begins in a cache, the call may be there.
func (b *history) addOrphan(m *openaiapi.ChatMessage, at int) error {
	if b.TakesCachedResults() {
		return b.addCachedCallResult(m, at)
	}
	b.Report.Add(report.Approximated, b.At(at).Pointer(""), conversation.DetailNoCall)
	b.extension(m.ExtraContent, b.At(at), inMessage)
	said := *m
	said.Role = openaiapi.RoleUser
	parts, err := b.content(&said, at)
	if err != nil {
		return err
	}
	parts = conversation.ToldResult(jsonx.Deref(m.Name), resultID(m), parts)
	return b.add(&conversation.Turn{Role: conversation.User, Parts: parts, Index: at})
}

// addCachedCallResult adds a result of a call that is in a cache. The id stands for the function's
// name, which only the call would have.
func (b *history) addCachedCallResult(m *openaiapi.ChatMessage, at int) error {
	response, err := b.response(m, at)
	if err != nil {
		return err
	}
	id, member := resultID(m), ""
	if m.ToolCallID != nil {
		member = "/tool_call_id"
	}
	b.Report.Add(report.Approximated, b.At(at).Pointer(member), conversation.DetailCachedCall)
	response.Name = new(id)
	if name := jsonx.Deref(m.Name); name != "" {
		response.Name = &name
	}
	if id != "" && !strings.HasPrefix(id, callid.Made) {
		response.ID = &id
	}
	b.AddCachedResult(response, b.At(at))
	return nil
}
