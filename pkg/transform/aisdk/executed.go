package aisdk

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/go-json-experiment/json/jsontext"
)

// codeExecution is the SDK's name of the tool that runs the model's code.
const codeExecution = "code_execution"

// codeCall emits code that Google has run. The call is dynamic, for clients that have not declared
// the tool. For clients that have, the SDK uses their declaration.
func (s *Stream) codeCall(b *normalize.Block) {
	s.reportCallID(b.Type, b.Code.ID)
	s.addCall(&s.code, call{wireID: b.Code.ID, tool: codeExecution}, b, codeInput(b.Code),
		blockMetadata(b))
}

func (s *Stream) codeResult(b *normalize.Block) {
	of := s.answered(&s.code, call{wireID: b.CodeResult.ID, tool: codeExecution}, b, partMetadata{})
	m := blockMetadata(b)
	m.ToolCallID = resultID(of, b.CodeResult.ID)
	s.add(aisdkapi.ToolResult{
		ToolCallID:       of.id,
		ToolName:         of.tool,
		Result:           codeOutput(b.CodeResult),
		ProviderMetadata: m.provider(),
	})
}

// codeInput returns the tool input in the form of the SDK's own declaration.
func codeInput(c *normalize.Code) jsontext.Value {
	return marshal(&struct {
		Language geminiapi.CodeLanguage `json:"language,omitzero"`
		Code     string                 `json:"code"`
	}{c.Language, c.Source})
}

// codeOutput returns the tool output in the form of the SDK's own declaration.
func codeOutput(r *normalize.CodeResult) jsontext.Value {
	return marshal(&struct {
		Outcome geminiapi.CodeExecutionOutcome `json:"outcome,omitzero"`
		Output  string                         `json:"output"`
	}{r.Outcome, r.Output})
}

func (s *Stream) serverCall(b *normalize.Block) {
	wire := b.ServerToolCall
	m := blockMetadata(b)
	m.ServerToolType, m.ServerToolName = string(wire.Tool), wire.Name
	s.reportCallID(b.Type, wire.ID)
	s.addCall(&s.server,
		call{wireID: wire.ID, tool: serverTool(cmp.Or(string(wire.Tool), wire.Name))}, b,
		orEmptyObject(wire.Arguments), m)
}

func (s *Stream) serverResult(b *normalize.Block) {
	wire := b.ServerToolResult
	result := call{wireID: wire.ID, tool: serverTool(string(wire.Tool))}
	of := s.answered(&s.server, result, b, partMetadata{ServerToolType: string(wire.Tool)})
	m := blockMetadata(b)
	m.ServerToolCallID, m.ServerToolType = cmp.Or(wire.ID, of.wireID, of.id), string(wire.Tool)
	s.add(aisdkapi.ToolResult{
		ToolCallID:       of.id,
		ToolName:         of.tool,
		Result:           orEmptyObject(wire.Response),
		Dynamic:          new(true),
		ProviderMetadata: m.provider(),
	})
}

// serverTool returns the name for one of Google's own tools, or "" if it has none.
func serverTool(name string) string {
	if name == "" {
		return ""
	}
	return "server:" + name
}

// unnamedTool stands for a tool name that the wire does not have.
const unnamedTool = "unknown"
