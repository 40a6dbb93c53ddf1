package aisdk

import "github.com/go-json-experiment/json/jsontext"

// ToolCall is a whole tool call. Parts for its input ([ToolInputStart] and so on) may come before it.
type ToolCall struct {
	// ToolCallID is the id of the call, which its result names.
	ToolCallID string
	// ToolName is the name of the tool.
	ToolName string
	// Input is the arguments as JSON text; "{}" where there are none.
	Input string
	// ProviderExecuted says that the provider runs the tool and sends the result; nil is absent.
	ProviderExecuted *bool
	// Dynamic says that the tool is not declared by the client; nil is absent.
	Dynamic *bool
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeToolCall].
func (ToolCall) PartType() PartType { return TypeToolCall }

// MarshalJSON returns what [EncodePart] returns.
func (p ToolCall) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p ToolCall) write(w *partWriter) {
	w.text("toolCallId", p.ToolCallID)
	w.text("toolName", p.ToolName)
	w.text("input", p.Input)
	w.optionalFlag("providerExecuted", p.ProviderExecuted)
	w.optionalFlag("dynamic", p.Dynamic)
	w.metadata(p.ProviderMetadata)
}

func readToolCall(r *partReader) Part {
	return ToolCall{
		ToolCallID:       r.text("toolCallId"),
		ToolName:         r.text("toolName"),
		Input:            r.text("input"),
		ProviderExecuted: r.optionalFlag("providerExecuted"),
		Dynamic:          r.optionalFlag("dynamic"),
		ProviderMetadata: r.metadata(),
	}
}

// ToolResult is the result of a tool call that the provider ran.
type ToolResult struct {
	// ToolCallID is the id of the call.
	ToolCallID string
	// ToolName is the name of the tool.
	ToolName string
	// Result is any JSON but null.
	Result jsontext.Value
	// IsError says that the result is an error; nil is absent.
	IsError *bool
	// Preliminary says that another result for the same call follows; nil is absent.
	Preliminary *bool
	// Dynamic says that the tool is not declared by the client; nil is absent.
	Dynamic *bool
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeToolResult].
func (ToolResult) PartType() PartType { return TypeToolResult }

// MarshalJSON returns what [EncodePart] returns.
func (p ToolResult) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p ToolResult) write(w *partWriter) {
	w.text("toolCallId", p.ToolCallID)
	w.text("toolName", p.ToolName)
	w.nonNull("result", p.Result)
	w.optionalFlag("isError", p.IsError)
	w.optionalFlag("preliminary", p.Preliminary)
	w.optionalFlag("dynamic", p.Dynamic)
	w.metadata(p.ProviderMetadata)
}

func readToolResult(r *partReader) Part {
	return ToolResult{
		ToolCallID:       r.text("toolCallId"),
		ToolName:         r.text("toolName"),
		Result:           r.nonNull("result"),
		IsError:          r.optionalFlag("isError"),
		Preliminary:      r.optionalFlag("preliminary"),
		Dynamic:          r.optionalFlag("dynamic"),
		ProviderMetadata: r.metadata(),
	}
}

// ToolApprovalRequest asks the user to allow a call that the provider is to run.
type ToolApprovalRequest struct {
	// ApprovalID is the id of the request, which the answer names.
	ApprovalID string
	// ToolCallID is the id of the call.
	ToolCallID string
	// ProviderMetadata is optional.
	ProviderMetadata ProviderMetadata
}

// PartType returns [TypeToolApprovalRequest].
func (ToolApprovalRequest) PartType() PartType { return TypeToolApprovalRequest }

// MarshalJSON returns what [EncodePart] returns.
func (p ToolApprovalRequest) MarshalJSON() ([]byte, error) { return EncodePart(p) }

func (p ToolApprovalRequest) write(w *partWriter) {
	w.text("approvalId", p.ApprovalID)
	w.text("toolCallId", p.ToolCallID)
	w.metadata(p.ProviderMetadata)
}

func readToolApprovalRequest(r *partReader) Part {
	return ToolApprovalRequest{
		ApprovalID:       r.text("approvalId"),
		ToolCallID:       r.text("toolCallId"),
		ProviderMetadata: r.metadata(),
	}
}
