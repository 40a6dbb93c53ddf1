package aisdk

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// call is a call whose result may be in the same stream.
type call struct {
	id       string // in the parts
	wireID   string // "" if the wire has none
	tool     string // "" in a result without a name
	server   bool   // run by the provider
	answered bool
}

// calls are the recent calls of one kind, in order.
type calls []call

// maxCalls is the number of earlier calls that a result can refer to.
const maxCalls = 256

// add adds a call. It may drop the first half of the earlier calls.
func (c *calls) add(made call) {
	if len(*c) == maxCalls {
		*c = append((*c)[:0], (*c)[maxCalls/2:]...)
	}
	*c = append(*c, made)
}

// find returns the call of a result, or nil. guessed reports whether the match is a guess. An id
// matches the last call with the id that has no result, else the last call with the id. If no call
// has the id, the only call of the tool without a result is a guess. Results without an id match
// the calls of their tool in order; further ones match the last call.
func (c calls) find(result call) (of *call, guessed bool) {
	if result.wireID == "" {
		of = c.inOrder(result.tool)
		return of, of != nil && of.wireID != ""
	}
	if of := c.byID(result.wireID); of != nil {
		return of, false
	}
	of = c.onlyOpen(result.tool)
	return of, of != nil
}

func (c calls) byID(id string) *call {
	var last *call
	for i := len(c) - 1; i >= 0; i-- {
		switch of := &c[i]; {
		case of.wireID != id:
			continue
		case !of.answered:
			return of
		case last == nil:
			last = of
		}
	}
	return last
}

func (c calls) onlyOpen(tool string) *call {
	var only *call
	for i := range c {
		if c[i].answered || !c[i].isOf(tool) {
			continue
		}
		if only != nil {
			return nil
		}
		only = &c[i]
	}
	return only
}

func (c calls) inOrder(tool string) *call {
	var last *call
	for i := range c {
		if !c[i].isOf(tool) {
			continue
		}
		last = &c[i]
		if !last.answered {
			return last
		}
	}
	return last
}

// isOf reports whether a call is a call of a tool; "" is any tool.
func (c *call) isOf(tool string) bool { return tool == "" || c.tool == tool }

// addCall adds a call that the provider has run to the calls of its kind that wait for a result.
func (s *Stream) addCall(kind *calls, made call, b *normalize.Block, input jsontext.Value,
	m partMetadata) call {
	s.closeBlock()
	wanted := cmp.Or(made.wireID, s.newCallID(b.Part))
	made.id = s.ids.take(wanted)
	made.tool = cmp.Or(made.tool, unnamedTool)
	made.server = true
	switch {
	case kind == &s.server:
		m.ServerToolCallID = cmp.Or(made.wireID, made.id) // the SDK sends it back as the id
	case made.id != wanted:
		m.ToolCallID = wanted
	}
	kind.add(made)
	s.add(aisdkapi.ToolCall{
		ToolCallID:       made.id,
		ToolName:         made.tool,
		Input:            string(input),
		ProviderExecuted: new(true),
		Dynamic:          new(true),
		ProviderMetadata: m.provider(),
	})
	return made
}

// answered returns the call of a result, with the tool name of the result. If there is no call, it
// adds one with some metadata, because the SDK's user interface fails for a result without an
// earlier call.
func (s *Stream) answered(kind *calls, result call, b *normalize.Block, m partMetadata) call {
	s.closeBlock()
	of, guessed := kind.find(result)
	if of == nil {
		s.addEntry(report.Added, payloads[b.Type], "the result has no call before it")
		result.answered = true
		return s.addCall(kind, result, b, orEmptyObject(nil), m)
	}
	switch {
	case guessed && result.wireID == "":
		s.addEntry(report.Added, payloads[b.Type]+"/id",
			"the result has no id; it is assigned to the call before it")
	case guessed:
		s.addEntry(report.Approximated, payloads[b.Type]+"/id",
			"no call has the id; the result is assigned to the only call without a result")
	}
	if kind == &s.client && !of.answered {
		s.unanswered--
	}
	of.answered = true
	of.server = s.waiting.answer(of.id) || of.server
	out := *of
	out.tool = cmp.Or(result.tool, of.tool)
	return out
}

// payloads maps calls and results to the members of a wire part that hold them.
var payloads = map[normalize.BlockType]string{
	normalize.BlockToolCall:         "/functionCall",
	normalize.BlockToolResult:       "/functionResponse",
	normalize.BlockCode:             "/executableCode",
	normalize.BlockCodeResult:       "/codeExecutionResult",
	normalize.BlockServerToolCall:   "/toolCall",
	normalize.BlockServerToolResult: "/toolResponse",
}

// reportCallID reports that a wire call has no id, or the id of another call.
func (s *Stream) reportCallID(typ normalize.BlockType, id string) {
	pointer := payloads[typ] + "/id"
	s.reportMissing(id, pointer, detailNoID)
	if id != "" && s.ids.Has(id) {
		s.addEntry(report.Approximated, pointer,
			"replaced by a variant, because another call has the id")
	}
}

// resultID returns the id of a result for the metadata, if it differs from its call's id, else "".
func resultID(of call, wireID string) string {
	if wireID == of.wireID {
		return ""
	}
	return wireID
}

// newCallID makes an id for a call that has none.
func (s *Stream) newCallID(part int) string {
	if s.options.toolCallID != nil {
		if id := s.options.toolCallID(s.identity.id, streamedCandidate, part); id != "" {
			return id
		}
	}
	return normalize.RandomID()
}

// orEmptyObject returns a value, or an empty object for nil.
func orEmptyObject(v jsontext.Value) jsontext.Value {
	if len(v) == 0 {
		return jsontext.Value("{}")
	}
	return v
}
