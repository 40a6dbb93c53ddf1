package request

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai/internal/callid"
)

// addOrphan adds a result whose call is not in the conversation, as where a client has cut off its beginning.
// Gemini takes no result without the call, so that the user says it. Where the conversation begins in a cache, the
// call may be there.
func (b *conversation) addOrphan(m *openaiapi.ChatMessage, at int) error {
	if optional.Value(b.out.CachedContent) != "" && (len(b.turns) == 0 || len(b.turns) == 1 && b.turns[0].results) {
		return b.addCachedCallResult(m, at)
	}
	b.report.Add(transform.Approximated, location{message: at}.pointer(""), "its call is not in the conversation; the user tells the result")
	b.extension(m.ExtraContent, location{message: at}, inMessage)
	told := *m
	told.Role = openaiapi.RoleUser
	parts, err := b.content(&told, at)
	if err != nil {
		return err
	}
	parts = append([]geminiapi.Part{{Text: new(orphanTitle(m))}}, parts...)
	return b.add(turn{role: userRole, parts: parts, message: at})
}

// orphanTitle says which function a result is of, as far as the result tells it.
func orphanTitle(m *openaiapi.ChatMessage) string {
	switch id, name := resultID(m), optional.Value(m.Name); {
	case name != "":
		return "Result of the function " + strconv.Quote(name) + ":"
	case id != "":
		return "Result of the function call " + strconv.Quote(id) + ":"
	default:
		return "Result of a function call:"
	}
}

// addCachedCallResult adds a result of a call that is in a cache. The id stands for the function's name, which
// only the call would have.
func (b *conversation) addCachedCallResult(m *openaiapi.ChatMessage, at int) error {
	response, err := b.response(m, at)
	if err != nil {
		return err
	}
	id, member := resultID(m), ""
	if m.ToolCallID != nil {
		member = "/tool_call_id"
	}
	b.report.Add(transform.Approximated, location{message: at}.pointer(member), "its call is not in the conversation, perhaps in the cache")
	response.Name = new(id)
	if name := optional.Value(m.Name); name != "" {
		response.Name = &name
	}
	if id != "" && !strings.HasPrefix(id, callid.Made) {
		response.ID = &id
	}
	part := geminiapi.Part{FunctionResponse: response}
	if last := b.last(); last != nil {
		last.parts = append(last.parts, part)
		return nil
	}
	b.turns = append(b.turns, turn{role: userRole, parts: []geminiapi.Part{part}, message: at, results: true})
	return nil
}
