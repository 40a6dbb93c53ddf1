package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// messages checks the conversation.
func (v *checker) messages(root *codec.Location, messages []openaiapi.ChatMessage) {
	list := root.Member("messages")
	if len(messages) == 0 {
		v.report(&list, "length", "must have at least 1 element")
	}
	marks := 0
	for i := range messages {
		at := list.Element(i)
		v.message(&at, &messages[i])
		marks += countBreakpoints(&messages[i])
	}
	if marks > 4 {
		v.report(&list, "prompt_cache_breakpoint",
			"must have at most 4 parts with prompt_cache_breakpoint")
	}
	v.results(&list, messages)
}

func countBreakpoints(m *openaiapi.ChatMessage) (count int) {
	parts, _ := m.Content.AsValue()
	for i := range parts {
		if parts[i].PromptCacheBreakpoint != nil {
			count++
		}
	}
	return count
}

func (v *checker) message(at *codec.Location, m *openaiapi.ChatMessage) {
	switch m.Role {
	case openaiapi.RoleSystem, openaiapi.RoleDeveloper:
		v.require(at, "content", !m.Content.IsZero())
		v.content(at, m.Content, textOnly)
	case openaiapi.RoleUser:
		v.require(at, "content", !m.Content.IsZero())
		v.content(at, m.Content, ofUser)
	case openaiapi.RoleAssistant:
		v.answer(at, m)
	case openaiapi.RoleTool:
		v.require(at, "tool_call_id", jsonx.Deref(m.ToolCallID) != "")
		v.require(at, "content", !m.Content.IsZero())
		v.content(at, m.Content, textOnly)
	case openaiapi.RoleFunction:
		v.require(at, "name", jsonx.Deref(m.Name) != "")
		if _, isList := m.Content.AsValue(); isList {
			v.reportMember(at, "content", "string", "must be a string or null")
		}
	default:
		v.reportMember(at, "role", "oneof",
			"must be developer, system, user, assistant, tool or function")
	}
}

// answer checks a model message, which needs no content if it has other members such as calls.
func (v *checker) answer(at *codec.Location, m *openaiapi.ChatMessage) {
	hasOther := len(m.ToolCalls) > 0 || m.FunctionCall != nil || m.Refusal != nil ||
		m.Audio != nil ||
		len(m.Images) > 0 || m.ReasoningContent != nil || m.Reasoning != nil ||
		len(m.ReasoningDetails) > 0 || m.ExtraContent != nil
	v.require(at, "content", !m.Content.IsZero() || hasOther)
	v.content(at, m.Content, ofAssistant)
	calls := at.Member("tool_calls")
	for i := range m.ToolCalls {
		call := calls.Element(i)
		v.walkToolCall(&call, &m.ToolCalls[i])
	}
	if m.FunctionCall != nil {
		call := at.Member("function_call")
		v.walkFunctionCall(&call, m.FunctionCall)
	}
	images := at.Member("images")
	for i := range m.Images {
		image := images.Element(i)
		v.part(&image, &m.Images[i], ofImages)
	}
}

// contentRule lists the parts that a content may have.
type contentRule struct {
	types map[openaiapi.ContentPartType]bool
	want  string
}

// The rules of the roles. They are never modified.
var (
	textOnly = contentRule{map[openaiapi.ContentPartType]bool{openaiapi.ContentPartTypeText: true},
		"text"}
	ofUser = contentRule{map[openaiapi.ContentPartType]bool{
		openaiapi.ContentPartTypeText:       true,
		openaiapi.ContentPartTypeImageURL:   true,
		openaiapi.ContentPartTypeInputAudio: true,
		openaiapi.ContentPartTypeFile:       true,
		openaiapi.ContentPartTypeVideoURL:   true,
	}, "text, image_url, input_audio, file or video_url"}
	ofAssistant = contentRule{map[openaiapi.ContentPartType]bool{
		openaiapi.ContentPartTypeText:    true,
		openaiapi.ContentPartTypeRefusal: true,
	}, "text or refusal"}
	ofImages = contentRule{map[openaiapi.ContentPartType]bool{openaiapi.ContentPartTypeImageURL: true},
		"image_url"}
)

func (v *checker) content(message *codec.Location,
	content wiretype.StringOr[[]openaiapi.ContentPart], rule contentRule) {
	parts, isList := content.AsValue()
	list := message.Member("content")
	if isList && len(parts) == 0 {
		v.report(&list, "length", "must have at least 1 element")
	}
	refusals := 0
	for i := range parts {
		at := list.Element(i)
		v.part(&at, &parts[i], rule)
		if parts[i].Type == openaiapi.ContentPartTypeRefusal {
			refusals++
		}
	}
	if refusals > 0 && len(parts) > 1 && rule.types[openaiapi.ContentPartTypeRefusal] {
		v.report(&list, "refusal", "must have text parts, or one refusal alone")
	}
}

func (v *checker) part(at *codec.Location, p *openaiapi.ContentPart, rule contentRule) {
	if !rule.types[p.Type] {
		v.reportMember(at, "type", "oneof", "must be "+rule.want)
	}
	v.walkContentPart(at, p)
}

// results checks that the messages after a message with calls are the results, one for each call.
func (v *checker) results(list *codec.Location, messages []openaiapi.ChatMessage) {
	for i := 0; i < len(messages); i++ {
		at := list.Element(i)
		if messages[i].Role == openaiapi.RoleTool {
			v.report(&at, "tool_calls", "must follow a model message with tool_calls")
			continue
		}
		calls := messages[i].ToolCalls
		if len(calls) == 0 || messages[i].Role != openaiapi.RoleAssistant {
			continue
		}
		open := make(map[string]int, len(calls))
		for _, call := range calls {
			open[call.ID]++
		}
		for i+1 < len(messages) && messages[i+1].Role == openaiapi.RoleTool {
			i++
			result := list.Element(i)
			v.result(&result, &messages[i], open)
		}
		v.unanswered(&at, calls, open)
	}
}

func (v *checker) result(at *codec.Location, m *openaiapi.ChatMessage, open map[string]int) {
	id := jsonx.Deref(m.ToolCallID)
	if open[id] == 0 {
		v.reportMember(at, "tool_call_id", "tool_calls",
			"must be the id of an unanswered call in the previous model message")
	}
	open[id] = max(open[id]-1, 0)
}

// unanswered reports the calls of a message without a result.
func (v *checker) unanswered(message *codec.Location, calls []openaiapi.ToolCall,
	open map[string]int) {
	list := message.Member("tool_calls")
	for i, call := range calls {
		if open[call.ID] > 0 {
			at := list.Element(i)
			v.reportMember(&at, "id", "result",
				"must be answered by the next messages, with the role tool")
		}
	}
}
