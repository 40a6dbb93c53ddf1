package normalize

import (
	"crypto/rand"
	"encoding/base64"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge/callargs"
	"github.com/go-json-experiment/json/jsontext"
)

// toolCall normalises a function call: the model's id or a made one, the name, and the arguments in
// one line.
func (n *normalizer) toolCall(call *geminiapi.FunctionCall, at partPosition) (*ToolCall, error) {
	if jsonx.Deref(call.Name) == "" {
		return nil, &PartError{Pointer: at.pointer("/functionCall"), Problem: problemNoName}
	}
	args, err := callargs.Compact(call.Args)
	if err != nil {
		return nil, &PartError{Pointer: at.pointer("/functionCall/args"), Problem: problemArgs,
			Err: err}
	}
	if args == nil {
		n.out.Ignored = append(n.out.Ignored, at.pointer("/functionCall/args"))
		args = jsontext.Value("{}")
	}
	out := &ToolCall{ID: jsonx.Deref(call.ID), Name: *call.Name, Arguments: args}
	out.Incomplete = jsonx.Deref(call.WillContinue) || len(call.PartialArgs) > 0
	if out.ID == "" {
		out.ID, out.MadeID = n.makeID(at), true
	}
	return out, nil
}

func (n *normalizer) makeID(at partPosition) string {
	if n.toolCallID != nil {
		if id := n.toolCallID(n.out.ID, at.index, at.joined); id != "" {
			return id
		}
	}
	return RandomID()
}

// RandomID returns a new id for a tool call: 22 characters of the URL-safe base64 alphabet (A-Z,
// a-z, 0-9, - and _) that stand for 16 bytes of the system's secure random source.
func RandomID() string {
	var random [16]byte
	rand.Read(random[:]) // never fails: it ends the program if the system has no randomness
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// newToolResult normalises a function's result. By convention the model's turn never holds one, but
// replayed and recorded turns do.
func newToolResult(r *geminiapi.FunctionResponse) *ToolResult {
	return &ToolResult{
		ToolCallID: jsonx.Deref(r.ID),
		Name:       jsonx.Deref(r.Name),
		Content:    jsonx.NonNull(r.Response),
		IsError: jsonx.NonNull(jsonx.Member(r.Response, "error")) != nil &&
			jsonx.NonNull(jsonx.Member(r.Response, "output")) == nil,
	}
}
