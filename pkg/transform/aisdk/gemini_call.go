package aisdk

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/go-json-experiment/json/jsontext"
)

// callStart begins the input of a function call. A block ends before it, so that the text behind the
// call does not get in front of it.
func (s *GeminiStream) callStart(e *normalize.Event) {
	s.closeBlock()
	s.callID = e.ToolCallID
	s.add(ToolInputStart{ID: e.ToolCallID, ToolName: e.ToolName, ProviderMetadata: callMetadata(e).provider()})
}

func (s *GeminiStream) callDelta(e *normalize.Event) {
	s.add(ToolInputDelta{ID: e.ToolCallID, Delta: e.ArgumentsDelta})
}

// callDone ends the input of a function call. Without all of its arguments the call must not be run,
// so that there is none.
func (s *GeminiStream) callDone(e *normalize.Event) {
	m := callMetadata(e)
	if e.Incomplete {
		m.Incomplete = true
		s.add(ToolInputEnd{ID: e.ToolCallID, ProviderMetadata: m.provider()})
		return
	}
	s.add(ToolInputEnd{ID: e.ToolCallID})
	s.add(ToolCall{
		ToolCallID:       e.ToolCallID,
		ToolName:         e.ToolName,
		Input:            string(e.Arguments),
		ProviderMetadata: m.provider(),
	})
	made := call{id: e.ToolCallID, tool: e.ToolName}
	if !e.MadeID {
		made.wireID = e.ToolCallID
	}
	s.client = append(s.client, made)
}

// toolResult tells the result of a function call, which by the API's convention never comes from the
// model.
func (s *GeminiStream) toolResult(b *normalize.Block) {
	result := b.ToolResult
	of := s.answered(&s.client, call{wireID: result.ToolCallID, tool: result.Name}, b)
	out := ToolResult{
		ToolCallID:       of.id,
		ToolName:         of.tool,
		Result:           orEmptyObject(result.Content),
		ProviderMetadata: blockMetadata(b).provider(),
	}
	if result.IsError {
		out.IsError = new(true)
	}
	s.add(out)
}

// codeExecution is the SDK's name of the tool that runs the model's code.
const codeExecution = "code_execution"

// codeCall tells of code that Google has run. The call is dynamic for clients that have not declared
// the tool; for those that have, the SDK takes their declaration.
func (s *GeminiStream) codeCall(b *normalize.Block) {
	s.addCall(&s.code, call{wireID: b.Code.ID, tool: codeExecution}, b, codeInput(b.Code), blockMetadata(b))
}

func (s *GeminiStream) codeResult(b *normalize.Block) {
	of := s.answered(&s.code, call{wireID: b.CodeResult.ID, tool: codeExecution}, b)
	s.add(ToolResult{
		ToolCallID:       of.id,
		ToolName:         of.tool,
		Result:           codeOutput(b.CodeResult),
		ProviderMetadata: blockMetadata(b).provider(),
	})
}

// codeInput returns the input of the SDK's own declaration of the tool.
func codeInput(c *normalize.Code) jsontext.Value {
	return marshal(&struct {
		Language geminiapi.CodeLanguage `json:"language,omitzero"`
		Code     string                 `json:"code"`
	}{c.Language, c.Source})
}

// codeOutput returns the output of the SDK's own declaration of the tool.
func codeOutput(r *normalize.CodeResult) jsontext.Value {
	return marshal(&struct {
		Outcome geminiapi.CodeExecutionOutcome `json:"outcome,omitzero"`
		Output  string                         `json:"output"`
	}{r.Outcome, r.Output})
}

func (s *GeminiStream) serverCall(b *normalize.Block) {
	wire := b.ServerToolCall
	m := blockMetadata(b)
	m.ServerToolType, m.ServerToolName = string(wire.Tool), wire.Name
	s.addCall(&s.server, call{wireID: wire.ID, tool: serverTool(cmp.Or(string(wire.Tool), wire.Name))}, b, orEmptyObject(wire.Arguments), m)
}

func (s *GeminiStream) serverResult(b *normalize.Block) {
	wire := b.ServerToolResult
	of := s.answered(&s.server, call{wireID: wire.ID, tool: serverTool(string(wire.Tool))}, b)
	m := blockMetadata(b)
	m.ServerToolCallID, m.ServerToolType = of.id, string(wire.Tool)
	s.add(ToolResult{
		ToolCallID:       of.id,
		ToolName:         of.tool,
		Result:           orEmptyObject(wire.Response),
		Dynamic:          new(true),
		ProviderMetadata: m.provider(),
	})
}

// serverTool returns the name of one of Google's own tools, "" for one that is not told.
func serverTool(name string) string {
	if name == "" {
		return ""
	}
	return "server:" + name
}

// unnamedTool stands for the name of a tool that the wire does not tell.
const unnamedTool = "unknown"

// addCall adds a call that the provider has run, to those of its kind that wait for a result.
func (s *GeminiStream) addCall(kind *calls, made call, b *normalize.Block, input jsontext.Value, m partMetadata) call {
	s.closeBlock()
	made.id = cmp.Or(made.wireID, s.newCallID(b.Part))
	made.tool = cmp.Or(made.tool, unnamedTool)
	if kind == &s.server {
		m.ServerToolCallID = made.id
	}
	*kind = append(*kind, made)
	s.add(ToolCall{
		ToolCallID:       made.id,
		ToolName:         made.tool,
		Input:            string(input),
		ProviderExecuted: new(true),
		Dynamic:          new(true),
		ProviderMetadata: m.provider(),
	})
	return made
}

// answered returns the call that a result belongs to. To a result without a call it adds one, as the
// SDK's user interface fails for a result whose call it has not seen.
func (s *GeminiStream) answered(kind *calls, result call, b *normalize.Block) call {
	s.closeBlock()
	if of := kind.find(result); of != nil {
		of.answered = true
		result.id, result.tool = of.id, cmp.Or(result.tool, of.tool)
		return result
	}
	s.survey.orphan()
	result.answered = true
	return s.addCall(kind, result, b, orEmptyObject(nil), partMetadata{})
}

// newCallID makes an id for a call that has none.
func (s *GeminiStream) newCallID(part int) string {
	if s.options.toolCallID != nil {
		if id := s.options.toolCallID(s.identity.id, streamedCandidate, part); id != "" {
			return id
		}
	}
	return normalize.RandomID()
}

// orEmptyObject returns a value, or for none an empty object.
func orEmptyObject(v jsontext.Value) jsontext.Value {
	if len(v) == 0 {
		return jsontext.Value("{}")
	}
	return v
}

// call is a call that may have a result in the same stream.
type call struct {
	id       string // in the parts
	wireID   string // "" where the wire tells none
	tool     string // "" in a result that does not tell
	answered bool
}

// calls are those of one kind, in their order.
type calls []call

// find returns the call of a result, nil if there is none: the one by its id, or for a result without
// an id the first that has no result yet, or else the last, of which it is another result.
func (c calls) find(result call) *call {
	var last *call
	for i := range c {
		of := &c[i]
		switch {
		case result.wireID != "" && of.wireID == result.wireID:
			return of
		case result.wireID != "", result.tool != "" && of.tool != result.tool:
			continue
		case !of.answered:
			return of
		}
		last = of
	}
	return last
}
