package request

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
)

// The authors of turns. Vertex AI refuses any others. Results of functions are the user's.
const (
	userRole  = "user"
	modelRole = "model"
)

// turn becomes one of the contents.
type turn struct {
	role  string
	parts []geminiapi.Part
	// message is the position of the first message of the turn.
	message int
	// calls are those of a turn of the model, in order.
	calls []pendingCall
	// results is true for a turn of functions' results. Recent models refuse any other part beside one.
	results bool
}

// add appends a turn, or joins it with the last one if both are of the same author: Gemini expects them
// to take turns. Parts are never joined, as each may be signed. A turn without parts is reported and left
// out.
func (b *conversation) add(t turn) error {
	if len(t.parts) == 0 {
		b.reportEmpty(t.message)
		return nil
	}
	b.lastInstructions = 0
	at := len(b.turns)
	joins := at > 0 && b.turns[at-1].role == t.role && !b.turns[at-1].results
	if joins {
		at--
	}
	if len(t.calls) > 0 && at != b.awaiting {
		if err := b.checkAnswered(); err != nil {
			return err
		}
		b.awaiting = at
	}
	if joins {
		last := &b.turns[at]
		last.parts, last.calls = append(last.parts, t.parts...), append(last.calls, t.calls...)
		return nil
	}
	if b.awaiting == at-1 && at > 0 {
		b.openResults()
	}
	b.turns = append(b.turns, t)
	return nil
}

// last returns the last turn, nil when there is none.
func (b *conversation) last() *turn {
	if len(b.turns) == 0 {
		return nil
	}
	return &b.turns[len(b.turns)-1]
}

// end completes the conversation behind its last message.
func (b *conversation) end() error {
	if last := b.last(); last != nil && last.role == modelRole {
		if err := b.endWithModel(last); err != nil {
			return err
		}
	}
	if err := b.checkAnswered(); err != nil {
		return err
	}
	return b.begin()
}

// begin completes the beginning of the conversation: there is a turn to answer, and a call follows the user.
func (b *conversation) begin() error {
	switch {
	case len(b.turns) == 0 && len(b.system) > 0:
		b.report.Add(transform.Approximated, "/messages", "there are instructions alone; the user says them, for Gemini to answer")
		b.turns, b.system = []turn{{role: userRole, parts: b.system}}, nil
	case len(b.turns) == 0 && b.empty:
		b.turns = []turn{{role: userRole, parts: emptyText()}}
	case len(b.turns) == 0:
		return &Error{Pointer: "/messages", Problem: "there is nothing to answer; Gemini needs a message of the user"}
	case len(b.turns[0].calls) > 0 && optional.Value(b.out.CachedContent) == "":
		b.report.Add(transform.Added, location{message: b.turns[0].message}.pointer(""), "an empty turn of the user before it; Gemini takes no call at the beginning")
		b.turns = slices.Insert(b.turns, 0, turn{role: userRole, parts: emptyText(), message: b.turns[0].message})
	}
	return nil
}

// endWithModel applies the policy for a conversation that ends with a turn of the model. Instructions behind it are
// what such a model is to answer.
func (b *conversation) endWithModel(last *turn) error {
	switch {
	case b.trailing == TrailingTurnTrimmed:
		b.trim(last)
		return nil
	case b.trailing == TrailingTurnRefused:
		return &Error{Pointer: b.lastAnswer(), Problem: "the conversation ends with a message of the model"}
	case b.traits.RefusesTrailingModelTurn && b.lastInstructions > 0:
		asked := len(b.system) - b.lastInstructions
		b.turns = append(b.turns, turn{role: userRole, parts: b.system[asked:], message: len(b.in.Messages) - 1})
		b.system = b.system[:asked:asked]
		return nil
	case b.traits.RefusesTrailingModelTurn:
		return &Error{Pointer: b.lastAnswer(), Problem: "the model does not answer a conversation that ends with a message of its own"}
	}
	return nil
}

// lastAnswer returns the pointer of the last message of the model.
func (b *conversation) lastAnswer() string {
	at := len(b.in.Messages) - 1
	for at > 0 && b.in.Messages[at].Role != openaiapi.RoleAssistant {
		at--
	}
	return location{message: at}.pointer("")
}

// trim leaves the last turn out and reports the messages that it was made of.
func (b *conversation) trim(last *turn) {
	for at := last.message; at < len(b.in.Messages); at++ {
		if b.in.Messages[at].Role == openaiapi.RoleAssistant {
			b.report.Add(transform.Lost, location{message: at}.pointer(""), "a message of the model at the end of the conversation")
		}
	}
	b.turns = b.turns[:len(b.turns)-1]
	if b.awaiting == len(b.turns) {
		b.awaiting = -1
	}
}

// contents returns the turns in Gemini's form.
func (b *conversation) contents() []geminiapi.Content {
	out := make([]geminiapi.Content, len(b.turns))
	user, model := new(userRole), new(modelRole)
	for i := range b.turns {
		out[i].Parts, out[i].Role = b.turns[i].parts, user
		if b.turns[i].role == modelRole {
			out[i].Role = model
		}
	}
	return out
}

// firstMessages returns the position of the first message of each turn.
func (b *conversation) firstMessages() []int {
	out := make([]int, len(b.turns))
	for i := range b.turns {
		out[i] = b.turns[i].message
	}
	return out
}

// pendingCall is a call of the model that needs a result.
type pendingCall struct {
	id       string  // by which results refer to it; "" for the deprecated form
	wireID   *string // what Gemini knows it by; nil when it sent none
	name     string
	at       location
	slot     int  // of its result among those of the turn
	answered bool // There is a result.
	served   bool // The result is in the model's own turn: Google has run the function.
}

// hasWireID reports whether Gemini would know the call, which waits for a result, by the id.
func (p *pendingCall) hasWireID(id string) bool {
	return !p.served && p.wireID != nil && *p.wireID == id
}

// idPointer returns where the id is, or the message when only its layout has the call.
func (p *pendingCall) idPointer() string {
	if p.at.list == "" {
		return p.at.pointer("")
	}
	return p.at.pointer("/id")
}

// notAnswered returns the error for a call without a result. It names the call by its id if it has one.
func (p *pendingCall) notAnswered() error {
	label := strconv.Quote(p.id)
	if p.id == "" {
		label = "the call of " + strconv.Quote(p.name)
	}
	return &Error{Pointer: location{message: p.at.message}.pointer(""), Problem: "a result for " + label + " is missing"}
}
