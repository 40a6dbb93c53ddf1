package conversation

import (
	"fmt"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/object"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
)

// Answered returns the call that a result belongs to: the first call without a result that it
// refers to. It returns nil if no call waits for a result, for example because the beginning of the
// history was cut off.
func (c *Conversation) Answered(at Location, r Reference) (*Call, error) {
	if c.awaiting < 0 {
		return nil, nil
	}
	call, known, waiting := c.waiting.find(c.turns[c.awaiting].Calls, r)
	problem := "%q does not match a call in the model's last turn with calls"
	switch {
	case call != nil:
		return call, nil
	case known:
		problem = "%q already has a result"
	case !waiting:
		return nil, nil
	}
	return nil, &refusal.Error{Pointer: at.Pointer(""), Problem: fmt.Sprintf(problem, r.name)}
}

// SetResult puts the result of a call into its place. Gemini requires the results of a turn's calls
// directly after them, in a turn of their own and in the order of the calls. at is the element that
// has the result.
func (c *Conversation) SetResult(call *Call, response *geminiapi.FunctionResponse, at Location) {
	call.answered = true
	if call.Served {
		c.dropMedia()
		c.Report.Add(report.Lost, at.Pointer(""),
			"omitted, because Google has run the function, and its result is in the model's turn")
		return
	}
	if c.awaiting == len(c.turns)-1 {
		c.openResults()
	}
	if c.awaiting+2 < len(c.turns) {
		c.Report.Add(report.Approximated, at.Pointer(""),
			"moved directly after its call, before the messages between them")
	}
	c.setNextTo(at, call)
	response.ID, response.Name = call.WireID, &call.Name
	c.turns[c.awaiting+1].Parts[call.slot].FunctionResponse = response
}

// openResults adds the turn for the results of the last turn's calls.
func (c *Conversation) openResults() {
	t := &c.turns[c.awaiting]
	c.dropRepeatedIDs(t)
	slots := 0
	for i := range t.Calls {
		if call := &t.Calls[i]; !call.Served {
			call.slot = slots
			slots++
		}
	}
	if slots > 0 {
		c.turns = append(c.turns,
			Turn{Role: User, Parts: make([]geminiapi.Part, slots), Index: t.Index, results: true})
	}
}

// dropRepeatedIDs removes ids that several calls of a turn share. Some clients use the function
// name as id. Gemini would then assign every result to the first call. Without ids, Gemini assigns
// results by order.
func (c *Conversation) dropRepeatedIDs(t *Turn) {
	repeated := repeatedIDs(t.Calls)
	if repeated == nil {
		return
	}
	for i := range t.Calls {
		if call := &t.Calls[i]; !call.Served && repeated[jsonx.Deref(call.WireID)] {
			call.WireID = nil
			c.Report.Add(report.Approximated, c.idPointer(call),
				"omitted, because several calls of the turn have it")
		}
	}
	dropCallIDs(t.Parts, repeated)
}

// repeatedIDs returns the ids that several waiting calls have for Gemini, or nil.
func repeatedIDs(calls []Call) (repeated map[string]bool) {
	if len(calls) < 2 {
		return nil
	}
	seen := make(map[string]bool, len(calls))
	for i := range calls {
		call := &calls[i]
		if call.Served || call.WireID == nil {
			continue
		}
		if seen[*call.WireID] {
			if repeated == nil {
				repeated = map[string]bool{}
			}
			repeated[*call.WireID] = true
		}
		seen[*call.WireID] = true
	}
	return repeated
}

// idPointer returns the pointer of a call's id.
func (c *Conversation) idPointer(call *Call) string {
	if call.NoMember {
		return call.At.Pointer("")
	}
	return call.At.Pointer(c.IDMember)
}

// dropCallIDs removes the ids of calls. It copies a call before the change, because the caller may
// own it.
func dropCallIDs(parts []geminiapi.Part, ids map[string]bool) {
	for i := range parts {
		if call := parts[i].FunctionCall; call != nil && call.ID != nil && ids[*call.ID] {
			rest := *call
			rest.ID = nil
			parts[i].FunctionCall = &rest
		}
	}
}

// checkAnswered returns an error if a call of the last turn with calls has no result.
func (c *Conversation) checkAnswered() error {
	if c.awaiting < 0 {
		return nil
	}
	for i := range c.turns[c.awaiting].Calls {
		call := &c.turns[c.awaiting].Calls[i]
		switch {
		case call.answered || call.Served:
		case c.IsCounted:
			c.Report.Add(report.Added, call.At.Pointer(""), "an empty result, because the call has no result yet")
			c.SetResult(call,
				&geminiapi.FunctionResponse{Response: object.OfText(outputMember, "")}, call.At)
		default:
			return call.notAnswered()
		}
	}
	return nil
}

// TakesCachedResults reports whether a result can belong to a call in the cache that the
// conversation begins in.
func (c *Conversation) TakesCachedResults() bool {
	return c.IsCached() && (len(c.turns) == 0 || len(c.turns) == 1 && c.turns[0].results)
}

// AddCachedResult adds a result of a call that is in a cache. The result has the id and the name.
func (c *Conversation) AddCachedResult(response *geminiapi.FunctionResponse, at Location) {
	c.setNextTo(at, nil)
	part := geminiapi.Part{FunctionResponse: response}
	if last := c.Last(); last != nil {
		last.Parts = append(last.Parts, part)
		return
	}
	c.turns = append(c.turns,
		Turn{Role: User, Parts: []geminiapi.Part{part}, Index: at.Index, results: true})
}

// DetailCachedCall is the detail for a result of a call in a cache. DetailNoCall is the detail for
// a result without a call.
const (
	DetailCachedCall = "its call is not in the conversation, but may be in the cache"
	DetailNoCall     = "converted to text of the user, because its call is not in the conversation"
)

// UserResult returns the parts of a result whose call is not in the conversation, for example
// because a client has cut off the beginning. Gemini accepts no result without the call. So the
// result becomes text of the user, with the function name or the id if it has one.
func UserResult(name, id string, parts []geminiapi.Part) []geminiapi.Part {
	title := "Result of a function call:"
	switch {
	case name != "":
		title = "Result of the function " + strconv.Quote(name) + ":"
	case id != "":
		title = "Result of the function call " + strconv.Quote(id) + ":"
	}
	return append([]geminiapi.Part{{Text: &title}}, parts...)
}
