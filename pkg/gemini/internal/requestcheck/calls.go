package requestcheck

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// conversation checks the order of calls and answers. If the next turn answers one of the calls of
// a turn, or of several model turns in a row, it must answer all of them. Calls that the server ran
// itself are answered in their own turn.
//
// With cachedContent the conversation begins in the cache, so the first turn may be an answer.
func (v *checker) conversation(list *codec.Location, r *geminiapi.GenerateContentRequest) {
	var before, here []openCall
	unseen := textOf(r.CachedContent) != ""
	begun := unseen // true after a turn that a call may follow
	at := list.Element(0)
	for i := range r.Contents {
		at.Index = i
		turn := answerTurn{index: i, before: before, here: here[:0], unseen: unseen}
		isModel := textOf(r.Contents[i].Role) == roleModel
		if isModel && i > 0 && textOf(r.Contents[i-1].Role) == roleModel {
			turn.here, turn.before, turn.tooMany = append(turn.here, before...), before[:0], unseen
		}
		v.turn(&at, &turn, r.Contents[i].Parts)
		if len(turn.here) > 0 && !begun {
			v.callsFollowUser(list, turn.here[0])
			begun = true
		}
		begun = begun || !isModel
		v.unanswered(list, i, turn.before, turn.answers > 0)
		before, here, unseen = stillOpen(turn.here), turn.before, turn.tooMany
	}
}

// openCall is a call without an answer yet.
type openCall struct {
	content, part int
	name, id      string
	answered      bool
	byName        bool // A response with another id, or without an id, answered it.
}

// answerTurn is a turn during the check.
type answerTurn struct {
	index int
	// before are the calls of the previous model turns, here are the calls of this turn so far.
	before, here []openCall
	// answers counts the responses to calls of previous turns, right or wrong.
	answers int
	// unseen is true if the previous turn may have had more calls: it is in a cache, or long.
	unseen bool
	// tooMany is true if this turn, or a turn that it continues, has more calls than the check
	// pairs.
	tooMany bool
}

// maxPairedCalls limits the time that a hostile turn can take, because the check looks for each
// answer among all calls.
const maxPairedCalls = 1000

func (v *checker) turn(content *codec.Location, t *answerTurn, parts []geminiapi.Part) {
	list := content.Member("parts")
	at := list.Element(0)
	for i := range parts {
		at.Index = i
		switch c := parts[i].FunctionCall; {
		case c == nil ||
			textOf(c.Name) == "": // not a call, or a later piece of a streamed call
		case len(t.here) < maxPairedCalls:
			t.here = append(t.here,
				openCall{content: t.index, part: i, name: *c.Name, id: textOf(c.ID)})
		default:
			t.tooMany = true
		}
		if r := parts[i].FunctionResponse; r != nil {
			v.answer(&at, t, r)
		}
	}
}

// answer finds the call of a response.
func (v *checker) answer(part *codec.Location, t *answerTurn, r *geminiapi.FunctionResponse) {
	if i := findCall(t.here, r, true); i >= 0 && !t.here[i].answered {
		t.here[i].answered = true
		return
	}
	t.answers++
	exact := v.traits != nil && v.traits.RequiresMatchingAnswers
	i := findCall(t.before, r, exact)
	switch {
	case t.unseen && (i < 0 || t.before[i].answered):
	case i < 0:
		v.reportAnswer(part, r, "answers no earlier call; "+openCalls(t.before))
	case t.before[i].answered:
		v.reportAnswer(part, r, "answers a call that already has an answer; each call has one answer")
	default:
		call := &t.before[i]
		call.answered, call.byName = true, call.id != textOf(r.ID)
		if exact && call.name != textOf(r.Name) {
			response := part.Member("functionResponse")
			name := response.Member("name")
			v.reportAnswer(&name, r,
				"answers a call of another function; must be "+quote(call.name))
		}
	}
}

func (v *checker) reportAnswer(at *codec.Location, r *geminiapi.FunctionResponse, problem string) {
	text := "functionResponse " + quote(textOf(r.Name))
	if id := textOf(r.ID); id != "" {
		text += " with id " + quote(id)
	}
	v.report(at, ruleAnswers, optionalString(textOf(r.Name)), text+" "+problem)
}

