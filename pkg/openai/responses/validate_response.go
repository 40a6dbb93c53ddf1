package responses

import (
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/structvalidator"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

//go:generate go run ../../../tools/codecgen check .:openaiapi.Response,openaiapi.ResponseEvent ../../../gen/geminiapi ../../../gen/openaiapi

// ValidateResponse checks a response against OpenAI's description and the needs of OpenAI's
// clients: required members, known values, items and parts with everything that their type needs,
// unique ids, a status that fits the rest, counts that add up, and annotations within the text.
// Responses that gemwire makes from Gemini answers always pass. Use it for responses from
// elsewhere, and in tests.
//
// The error lists all violations with their locations, as JSON pointers, and says for each what
// would be right. It never contains a value of the response.
func ValidateResponse(r *openaiapi.Response) error {
	if r != nil && isValidResponse(r) {
		return nil
	}
	return validator().Struct(r)
}

// ValidateEvent checks an event of a stream against OpenAI's description, like [ValidateResponse].
// A [Sequence] checks the order of events.
func ValidateEvent(e *openaiapi.ResponseEvent) error {
	if e != nil && isValidResponseEvent(e) {
		return nil
	}
	return validator().Struct(e)
}

var validator = sync.OnceValue(func() *structvalidator.Validator {
	return structvalidator.New(
		structvalidator.WithPrefix("responses"),
		structvalidator.WithRule(checkResponse),
		structvalidator.WithRule(checkItem),
		structvalidator.WithRule(checkUsage),
		structvalidator.WithRule(checkEvent),
	)
})

func checkResponse(r *openaiapi.Response) (out []validation.Violation) {
	want := func(ok bool, pointer, rule, want string) {
		if !ok {
			out = append(out, validation.Violation{Pointer: pointer, Rule: rule, Want: want})
		}
	}
	want((r.Error != nil) == (r.Status == openaiapi.ResponseStatusFailed), "/error", "status",
		"must be set only in failed responses")
	isCut := r.IncompleteDetails != nil && r.IncompleteDetails.Reason != ""
	want(isCut == (r.Status == openaiapi.ResponseStatusIncomplete), "/incomplete_details", "status",
		"must be set only in incomplete responses")
	for i := range r.Output {
		out = append(out, checkOutput("/output/"+strconv.Itoa(i), &r.Output[i], r.Status)...)
	}
	return append(out, checkNames(r.Output)...)
}

// checkOutput applies the rules for items that a model writes, but not for items that a client
// sends.
func checkOutput(at string, item *openaiapi.ResponseItem,
	status openaiapi.ResponseStatus) (out []validation.Violation) {
	switch item.Type {
	case openaiapi.ResponseItemTypeMessage:
		if item.Role != "" && item.Role != openaiapi.ResponseRoleAssistant {
			out = append(out,
				validation.Violation{Pointer: at + "/role", Rule: "role",
					Want: "must be assistant; the answer is the model's"})
		}
		parts, _ := item.Content.AsValue()
		for i := range parts {
			if kind := parts[i].Type; kind == openaiapi.ResponseContentTypeInputText ||
				kind == openaiapi.ResponseContentTypeInputImage ||
				kind == openaiapi.ResponseContentTypeInputFile {
				out = append(out,
					violation(at+"/content", i, "/type", "type",
						"must be output_text or refusal; the answer is the model's"))
			}
		}
	case openaiapi.ResponseItemTypeFunctionCall:
		text, ok := item.Arguments.AsString()
		if status == openaiapi.ResponseStatusCompleted && ok &&
			!jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) {
			out = append(out,
				validation.Violation{Pointer: at + "/arguments", Rule: "json",
					Want: "must be a text that is JSON"})
		}
	}
	return out
}

func violation(list string, index int, member, rule, want string) validation.Violation {
	return validation.Violation{Pointer: list + "/" + strconv.Itoa(index) + member, Rule: rule,
		Want: want}
}

// checkNames checks that the ids of items are unique.
func checkNames(items []openaiapi.ResponseItem) (out []validation.Violation) {
	if len(items) < 2 {
		return nil
	}
	taken, calls := make(map[string]bool, len(items)), map[string]bool{}
	for i := range items {
		if isCall := items[i].Type == openaiapi.ResponseItemTypeFunctionCall ||
			items[i].Type == openaiapi.ResponseItemTypeCustomToolCall; isCall &&
			items[i].CallID != "" {
			if calls[items[i].CallID] {
				out = append(out,
					violation("/output", i, "/call_id", "unique",
						"must differ from the call_id of any earlier call"))
			}
			calls[items[i].CallID] = true
		}
		if id := items[i].ID; id != "" && taken[id] {
			out = append(out, validation.Violation{
				Pointer: "/output/" + strconv.Itoa(i) + "/id", Rule: "unique",
				Want: "must differ from the id of any earlier item",
			})
		}
		taken[items[i].ID] = true
	}
	return out
}

func checkUsage(u *openaiapi.ResponseUsage) (out []validation.Violation) {
	if u.TotalTokens != u.InputTokens+u.OutputTokens {
		out = append(out,
			validation.Violation{Pointer: "/total_tokens", Rule: "sum",
				Want: "must be the sum of input_tokens and output_tokens"})
	}
	if u.InputTokensDetails.CachedTokens > u.InputTokens {
		out = append(out, validation.Violation{
			Pointer: "/input_tokens_details/cached_tokens", Rule: "within_input",
			Want: "must be at most input_tokens, which includes them",
		})
	}
	if u.OutputTokensDetails.ReasoningTokens > u.OutputTokens {
		out = append(out, validation.Violation{
			Pointer: "/output_tokens_details/reasoning_tokens", Rule: "within_output",
			Want: "must be at most output_tokens, which includes them",
		})
	}
	return out
}

