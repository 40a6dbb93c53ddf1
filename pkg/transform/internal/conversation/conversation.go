// Package conversation makes Gemini's contents from the messages or items of a request in any form.
// Turns of the user and the model alternate, function results follow their calls directly, and
// there is one instruction.
//
// A form adds what it reads, in order, and ends the conversation:
//
//	c := conversation.New(request, "/messages", len(in.Messages))
//	c.Instruct(texts, c.At(i))
//	c.Add(&conversation.Turn{Role: conversation.User, Parts: parts, Index: i})
//	call, err := c.Answered(c.At(i), conversation.ToID(id))
//	c.SetResult(call, response, c.At(i))
//	...
//	err := c.End(policy, isAnswer)
//	c.Sign("/extra_content/google/thought_signature")
//	c.Finish()
//
// All errors are of type *[refusal.Error].
package conversation

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// Conversation collects the contents of the elements of a list, which are messages or items.
type Conversation struct {
	*target.Request
	// Media converts media parts.
	Media mediapart.Converter
	// IDMember is the pointer of a call's id, such as "/id".
	IDMember string
	// InstructionsAt is the pointer of instructions outside of the list, such as "/instructions".
	// It is "" if the form has none.
	InstructionsAt string
	// IsCounted is true if the request only counts tokens. Then the conversation need not be
	// complete, and need not have anything to answer.
	IsCounted bool

	root   string // the pointer of the list
	length int    // of the list
	system []geminiapi.Part
	// lastInstructions is the number of system parts after the last turn.
	lastInstructions int
	turns            []Turn
	// awaiting is the index of the last turn with calls, after which their results are inserted. It
	// is -1 if no turn has calls.
	awaiting int
	waiting  waitingCalls // of that turn
	silent   bool         // An element without content was omitted.
	pending  pendingResult
	shown    shownMedia
}

// New returns the conversation for the list at a pointer, such as "/messages". length is the number
// of its elements.
func New(r *target.Request, root string, length int) Conversation {
	return Conversation{
		Request: r,
		Media: mediapart.Converter{VertexAI: r.VertexAI,
			PartResolution: r.Traits.PartMediaResolution},
		root:     root,
		length:   length,
		turns:    make([]Turn, 0, length),
		awaiting: -1,
	}
}

// At returns the location of an element of the list.
func (c *Conversation) At(index int) Location { return Location{root: c.root, Index: index} }

// Instruct adds parts to the instruction. Gemini has only one.
func (c *Conversation) Instruct(parts []geminiapi.Part, at Location) {
	if len(parts) > 0 && len(c.turns) > 0 {
		c.Report.Add(report.Approximated, at.Pointer(""),
			"moved to the start, because Gemini has its instruction before the conversation")
	}
	c.AddInstructions(parts)
}

// AddInstructions is [Conversation.Instruct] for instructions outside of the list.
func (c *Conversation) AddInstructions(parts []geminiapi.Part) {
	c.system = append(c.system, parts...)
	c.lastInstructions += len(parts)
}

const detailEmpty = "omitted, because it is empty"

// LeaveOut reports an element that has no content for a turn. silent means that it has no content
// at all. Some models and API versions refuse an empty text
// (github.com/langchain-ai/langchainjs/issues/9922). So it is sent only if there is nothing else.
func (c *Conversation) LeaveOut(at Location, silent bool) {
	c.Report.Add(report.Approximated, at.Pointer(""), detailEmpty)
	c.silent = c.silent || silent
}

// LoseText reports a text part without a text, not even an empty one. A client has lost the text or
// put it elsewhere.
func (c *Conversation) LoseText(at Location) {
	c.Report.Add(report.Lost, at.Pointer(""), "the text part has no text")
}

// GuessType reports a part without a type, or with the type "". The part is read as the type that
// its members suggest.
func (c *Conversation) GuessType(at Location, kind string) {
	c.Report.Add(report.Approximated, at.Pointer(""), "the part has no type, and is read as "+kind)
}

// MissingContent returns the error for a user message without content, which all vendors refuse.
func MissingContent(at Location) error {
	return &refusal.Error{Pointer: at.Pointer("/content"),
		Problem: "must be set; a user message needs a text or parts"}
}

// Silence returns the parts for a user message that has become empty. It returns none if the
// message can be omitted, and an empty text if it is all that the model should answer. isEmpty
// means that the client wrote an empty text. A message that is empty for another reason is an error
// in that place, for example if Gemini accepts none of its parts.
func (c *Conversation) Silence(at Location, isEmpty bool) ([]geminiapi.Part, error) {
	last := c.Last()
	switch isAsked := at.Index == c.length-1 && (last == nil || last.Role == Model); {
	case !isAsked:
		return nil, nil
	case isEmpty:
		return emptyText(), nil
	case c.IsCounted:
		return nil, nil
	default:
		return nil, &refusal.Error{Pointer: at.Pointer("/content"),
			Problem: "has no content that Gemini accepts; add a text or media for the model to answer"}
	}
}

