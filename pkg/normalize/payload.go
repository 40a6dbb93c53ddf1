package normalize

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json/jsontext"
)

// Each payload of a part has two functions here: new... takes over what the model has a member
// for, and ...Rest keeps, in the wire's form, what it has none for; nil when there is nothing.

func functionCallRest(c *geminiapi.FunctionCall) *geminiapi.FunctionCall {
	args := present(c.Args)
	if args.Kind() == jsontext.KindBeginObject {
		args = nil
	}
	if args == nil && c.PartialArgs == nil && c.WillContinue == nil && len(c.Unknown) == 0 {
		return nil
	}
	return &geminiapi.FunctionCall{Args: args, PartialArgs: c.PartialArgs, WillContinue: c.WillContinue, Unknown: c.Unknown}
}

func functionResponseRest(r *geminiapi.FunctionResponse) *geminiapi.FunctionResponse {
	if r.Parts == nil && r.Scheduling == nil && r.WillContinue == nil && len(r.Unknown) == 0 {
		return nil
	}
	return &geminiapi.FunctionResponse{
		Parts: r.Parts, Scheduling: r.Scheduling, WillContinue: r.WillContinue, Unknown: r.Unknown,
	}
}

func newServerToolCall(c *geminiapi.ToolCall) *ServerToolCall {
	return &ServerToolCall{
		ID: deref(c.ID), Tool: deref(c.ToolType), Name: deref(c.ToolName), Arguments: present(c.Args),
	}
}

func toolCallRest(c *geminiapi.ToolCall) *geminiapi.ToolCall {
	if c.ToolInput == nil && len(c.Unknown) == 0 {
		return nil
	}
	return &geminiapi.ToolCall{ToolInput: c.ToolInput, Unknown: c.Unknown}
}

func newServerToolResult(r *geminiapi.ToolResponse) *ServerToolResult {
	return &ServerToolResult{ID: deref(r.ID), Tool: deref(r.ToolType), Response: present(r.Response)}
}

func toolResponseRest(r *geminiapi.ToolResponse) *geminiapi.ToolResponse {
	if len(r.Unknown) == 0 {
		return nil
	}
	return &geminiapi.ToolResponse{Unknown: r.Unknown}
}

func newCode(c *geminiapi.ExecutableCode) *Code {
	return &Code{ID: deref(c.ID), Language: deref(c.Language), Source: deref(c.Code)}
}

func executableCodeRest(c *geminiapi.ExecutableCode) *geminiapi.ExecutableCode {
	if len(c.Unknown) == 0 {
		return nil
	}
	return &geminiapi.ExecutableCode{Unknown: c.Unknown}
}

func newCodeResult(r *geminiapi.CodeExecutionResult) *CodeResult {
	return &CodeResult{ID: deref(r.ID), Outcome: deref(r.Outcome), Output: deref(r.Output)}
}

func codeExecutionResultRest(r *geminiapi.CodeExecutionResult) *geminiapi.CodeExecutionResult {
	if len(r.Unknown) == 0 {
		return nil
	}
	return &geminiapi.CodeExecutionResult{Unknown: r.Unknown}
}

func newMedia(b *geminiapi.Blob) *Media {
	return &Media{MIMEType: deref(b.MIMEType), Data: deref(b.Data), DisplayName: deref(b.DisplayName)}
}

func blobRest(b *geminiapi.Blob) *geminiapi.Blob {
	if len(b.Unknown) == 0 {
		return nil
	}
	return &geminiapi.Blob{Unknown: b.Unknown}
}

func newFile(f *geminiapi.FileData) *File {
	return &File{URI: deref(f.FileURI), MIMEType: deref(f.MIMEType), DisplayName: deref(f.DisplayName)}
}

func fileDataRest(f *geminiapi.FileData) *geminiapi.FileData {
	if len(f.Unknown) == 0 {
		return nil
	}
	return &geminiapi.FileData{Unknown: f.Unknown}
}
