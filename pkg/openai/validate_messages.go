package openai

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// messages checks the conversation.
func (c *requestCheck) messages(messages []openaiapi.ChatMessage) {
	if len(messages) == 0 {
		c.add("/messages", "length", "must have at least 1 element")
	}
	marks := 0
	for i := range messages {
		c.message("/messages/"+strconv.Itoa(i), &messages[i])
		marks += countBreakpoints(&messages[i])
	}
	if marks > 4 {
		c.add("/messages", "prompt_cache_breakpoint", "must have at most 4 parts with prompt_cache_breakpoint")
	}
	c.results(messages)
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

func (c *requestCheck) message(pointer string, m *openaiapi.ChatMessage) {
	switch m.Role {
	case openaiapi.RoleSystem, openaiapi.RoleDeveloper:
		c.require(pointer+"/content", !m.Content.IsZero())
		c.content(pointer, m.Content, textOnly)
	case openaiapi.RoleUser:
		c.require(pointer+"/content", !m.Content.IsZero())
		c.content(pointer, m.Content, ofUser)
	case openaiapi.RoleAssistant:
		c.answer(pointer, m)
	case openaiapi.RoleTool:
		c.require(pointer+"/tool_call_id", optional.Value(m.ToolCallID) != "")
		c.require(pointer+"/content", !m.Content.IsZero())
		c.content(pointer, m.Content, textOnly)
	case openaiapi.RoleFunction:
		c.require(pointer+"/name", optional.Value(m.Name) != "")
		if _, isList := m.Content.AsValue(); isList {
			c.add(pointer+"/content", "string", "must be a string or null")
		}
	default:
		c.add(pointer+"/role", "oneof", "must be developer, system, user, assistant, tool or function")
	}
}

// answer checks a message of the model, which may lack content where it says something else.
func (c *requestCheck) answer(pointer string, m *openaiapi.ChatMessage) {
	saysMore := len(m.ToolCalls) > 0 || m.FunctionCall != nil || m.Refusal != nil || m.Audio != nil ||
		len(m.Images) > 0 || m.ReasoningContent != nil || m.ExtraContent != nil
	c.require(pointer+"/content", !m.Content.IsZero() || saysMore)
	c.content(pointer, m.Content, ofAssistant)
	for i := range m.ToolCalls {
		c.call(pointer+"/tool_calls/"+strconv.Itoa(i), &m.ToolCalls[i])
	}
	if m.FunctionCall != nil {
		c.require(pointer+"/function_call/name", m.FunctionCall.Name != "")
	}
	for i := range m.Images {
		c.part(pointer+"/images/"+strconv.Itoa(i), &m.Images[i], ofImages)
	}
}

func (c *requestCheck) call(pointer string, call *openaiapi.ToolCall) {
	c.require(pointer+"/id", call.ID != "")
	c.known(pointer+"/type", call.Type.Valid(), "function or custom")
	switch call.Type {
	case openaiapi.ToolTypeFunction:
		c.require(pointer+"/function", call.Function != nil)
		c.require(pointer+"/function/name", call.Function == nil || call.Function.Name != "")
	case openaiapi.ToolTypeCustom:
		c.require(pointer+"/custom", call.Custom != nil)
		c.require(pointer+"/custom/name", call.Custom == nil || call.Custom.Name != "")
	}
}

// contentRule says which parts a content may have.
type contentRule struct {
	types map[openaiapi.ContentPartType]bool
	want  string
}

// The rules of the roles. They are never written to.
var (
	textOnly = contentRule{map[openaiapi.ContentPartType]bool{openaiapi.ContentPartTypeText: true}, "text"}
	ofUser   = contentRule{map[openaiapi.ContentPartType]bool{
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
	ofImages = contentRule{map[openaiapi.ContentPartType]bool{openaiapi.ContentPartTypeImageURL: true}, "image_url"}
)

func (c *requestCheck) content(pointer string, content wiretype.StringOr[[]openaiapi.ContentPart], rule contentRule) {
	parts, isList := content.AsValue()
	if isList && len(parts) == 0 {
		c.add(pointer+"/content", "length", "must have at least 1 element")
	}
	refusals := 0
	for i := range parts {
		c.part(pointer+"/content/"+strconv.Itoa(i), &parts[i], rule)
		if parts[i].Type == openaiapi.ContentPartTypeRefusal {
			refusals++
		}
	}
	if refusals > 0 && len(parts) > 1 && rule.types[openaiapi.ContentPartTypeRefusal] {
		c.add(pointer+"/content", "refusal", "must have text parts, or one refusal alone")
	}
}

func (c *requestCheck) part(pointer string, p *openaiapi.ContentPart, rule contentRule) {
	c.known(pointer+"/type", rule.types[p.Type], rule.want)
	switch p.Type {
	case openaiapi.ContentPartTypeText:
		c.require(pointer+"/text", p.Text != nil)
	case openaiapi.ContentPartTypeRefusal:
		c.require(pointer+"/refusal", p.Refusal != nil)
	case openaiapi.ContentPartTypeImageURL:
		c.image(pointer+"/image_url", p.ImageURL)
	case openaiapi.ContentPartTypeVideoURL:
		c.require(pointer+"/video_url", p.VideoURL != nil)
		c.require(pointer+"/video_url/url", p.VideoURL == nil || p.VideoURL.URL != "")
	case openaiapi.ContentPartTypeInputAudio:
		c.audio(pointer+"/input_audio", p.InputAudio)
	case openaiapi.ContentPartTypeFile:
		c.require(pointer+"/file", p.File != nil)
		c.require(pointer+"/file/file_data", p.File == nil || p.File.FileData != nil || p.File.FileID != nil)
	}
}

func (c *requestCheck) image(pointer string, image *openaiapi.ImageURL) {
	if image == nil {
		c.require(pointer, false)
		return
	}
	c.require(pointer+"/url", !image.URL.IsZero())
	c.known(pointer+"/detail", image.Detail == nil || image.Detail.Valid(), "auto, low or high")
}

func (c *requestCheck) audio(pointer string, audio *openaiapi.InputAudio) {
	if audio == nil {
		c.require(pointer, false)
		return
	}
	c.require(pointer+"/data", audio.Data != "")
	c.known(pointer+"/format", audio.Format.Valid(), "wav or mp3")
}

// results checks that the messages after a message with calls are their results, one for each.
func (c *requestCheck) results(messages []openaiapi.ChatMessage) {
	for i := 0; i < len(messages); i++ {
		if messages[i].Role == openaiapi.RoleTool {
			c.add("/messages/"+strconv.Itoa(i), "tool_calls", "must follow a message of the model with tool_calls")
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
		before := i
		for i+1 < len(messages) && messages[i+1].Role == openaiapi.RoleTool {
			i++
			c.result(&messages[i], i, open)
		}
		for j, call := range calls {
			if open[call.ID] > 0 {
				c.add("/messages/"+strconv.Itoa(before)+"/tool_calls/"+strconv.Itoa(j)+"/id", "result",
					"must be answered by a message of the role tool right after")
			}
		}
	}
}

func (c *requestCheck) result(m *openaiapi.ChatMessage, at int, open map[string]int) {
	id := optional.Value(m.ToolCallID)
	if open[id] == 0 {
		c.add("/messages/"+strconv.Itoa(at)+"/tool_call_id", "tool_calls",
			"must be the id of a call in the message of the model before, not answered yet")
	}
	open[id] = max(open[id]-1, 0)
}