func checkEvent(e *openaiapi.ResponseEvent) (out []validation.Violation) {
	for _, name := range required[e.Type] {
		if !present[name](e) {
			out = append(out,
				validation.Violation{Pointer: "/" + name, Rule: "required", Want: "must be set"})
		}
	}
	if e.Item != nil {
		out = append(out, checkOutput("/item", e.Item, openaiapi.ResponseStatus(e.Item.Status))...)
	}
	return out
}

// checkItem checks that an item has what its type needs.
func checkItem(item *openaiapi.ResponseItem) (out []validation.Violation) {
	if item.ID == "" && item.Type != openaiapi.ResponseItemTypeFunctionCall &&
		item.Type != openaiapi.ResponseItemTypeCustomToolCall {
		out = append(out,
			validation.Violation{Pointer: "/id", Rule: "required", Want: "must be set"})
	}
	for _, member := range itemMembers[item.Type] {
		if !member.isSet(item) {
			out = append(out,
				validation.Violation{Pointer: "/" + member.name, Rule: "required",
					Want: "must be set"})
		}
	}
	if _, isText := item.Arguments.AsString(); hasTextArguments[item.Type] &&
		!item.Arguments.IsZero() && !isText {
		out = append(out,
			validation.Violation{Pointer: "/arguments", Rule: "type",
				Want: "must be a string that holds JSON"})
	}
	parts, _ := item.Content.AsValue()
	for i := range parts {
		out = append(out, checkPart("/content/"+strconv.Itoa(i), &parts[i])...)
	}
	return out
}

// hasTextArguments has the types of items whose arguments are JSON in a string. The arguments of a
// tool search are an object. It is never modified.
var hasTextArguments = map[openaiapi.ResponseItemType]bool{
	openaiapi.ResponseItemTypeFunctionCall:       true,
	openaiapi.ResponseItemTypeMCPCall:            true,
	openaiapi.ResponseItemTypeMCPApprovalRequest: true,
}

// itemMember is a member of an item.
type itemMember struct {
	name  string
	isSet func(*openaiapi.ResponseItem) bool
}

// itemMembers has the members that an item of an answer needs besides its type and id. It is never
// modified.
var itemMembers = map[openaiapi.ResponseItemType][]itemMember{
	openaiapi.ResponseItemTypeMessage: {
		{"role", func(i *openaiapi.ResponseItem) bool { return i.Role != "" }},
		{"status", hasStatus},
		{"content", func(i *openaiapi.ResponseItem) bool { return !i.Content.IsZero() }},
	},
	openaiapi.ResponseItemTypeReasoning: {
		{"summary", func(i *openaiapi.ResponseItem) bool { return i.Summary != nil }},
	},
	openaiapi.ResponseItemTypeFunctionCall: {
		{"call_id", hasCallID},
		{"name", hasName},
		{"arguments", func(i *openaiapi.ResponseItem) bool { return !i.Arguments.IsZero() }},
	},
	openaiapi.ResponseItemTypeCustomToolCall: {
		{"call_id", hasCallID},
		{"name", hasName},
		{"input", func(i *openaiapi.ResponseItem) bool { return i.Input != nil }},
	},
	openaiapi.ResponseItemTypeWebSearchCall: {{"status", hasStatus}},
	openaiapi.ResponseItemTypeFileSearchCall: {{"status", hasStatus},
		{"queries", func(i *openaiapi.ResponseItem) bool { return i.Queries != nil }}},
	openaiapi.ResponseItemTypeCodeInterpreterCall: {{"status", hasStatus},
		{"container_id", func(i *openaiapi.ResponseItem) bool { return i.ContainerID != "" }}},
	openaiapi.ResponseItemTypeImageGenerationCall: {{"status", hasStatus}},
}

func hasStatus(i *openaiapi.ResponseItem) bool { return i.Status != "" }
func hasCallID(i *openaiapi.ResponseItem) bool { return i.CallID != "" }
func hasName(i *openaiapi.ResponseItem) bool   { return i.Name != "" }

// checkPart checks that a content part has what its type needs. It counts the characters of the
// text only if something refers to them.
func checkPart(at string, part *openaiapi.ResponseContentPart) (out []validation.Violation) {
	want := func(ok bool, member, rule, want string) {
		if !ok {
			out = append(out, validation.Violation{Pointer: at + member, Rule: rule, Want: want})
		}
	}
	switch part.Type {
	case openaiapi.ResponseContentTypeOutputText:
		want(part.Annotations != nil, "/annotations", "required", "must be a list")
		fallthrough
	case openaiapi.ResponseContentTypeReasoningText:
		want(part.Text != nil, "/text", "required", "must be set")
	case openaiapi.ResponseContentTypeRefusal:
		want(part.Refusal != nil, "/refusal", "required", "must be set")
	}
	length := -1
	for i := range part.Annotations {
		a := &part.Annotations[i]
		member := "/annotations/" + strconv.Itoa(i)
		want(a.Type != "", member+"/type", "required", "must be set")
		if a.Type != openaiapi.ResponseAnnotationTypeURLCitation || part.Text == nil {
			continue
		}
		if length < 0 {
			length = utf8.RuneCountInString(*part.Text)
		}
		isWithin := a.StartIndex != nil && a.EndIndex != nil && 0 <= *a.StartIndex &&
			*a.StartIndex <= *a.EndIndex && *a.EndIndex <= length
		want(isWithin, member, "within_text",
			"must be a part of the text, which has "+strconv.Itoa(length)+" characters")
		want(a.URL != "" && a.Title != nil, member, "required", "must have a url and a title")
	}
	return out
}
