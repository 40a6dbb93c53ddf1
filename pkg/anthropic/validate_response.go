package anthropic

import (
	"strconv"
	"sync"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/structvalidator"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

//go:generate go run ../../tools/codecgen check .:anthropicapi.Message,anthropicapi.StreamEvent ../../gen/anthropicapi

// ValidateResponse checks that a message keeps what Anthropic's documentation promises to clients: required members,
// blocks with what their types need, ids of calls, a reason why it ended that fits, and counts. What gemwire makes of
// an answer of Gemini always passes; it is meant for messages from elsewhere, and for tests.
//
// The error lists all violations with their locations, as JSON pointers, and says for each what would be right; it
// never holds a value of the message.
func ValidateResponse(r *anthropicapi.Message) error {
	if r != nil && isValidMessage(r) {
		return validateEnd(r)
	}
	return validator().Struct(r)
}

// validateEnd checks what holds for a message that is complete, and not for one at the beginning of a stream.
func validateEnd(r *anthropicapi.Message) error {
	var found []validation.Violation
	if r.StopReason == nil {
		found = append(found, validation.Violation{Pointer: "/stop_reason", Rule: "required", Want: "must be set"})
	}
	switch isStop, text := optional.Value(r.StopReason) == anthropicapi.StopReasonStopSequence, optional.Value(r.StopSequence); {
	case isStop && text == "":
		found = append(found, validation.Violation{Pointer: "/stop_sequence", Rule: "required", Want: "must be set, as stop_reason is stop_sequence"})
	case !isStop && text != "":
		found = append(found, validation.Violation{Pointer: "/stop_sequence", Rule: "stop_sequence", Want: "must be null, as stop_reason is not stop_sequence"})
	}
	if r.Usage.InputTokens == nil {
		found = append(found, validation.Violation{Pointer: "/usage/input_tokens", Rule: "required", Want: "must be set"})
	}
	if found == nil {
		return nil
	}
	return &validation.Error{Prefix: "anthropic", Violations: found}
}

// ValidateEvent checks one event of a stream like [ValidateResponse] a message. What events must be together, a
// [Sequence] checks.
func ValidateEvent(e *anthropicapi.StreamEvent) error {
	if e != nil && isValidStreamEvent(e) {
		return nil
	}
	return validator().Struct(e)
}

var validator = sync.OnceValue(func() *structvalidator.Validator {
	return structvalidator.New(
		structvalidator.WithPrefix("anthropic"),
		structvalidator.WithRule(checkMessage),
		structvalidator.WithRule(checkBlock),
		structvalidator.WithRule(checkEvent),
	)
})

// checkMessage checks that calls have ids of their own, and are there where they are the reason why the message ended.
func checkMessage(m *anthropicapi.Message) (out []validation.Violation) {
	var taken map[string]bool
	for i := range m.Content {
		id := optional.Value(m.Content[i].ID)
		if id == "" {
			continue
		}
		if taken[id] {
			out = append(out, violation("/content", i, "/id", "unique", "must be another than that of any call before"))
		}
		if taken == nil {
			taken = map[string]bool{}
		}
		taken[id] = true
	}
	if optional.Value(m.StopReason) == anthropicapi.StopReasonToolUse && len(taken) == 0 {
		out = append(out, validation.Violation{Pointer: "/stop_reason", Rule: "tool_use", Want: "must not be tool_use, as there is no call"})
	}
	return out
}

func violation(list string, index int, member, rule, want string) validation.Violation {
	return validation.Violation{Pointer: list + "/" + strconv.Itoa(index) + member, Rule: rule, Want: want}
}

// checkBlock checks that a block has what its type needs.
func checkBlock(b *anthropicapi.ContentBlock) (out []validation.Violation) {
	require := func(ok bool, member string) {
		if !ok {
			out = append(out, validation.Violation{Pointer: "/" + member, Rule: "required", Want: "must be set"})
		}
	}
	switch b.Type {
	case "":
		require(false, "type")
	case anthropicapi.BlockTypeText:
		require(b.Text != nil, "text")
	case anthropicapi.BlockTypeThinking:
		require(b.Thinking != nil, "thinking")
	case anthropicapi.BlockTypeRedactedThinking:
		require(b.Data != nil, "data")
	case anthropicapi.BlockTypeToolUse, anthropicapi.BlockTypeServerToolUse, anthropicapi.BlockTypeMCPToolUse:
		require(optional.Value(b.Name) != "", "name")
		require(len(b.Input) > 0, "input")
		if len(b.Input) > 0 && b.Input.Kind() != jsontext.KindBeginObject {
			out = append(out, validation.Violation{Pointer: "/input", Rule: "type", Want: "must be an object"})
		}
		if !isCallID(optional.Value(b.ID)) {
			out = append(out, validation.Violation{Pointer: "/id", Rule: "id", Want: "must have letters, digits, underscores and dashes only"})
		}
	case anthropicapi.BlockTypeWebSearchToolResult, anthropicapi.BlockTypeWebFetchToolResult, anthropicapi.BlockTypeCodeExecutionToolResult:
		require(optional.Value(b.ToolUseID) != "", "tool_use_id")
		require(!b.Content.IsZero(), "content")
	}
	return out
}

// checkEvent checks that an event has what its type needs.
func checkEvent(e *anthropicapi.StreamEvent) (out []validation.Violation) {
	require := func(ok bool, member string) {
		if !ok {
			out = append(out, validation.Violation{Pointer: "/" + member, Rule: "required", Want: "must be set"})
		}
	}
	switch e.Type {
	case anthropicapi.EventTypeMessageStart:
		require(e.Message != nil, "message")
	case anthropicapi.EventTypeContentBlockStart:
		require(e.Index != nil, "index")
		require(e.ContentBlock != nil, "content_block")
	case anthropicapi.EventTypeContentBlockDelta:
		require(e.Index != nil, "index")
		require(e.Delta != nil, "delta")
	case anthropicapi.EventTypeContentBlockStop:
		require(e.Index != nil, "index")
	case anthropicapi.EventTypeMessageDelta:
		require(e.Delta != nil, "delta")
		require(e.Usage != nil, "usage")
	case anthropicapi.EventTypeError:
		require(e.Error != nil, "error")
	}
	return out
}
