package anthropic

import (
	"errors"
	"strconv"
	"sync"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/structvalidator"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

//go:generate go run ../../tools/codecgen check .:anthropicapi.Message,anthropicapi.StreamEvent ../../gen/anthropicapi

// ValidateResponse checks a message against Anthropic's documentation: required members, blocks
// with what their types need, ids of calls, a matching stop reason, and counts. Messages that
// gemwire makes from Gemini answers always pass. Use it for messages from elsewhere, and in tests.
//
// The error lists all violations with their locations, as JSON pointers, and says for each what
// would be right. It never contains a value of the message.
func ValidateResponse(r *anthropicapi.Message) error {
	if r == nil {
		return validator().Struct(r)
	}
	var found []validation.Violation
	if !isValidMessage(r) {
		invalid, ok := errors.AsType[*validation.Error](validator().Struct(r))
		if ok {
			found = invalid.Violations
		}
	}
	if found = append(found, checkEnd(r)...); found == nil {
		return nil
	}
	return &validation.Error{Prefix: "anthropic", Violations: found}
}

// checkEnd applies the rules for complete messages, but not for a message at the beginning of a
// stream.
func checkEnd(r *anthropicapi.Message) (found []validation.Violation) {
	for i := range r.Content {
		if b := &r.Content[i]; b.Type == anthropicapi.BlockTypeThinking && b.Signature == nil {
			found = append(found, violation("/content", i, "/signature", "required", "must be set"))
		}
	}
	if r.StopReason == nil {
		found = append(found,
			validation.Violation{Pointer: "/stop_reason", Rule: "required", Want: "must be set"})
	}
	switch isStop, text := jsonx.Deref(r.StopReason) == anthropicapi.StopReasonStopSequence,
		jsonx.Deref(r.StopSequence); {
	case isStop && text == "":
		found = append(found,
			validation.Violation{Pointer: "/stop_sequence", Rule: "required",
				Want: "must be set, because stop_reason is stop_sequence"})
	case !isStop && text != "":
		found = append(found,
			validation.Violation{Pointer: "/stop_sequence", Rule: "stop_sequence",
				Want: "must be null, because stop_reason is not stop_sequence"})
	}
	if r.Usage.InputTokens == nil {
		found = append(found,
			validation.Violation{Pointer: "/usage/input_tokens", Rule: "required",
				Want: "must be set"})
	}
	return found
}

// ValidateEvent checks one event of a stream, like [ValidateResponse]. A [Sequence] checks the
// events together.
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
		structvalidator.WithRule(checkUsage),
	)
})

// checkMessage checks that blocks are the model's, that calls have unique ids, and that there are
// calls if they are the stop reason.
func checkMessage(m *anthropicapi.Message) (out []validation.Violation) {
	var taken map[string]bool
	for i := range m.Content {
		if isOfRequests(m.Content[i].Type) {
			out = append(out, violation("/content", i, "/type", "type", wantOfModel))
		}
		id := jsonx.Deref(m.Content[i].ID)
		if id == "" {
			continue
		}
		if taken[id] {
			out = append(out,
				violation("/content", i, "/id", "unique",
					"must differ from the id of any earlier call"))
		}
		if taken == nil {
			taken = map[string]bool{}
		}
		taken[id] = true
	}
	if jsonx.Deref(m.StopReason) == anthropicapi.StopReasonToolUse && len(taken) == 0 {
		out = append(out,
			validation.Violation{Pointer: "/stop_reason", Rule: "tool_use",
				Want: "must not be tool_use, because there is no call"})
	}
	return out
}

const wantOfModel = "must be a block that the model writes, such as text; this one is for requests"

// isOfRequests reports whether only requests have a block.
func isOfRequests(t anthropicapi.BlockType) bool {
	switch t {
	case anthropicapi.BlockTypeToolResult, anthropicapi.BlockTypeImage,
		anthropicapi.BlockTypeDocument, anthropicapi.BlockTypeSearchResult:
		return true
	default:
		return false
	}
}

// checkUsage checks that the parts of a count do not exceed the count.
func checkUsage(u *anthropicapi.Usage) (out []validation.Violation) {
	within := func(part, whole int, pointer, name string) {
		if part > whole {
			out = append(out,
				validation.Violation{Pointer: pointer, Rule: "within",
					Want: "must be at most " + name + ", which includes it"})
		}
	}
	if created, ok := u.CacheCreation.Value(); ok {
		whole, _ := u.CacheCreationInputTokens.Value()
		within(created.Ephemeral5MInputTokens+created.Ephemeral1HInputTokens, whole,
			"/cache_creation", "cache_creation_input_tokens")
	}
	if details, ok := u.OutputTokensDetails.Value(); ok {
		within(details.ThinkingTokens, u.OutputTokens, "/output_tokens_details/thinking_tokens",
			"output_tokens")
	}
	return out
}