// emptyText returns the parts of an empty turn. Gemini has been seen to answer one.
func emptyText() []geminiapi.Part { return []geminiapi.Part{{Text: new("")}} }

// TrailingTurnPolicy says how to convert a conversation that ends with a turn of the model.
type TrailingTurnPolicy int

// The policies have the same order in all forms.
const (
	TrailingTurnKept TrailingTurnPolicy = iota
	TrailingTurnTrimmed
	TrailingTurnRefused
)

// End completes the conversation after its last element. isAnswer reports whether an element
// belongs to the model.
func (c *Conversation) End(policy TrailingTurnPolicy, isAnswer func(index int) bool) error {
	if err := c.showMedia(nil); err != nil {
		return err
	}
	if last := c.Last(); last != nil && last.Role == Model && !c.IsCounted {
		if err := c.endWithModel(last, policy, isAnswer); err != nil {
			return err
		}
	}
	if err := c.checkAnswered(); err != nil {
		return err
	}
	return c.begin()
}

// begin completes the start of the conversation. There must be a turn to answer, and a call must
// follow a user turn.
func (c *Conversation) begin() error {
	switch {
	case len(c.turns) == 0 && len(c.system) > 0:
		at := c.root
		if c.length == 0 && c.InstructionsAt != "" {
			at = c.InstructionsAt
		}
		c.Report.Add(report.Approximated, at,
			"converted to text of the user, because Gemini needs a message to answer")
		c.turns, c.system = []Turn{{Role: User, Parts: c.system}}, nil
	case len(c.turns) == 0 && (c.silent || c.IsCounted):
		c.turns = []Turn{{Role: User, Parts: emptyText()}}
	case len(c.turns) == 0:
		return &refusal.Error{Pointer: c.root,
			Problem: "has nothing to answer; Gemini needs a user message"}
	case len(c.turns[0].Calls) > 0 && !c.IsCached():
		first := c.turns[0].Index
		c.Report.Add(report.Added, c.At(first).Pointer(""),
			"an empty turn of the user before it, because Gemini does not accept a call at the start")
		c.turns = slices.Insert(c.turns, 0, Turn{Role: User, Parts: emptyText(), Index: first})
	}
	return nil
}

// endWithModel applies the policy for a conversation that ends with a turn of the model. Such a
// model should answer the instructions after that turn.
func (c *Conversation) endWithModel(last *Turn, policy TrailingTurnPolicy,
	isAnswer func(index int) bool) error {
	switch {
	case policy == TrailingTurnTrimmed:
		c.trim(last, isAnswer)
		return nil
	case policy == TrailingTurnRefused:
		return &refusal.Error{Pointer: c.lastAnswer(isAnswer),
			Problem: "the conversation ends with a message of the model"}
	case c.Traits.RefusesTrailingModelTurn && c.lastInstructions > 0:
		asked := len(c.system) - c.lastInstructions
		c.turns = append(c.turns, Turn{Role: User, Parts: c.system[asked:], Index: c.length - 1})
		c.system = c.system[:asked:asked]
		return nil
	case c.Traits.RefusesTrailingModelTurn:
		return &refusal.Error{Pointer: c.lastAnswer(isAnswer),
			Problem: "the model refuses a conversation that ends with a message of the model"}
	}
	return nil
}

// lastAnswer returns the pointer of the last element of the model.
func (c *Conversation) lastAnswer(isAnswer func(index int) bool) string {
	index := c.length - 1
	for index > 0 && !isAnswer(index) {
		index--
	}
	return c.At(index).Pointer("")
}

// trim omits the last turn and reports the elements that it was made from.
func (c *Conversation) trim(last *Turn, isAnswer func(index int) bool) {
	for i := last.Index; i < c.length; i++ {
		if isAnswer(i) {
			c.Report.Add(report.Lost, c.At(i).Pointer(""),
				"a message of the model at the end of the conversation")
		}
	}
	c.turns = c.turns[:len(c.turns)-1]
	if c.awaiting == len(c.turns) {
		c.awaiting = -1
	}
}

// Finish sets the contents and the instruction of the request. It also sets the resolution for all
// media if parts ask for one, unless the request has one.
func (c *Conversation) Finish() {
	resolution, report := c.Media.Resolution(c.Config().MediaResolution)
	c.Config().MediaResolution = resolution
	c.Report = append(c.Report, report...)
	c.Out.Contents = c.contents()
	if len(c.system) > 0 {
		c.Out.SystemInstruction = &geminiapi.Content{Parts: c.system}
	}
}

// contents returns the turns in Gemini's form.
func (c *Conversation) contents() []geminiapi.Content {
	out := make([]geminiapi.Content, len(c.turns))
	user, model := new(User), new(Model)
	for i := range c.turns {
		out[i].Parts, out[i].Role = c.turns[i].Parts, user
		if c.turns[i].Role == Model {
			out[i].Role = model
		}
	}
	return out
}

// Origin returns the pointer of the first element of a turn, or "" if there is no such turn.
func (c *Conversation) Origin(turn int) string {
	if turn >= len(c.turns) {
		return ""
	}
	return c.At(c.turns[turn].Index).Pointer("")
}
