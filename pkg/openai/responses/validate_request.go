package responses

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// ValidateRequest checks a request against the rules of OpenAI's server: roles, the parts of
// content that each role may have, the members that items of each type need, results for calls,
// tool names, ranges. Like that server it accepts more than the description, such as messages
// without a type. The conversion of requests accepts more than ValidateRequest.
//
// The error is a *[validation.Error]. It lists all violations with their locations, as JSON
// pointers, and says for each what would be right. It never contains a value of the request.
func ValidateRequest(r *openaiapi.CreateResponseRequest) error {
	if r == nil {
		return fmt.Errorf("responses: %w", validation.ErrNotStruct)
	}
	var c requestChecker
	c.input(r)
	c.tools("/tools", r.Tools)
	c.choice(r)
	c.text(r.Text)
	c.ranges(r)
	c.metadata(r.Metadata)
	if c.found == nil {
		return nil
	}
	return &validation.Error{Prefix: "responses", Violations: c.found}
}

// requestChecker collects the violations of a request.
type requestChecker struct{ found []validation.Violation }

// want adds a violation unless a condition holds.
func (c *requestChecker) want(ok bool, pointer, rule, want string) {
	if !ok {
		c.found = append(c.found, validation.Violation{Pointer: pointer, Rule: rule, Want: want})
	}
}

func (c *requestChecker) input(r *openaiapi.CreateResponseRequest) {
	items, isList := r.Input.AsValue()
	goesOn := r.PreviousResponseID != nil || !r.Conversation.IsZero()
	c.want(!r.Input.IsZero() || goesOn || r.Prompt != nil, "/input", "required", "must be set")
	c.want(r.PreviousResponseID == nil || r.Conversation.IsZero(), "/conversation", "excluded",
		"must be absent if previous_response_id is set")
	if !isList {
		return
	}
	for i := range items {
		c.item("/input/"+strconv.Itoa(i), &items[i])
	}
	c.results(items, goesOn)
}

// item checks an item by its type. Messages and references to items may omit the type.
func (c *requestChecker) item(at string, item *openaiapi.ResponseItem) {
	switch item.Type {
	case openaiapi.ResponseItemTypeMessage:
		c.message(at, item)
	case "":
		if item.Role != "" {
			c.message(at, item)
			return
		}
		c.want(item.ID != "", at+"/type", "required",
			"must be set, unless there is a role or the id of an item")
	default:
		c.want(item.Type.Valid(), at+"/type", "oneof",
			"must be an item type that OpenAI documents")
		for _, member := range requestMembers[item.Type] {
			c.want(member.isSet(item), at+"/"+member.name, "required", "must be set")
		}
	}
}

// requestMembers are the members that an item needs in a request. It is never modified.
var requestMembers = map[openaiapi.ResponseItemType][]itemMember{
	openaiapi.ResponseItemTypeFunctionCall: {callIDMember, nameMember,
		{"arguments", func(i *openaiapi.ResponseItem) bool { return !i.Arguments.IsZero() }}},
	openaiapi.ResponseItemTypeFunctionCallOutput: {callIDMember, outputMember},
	openaiapi.ResponseItemTypeCustomToolCall: {callIDMember, nameMember,
		{"input", func(i *openaiapi.ResponseItem) bool { return i.Input != nil }}},
	openaiapi.ResponseItemTypeCustomToolCallOutput: {callIDMember, outputMember},
	openaiapi.ResponseItemTypeItemReference: {{"id",
		func(i *openaiapi.ResponseItem) bool { return i.ID != "" }}},
}

var (
	callIDMember = itemMember{"call_id",
		func(i *openaiapi.ResponseItem) bool { return i.CallID != "" }}
	nameMember   = itemMember{"name", func(i *openaiapi.ResponseItem) bool { return i.Name != "" }}
	outputMember = itemMember{"output",
		func(i *openaiapi.ResponseItem) bool { return !i.Output.IsZero() }}
)

// requestRoles are the roles of messages that clients send. It is never modified.
var requestRoles = []openaiapi.ResponseRole{
	openaiapi.ResponseRoleUser, openaiapi.ResponseRoleAssistant, openaiapi.ResponseRoleSystem,
	openaiapi.ResponseRoleDeveloper,
}

// message checks the role of a message, and that its parts are allowed for the role.
func (c *requestChecker) message(at string, item *openaiapi.ResponseItem) {
	c.want(slices.Contains(requestRoles, item.Role), at+"/role", "oneof",
		"must be user, assistant, system or developer")
	c.want(!item.Content.IsZero(), at+"/content", "required", "must be set")
	parts, _ := item.Content.AsValue()
	for i := range parts {
		kind := parts[i].Type
		isOutput := kind == openaiapi.ResponseContentTypeOutputText ||
			kind == openaiapi.ResponseContentTypeRefusal
		isInput := kind == openaiapi.ResponseContentTypeInputText ||
			kind == openaiapi.ResponseContentTypeInputImage ||
			kind == openaiapi.ResponseContentTypeInputFile
		pointer := at + "/content/" + strconv.Itoa(i) + "/type"
		if item.Role == openaiapi.ResponseRoleAssistant {
			c.want(isOutput, pointer, "oneof",
				"must be output_text or refusal in a model message")
		} else {
			c.want(isInput, pointer, "oneof", "must be input_text, input_image or input_file")
		}
	}
}

