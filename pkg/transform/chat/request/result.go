package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
)

// result converts a message of a tool or a function. Gemini requires the results of a turn's calls
// directly after them, in a turn of their own and in the order of the calls.
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
	if m.Role == openaiapi.RoleTool && m.Name != nil && functions.Name(*m.Name) != call.Name && !call.Served {
		b.Report.Add(report.Approximated, b.At(at).Pointer("/name"),
			"the call names another function, which is used")
	}
	return nil
}

// answered returns the call that a result belongs to: the first call of its id, or name, without a
// result. It returns nil if no call waits for a result, for example because the beginning of the
// history was cut off.
func (b *history) answered(m *openaiapi.ChatMessage, at int) (*conversation.Call, error) {
	if m.Role == openaiapi.RoleFunction {
		return b.Answered(b.At(at), conversation.ToFunction(functions.Name(jsonx.Deref(m.Name))))
	}
	return b.Answered(b.At(at), conversation.ToID(resultID(m)))
}

// resultID returns the id of the result's call, without a signature that it may carry.
func resultID(m *openaiapi.ChatMessage) string {
	return callid.WithoutSignature(jsonx.Deref(m.ToolCallID))
}

// addOrphan adds a result whose call is not in the conversation, for example because a client has
// cut off the beginning. Gemini accepts no result without its call, so the result becomes text of
// the user. If the conversation begins in a cache, the call may be there.
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
	parts = conversation.UserResult(jsonx.Deref(m.Name), resultID(m), parts)
	return b.add(&conversation.Turn{Role: conversation.User, Parts: parts, Index: at})
}

// addCachedCallResult adds a result of a call that is in a cache. The id stands for the function
// name, because only the call has the name.
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
		response.Name = new(functions.Name(name))
	}
	if id != "" && !strings.HasPrefix(id, callid.Made) {
		response.ID = &id
	}
	b.AddCachedResult(response, b.At(at))
	return nil
}
