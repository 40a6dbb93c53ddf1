package requestcheck

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/wire"
)

// conversation checks how calls and answers follow each other. A turn with calls comes after a turn of
// the user. The next turn answers all of them, if it answers any: by id where ids are there, else by name
// and in the order of the calls. Calls that the server ran itself are answered in their own turn.
//
// With cachedContent the conversation begins in the cache, so that the first turn may be an answer.
//
// It returns whether the last turn leaves calls open.
func (v *checker) conversation(list *wire.Location, r *geminiapi.GenerateContentRequest) (endsInCalls bool) {
	var room [2][8]openCall // spares allocations for nearly all conversations
	before, here := room[0][:0], room[1][:0]
	unseen := textOf(r.CachedContent) != ""
	at := list.Element(0)
	for i := range r.Contents {
		at.Index = i
		turn := answerTurn{before: before, here: here[:0], unseen: unseen}
		v.turn(&at, &turn, r.Contents[i].Parts)
		if len(turn.here) > 0 && !(i == 0 && unseen) {
			v.callsFollowUser(&at, turn.here[0], r.Contents[:i])
		}
		v.unanswered(list, i-1, turn.before, turn.answers > 0)
		before, here, unseen = stillOpen(turn.here), turn.before, turn.tooMany
	}
	v.unanswered(list, len(r.Contents)-1, before, false)
	return len(before) > 0
}

// openCall is a call that waits for its answer.
type openCall struct {
	part     int
	name, id string
	answered bool
}

// answerTurn is a turn on its way through the checks.
type answerTurn struct {
	// before are the calls of the turn before, here those of this turn so far.
	before, here []openCall
	// answers counts the responses to calls of the turn before, right or wrong.
	answers int
	// last is the index of the call of the turn before that was answered last by its name.
	last int
	// unseen is true when the turn before may have had other calls too: it is in a cache, or long.
	unseen bool
	// tooMany is true when this turn has more calls than are paired.
	tooMany bool
}

// maxPairedCalls bounds the time that a hostile turn can take, as each answer is looked for in all calls.
const maxPairedCalls = 1000

func (v *checker) turn(content *wire.Location, t *answerTurn, parts []geminiapi.Part) {
	list := content.Member("parts")
	at := list.Element(0)
	for i := range parts {
		at.Index = i
		if c := parts[i].FunctionCall; c != nil && len(t.here) < maxPairedCalls {
			t.here = append(t.here, openCall{part: i, name: textOf(c.Name), id: textOf(c.ID)})
		} else if c != nil {
			t.tooMany = true
		}
		if r := parts[i].FunctionResponse; r != nil {
			v.answer(&at, t, r)
		}
	}
}

// answer finds the call of a response.
func (v *checker) answer(part *wire.Location, t *answerTurn, r *geminiapi.FunctionResponse) {
	if i, _ := findCall(t.here, r); i >= 0 && !t.here[i].answered {
		t.here[i].answered = true
		return
	}
	t.answers++
	i, byName := findCall(t.before, r)
	switch {
	case i < 0 && t.unseen:
	case i < 0:
		v.report(part, ruleAnswers, optionalString(textOf(r.Name)), answersNothing(t.before, r))
	case t.before[i].answered:
		v.report(part, ruleAnswers, optionalString(textOf(r.Name)), responseText(r)+" answers a call that is answered already; each call has one answer")
	default:
		v.rightAnswer(part, t, i, byName, r)
	}
}

// rightAnswer takes a response to a call of the turn before, if it stands where it should.
func (v *checker) rightAnswer(part *wire.Location, t *answerTurn, i int, byName bool, r *geminiapi.FunctionResponse) {
	call := &t.before[i]
	call.answered = true
	if call.name != textOf(r.Name) {
		at := part.Member("functionResponse")
		v.reportMember(&at, "name", ruleAnswers, optionalString(textOf(r.Name)),
			responseText(r)+" answers a call of another function; must be "+quote(call.name))
	}
	if !byName {
		return
	}
	if i < t.last {
		v.report(part, ruleAnswers, optionalString(textOf(r.Name)), responseText(r)+
			" stands after the answer to a later call; answers without ids are taken in the order of the calls")
	}
	t.last = max(t.last, i)
}

// findCall returns the index of the call that a response answers, -1 when there is none, and whether
// it was found by its name. A call without an id is found by its name, even by a response that has an id.
func findCall(calls []openCall, r *geminiapi.FunctionResponse) (index int, byName bool) {
	id, name := textOf(r.ID), textOf(r.Name)
	found := -1
	for i := range calls {
		switch {
		case id != "" && calls[i].id == id:
			return i, false
		case id != "" && calls[i].id != "", calls[i].name != name:
		case found < 0 || calls[found].answered && !calls[i].answered:
			found = i
		}
	}
	return found, true
}

func answersNothing(calls []openCall, r *geminiapi.FunctionResponse) string {
	message := responseText(r) + " answers no earlier call; "
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
		return message + "the turn before has no call that waits for an answer"
	}
	return message + "expected one of " + strings.Join(expected, ", ")
}

func responseText(r *geminiapi.FunctionResponse) string {
	text := "functionResponse " + quote(textOf(r.Name))
	if id := textOf(r.ID); id != "" {
		text += " with id " + quote(id)
	}
	return text
}

// callsFollowUser reports the first call of a turn when no turn of the user is before it.
func (v *checker) callsFollowUser(content *wire.Location, first openCall, before []geminiapi.Content) {
	if len(before) > 0 && textOf(before[len(before)-1].Role) != roleModel {
		return
	}
	message := "the conversation begins with functionCall " + quote(first.name)
	if len(before) > 0 {
		message = "functionCall " + quote(first.name) + " follows a turn of the model"
	}
	list := content.Member("parts")
	part := list.Element(first.part)
	v.report(&part, ruleTurns, optionalString(first.name), message+"; a call must come right after a turn of the user or after function responses")
}

// unanswered reports the calls of a turn that the next one left out. When that one has no answer at all,
// the calls were given up, which models before Gemini 3 take: 2.0 Flash replied to such requests on both
// backends.
func (v *checker) unanswered(list *wire.Location, content int, calls []openCall, othersAnswered bool) {
	if !othersAnswered && (v.traits == nil || !v.traits.RequiresAnswers) {
		return
	}
	for _, call := range calls {
		if call.answered {
			continue
		}
		at := list.Element(content)
		parts := at.Member("parts")
		part := parts.Element(call.part)
		v.report(&part, ruleAnswers, optionalString(call.name), "functionCall "+quote(call.name)+
			" is not answered; /contents/"+strconv.Itoa(content+1)+" must hold a functionResponse to it")
	}
}

// stillOpen keeps the calls that their own turn has not answered.
func stillOpen(calls []openCall) []openCall {
	open := calls[:0]
	for _, call := range calls {
		if !call.answered {
			open = append(open, call)
		}
	}
	return open
}

// trailingTurn: newer models do not carry on with a turn of their own, unless a response to a function
// ends it. That calls are open has been reported.
func (v *checker) trailingTurn(list *wire.Location, contents []geminiapi.Content, endsInCalls bool) {
	last := &contents[len(contents)-1]
	if v.traits == nil || !v.traits.RefusesTrailingModelTurn || textOf(last.Role) != roleModel || endsInCalls {
		return
	}
	if n := len(last.Parts); n > 0 && last.Parts[n-1].FunctionResponse != nil {
		return
	}
	at := list.Element(len(contents) - 1)
	v.reportMember(&at, "role", ruleTurns, shortString(roleModel), v.modelName()+" does not carry on with a turn of the model; the last turn must be the user's")
}
