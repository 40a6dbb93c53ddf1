package normalize

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json/jsontext"
)

// Each payload of a part has three functions here and in toolcall.go: new... takes over what the model has a
// member for, ...Rest keeps, in the wire's form, what it has none for, nil when there is nothing, and
// wire... puts both together again. The rest may be nil.

func functionCallRest(c *geminiapi.FunctionCall) *geminiapi.FunctionCall {
	rest := *c
	rest.ID, rest.Name = nil, nil
	if rest.Args = present(rest.Args); rest.Args.Kind() == jsontext.KindBeginObject {
		rest.Args = nil
	}
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}

func wireFunctionCall(c *ToolCall, rest *geminiapi.FunctionCall) *geminiapi.FunctionCall {
	out := deref(rest)
	out.Name = &c.Name
	if !c.MadeID {
		out.ID = &c.ID
	}
	if out.Args == nil {
		out.Args = c.Arguments
	}
	return &out
}

func functionResponseRest(r *geminiapi.FunctionResponse) *geminiapi.FunctionResponse {
	rest := *r
	rest.ID, rest.Name, rest.Response = nil, nil, nil
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}

func wireFunctionResponse(r *ToolResult, rest *geminiapi.FunctionResponse) *geminiapi.FunctionResponse {
	out := deref(rest)
	out.ID, out.Name, out.Response = optional(r.ToolCallID), optional(r.Name), r.Content
	return &out
}

func newServerToolCall(c *geminiapi.ToolCall) *ServerToolCall {
	return &ServerToolCall{
		ID: deref(c.ID), Tool: deref(c.ToolType), Name: deref(c.ToolName), Arguments: present(c.Args),
	}
}

func toolCallRest(c *geminiapi.ToolCall) *geminiapi.ToolCall {
	rest := *c
	rest.ID, rest.ToolType, rest.ToolName, rest.Args = nil, nil, nil, nil
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}

func wireToolCall(c *ServerToolCall, rest *geminiapi.ToolCall) *geminiapi.ToolCall {
	out := deref(rest)
	out.ID, out.ToolType, out.ToolName, out.Args = optional(c.ID), optional(c.Tool), optional(c.Name), c.Arguments
	return &out
}

func newServerToolResult(r *geminiapi.ToolResponse) *ServerToolResult {
	return &ServerToolResult{ID: deref(r.ID), Tool: deref(r.ToolType), Response: present(r.Response)}
}

func toolResponseRest(r *geminiapi.ToolResponse) *geminiapi.ToolResponse {
	rest := *r
	rest.ID, rest.ToolType, rest.Response = nil, nil, nil
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}

func wireToolResponse(r *ServerToolResult, rest *geminiapi.ToolResponse) *geminiapi.ToolResponse {
	out := deref(rest)
	out.ID, out.ToolType, out.Response = optional(r.ID), optional(r.Tool), r.Response
	return &out
}

func newCode(c *geminiapi.ExecutableCode) *Code {
	return &Code{ID: deref(c.ID), Language: deref(c.Language), Source: deref(c.Code)}
}

func executableCodeRest(c *geminiapi.ExecutableCode) *geminiapi.ExecutableCode {
	rest := *c
	rest.ID, rest.Language, rest.Code = nil, nil, nil
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}

func wireExecutableCode(c *Code, rest *geminiapi.ExecutableCode) *geminiapi.ExecutableCode {
	out := deref(rest)
	out.ID, out.Language, out.Code = optional(c.ID), optional(c.Language), optional(c.Source)
	return &out
}

func newCodeResult(r *geminiapi.CodeExecutionResult) *CodeResult {
	return &CodeResult{ID: deref(r.ID), Outcome: deref(r.Outcome), Output: deref(r.Output)}
}

func codeExecutionResultRest(r *geminiapi.CodeExecutionResult) *geminiapi.CodeExecutionResult {
	rest := *r
	rest.ID, rest.Outcome, rest.Output = nil, nil, nil
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}

func wireCodeExecutionResult(r *CodeResult, rest *geminiapi.CodeExecutionResult) *geminiapi.CodeExecutionResult {
	out := deref(rest)
	out.ID, out.Outcome, out.Output = optional(r.ID), optional(r.Outcome), optional(r.Output)
	return &out
}

func newMedia(b *geminiapi.Blob) *Media {
	return &Media{MIMEType: deref(b.MIMEType), Data: deref(b.Data), DisplayName: deref(b.DisplayName)}
}

func blobRest(b *geminiapi.Blob) *geminiapi.Blob {
	rest := *b
	rest.MIMEType, rest.Data, rest.DisplayName = nil, nil, nil
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}

func wireBlob(m *Media, rest *geminiapi.Blob) *geminiapi.Blob {
	out := deref(rest)
	out.MIMEType, out.Data, out.DisplayName = optional(m.MIMEType), optional(m.Data), optional(m.DisplayName)
	return &out
}

func newFile(f *geminiapi.FileData) *File {
	return &File{URI: deref(f.FileURI), MIMEType: deref(f.MIMEType), DisplayName: deref(f.DisplayName)}
}

func fileDataRest(f *geminiapi.FileData) *geminiapi.FileData {
	rest := *f
	rest.FileURI, rest.MIMEType, rest.DisplayName = nil, nil, nil
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}

func wireFileData(f *File, rest *geminiapi.FileData) *geminiapi.FileData {
	out := deref(rest)
	out.FileURI, out.MIMEType, out.DisplayName = optional(f.URI), optional(f.MIMEType), optional(f.DisplayName)
	return &out
}