// findCall returns the index of the call that a response answers, or -1. A call without an id
// matches by its name, even if the response has an id. Before Gemini 3.7 a call with another id
// also matches by name, because the backends count the answers.
func findCall(calls []openCall, r *geminiapi.FunctionResponse, exact bool) int {
	id, name := textOf(r.ID), textOf(r.Name)
	found, best := -1, 0
	for i := range calls {
		call, fit := &calls[i], 1
		hasOtherID := id != "" && call.id != "" && call.id != id
		switch {
		case id != "" && call.id == id && !call.byName:
			return i
		case call.name != name || exact && hasOtherID:
			continue
		case !call.answered:
			fit += 2
		}
		if !hasOtherID {
			fit++
		}
		if fit > best {
			found, best = i, fit
		}
	}
	return found
}

// openCalls lists the calls that a response could have answered, for a message.
func openCalls(calls []openCall) string {
	var expected []string
	for _, call := range calls {
		if call.answered {
			continue
		}
		text := quote(call.name)
		if call.id != "" {
			text += " with id " + quote(call.id)
		}
		if len(expected) == shownNames {
			expected = append(expected, "...")
			break
		}
		expected = append(expected, text)
	}
	if len(expected) == 0 {
		return "the previous turn has no unanswered call"
	}
	return "expected one of " + strings.Join(expected, ", ")
}

// callsFollowUser reports the first call of a conversation if no user turn comes before it: "Please
// ensure that function call turn comes immediately after a user turn or after a function response
// turn". Model turns may come before it, because both backends treat several of them in a row as
// one.
func (v *checker) callsFollowUser(list *codec.Location, first openCall) {
	at := list.Element(first.content)
	parts := at.Member("parts")
	part := parts.Element(first.part)
	v.report(&part, ruleTurns, optionalString(first.name),
		"the conversation begins with functionCall "+quote(first.name)+
			"; a call must come after a turn of the user")
}

// unanswered reports the calls that the next turn left out: "Please ensure that the number of
// function response parts is equal to the number of function call parts of the function call turn".
// Answers in a second turn do not count, as measured on 2.5 Flash and 3.1 Flash-Lite
// (github.com/vertesia/llumiverse/pull/620). If the next turn has no answer at all, the program
// gave up the calls. Models before Gemini 3 accept that: 2.0 Flash replied to such requests on both
// backends.
func (v *checker) unanswered(list *codec.Location, next int, calls []openCall,
	othersAnswered bool) {
	if !othersAnswered && (v.traits == nil || !v.traits.RequiresAnswers) {
		return
	}
	for _, call := range calls {
		if call.answered {
			continue
		}
		at := list.Element(call.content)
		parts := at.Member("parts")
		part := parts.Element(call.part)
		v.report(&part, ruleAnswers, optionalString(call.name), "functionCall "+quote(call.name)+
			" is not answered; /contents/"+strconv.Itoa(next)+" must hold a functionResponse to it")
	}
}

// stillOpen returns the calls that their own turn has not answered.
func stillOpen(calls []openCall) []openCall {
	open := calls[:0]
	for _, call := range calls {
		if !call.answered {
			open = append(open, call)
		}
	}
	return open
}

// trailingTurn reports a model turn at the end. Newer models do not continue their own turn, unless
// a response to a function ends it.
func (v *checker) trailingTurn(list *codec.Location, contents []geminiapi.Content) {
	last := &contents[len(contents)-1]
	if v.traits == nil || !v.traits.RefusesTrailingModelTurn || textOf(last.Role) != roleModel {
		return
	}
	if n := len(last.Parts); n > 0 && last.Parts[n-1].FunctionResponse != nil {
		return
	}
	at := list.Element(len(contents) - 1)
	v.reportMember(&at, "role", ruleTurns, shortString(roleModel),
		v.modelName()+" does not continue a model turn; the last turn must be the user's")
}
