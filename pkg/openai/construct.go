package openai

import (
	"encoding/base64"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// SystemText returns a system message: instructions that take precedence over user messages.
func SystemText(text string) openaiapi.ChatMessage {
	return textMessage(openaiapi.RoleSystem, text)
}

// DeveloperText returns a system message for OpenAI's reasoning models, which call the role
// developer.
func DeveloperText(text string) openaiapi.ChatMessage {
	return textMessage(openaiapi.RoleDeveloper, text)
}

// UserText returns a user message with one text.
func UserText(text string) openaiapi.ChatMessage { return textMessage(openaiapi.RoleUser, text) }

// UserParts returns a user message with several parts, for example a picture and a question about
// it. The message keeps the slice.
func UserParts(parts ...openaiapi.ContentPart) openaiapi.ChatMessage {
	return openaiapi.ChatMessage{Role: openaiapi.RoleUser, Content: wiretype.ValueOf(parts)}
}

// AssistantText returns a model message with one text, for an example of an answer or a turn of a
// plain-text history. For real answers of a model use [AssistantTurn].
func AssistantText(text string) openaiapi.ChatMessage {
	return textMessage(openaiapi.RoleAssistant, text)
}

// AssistantTurn returns the message of a completion as a message of the next request. It includes
// everything to send back: calls, thought signatures, images. It shares memory with m.
func AssistantTurn(m *openaiapi.ResponseMessage) openaiapi.ChatMessage {
	out := openaiapi.ChatMessage{
		Role:             openaiapi.RoleAssistant,
		Annotations:      m.Annotations,
		ExtraContent:     m.ExtraContent,
		FunctionCall:     m.FunctionCall,
		Images:           m.Images,
		ReasoningContent: m.ReasoningContent,
		Refusal:          m.Refusal,
		ToolCalls:        m.ToolCalls,
		Unknown:          m.Unknown,
	}
	if m.Content != nil {
		out.Content = wiretype.StringOf[[]openaiapi.ContentPart](*m.Content)
	}
	if a := m.Audio; a != nil {
		out.Audio = &openaiapi.MessageAudio{
			ID: &a.ID, Data: &a.Data, ExpiresAt: &a.ExpiresAt, Transcript: &a.Transcript,
			Unknown: a.Unknown,
		}
	}
	return out
}

// ToolMessage returns the result of a tool call of the model, by the id of the call. Each call of a
// turn needs a result.
func ToolMessage(callID, result string) openaiapi.ChatMessage {
	out := textMessage(openaiapi.RoleTool, result)
	out.ToolCallID = &callID
	return out
}

func textMessage(role openaiapi.Role, text string) openaiapi.ChatMessage {
	return openaiapi.ChatMessage{Role: role,
		Content: wiretype.StringOf[[]openaiapi.ContentPart](text)}
}

// TextPart returns a part with a text.
func TextPart(text string) openaiapi.ContentPart {
	return openaiapi.ContentPart{Type: openaiapi.ContentPartTypeText, Text: &text}
}

// ImagePart returns a part with an image. data is the raw file, not base64, and mimeType is its
// type, for example "image/png".
func ImagePart(mimeType string, data []byte) openaiapi.ContentPart {
	return imagePart(wiretype.InlineMedia(mimeType, base64.StdEncoding.EncodeToString(data)))
}

// ImageURLPart returns a part with the address of an image, or with the image as a data URL.
func ImageURLPart(url string) openaiapi.ContentPart { return imagePart(wiretype.ParseMediaURL(url)) }

func imagePart(url wiretype.MediaURL) openaiapi.ContentPart {
	return openaiapi.ContentPart{
		Type:     openaiapi.ContentPartTypeImageURL,
		ImageURL: &openaiapi.ImageURL{URL: url},
	}
}

// AudioPart returns a part with a recording. data is the raw file, not base64.
func AudioPart(format openaiapi.InputAudioFormat, data []byte) openaiapi.ContentPart {
	return openaiapi.ContentPart{
		Type: openaiapi.ContentPartTypeInputAudio,
		InputAudio: &openaiapi.InputAudio{Data: base64.StdEncoding.EncodeToString(data),
			Format: format},
	}
}

// FilePart returns a part with a document. data is the raw file, not base64, and mimeType is its
// type, for example "application/pdf". The model sees the name.
func FilePart(name, mimeType string, data []byte) openaiapi.ContentPart {
	url := wiretype.InlineMedia(mimeType, base64.StdEncoding.EncodeToString(data)).String()
	return openaiapi.ContentPart{
		Type: openaiapi.ContentPartTypeFile,
		File: &openaiapi.InputFile{Filename: &name, FileData: &url},
	}
}

// FunctionTool returns a function that the model may call. The model chooses functions by their
// descriptions. parameters is the JSON Schema of the object that holds the arguments, which
// structured.SchemaOf can make from a Go type. Pass nil for a function without arguments.
func FunctionTool(name, description string, parameters jsontext.Value) openaiapi.Tool {
	return openaiapi.Tool{
		Type: openaiapi.ToolTypeFunction,
		Function: &openaiapi.FunctionObject{
			Name: name, Description: jsonx.NonEmpty(description), Parameters: parameters,
		},
	}
}

// ToolChoice returns the tool_choice with which the model chooses the tool itself. mode sets
// whether the model must call a tool.
func ToolChoice(mode openaiapi.ToolChoiceMode) wiretype.StringOr[openaiapi.ToolChoice] {
	return wiretype.StringOf[openaiapi.ToolChoice](string(mode))
}

// ToolChoiceFunction returns the tool_choice that makes the model call a function.
func ToolChoiceFunction(name string) wiretype.StringOr[openaiapi.ToolChoice] {
	return wiretype.ValueOf(openaiapi.ToolChoice{
		Type:     openaiapi.ToolChoiceTypeFunction,
		Function: &openaiapi.NamedTool{Name: name},
	})
}

// JSONSchema returns the response_format for an answer in JSON by a schema. OpenAI requires a name
// for the schema, and enforces the schema only if Strict is true.
func JSONSchema(schema openaiapi.JSONSchemaFormat) wiretype.StringOr[openaiapi.ResponseFormat] {
	return wiretype.ValueOf(openaiapi.ResponseFormat{
		Type:       openaiapi.ResponseFormatTypeJSONSchema,
		JSONSchema: &schema,
	})
}

// Stop returns the texts at which generation stops, as a list, also for one text.
func Stop(texts ...string) wiretype.StringOr[[]string] { return wiretype.ValueOf(texts) }

// Text returns the text of a completion's first choice. It is "" without a text: for an answer with
// only calls, a refusal, or a completion without choices.
func Text(completion *openaiapi.CreateChatCompletionResponse) string {
	if len(completion.Choices) == 0 || completion.Choices[0].Message.Content == nil {
		return ""
	}
	return *completion.Choices[0].Message.Content
}
