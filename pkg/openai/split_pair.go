package openai

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/surrogate"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// splitPairs makes whole the surrogate pairs whose halves stand in two deltas, as of servers that cut texts by UTF-16 units: the
// first half moves into the delta of the second. A half that finds no other stays half a pair, in the next delta of its text.
// Its zero value is ready. Servers that mean well have few texts at a time; of more than mostTexts the halves stay where they are.
type splitPairs struct {
	held  []heldHalf // in the order of their places
	left  []heldHalf // those that were given up
	found int        // halves so far
}

// mostTexts bounds the texts of an event that are looked at, each of which costs a pass over its bytes, and those that wait.
const mostTexts = 64

// textKey is the text that a delta goes on with: a member of a choice, or the arguments of a call of it.
type textKey struct {
	choice int // by its index
	member string
	call   callPlace
}

// callPlace is what a piece of a call says of the call; the zero value is no call.
type callPlace struct {
	isCall   bool
	index    int
	hasIndex bool
	id       string
	isNamed  bool // The piece names the function.
}

// heldHalf is the first half of a pair in which a text has ended, at a pointer into the stream.
type heldHalf struct {
	surrogate.Tail
	key    textKey
	at     string
	number int // among the halves of the stream, in their order
}

// join returns the event of an ordinal with the halves moved; data itself when there are none. What data holds is not changed.
func (p *splitPairs) join(event int, data []byte) []byte {
	if len(p.held) == 0 && !surrogate.HasLone(data) {
		return data
	}
	choices := jsonx.Elements(jsonx.Member(data, "choices"))
	if countTexts(choices) > mostTexts {
		p.left, p.held = append(p.left, p.held...), nil
		return data
	}
	e := pairEvent{splitPairs: p, data: data, at: "/" + strconv.Itoa(event)}
	for i, choice := range choices {
		e.joinChoice(choice, jsontext.Pointer("/choices/"+strconv.Itoa(i)+"/delta"))
	}
	return e.data
}

// countTexts returns how many texts the deltas of choices may have.
func countTexts(choices []jsontext.Value) (count int) {
	for _, choice := range choices {
		delta := jsonx.Member(choice, "delta")
		for range jsonx.Members(delta) {
			count++
		}
		count += len(jsonx.Elements(jsonx.Member(delta, "tool_calls")))
	}
	return count
}

// pairEvent is an event in the making, with its pointer into the stream.
type pairEvent struct {
	*splitPairs
	data    []byte
	at      string
	mayGoOn bool // The choice at hand does not end in it.
}

func (e *pairEvent) joinChoice(choice jsontext.Value, at jsontext.Pointer) {
	delta, index := jsonx.Member(choice, "delta"), max(indexIn(choice), 0)
	e.mayGoOn = !hasEnded(choice)
	for name, text := range jsonx.Members(delta) {
		e.move(textKey{choice: index, member: name}, text, at.AppendToken(name))
	}
	for i, call := range jsonx.Elements(jsonx.Member(delta, "tool_calls")) {
		function := jsonx.Member(call, "function")
		key := textKey{choice: index, call: callPlace{
			isCall: true, index: indexIn(call), hasIndex: jsonx.Member(call, "index") != nil,
			id: textOf(jsonx.Member(call, "id")), isNamed: textOf(jsonx.Member(function, "name")) != "",
		}}
		e.move(key, jsonx.Member(function, "arguments"), at+jsontext.Pointer("/tool_calls/"+strconv.Itoa(i)+"/function/arguments"))
	}
	if !e.mayGoOn {
		e.end(index, delta, at)
	}
}

// indexIn returns the index of a choice or a call: a number, or one in a text; 0 for none.
func indexIn(object jsontext.Value) int {
	index, _ := strconv.ParseFloat(textOf(jsonx.Member(object, "index")), 64)
	return int(index)
}

