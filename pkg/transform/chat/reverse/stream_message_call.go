package reverse

import (
	"math"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
)

// messageCalls adds the calls of a message that have not arrived before. It completes the arguments
// of an open call.
func (s *Stream) messageCalls(c *streamChoice, t *turn, m *openaiapi.ResponseMessage) {
	if len(m.ToolCalls) == 0 && m.FunctionCall == nil {
		return
	}
	c.sendBefore(math.MaxInt, 0, t)
	known := newKnownCalls(c)
	for i := range m.ToolCalls {
		at := t.at + "/tool_calls/" + strconv.Itoa(i)
		call := calledIn(&m.ToolCalls[i])
		if known.has(i, call, &s.report, at) {
			continue
		}
		before := len(t.parts)
		t.call(&m.ToolCalls[i], geminiapi.Part{}, at)
		if len(t.parts) > before && t.parts[before].ThoughtSignature == nil {
			t.parts[before].ThoughtSignature = c.takeSignature(call.id)
		}
		c.calls.sent.add(call)
	}
	if m.FunctionCall != nil {
		call := calledFunction{name: m.FunctionCall.Name, arguments: m.FunctionCall.Arguments}
		if !known.has(0, call, &s.report, t.at+"/function_call") {
			t.functionCall(m.FunctionCall)
			c.calls.sent.add(call)
		}
	}
	c.sendBefore(math.MaxInt, 0, t)
}

// calledIn returns the function that a call of a message calls.
func calledIn(call *openaiapi.ToolCall) calledFunction {
	id, _, _ := callid.Split(call.ID)
	function := jsonx.Deref(call.Function)
	if call.Custom != nil && call.Function == nil {
		return calledFunction{id: id, name: call.Custom.Name,
			arguments: inputArguments(call.Custom.Input)}
	}
	return calledFunction{id: id, name: function.Name, arguments: function.Arguments}
}

// knownCalls are the calls of a choice that arrived before a message.
type knownCalls struct {
	sent  *sentCalls
	count int        // number of sent calls
	open  []openCall // calls that are not complete
	byID  map[string]*openCall
}

func newKnownCalls(c *streamChoice) knownCalls {
	k := knownCalls{sent: &c.calls.sent, count: len(c.calls.sent.list), open: c.calls.open,
		byID: map[string]*openCall{}}
	for i := range k.open {
		if call := &k.open[i]; call.id != "" && k.byID[call.id] == nil {
			k.byID[call.id] = call
		}
	}
	return k
}

// has reports whether a call at a position of the list arrived before. If so, it adds a report
// entry.
func (k *knownCalls) has(position int, call calledFunction, report *reporter, at string) bool {
	if open := k.openCall(position, call); open != nil {
		open.complete(call)
		reportKnown(string(open.arguments) == call.arguments || open.isCustom, report, at)
		return true
	}
	sent := k.sent.find(position, call)
	if sent == nil {
		return false
	}
	reportKnown(*sent == sentCallOf(calledFunction{sent.id, sent.name, call.arguments}), report, at)
	return true
}

// openCall returns the open call that a call of a message repeats. They match by id, or by position
// and name if one of the two has no id.
func (k *knownCalls) openCall(position int, call calledFunction) *openCall {
	if open := k.byID[call.id]; open != nil {
		return open
	}
	if position -= k.count; position < 0 || position >= len(k.open) {
		return nil
	}
	if open := &k.open[position]; (open.name == call.name || open.name == "") &&
		(open.id == "" || call.id == "") {
		return open
	}
	return nil
}

// complete adds what a message has of a call beyond its pieces.
func (c *openCall) complete(call calledFunction) {
	if rest, isLonger := strings.CutPrefix(call.arguments, string(c.arguments)); isLonger &&
		!c.isCustom {
		c.add("", "", rest)
	}
	if c.name == "" {
		c.name = call.name
	}
	if c.id == "" {
		c.id = call.id
	}
}

// reportKnown reports a call that is not sent again.
func reportKnown(isSame bool, entries *reporter, at string) {
	if isSame {
		entries.add(report.Approximated, at, "omitted, because the call was sent before")
		return
	}
	entries.add(report.Lost, at, "the call was sent before with other arguments, which are used")
}
