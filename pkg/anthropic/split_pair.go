package anthropic

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/internal/surrogate"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// splitPair makes whole a surrogate pair whose halves stand in two deltas of a block, as of servers that cut texts by UTF-16
// units: the first half moves into the delta of the second. A half that finds no other stays half a pair in the next
// delta, and one that a block ends with is left out. Its zero value is ready.
type splitPair struct {
	half surrogate.Tail
	at   string // pointer into the stream of the text that ends in it
}

// join returns the event of an ordinal with halves moved, and an entry for one that was left out before it; data itself when there
// are none. What data holds is not changed.
func (p *splitPair) join(event int, data []byte) ([]byte, transform.Report) {
	if p.half == "" && !surrogate.HasLone(data) {
		return data, nil
	}
	switch textOf(rawobject.Member(data, "type")) {
	case string(anthropicapi.EventTypePing):
		return data, nil
	case string(anthropicapi.EventTypeContentBlockDelta):
		return p.joinDelta(event, data), nil
	default:
		return data, p.end()
	}
}

// joinDelta moves halves into and out of the text that a delta adds.
func (p *splitPair) joinDelta(event int, data []byte) []byte {
	delta := rawobject.Member(data, "delta")
	member := addedTexts[anthropicapi.DeltaType(textOf(rawobject.Member(delta, "type")))]
	text := rawobject.Member(delta, member)
	if text.Kind() != jsontext.KindString || len(text) == len(`""`) {
		return data
	}
	at := jsontext.Pointer("/delta/" + member)
	joined, err := rawobject.Set(data, at, p.half.Join(text))
	if err != nil {
		return data
	}
	p.at = "/" + strconv.Itoa(event) + string(at)
	return joined
}

// end forgets the half that a block ends with, and reports it.
func (p *splitPair) end() (out transform.Report) {
	if p.half != "" {
		out.Add(transform.Approximated, p.at, "it ends in half a surrogate pair, which is left out")
		p.half = ""
	}
	return out
}

// addedTexts are the members with the text that a delta adds to its block. It is never written to.
var addedTexts = map[anthropicapi.DeltaType]string{
	anthropicapi.DeltaTypeTextDelta:       "text",
	anthropicapi.DeltaTypeThinkingDelta:   "thinking",
	anthropicapi.DeltaTypeInputJSONDelta:  "partial_json",
	anthropicapi.DeltaTypeCompactionDelta: "content",
}

// textOf returns what a JSON string says, "" for any other value.
func textOf(value jsontext.Value) string {
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return ""
	}
	return string(text)
}
