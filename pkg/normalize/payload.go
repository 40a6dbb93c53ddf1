package normalize

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// Each payload of a part has three functions, here and in toolcall.go. new... takes over the
// members that the model knows. ...Rest keeps the other members in the wire's form, nil if the part
// has no others. wire... joins both again; its rest may be nil.

// unlessEmpty returns a copy of the rest of a payload, nil if the rest is empty.
func unlessEmpty[T any](rest *T, isEmpty bool) *T {
	if isEmpty {
		return nil
	}
	return new(*rest) // so that an empty one stays on the stack
}

func functionCallRest(c *geminiapi.FunctionCall) *geminiapi.FunctionCall {
	rest := *c
	rest.ID, rest.Name = nil, nil
	if rest.Args = jsonx.NonNull(rest.Args); rest.Args.Kind() == jsontext.KindBeginObject {
		rest.Args = nil
	}
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireFunctionCall(c *ToolCall, rest *geminiapi.FunctionCall) *geminiapi.FunctionCall {
	out := jsonx.Deref(rest)
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

func wireFunctionResponse(r *ToolResult,
	rest *geminiapi.FunctionResponse) *geminiapi.FunctionResponse {
	out := jsonx.Deref(rest)
	out.ID, out.Name, out.Response = jsonx.NonEmpty(r.ToolCallID), jsonx.NonEmpty(r.Name), r.Content
	return &out
}

func newServerToolCall(c *geminiapi.ToolCall) *ServerToolCall {
	return &ServerToolCall{
		ID: jsonx.Deref(c.ID), Tool: jsonx.Deref(c.ToolType), Name: jsonx.Deref(c.ToolName),
		Arguments: jsonx.NonNull(c.Args),
	}
}

func toolCallRest(c *geminiapi.ToolCall) *geminiapi.ToolCall {
	rest := *c
	rest.ID, rest.ToolType, rest.ToolName, rest.Args = nil, nil, nil, nil
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireToolCall(c *ServerToolCall, rest *geminiapi.ToolCall) *geminiapi.ToolCall {
	out := jsonx.Deref(rest)
	out.ID, out.ToolType, out.ToolName, out.Args = jsonx.NonEmpty(c.ID), jsonx.NonEmpty(c.Tool),
		jsonx.NonEmpty(c.Name), c.Arguments
	return &out
}

func newServerToolResult(r *geminiapi.ToolResponse) *ServerToolResult {
	return &ServerToolResult{ID: jsonx.Deref(r.ID), Tool: jsonx.Deref(r.ToolType),
		Response: jsonx.NonNull(r.Response)}
}

func toolResponseRest(r *geminiapi.ToolResponse) *geminiapi.ToolResponse {
	rest := *r
	rest.ID, rest.ToolType, rest.Response = nil, nil, nil
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireToolResponse(r *ServerToolResult, rest *geminiapi.ToolResponse) *geminiapi.ToolResponse {
	out := jsonx.Deref(rest)
	out.ID, out.ToolType, out.Response = jsonx.NonEmpty(r.ID), jsonx.NonEmpty(r.Tool), r.Response
	return &out
}

func newCode(c *geminiapi.ExecutableCode) *Code {
	return &Code{ID: jsonx.Deref(c.ID), Language: jsonx.Deref(c.Language),
		Source: jsonx.Deref(c.Code)}
}

func executableCodeRest(c *geminiapi.ExecutableCode) *geminiapi.ExecutableCode {
	rest := *c
	rest.ID, rest.Language, rest.Code = nil, nil, nil
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireExecutableCode(c *Code, rest *geminiapi.ExecutableCode) *geminiapi.ExecutableCode {
	out := jsonx.Deref(rest)
	out.ID, out.Language, out.Code = jsonx.NonEmpty(c.ID), jsonx.NonEmpty(c.Language),
		jsonx.NonEmpty(c.Source)
	return &out
}

func newCodeResult(r *geminiapi.CodeExecutionResult) *CodeResult {
	return &CodeResult{ID: jsonx.Deref(r.ID), Outcome: jsonx.Deref(r.Outcome),
		Output: jsonx.Deref(r.Output)}
}

func codeExecutionResultRest(r *geminiapi.CodeExecutionResult) *geminiapi.CodeExecutionResult {
	rest := *r
	rest.ID, rest.Outcome, rest.Output = nil, nil, nil
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireCodeExecutionResult(r *CodeResult,
	rest *geminiapi.CodeExecutionResult) *geminiapi.CodeExecutionResult {
	out := jsonx.Deref(rest)
	out.ID, out.Outcome, out.Output = jsonx.NonEmpty(r.ID), jsonx.NonEmpty(r.Outcome),
		jsonx.NonEmpty(r.Output)
	return &out
}

func newMedia(b *geminiapi.Blob) *Media {
	return &Media{MIMEType: jsonx.Deref(b.MIMEType), Data: jsonx.Deref(b.Data),
		DisplayName: jsonx.Deref(b.DisplayName)}
}

func blobRest(b *geminiapi.Blob) *geminiapi.Blob {
	rest := *b
	rest.MIMEType, rest.Data, rest.DisplayName = nil, nil, nil
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireBlob(m *Media, rest *geminiapi.Blob) *geminiapi.Blob {
	out := jsonx.Deref(rest)
	out.MIMEType, out.Data, out.DisplayName = jsonx.NonEmpty(m.MIMEType), jsonx.NonEmpty(m.Data),
		jsonx.NonEmpty(m.DisplayName)
	return &out
}

func newFile(f *geminiapi.FileData) *File {
	return &File{URI: jsonx.Deref(f.FileURI), MIMEType: jsonx.Deref(f.MIMEType),
		DisplayName: jsonx.Deref(f.DisplayName)}
}

func fileDataRest(f *geminiapi.FileData) *geminiapi.FileData {
	rest := *f
	rest.FileURI, rest.MIMEType, rest.DisplayName = nil, nil, nil
	return unlessEmpty(&rest, rest.IsEmpty())
}

func wireFileData(f *File, rest *geminiapi.FileData) *geminiapi.FileData {
	out := jsonx.Deref(rest)
	out.FileURI, out.MIMEType, out.DisplayName = jsonx.NonEmpty(f.URI), jsonx.NonEmpty(f.MIMEType),
		jsonx.NonEmpty(f.DisplayName)
	return &out
}
