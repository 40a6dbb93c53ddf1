package request

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai/internal/callid"
)

// result converts the message of a tool or of a function. Gemini wants the results of a turn's calls
// directly behind them, in one turn of their own and in the order of the calls.
func (b *conversation) result(m *openaiapi.ChatMessage, at int) error {
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
	call.answered = true
	if call.served {
		b.report.Add(transform.Lost, location{message: at}.pointer(""), "Google has run the function itself; its result is in the model's turn")
		return nil
	}
	if b.awaiting == len(b.turns)-1 {
		b.openResults()
	}
	if b.awaiting+2 < len(b.turns) {
		b.report.Add(transform.Approximated, location{message: at}.pointer(""), "put directly behind its call, before the messages between them")
	}
	if m.Role == openaiapi.RoleTool && m.Name != nil && *m.Name != call.name {
		b.report.Add(transform.Approximated, location{message: at}.pointer("/name"), "the call names another function, which counts")
	}
	response.ID, response.Name = call.wireID, &call.name
	b.turns[b.awaiting+1].parts[call.slot].FunctionResponse = response
	return nil
}

// openResults adds the turn for the results of the last turn's calls.
func (b *conversation) openResults() {
	t := &b.turns[b.awaiting]
	b.dropRepeatedIDs(t)
	slots := 0
	for i := range t.calls {
		if call := &t.calls[i]; !call.served {
			call.slot = slots
			slots++
		}
	}
	if slots > 0 {
		b.turns = append(b.turns, turn{role: userRole, parts: make([]geminiapi.Part, slots), message: t.message, results: true})
	}
}

// dropRepeatedIDs leaves out the ids that several calls of a turn share, as those of clients do that call
// them by the function: Gemini would take every result for one of the first call. Without ids
// Gemini assigns results to calls by their order.
func (b *conversation) dropRepeatedIDs(t *turn) {
	for i := range t.calls {
		id := t.calls[i].wireID
		if id == nil || t.calls[i].served || !slices.ContainsFunc(t.calls[i+1:], func(later pendingCall) bool { return later.hasWireID(*id) }) {
			continue
		}
		for j := range t.calls {
			if call := &t.calls[j]; call.hasWireID(*id) {
				call.wireID = nil
				b.report.Add(transform.Approximated, call.idPointer(), "left out, as several calls of the turn have it")
			}
		}
		dropCallIDs(t.parts, *id)
	}
}

// dropCallIDs leaves out an id of calls. A call may be the caller's, so that it is copied.
func dropCallIDs(parts []geminiapi.Part, id string) {
	for i := range parts {
		if call := parts[i].FunctionCall; call != nil && optional.Value(call.ID) == id {
			rest := *call
			rest.ID = nil
			parts[i].FunctionCall = &rest
		}
	}
}

// answered returns the call that a result is of: the first one of its id, or name, that has none yet. It returns
// nil where no call waits for a result, as in a history whose beginning was cut off.
func (b *conversation) answered(m *openaiapi.ChatMessage, at int) (*pendingCall, error) {
	if b.awaiting < 0 {
		return nil, nil
	}
	refers := func(call *pendingCall) bool { return call.id == resultID(m) }
	if m.Role == openaiapi.RoleFunction {
		refers = func(call *pendingCall) bool { return call.name == optional.Value(m.Name) }
	}
	calls := b.turns[b.awaiting].calls
	known, waiting := false, false
	for i := range calls {
		call := &calls[i]
		if refers(call) && !call.answered {
			return call, nil
		}
		known = known || refers(call)
		waiting = waiting || !call.answered && !call.served
	}
	problem := "%q answers no call of the model's last turn with calls"
	switch {
	case known:
		problem = "%q is answered a second time"
	case !waiting:
		return nil, nil
	}
	return nil, &Error{Pointer: location{message: at}.pointer(""), Problem: fmt.Sprintf(problem, cmp.Or(resultID(m), optional.Value(m.Name)))}
}

// resultID returns the id of the call that a result is of, without what it may carry.
func resultID(m *openaiapi.ChatMessage) string {
	return callid.WithoutSignature(optional.Value(m.ToolCallID))
}

// checkAnswered reports a call of the last turn with calls that has no result.
func (b *conversation) checkAnswered() error {
	if b.awaiting < 0 {
		return nil
	}
	for i := range b.turns[b.awaiting].calls {
		if call := &b.turns[b.awaiting].calls[i]; !call.answered && !call.served {
			return call.notAnswered()
		}
	}
	return nil
}

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
