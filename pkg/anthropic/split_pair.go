package anthropic

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/surrogate"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// splitPair makes whole a surrogate pair whose halves stand in two deltas of a block, or in its start and a delta, as of
// servers that cut texts by UTF-16 units: the first half moves into the delta of the second. A half that finds no other stays
// half a pair in the next delta, and one that a block ends with is left out. Its zero value is ready.
type splitPair struct {
	half surrogate.Tail
	at   string // pointer into the stream of the text that ends in it
}

// join returns the event of an ordinal with halves moved, and an entry for one that was left out before it; data itself when there
// are none. What data holds is not changed.
func (p *splitPair) join(event int, data []byte) ([]byte, report.Report) {
	if p.half == "" && !surrogate.HasLone(data) {
		return data, nil
	}
	switch textOf(jsonx.Member(data, "type")) {
	case string(anthropicapi.EventTypePing):
		return data, nil
	case string(anthropicapi.EventTypeContentBlockStart):
		cut := p.end()
		return p.takeStart(event, data), cut
	case string(anthropicapi.EventTypeContentBlockDelta):
		return p.joinDelta(event, data), nil
	default:
		return data, p.end()
	}
}

// joinDelta moves halves into and out of the text that a delta adds.
func (p *splitPair) joinDelta(event int, data []byte) []byte {
	delta := jsonx.Member(data, "delta")
	member := addedTexts[anthropicapi.DeltaType(textOf(jsonx.Member(delta, "type")))]
	return p.joinText(event, data, jsonx.Member(delta, member), jsontext.Pointer("/delta/"+member))
}

// takeStart moves a half out of the text with which a block begins.
func (p *splitPair) takeStart(event int, data []byte) []byte {
	block := jsonx.Member(data, "content_block")
	member := textOf(jsonx.Member(block, "type")) // text and thinking, which are named like their blocks
	return p.joinText(event, data, jsonx.Member(block, member), jsontext.Pointer("/content_block").AppendToken(member))
}

// joinText moves halves into and out of a text at a pointer.
func (p *splitPair) joinText(event int, data []byte, text jsontext.Value, at jsontext.Pointer) []byte {
	if text.Kind() != jsontext.KindString || len(text) == len(`""`) {
		return data
	}
	joined, err := jsonx.Set(data, at, p.half.Join(text))
	if err != nil {
		return data
	}
	p.at = "/" + strconv.Itoa(event) + string(at)
	return joined
}

// end forgets the half that a block ends with, and reports it.
func (p *splitPair) end() (out report.Report) {
	if p.half != "" {
		out.Add(report.Approximated, p.at, "it ends in half a surrogate pair, which is left out")
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
