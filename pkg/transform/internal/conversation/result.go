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

// Answered returns the call that a result is of: the first one that it refers to and that has none
// yet. It returns nil where no call waits for a result, as in a history whose beginning was cut
// off.
func (c *Conversation) Answered(at Location, r Reference) (*Call, error) {
	if c.awaiting < 0 {
		return nil, nil
	}
	call, known, waiting := c.waiting.find(c.turns[c.awaiting].Calls, r)
	problem := "%q answers no call of the model's last turn with calls"
	switch {
	case call != nil:
		return call, nil
	case known:
		problem = "%q is answered a second time"
	case !waiting:
		return nil, nil
	}
	return nil, &refusal.Error{Pointer: at.Pointer(""), Problem: fmt.Sprintf(problem, r.name)}
}

// SetResult puts the result of a call into its place. Gemini wants the results of a turn's calls
// directly behind them, in one turn of their own and in the order of the calls. at is the element
// that has the result.
func (c *Conversation) SetResult(call *Call, response *geminiapi.FunctionResponse, at Location) {
	call.answered = true
	c.setBeside(at.Index, !call.Served)
	if call.Served {
		c.Report.Add(report.Lost, at.Pointer(""),
			"Google has run the function itself; its result is in the model's turn")
		return
	}
	if c.awaiting == len(c.turns)-1 {
		c.openResults()
	}
	if c.awaiting+2 < len(c.turns) {
		c.Report.Add(report.Approximated, at.Pointer(""),
			"put directly behind its call, before the messages between them")
	}
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

// dropRepeatedIDs leaves out the ids that several calls of a turn share, as those of clients do
// that call them by the function: Gemini would take every result for one of the first call. Without
// ids Gemini assigns results to calls by their order.
func (c *Conversation) dropRepeatedIDs(t *Turn) {
	repeated := repeatedIDs(t.Calls)
	if repeated == nil {
		return
	}
	for i := range t.Calls {
		if call := &t.Calls[i]; !call.Served && repeated[jsonx.Deref(call.WireID)] {
			call.WireID = nil
			c.Report.Add(report.Approximated, c.idPointer(call),
				"left out, as several calls of the turn have it")
		}
	}
	dropCallIDs(t.Parts, repeated)
}

// repeatedIDs returns the ids that several calls, which wait for results, have for Gemini; nil
// where there are none.
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

// idPointer returns where the id of a call is.
func (c *Conversation) idPointer(call *Call) string {
	if call.NoMember {
		return call.At.Pointer("")
	}
	return call.At.Pointer(c.IDMember)
}

// dropCallIDs leaves out ids of calls. A call may be the caller's, so that it is copied.
func dropCallIDs(parts []geminiapi.Part, ids map[string]bool) {
	for i := range parts {
		if call := parts[i].FunctionCall; call != nil && call.ID != nil && ids[*call.ID] {
			rest := *call
			rest.ID = nil
			parts[i].FunctionCall = &rest
		}
	}
}

// checkAnswered reports a call of the last turn with calls that has no result.
func (c *Conversation) checkAnswered() error {
	if c.awaiting < 0 {
		return nil
	}
	for i := range c.turns[c.awaiting].Calls {
		call := &c.turns[c.awaiting].Calls[i]
		switch {
		case call.answered || call.Served:
		case c.IsCounted:
			c.Report.Add(report.Added, call.At.Pointer(""), "an empty result, as there is none yet")
			c.SetResult(call,
				&geminiapi.FunctionResponse{Response: object.OfText(outputMember, "")}, call.At)
		default:
			return call.notAnswered()
		}
	}
	return nil
}

// TakesCachedResults reports whether a result here may be that of a call in the cache that the
// conversation begins in.
func (c *Conversation) TakesCachedResults() bool {
	return c.IsCached() && (len(c.turns) == 0 || len(c.turns) == 1 && c.turns[0].results)
}

// AddCachedResult adds a result of a call that is in a cache, with the id and the name in it.
func (c *Conversation) AddCachedResult(response *geminiapi.FunctionResponse, at Location) {
	c.setBeside(at.Index, true)
	part := geminiapi.Part{FunctionResponse: response}
	if last := c.Last(); last != nil {
		last.Parts = append(last.Parts, part)
		return
	}
	c.turns = append(c.turns,
		Turn{Role: User, Parts: []geminiapi.Part{part}, Index: at.Index, results: true})
}

// DetailCachedCall is the detail for a result of a call in a cache, and DetailNoCall for one of no
// call at all.
const (
	DetailCachedCall = "its call is not in the conversation, perhaps in the cache"
	DetailNoCall     = "its call is not in the conversation; the user tells the result"
)

// ToldResult returns the parts of a result whose call is not in the conversation, as where a client
// has cut off its beginning. Gemini takes no result without the call, so that the user says it:
// which function it is of, as far as the result tells the name or the id, and the rest.
func ToldResult(name, id string, parts []geminiapi.Part) []geminiapi.Part {
	title := "Result of a function call:"
	switch {
	case name != "":
		title = "Result of the function " + strconv.Quote(name) + ":"
	case id != "":
		title = "Result of the function call " + strconv.Quote(id) + ":"
	}
	return append([]geminiapi.Part{{Text: &title}}, parts...)
}