func violation(list string, index int, member, rule, want string) validation.Violation {
	return validation.Violation{Pointer: list + "/" + strconv.Itoa(index) + member, Rule: rule,
		Want: want}
}

// checkBlock checks that a block has what its type needs.
func checkBlock(b *anthropicapi.ContentBlock) (out []validation.Violation) {
	require := func(ok bool, member string) {
		if !ok {
			out = append(out,
				validation.Violation{Pointer: "/" + member, Rule: "required", Want: "must be set"})
		}
	}
	switch b.Type {
	case "":
		require(false, "type")
	case anthropicapi.BlockTypeText:
		require(b.Text != nil, "text")
		citations, _ := b.Citations.AsList()
		for i := range citations {
			out = append(out, checkCitation("/citations/"+strconv.Itoa(i), &citations[i])...)
		}
	case anthropicapi.BlockTypeThinking:
		require(b.Thinking != nil, "thinking")
	case anthropicapi.BlockTypeRedactedThinking:
		require(b.Data != nil, "data")
	case anthropicapi.BlockTypeToolUse, anthropicapi.BlockTypeServerToolUse,
		anthropicapi.BlockTypeMCPToolUse:
		require(jsonx.Deref(b.Name) != "", "name")
		require(len(b.Input) > 0, "input")
		if len(b.Input) > 0 && b.Input.Kind() != jsontext.KindBeginObject {
			out = append(out,
				validation.Violation{Pointer: "/input", Rule: "type", Want: "must be an object"})
		}
		if !isCallID(jsonx.Deref(b.ID)) {
			out = append(out,
				validation.Violation{Pointer: "/id", Rule: "id",
					Want: "must have letters, digits, underscores and dashes only"})
		}
	case anthropicapi.BlockTypeWebSearchToolResult, anthropicapi.BlockTypeWebFetchToolResult,
		anthropicapi.BlockTypeCodeExecutionToolResult:
		require(jsonx.Deref(b.ToolUseID) != "", "tool_use_id")
		require(!b.Content.IsZero(), "content")
	}
	return out
}

// citedRanges are the members of a citation with the start and the end of the cited text, and the
// minimum of the start. It is never modified.
var citedRanges = []struct {
	begin, end string
	least      int
	of         func(*anthropicapi.Citation) (begin, end *int)
}{
	{"start_char_index", "end_char_index", 0,
		func(c *anthropicapi.Citation) (begin,
			end *int) {
			return c.StartCharIndex, c.EndCharIndex
		}},
	{"start_page_number", "end_page_number", 1,
		func(c *anthropicapi.Citation) (begin,
			end *int) {
			return c.StartPageNumber, c.EndPageNumber
		}},
	{"start_block_index", "end_block_index", 0,
		func(c *anthropicapi.Citation) (begin,
			end *int) {
			return c.StartBlockIndex, c.EndBlockIndex
		}},
}

// checkCitation checks that a citation has a valid range of a valid document. The end of a range is
// exclusive.
func checkCitation(at string, c *anthropicapi.Citation) (out []validation.Violation) {
	atLeast := func(value *int, least int, member, what string) {
		if value != nil && *value < least {
			out = append(out,
				validation.Violation{Pointer: at + "/" + member, Rule: "range",
					Want: "must be at least " + strconv.Itoa(least) + what})
		}
	}
	atLeast(c.DocumentIndex, 0, "document_index", "")
	atLeast(c.SearchResultIndex, 0, "search_result_index", "")
	for _, r := range citedRanges {
		begin, end := r.of(c)
		atLeast(begin, r.least, r.begin, "")
		if begin != nil {
			atLeast(end, *begin+1, r.end, ", after "+r.begin)
		}
	}
	return out
}

// checkEvent checks that an event has what its type needs.
func checkEvent(e *anthropicapi.StreamEvent) (out []validation.Violation) {
	require := func(ok bool, member string) {
		if !ok {
			out = append(out,
				validation.Violation{Pointer: "/" + member, Rule: "required", Want: "must be set"})
		}
	}
	switch e.Type {
	case anthropicapi.EventTypeMessageStart:
		require(e.Message != nil, "message")
	case anthropicapi.EventTypeContentBlockStart:
		require(e.Index != nil, "index")
		require(e.ContentBlock != nil, "content_block")
		if e.ContentBlock != nil && isOfRequests(e.ContentBlock.Type) {
			out = append(out,
				validation.Violation{Pointer: "/content_block/type", Rule: "type",
					Want: wantOfModel})
		}
	case anthropicapi.EventTypeContentBlockDelta:
		require(e.Index != nil, "index")
		require(e.Delta != nil, "delta")
		if e.Delta != nil && e.Delta.Citation != nil {
			out = append(out, checkCitation("/delta/citation", e.Delta.Citation)...)
		}
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