// results checks that each call has a result, and each result a call. The calls may also be in the
// conversation that the request continues.
func (c *requestChecker) results(items []openaiapi.ResponseItem, goesOn bool) {
	answered, called := map[string]bool{}, map[string]bool{}
	for i := range items {
		switch items[i].Type {
		case openaiapi.ResponseItemTypeFunctionCall, openaiapi.ResponseItemTypeCustomToolCall:
			called[items[i].CallID] = true
		case openaiapi.ResponseItemTypeFunctionCallOutput,
			openaiapi.ResponseItemTypeCustomToolCallOutput:
			answered[items[i].CallID] = true
		case openaiapi.ResponseItemTypeItemReference:
			goesOn = true
		}
	}
	for i := range items {
		at := "/input/" + strconv.Itoa(i) + "/call_id"
		switch items[i].Type {
		case openaiapi.ResponseItemTypeFunctionCall, openaiapi.ResponseItemTypeCustomToolCall:
			c.want(answered[items[i].CallID], at, "result",
				"must be answered by an item with its output")
		case openaiapi.ResponseItemTypeFunctionCallOutput,
			openaiapi.ResponseItemTypeCustomToolCallOutput:
			c.want(goesOn || called[items[i].CallID], at, "call",
				"must be the id of a call in the input")
		}
	}
}

// tools checks that tools of the client have names.
func (c *requestChecker) tools(at string, tools []openaiapi.ResponseTool) {
	for i := range tools {
		tool, pointer := &tools[i], at+"/"+strconv.Itoa(i)
		switch tool.Type {
		case "":
			c.want(false, pointer+"/type", "required", "must be set")
		case openaiapi.ResponseToolTypeFunction, openaiapi.ResponseToolTypeCustom:
			c.want(isName(tool.Name, 128), pointer+"/name", "name",
				"must have 1 to 128 letters, digits, underscores and dashes")
		case openaiapi.ResponseToolTypeNamespace:
			c.want(isName(tool.Name, 128), pointer+"/name", "name",
				"must have 1 to 128 letters, digits, underscores and dashes")
			c.tools(pointer+"/tools", tool.Tools)
		case openaiapi.ResponseToolTypeMCP:
			c.want(tool.ServerLabel != "", pointer+"/server_label", "required", "must be set")
		}
	}
}

// isName reports whether a text is a name with a maximum number of characters.
func isName(name string, limit int) bool {
	isOther := func(r rune) bool {
		isLetter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		return !isLetter && (r < '0' || r > '9') && r != '_' && r != '-'
	}
	return name != "" && len(name) <= limit && !slices.ContainsFunc([]rune(name), isOther)
}

func (c *requestChecker) choice(r *openaiapi.CreateResponseRequest) {
	if mode, ok := r.ToolChoice.AsString(); ok {
		c.want(mode == "none" || mode == "auto" || mode == "required", "/tool_choice", "oneof",
			"must be none, auto or required")
	}
}

func (c *requestChecker) text(text *openaiapi.ResponseText) {
	if text == nil || text.Format == nil ||
		text.Format.Type != openaiapi.ResponseFormatTypeJSONSchema {
		return
	}
	const at = "/text/format"
	c.want(isName(text.Format.Name, 64), at+"/name", "name",
		"must have 1 to 64 letters, digits, underscores and dashes")
	c.want(text.Format.Schema.Kind() == jsontext.KindBeginObject, at+"/schema", "required",
		"must be a JSON Schema")
}

func (c *requestChecker) ranges(r *openaiapi.CreateResponseRequest) {
	within := func(value *float64, pointer string, least, most float64) {
		c.want(value == nil || least <= *value && *value <= most, pointer, "range",
			"must be from "+strconv.FormatFloat(least, 'g', -1, 64)+" to "+
				strconv.FormatFloat(most, 'g', -1, 64))
	}
	within(r.Temperature, "/temperature", 0, 2)
	within(r.TopP, "/top_p", 0, 1)
	c.want(r.TopLogprobs == nil || 0 <= *r.TopLogprobs && *r.TopLogprobs <= 20, "/top_logprobs",
		"range", "must be from 0 to 20")
	c.want(r.MaxOutputTokens == nil || *r.MaxOutputTokens >= 16, "/max_output_tokens", "range",
		"must be at least 16")
	c.want(r.StreamOptions == nil || jsonx.Deref(r.Stream), "/stream_options", "stream",
		"must be absent, because stream is not true")
}

func (c *requestChecker) metadata(metadata map[string]string) {
	c.want(len(metadata) <= 16, "/metadata", "length", "must have at most 16 members")
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		pointer := jsonx.MemberPointer("/metadata", key)
		c.want(utf8.RuneCountInString(key) <= 64, pointer, "length",
			"must have a name of at most 64 characters")
		c.want(utf8.RuneCountInString(metadata[key]) <= 512, pointer, "length",
			"must have at most 512 characters")
	}
}
