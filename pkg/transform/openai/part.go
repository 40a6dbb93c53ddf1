package openai

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// partRest returns, in Gemini's form, what of a part the member of the message that holds it does
// not show; nil when there is nothing.
func partRest(b *normalize.Block, home openaiapi.PartHome) *geminiapi.Part {
	rest := deref(b.Extra)
	more := b.Extra != nil
	if b.Signature != "" && home != openaiapi.PartHomeToolCalls {
		rest.ThoughtSignature, more = &b.Signature, true
	}
	if b.Thought {
		rest.Thought, more = &b.Thought, true
	}
	if looksMade(b) {
		call := deref(rest.FunctionCall)
		call.ID = &b.ToolCall.ID
		rest.FunctionCall, more = &call, true
	}
	if b.Media != nil && b.Media.DisplayName != "" {
		data := deref(rest.InlineData)
		data.DisplayName = &b.Media.DisplayName
		rest.InlineData, more = &data, true
	}
	if !more {
		return nil
	}
	return new(rest)
}

// wirePart returns a part in Gemini's form, for parts that no member of a message can hold; nil for
// what Gemini has no part for. It is the inverse of what package normalize does.
func wirePart(b *normalize.Block) *geminiapi.Part {
	if b.Type == normalize.BlockUnknown {
		return b.Extra // the whole part
	}
	p := deref(b.Extra)
	p.ThoughtSignature = optional(b.Signature)
	if b.Thought {
		p.Thought = &b.Thought
	}
	switch b.Type {
	case normalize.BlockToolResult:
		p.FunctionResponse = functionResponse(b.ToolResult, p.FunctionResponse)
	case normalize.BlockMedia:
		p.InlineData = inlineData(b.Media, p.InlineData)
	case normalize.BlockFile:
		p.FileData = fileData(b.File, p.FileData)
	case normalize.BlockCode:
		p.ExecutableCode = executableCode(b.Code, p.ExecutableCode)
	case normalize.BlockCodeResult:
		p.CodeExecutionResult = codeExecutionResult(b.CodeResult, p.CodeExecutionResult)
	case normalize.BlockServerToolCall:
		p.ToolCall = serverToolCall(b.ServerToolCall, p.ToolCall)
	case normalize.BlockServerToolResult:
		p.ToolResponse = serverToolResponse(b.ServerToolResult, p.ToolResponse)
	case normalize.BlockSignature:
	default: // thinking that another provider redacted
		return nil
	}
	return &p
}

// Each of the functions below puts what the model has a member for back into the rest of a payload,
// nil when there is none.

func functionResponse(r *normalize.ToolResult, rest *geminiapi.FunctionResponse) *geminiapi.FunctionResponse {
	out := deref(rest)
	out.ID, out.Name, out.Response = optional(r.ToolCallID), optional(r.Name), r.Content
	return &out
}

func inlineData(m *normalize.Media, rest *geminiapi.Blob) *geminiapi.Blob {
	out := deref(rest)
	out.MIMEType, out.Data, out.DisplayName = optional(m.MIMEType), optional(m.Data), optional(m.DisplayName)
	return &out
}

func fileData(f *normalize.File, rest *geminiapi.FileData) *geminiapi.FileData {
	out := deref(rest)
	out.MIMEType, out.FileURI, out.DisplayName = optional(f.MIMEType), optional(f.URI), optional(f.DisplayName)
	return &out
}

func executableCode(c *normalize.Code, rest *geminiapi.ExecutableCode) *geminiapi.ExecutableCode {
	out := deref(rest)
	out.ID, out.Language, out.Code = optional(c.ID), optional(c.Language), optional(c.Source)
	return &out
}

func codeExecutionResult(r *normalize.CodeResult, rest *geminiapi.CodeExecutionResult) *geminiapi.CodeExecutionResult {
	out := deref(rest)
	out.ID, out.Outcome, out.Output = optional(r.ID), optional(r.Outcome), optional(r.Output)
	return &out
}

func serverToolCall(c *normalize.ServerToolCall, rest *geminiapi.ToolCall) *geminiapi.ToolCall {
	out := deref(rest)
	out.ID, out.ToolType, out.ToolName, out.Args = optional(c.ID), optional(c.Tool), optional(c.Name), c.Arguments
	return &out
}

func serverToolResponse(r *normalize.ServerToolResult, rest *geminiapi.ToolResponse) *geminiapi.ToolResponse {
	out := deref(rest)
	out.ID, out.ToolType, out.Response = optional(r.ID), optional(r.Tool), r.Response
	return &out
}
