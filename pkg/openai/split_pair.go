package openai

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/internal/surrogate"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// splitPairs makes whole the surrogate pairs whose halves stand in two deltas, as of servers that cut texts by UTF-16 units: the
// first half moves into the delta of the second. A half that finds no other stays half a pair, in the next delta of its text.
// Its zero value is ready. Servers that mean well have few texts at a time; of more than mostTexts the halves stay where they are.
type splitPairs struct {
	held map[textKey]heldHalf
	left transform.Report // the halves that were given up
}

// mostTexts bounds the texts of an event that are looked at, each of which costs a pass over its bytes, and those that wait.
const mostTexts = 64

// textKey is the text that a delta goes on with: a member of a choice, or the arguments of a call of it.
type textKey struct {
	choice, member string // the choice by its index, as it is written
	isCall         bool
	call           string // by its index
}

// heldHalf is the first half of a pair in which a text has ended, at a pointer into the stream.
type heldHalf struct {
	surrogate.Tail
	at string
}

// join returns the event of an ordinal with the halves moved; data itself when there are none. What data holds is not changed.
func (p *splitPairs) join(event int, data []byte) []byte {
	if len(p.held) == 0 && !surrogate.HasLone(data) {
		return data
	}
	choices := rawobject.Elements(rawobject.Member(data, "choices"))
	if countTexts(choices) > mostTexts {
		p.left, p.held = p.report(), nil
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
		delta := rawobject.Member(choice, "delta")
		for range rawobject.Members(delta) {
			count++
		}
		count += len(rawobject.Elements(rawobject.Member(delta, "tool_calls")))
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
	delta, index := rawobject.Member(choice, "delta"), string(rawobject.Member(choice, "index"))
	reason := rawobject.Member(choice, "finish_reason")
	e.mayGoOn = reason.Kind() != jsontext.KindString || len(reason) == len(`""`)
	for name, text := range rawobject.Members(delta) {
		e.move(textKey{choice: index, member: name}, text, at.AppendToken(name))
	}
	for i, call := range rawobject.Elements(rawobject.Member(delta, "tool_calls")) {
		key := textKey{choice: index, isCall: true, call: string(rawobject.Member(call, "index"))}
		arguments := rawobject.Member(rawobject.Member(call, "function"), "arguments")
		e.move(key, arguments, at+jsontext.Pointer("/tool_calls/"+strconv.Itoa(i)+"/function/arguments"))
	}
	if !e.mayGoOn {
		e.end(index, at)
	}
}

// move moves halves into and out of a text at a pointer.
func (e *pairEvent) move(key textKey, text jsontext.Value, pointer jsontext.Pointer) {
	half, isHeld := e.held[key]
	isOne := isHeld || surrogate.HasLone(text) && len(e.held) < mostTexts
	if text.Kind() != jsontext.KindString || len(text) == len(`""`) || !isOne {
		return
	}
	joined := half.Join(text)
	if !e.mayGoOn && half.Tail != "" {
		joined = slices.Concat(joined[:len(joined)-1], []byte(half.Tail), joined[len(joined)-1:])
		half.Tail = ""
	}
	e.keep(key, heldHalf{half.Tail, e.at + string(pointer)})
	e.set(pointer, joined)
}

// set sets a text at a pointer, which leads to one or into its delta.
func (e *pairEvent) set(pointer jsontext.Pointer, text jsontext.Value) {
	if out, err := rawobject.Set(e.data, pointer, text); err == nil {
		e.data = out
	}
}

// end puts the halves of texts of a choice that end without another delta back, into the event that ends the choice.
func (e *pairEvent) end(choice string, delta jsontext.Pointer) {
	for key, half := range e.held {
		if key.choice == choice && !key.isCall {
			e.set(delta.AppendToken(key.member), jsontext.Value(`"`+half.Tail+`"`))
			delete(e.held, key)
		}
	}
}

// keep keeps the half in which a text has ended, if it has, in the place of the one before it.
func (p *splitPairs) keep(key textKey, half heldHalf) {
	if half.Tail == "" {
		delete(p.held, key)
		return
	}
	if p.held == nil {
		p.held = map[textKey]heldHalf{}
	}
	p.held[key] = half
}

// report names the halves that are in no delta so far.
func (p *splitPairs) report() transform.Report {
	out := slices.Clone(p.left)
	for _, half := range p.held {
		out.Add(transform.Approximated, half.at, "it ends in half a surrogate pair, which is left out")
	}
	return out
}
