package reverse

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/reasoning"
	"github.com/go-json-experiment/json"
)

// takeSignatures keeps Gemini's thought signatures from a delta's reasoning_details for their
// calls.
func (s *Stream) takeSignatures(c *streamChoice, details []openaiapi.ReasoningDetail, at string) {
	for i := range details {
		if signature := reasoning.Signature(&details[i]); signature != nil {
			s.keepSignature(c, &details[i], signature, at, i)
		}
	}
}

// keepSignature keeps the signature of a piece of reasoning_details, unless it has arrived before.
func (s *Stream) keepSignature(c *streamChoice, piece *openaiapi.ReasoningDetail, signature *string,
	at string, position int) {
	at += "/" + memberReasoningDetails + "/" + strconv.Itoa(position)
	id := callid.WithoutSignature(jsonx.Deref(piece.ID))
	if !c.signatures.isNew(id, *signature) {
		s.report.add(report.Approximated, at, "omitted, because the signature was sent before")
		return
	}
	c.signatures.add(id, signature)
	if piece.ID != nil {
		s.report.add(report.Approximated, at+"/id",
			"used to find the call that the signature belongs to")
	}
}

// callDeltas adds the call pieces of a delta. It adds calls that become complete to the turn.
func (s *Stream) callDeltas(c *streamChoice, d *openaiapi.Delta, t *turn) {
	c.calls.sent.ofDeltas = c.calls.sent.ofDeltas || len(d.ToolCalls) > 0 || d.FunctionCall != nil
	for i := range d.ToolCalls {
		s.callDelta(c, &d.ToolCalls[i], t, t.at+"/tool_calls/"+strconv.Itoa(i))
	}
	if d.FunctionCall != nil {
		s.report.loseUnknown(t.at+"/function_call", d.FunctionCall.Unknown)
		call := c.calls.at(0, "", d.FunctionCall)
		if call.begunAt == "" {
			call.begunAt = s.report.at() + t.at + "/function_call"
		}
		call.add("", jsonx.Deref(d.FunctionCall.Name), jsonx.Deref(d.FunctionCall.Arguments))
	}
}

// callDelta adds a piece to its call. If the piece starts a call, it sends the calls before it.
func (s *Stream) callDelta(c *streamChoice, piece *openaiapi.ToolCallChunk, t *turn, at string) {
	s.losePiece(piece, at)
	id, carried, intact := callid.Split(jsonx.Deref(piece.ID))
	if !intact {
		s.report.add(report.Lost, at+"/id", "the thought signature in it is damaged")
	}
	function, isCustom := s.functionOf(piece, at)
	before := c.calls.begun
	call := c.calls.at(piece.Index, id, &function)
	if c.calls.begun > before {
		index, ordinal := call.index, call.ordinal
		c.sendBefore(index, ordinal, t)
		call = c.calls.of(index, ordinal)
		call.begunAt = s.report.at() + at
		if jsonx.Deref(function.Name) == "" {
			call.at = s.report.at() + at
		}
		switch {
		case jsonx.Deref(function.Name) == "" && jsonx.Deref(function.Arguments) == "":
			s.report.add(report.Approximated, at, "omitted, because the piece has no function")
		case piece.Index != c.calls.begun-1:
			s.report.add(report.Approximated, at+"/index", "replaced, because calls are numbered in order of arrival")
		}
	}
	s.reportRepeated(call, id, jsonx.Deref(function.Name), at)
	c.calls.name(call, id)
	if detail := call.add(id, jsonx.Deref(function.Name),
		jsonx.Deref(function.Arguments)); detail != "" {
		s.report.add(report.Approximated, at+"/function/arguments", detail)
	}
	call.isCustom = call.isCustom || isCustom
	s.signCall(call, piece, carried, at)
}

// losePiece reports what a call does not show of a piece.
func (s *Stream) losePiece(piece *openaiapi.ToolCallChunk, at string) {
	s.report.loseUnknown(at, piece.Unknown, memberCustom)
	if piece.Type != nil && *piece.Type != "" {
		s.report.differs(at+"/type", string(*piece.Type), string(openaiapi.ToolTypeFunction))
	}
}