// hasEnded reports whether a choice tells why it ended: by a word, but for the word null of Alibaba's servers, or by an
// object with a type, in finish_reason or in finish_details.
func hasEnded(choice jsontext.Value) bool {
	for _, name := range []string{"finish_reason", "finish_details"} {
		reason := jsonx.Member(choice, name)
		if reason.Kind() == jsontext.KindBeginObject {
			reason = jsonx.Member(reason, "type")
		}
		if word := textOf(reason); word != "" && word != "null" && reason.Kind() == jsontext.KindString {
			return true
		}
	}
	return false
}

// move moves halves into and out of a text at a pointer.
func (e *pairEvent) move(key textKey, text jsontext.Value, pointer jsontext.Pointer) {
	at := e.find(key)
	isOne := at >= 0 || surrogate.HasLone(text) && len(e.held) < mostTexts
	if text.Kind() != jsontext.KindString || len(text) == len(`""`) || !isOne {
		return
	}
	var before heldHalf
	if at >= 0 {
		before = e.held[at]
		e.held = slices.Delete(e.held, at, at+1)
		key.call.id = cmp.Or(key.call.id, before.key.call.id)
	}
	tail := before.Tail
	joined := tail.Join(text)
	if !e.mayGoOn && tail != "" {
		joined = slices.Concat(joined[:len(joined)-1], []byte(tail), joined[len(joined)-1:])
		tail = ""
	}
	if !e.set(pointer, joined) {
		if at >= 0 {
			e.left = append(e.left, before)
		}
		return
	}
	if tail != "" {
		e.found++
		e.held = append(e.held, heldHalf{tail, key, e.at + string(pointer), e.found})
	}
}

// find returns the position of the half that a text goes on with, -1 for none.
func (p *splitPairs) find(key textKey) int {
	for i := range p.held {
		if id := key.call.id; key == p.held[i].key || id != "" && id == p.held[i].key.call.id && key.choice == p.held[i].key.choice {
			return i
		}
	}
	for i := len(p.held) - 1; i >= 0 && key.call.isCall; i-- {
		if held := &p.held[i].key; held.choice == key.choice && held.call.goesOnWith(&key.call) {
			return i
		}
	}
	return -1
}

// goesOnWith reports whether a piece without the id of the call is its next: it has the index of the call, and no id, or one of
// the servers' that make an id for each piece.
func (c *callPlace) goesOnWith(piece *callPlace) bool {
	return c.isCall && c.index == piece.index && (c.id == "" || piece.id == "" || piece.hasIndex && !piece.isNamed)
}

// set sets a text at a pointer, which leads to one or into its delta, and reports whether there is room for it.
func (e *pairEvent) set(pointer jsontext.Pointer, text jsontext.Value) bool {
	out, err := jsonx.Set(e.data, pointer, text)
	if err == nil {
		e.data = out
	}
	return err == nil
}

// end puts the halves of texts of a choice that end without another delta back, into the event that ends the choice. Those in
// arguments are given up: these end in the middle of a text of theirs, and with half a character are no more JSON than without.
func (e *pairEvent) end(choice int, delta jsontext.Value, at jsontext.Pointer) {
	held := e.held[:0]
	for _, half := range e.held {
		if half.key.choice != choice {
			held = append(held, half)
			continue
		}
		member := half.key.member
		isEmpty := textOf(jsonx.Member(delta, member)) == "" // else it is a list, which is no place for it
		if half.key.call.isCall || !isEmpty || !e.set(at.AppendToken(member), jsontext.Value(`"`+half.Tail+`"`)) {
			e.left = append(e.left, half)
		}
	}
	e.held = held
}

// report names the halves that are in no delta so far, in the order of their places.
func (p *splitPairs) report() (out report.Report) {
	halves := slices.Concat(p.left, p.held)
	slices.SortFunc(halves, func(a, b heldHalf) int { return cmp.Compare(a.number, b.number) })
	for _, half := range halves {
		out.Add(report.Approximated, half.at, "it ends in half a surrogate pair, which is left out")
	}
	return out
}
