package normalize

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/go-json-experiment/json/jsontext"
)

// Each payload of a part has three functions here and in toolcall.go: new... takes over what the model has a
// member for, ...Rest keeps, in the wire's form, what it has none for, nil when there is nothing, and
// wire... puts both together again. The rest may be nil.

// unlessEmpty returns a copy of what is left of a payload, nil when nothing is.
func unlessEmpty[T any](rest *T, isEmpty bool) *T {
	if isEmpty {
		return nil
	}
	return new(*rest) // so that an empty one stays on the stack
}

func functionCallRest(c *geminiapi.FunctionCall) *geminiapi.FunctionCall {
	rest := *c
	rest.ID, rest.Name = nil, nil
	if rest.Args = optional.JSON(rest.Args); rest.Args.Kind() == jsontext.KindBeginObject {
		rest.Args = nil
	}
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireFunctionCall(c *ToolCall, rest *geminiapi.FunctionCall) *geminiapi.FunctionCall {
	out := optional.Value(rest)
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
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireFunctionResponse(r *ToolResult, rest *geminiapi.FunctionResponse) *geminiapi.FunctionResponse {
	out := optional.Value(rest)
	out.ID, out.Name, out.Response = optional.Text(r.ToolCallID), optional.Text(r.Name), r.Content
	return &out
}

func newServerToolCall(c *geminiapi.ToolCall) *ServerToolCall {
	return &ServerToolCall{
		ID: optional.Value(c.ID), Tool: optional.Value(c.ToolType), Name: optional.Value(c.ToolName), Arguments: optional.JSON(c.Args),
	}
}

func toolCallRest(c *geminiapi.ToolCall) *geminiapi.ToolCall {
	rest := *c
	rest.ID, rest.ToolType, rest.ToolName, rest.Args = nil, nil, nil, nil
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireToolCall(c *ServerToolCall, rest *geminiapi.ToolCall) *geminiapi.ToolCall {
	out := optional.Value(rest)
	out.ID, out.ToolType, out.ToolName, out.Args = optional.Text(c.ID), optional.Text(c.Tool), optional.Text(c.Name), c.Arguments
	return &out
}

func newServerToolResult(r *geminiapi.ToolResponse) *ServerToolResult {
	return &ServerToolResult{ID: optional.Value(r.ID), Tool: optional.Value(r.ToolType), Response: optional.JSON(r.Response)}
}

func toolResponseRest(r *geminiapi.ToolResponse) *geminiapi.ToolResponse {
	rest := *r
	rest.ID, rest.ToolType, rest.Response = nil, nil, nil
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireToolResponse(r *ServerToolResult, rest *geminiapi.ToolResponse) *geminiapi.ToolResponse {
	out := optional.Value(rest)
	out.ID, out.ToolType, out.Response = optional.Text(r.ID), optional.Text(r.Tool), r.Response
	return &out
}

func newCode(c *geminiapi.ExecutableCode) *Code {
	return &Code{ID: optional.Value(c.ID), Language: optional.Value(c.Language), Source: optional.Value(c.Code)}
}

func executableCodeRest(c *geminiapi.ExecutableCode) *geminiapi.ExecutableCode {
	rest := *c
	rest.ID, rest.Language, rest.Code = nil, nil, nil
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireExecutableCode(c *Code, rest *geminiapi.ExecutableCode) *geminiapi.ExecutableCode {
	out := optional.Value(rest)
	out.ID, out.Language, out.Code = optional.Text(c.ID), optional.Text(c.Language), optional.Text(c.Source)
	return &out
}

func newCodeResult(r *geminiapi.CodeExecutionResult) *CodeResult {
	return &CodeResult{ID: optional.Value(r.ID), Outcome: optional.Value(r.Outcome), Output: optional.Value(r.Output)}
}

func codeExecutionResultRest(r *geminiapi.CodeExecutionResult) *geminiapi.CodeExecutionResult {
	rest := *r
	rest.ID, rest.Outcome, rest.Output = nil, nil, nil
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireCodeExecutionResult(r *CodeResult, rest *geminiapi.CodeExecutionResult) *geminiapi.CodeExecutionResult {
	out := optional.Value(rest)
	out.ID, out.Outcome, out.Output = optional.Text(r.ID), optional.Text(r.Outcome), optional.Text(r.Output)
	return &out
}

func newMedia(b *geminiapi.Blob) *Media {
	return &Media{MIMEType: optional.Value(b.MIMEType), Data: optional.Value(b.Data), DisplayName: optional.Value(b.DisplayName)}
}

func blobRest(b *geminiapi.Blob) *geminiapi.Blob {
	rest := *b
	rest.MIMEType, rest.Data, rest.DisplayName = nil, nil, nil
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireBlob(m *Media, rest *geminiapi.Blob) *geminiapi.Blob {
	out := optional.Value(rest)
	out.MIMEType, out.Data, out.DisplayName = optional.Text(m.MIMEType), optional.Text(m.Data), optional.Text(m.DisplayName)
	return &out
}

func newFile(f *geminiapi.FileData) *File {
	return &File{URI: optional.Value(f.FileURI), MIMEType: optional.Value(f.MIMEType), DisplayName: optional.Value(f.DisplayName)}
}

func fileDataRest(f *geminiapi.FileData) *geminiapi.FileData {
	rest := *f
	rest.FileURI, rest.MIMEType, rest.DisplayName = nil, nil, nil
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireFileData(f *File, rest *geminiapi.FileData) *geminiapi.FileData {
	out := optional.Value(rest)
	out.FileURI, out.MIMEType, out.DisplayName = optional.Text(f.URI), optional.Text(f.MIMEType), optional.Text(f.DisplayName)
	return &out
}