// reportRepeated reports an id or a name of a piece that differs from its call.
func (s *Stream) reportRepeated(call *openCall, id, name, at string) {
	if call.id != "" && id != "" && id != call.id {
		s.report.add(report.Approximated, at+"/id", "the first id of the call is used instead")
	}
	if call.name != "" && name != "" && name == call.name {
		s.report.add(report.Approximated, at+"/function/name", "the call already has a name")
	}
}

// signCall sets the thought signature of a piece on its call.
func (s *Stream) signCall(call *openCall, piece *openaiapi.ToolCallChunk, carried, at string) {
	if carried != "" {
		call.signature = &carried
	}
	google := googleOf(piece.ExtraContent)
	if google.ThoughtSignature != nil {
		s.fromGemini = true
		call.signature, google.ThoughtSignature = google.ThoughtSignature, nil
	}
	s.report.loseGoogle(at, piece.ExtraContent, google)
}

// takeSignature returns the signature that arrived before its call.
func (c *streamChoice) takeSignature(callID string) *string {
	return c.signatures.take(callID, len(c.calls.sent.list) == 0)
}

// sendBefore sends the complete calls before a call that starts.
func (c *streamChoice) sendBefore(index, ordinal int, t *turn) {
	for len(c.calls.open) > 0 {
		first := &c.calls.open[0]
		if first.index == index && first.ordinal == ordinal || !first.isComplete() {
			return
		}
		c.sendCall(t)
	}
}

// sendCalls sends all remaining calls at the end of their choice.
func (c *streamChoice) sendCalls(t *turn) {
	for _, at := range c.calls.joinPieces() {
		r := t.report.about("")
		r.add(report.Approximated, at,
			"appended to the call before it, because the piece names no function")
		t.report.entries = r.entries
	}
	for len(c.calls.open) > 0 {
		c.sendCall(t)
	}
}

// sendCall sends the first call.
func (c *streamChoice) sendCall(t *turn) {
	call := &c.calls.open[0]
	// It is an empty piece of another call, sent under an index of its own.
	if call.name == "" && len(call.arguments) == 0 && c.calls.begun > 1 {
		c.calls.open = c.calls.open[1:]
		return
	}
	signature := call.signature
	if signature == nil {
		signature = c.takeSignature(call.id)
	}
	arguments := call.all()
	if call.isCustom {
		arguments = inputArguments(string(call.arguments))
	} else if len(arguments) != len(call.arguments) {
		t.report.add(report.Approximated, t.at+"/tool_calls",
			"each piece has all arguments so far, and the last one is used")
	}
	called := calledFunction{id: call.id, name: call.name, arguments: arguments}
	chunk, whole := t.report, t.report.about("")
	t.report, t.malformed = &whole, c.calls.malformed
	t.addCall(called, geminiapi.Part{ThoughtSignature: signature}, call.begunAt)
	chunk.entries = whole.entries
	t.report, c.calls.malformed = chunk, t.malformed
	c.calls.sent.add(called)
	c.calls.open = c.calls.open[1:]
}

// memberCustom is the member of a piece that describes the call of a custom tool.
const memberCustom = "custom"

// functionOf returns the function of a piece. The text of a custom tool becomes an argument of a
// function, as in a whole answer.
func (s *Stream) functionOf(piece *openaiapi.ToolCallChunk,
	at string) (function openaiapi.FunctionCallChunk, isCustom bool) {
	function = jsonx.Deref(piece.Function)
	s.report.loseUnknown(at+"/function", function.Unknown)
	var custom openaiapi.CustomToolCall
	said := jsonx.Member(piece.Unknown, memberCustom)
	switch {
	case said == nil:
		return function, false
	case piece.Function != nil || json.Unmarshal(said, &custom) != nil:
		s.report.lose(at+"/"+memberCustom, true)
		return function, false
	}
	s.report.loseUnknown(at+"/"+memberCustom, custom.Unknown)
	s.report.add(report.Approximated, at+"/"+memberCustom+"/input", "moved to an argument of that name")
	return openaiapi.FunctionCallChunk{Name: jsonx.NonEmpty(custom.Name),
		Arguments: jsonx.NonEmpty(custom.Input)}, true
}
