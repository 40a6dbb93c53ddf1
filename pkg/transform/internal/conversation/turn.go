package conversation

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
)

// These are the authors of turns. Vertex AI refuses any others. Function results belong to the
// user.
const (
	User  = "user"
	Model = "model"
)

// Turn is a turn of the conversation, which becomes one of the contents.
type Turn struct {
	// Role is [User] or [Model].
	Role  string
	Parts []geminiapi.Part
	// Index is the position of the turn's first element in the list.
	Index int
	// Calls are the calls of a model turn, in order.
	Calls []Call

	// results is true for a turn of function results. Recent models refuse any other part in it.
	results bool
}

// Add appends a turn that has parts. If the last turn has the same author, it joins the two,
// because Gemini expects turns to alternate. Parts are never joined, because each may be signed.
func (c *Conversation) Add(t *Turn) error {
	if err := c.showMedia(t); err != nil {
		return err
	}
	c.lastInstructions = 0
	at := len(c.turns)
	joins := at > 0 && c.turns[at-1].Role == t.Role && !c.turns[at-1].results
	if joins {
		at--
	}
	if len(t.Calls) > 0 && at != c.awaiting {
		if err := c.checkAnswered(); err != nil {
			return err
		}
		c.awaiting, c.waiting = at, waitingCalls{}
	}
	if joins {
		last := &c.turns[at]
		last.Parts, last.Calls = append(last.Parts, t.Parts...), append(last.Calls, t.Calls...)
		return nil
	}
	if c.awaiting == at-1 && at > 0 {
		c.openResults()
	}
	c.turns = append(c.turns, *t)
	return nil
}

// Last returns the last turn, or nil.
func (c *Conversation) Last() *Turn {
	if len(c.turns) == 0 {
		return nil
	}
	return &c.turns[len(c.turns)-1]
}

// Serve marks the call whose result is in the model's own turn. This is so if Google runs the
// functions of a server in the request. Only the last calls are searched, which bounds the time for
// a hostile turn.
func (t *Turn) Serve(result *geminiapi.FunctionResponse) {
	calls := t.Calls[max(0, len(t.Calls)-mostServed):]
	for i := range calls {
		if call := &calls[i]; !call.Served && call.Name == jsonx.Deref(result.Name) &&
			jsonx.Deref(call.WireID) == jsonx.Deref(result.ID) {
			call.Served = true
			return
		}
	}
}

// mostServed is the number of last calls that Serve searches.
const mostServed = 100

// NamelessCall is the problem of a call without a function name.
const NamelessCall = "must be set, with the name of the function or tool"

// Call is a call of the model that needs a result.
type Call struct {
	// ID is the id by which results refer to the call, or "" if they refer by name.
	ID string
	// WireID is Gemini's id of the call, or nil if it sent none.
	WireID *string
	// Name is the function name.
	Name string
	// At is the location of the call in the form's request.
	At Location
	// NoMember is true if the call has no member for an id, because it is not a separate object.
	NoMember bool
	// Served is true if the result is in the model's own turn, because Google has run the function.
	Served bool

	slot     int  // position of its result among the results of the turn
	answered bool // There is a result.
}

// notAnswered returns the error for a call without a result. It names the call by its id, if any.
func (c *Call) notAnswered() error {
	label := strconv.Quote(c.ID)
	if c.ID == "" {
		label = "the call of " + strconv.Quote(c.Name)
	}
	return &refusal.Error{Pointer: c.At.Element().Pointer(""),
		Problem: "a result for " + label + " is missing"}
}

// AppendPart appends a part unless it is empty. A part is not empty if it has data, a non-empty
// text or a signature. Gemini accepts no part without data, so a signature alone gets an empty
// text, as in streams.
func AppendPart(parts []geminiapi.Part, p *geminiapi.Part) []geminiapi.Part {
	text, signed := jsonx.Deref(p.Text) != "", jsonx.Deref(p.ThoughtSignature) != ""
	data := HasData(p)
	if !text && !signed && !data {
		return parts
	}
	parts = append(parts, *p)
	if added := &parts[len(parts)-1]; !data && added.Text == nil {
		added.Text = new("")
	}
	return parts
}

// HasData reports whether a part has data other than a text. An unknown member counts as data.
func HasData(p *geminiapi.Part) bool {
	return p.InlineData != nil || p.FileData != nil || p.FunctionCall != nil ||
		p.FunctionResponse != nil ||
		p.ExecutableCode != nil || p.CodeExecutionResult != nil || p.ToolCall != nil ||
		p.ToolResponse != nil ||
		p.AudioTranscription != nil || len(p.Unknown) > 0
}

// FirstCall returns the first part that is a call, or nil.
func FirstCall(parts []geminiapi.Part) *geminiapi.Part {
	for i := range parts {
		if parts[i].FunctionCall != nil {
			return &parts[i]
		}
	}
	return nil
}

// LastText returns the last part with a text, or nil.
func LastText(parts []geminiapi.Part) *geminiapi.Part {
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].Text != nil {
			return &parts[i]
		}
	}
	return nil
}
