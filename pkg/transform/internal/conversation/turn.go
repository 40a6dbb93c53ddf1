package conversation

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
)

// The authors of turns. Vertex AI refuses any others. Results of functions are the user's.
const (
	User  = "user"
	Model = "model"
)

// Turn becomes one of the contents.
type Turn struct {
	// Role is [User] or [Model].
	Role  string
	Parts []geminiapi.Part
	// Index is the position of the turn's first element in the list.
	Index int
	// Calls are those of a turn of the model, in order.
	Calls []Call

	// results is true for a turn of functions' results. Recent models refuse any other part beside
	// one.
	results bool
}

// Add appends a turn that has parts, or joins it with the last one if both are of the same author:
// Gemini expects them to take turns. Parts are never joined, as each may be signed.
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

// Last returns the last turn, nil when there is none.
func (c *Conversation) Last() *Turn {
	if len(c.turns) == 0 {
		return nil
	}
	return &c.turns[len(c.turns)-1]
}

// Serve marks the call of which a result is in the model's own turn, as it is where Google runs the
// functions of a server that the request names. The call is looked for among the last ones alone,
// which bounds the time of a hostile turn.
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

// mostServed is among how many calls that of a result is looked for.
const mostServed = 100

// NamelessCall is the problem of a call that does not say what it calls.
const NamelessCall = "must be set, with the name of what is called"

// Call is a call of the model that needs a result.
type Call struct {
	// ID is by which results refer to it; "" where they do by the name.
	ID string
	// WireID is what Gemini knows it by; nil when it sent none.
	WireID *string
	// Name is that of the function.
	Name string
	// At is where the form's request has the call.
	At Location
	// NoMember says that there is no member for the id, as the call is not a thing of its own
	// there.
	NoMember bool
	// Served says that the result is in the model's own turn: Google has run the function.
	Served bool

	slot     int  // of its result among those of the turn
	answered bool // There is a result.
}

// notAnswered returns the error for a call without a result. It names the call by its id if it has
// one.
func (c *Call) notAnswered() error {
	label := strconv.Quote(c.ID)
	if c.ID == "" {
		label = "the call of " + strconv.Quote(c.Name)
	}
	return &refusal.Error{Pointer: c.At.Element().Pointer(""),
		Problem: "a result for " + label + " is missing"}
}

// AppendPart appends a part that is not empty: it has data, a text that is not empty, or a
// signature. Gemini takes no part without data, so that a signature alone gets the empty text that
// it comes with in streams.
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

// HasData reports whether a part holds something besides a text. An unknown member counts as data.
func HasData(p *geminiapi.Part) bool {
	return p.InlineData != nil || p.FileData != nil || p.FunctionCall != nil ||
		p.FunctionResponse != nil ||
		p.ExecutableCode != nil || p.CodeExecutionResult != nil || p.ToolCall != nil ||
		p.ToolResponse != nil ||
		p.AudioTranscription != nil || len(p.Unknown) > 0
}

// FirstCall returns the first part that is a call, nil when there is none.
func FirstCall(parts []geminiapi.Part) *geminiapi.Part {
	for i := range parts {
		if parts[i].FunctionCall != nil {
			return &parts[i]
		}
	}
	return nil
}

// LastText returns the last part with a text, nil when there is none.
func LastText(parts []geminiapi.Part) *geminiapi.Part {
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].Text != nil {
			return &parts[i]
		}
	}
	return nil
}
