package openai

import (
	"encoding/base64"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// SystemText returns the instruction that outranks what users say.
func SystemText(text string) openaiapi.ChatMessage {
	return textMessage(openaiapi.RoleSystem, text)
}

// DeveloperText returns the same for OpenAI's reasoning models, which call the role developer.
func DeveloperText(text string) openaiapi.ChatMessage {
	return textMessage(openaiapi.RoleDeveloper, text)
}

// UserText returns a message of the user that is one text.
func UserText(text string) openaiapi.ChatMessage { return textMessage(openaiapi.RoleUser, text) }

// UserParts returns a message of the user of several parts, for example a picture and a question
// about it. The message keeps the slice.
func UserParts(parts ...openaiapi.ContentPart) openaiapi.ChatMessage {
	return openaiapi.ChatMessage{Role: openaiapi.RoleUser, Content: wiretype.ValueOf(parts)}
}

// AssistantText returns a message of the model that is one text: an example of an answer, or one
// from a history of plain texts. [AssistantTurn] is for what a model has answered.
func AssistantText(text string) openaiapi.ChatMessage {
	return textMessage(openaiapi.RoleAssistant, text)
}

// AssistantTurn returns the message of a completion as one of the next request, with all that has
// to come back: calls, thought signatures, images. It shares memory with m.
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
// turn needs one.
func ToolMessage(callID, result string) openaiapi.ChatMessage {
	out := textMessage(openaiapi.RoleTool, result)
	out.ToolCallID = &callID
	return out
}

func textMessage(role openaiapi.Role, text string) openaiapi.ChatMessage {
	return openaiapi.ChatMessage{Role: role,
		Content: wiretype.StringOf[[]openaiapi.ContentPart](text)}
}

// TextPart returns a part that is a text.
func TextPart(text string) openaiapi.ContentPart {
	return openaiapi.ContentPart{Type: openaiapi.ContentPartTypeText, Text: &text}
}

// ImagePart returns a part that holds an image: data is the file as it is, not base64, and mimeType
// is its type, for example "image/png".
func ImagePart(mimeType string, data []byte) openaiapi.ContentPart {
	return imagePart(wiretype.InlineMedia(mimeType, base64.StdEncoding.EncodeToString(data)))
}

// ImageURLPart returns a part that names an image by its address, or is the image as a data URL.
func ImageURLPart(url string) openaiapi.ContentPart { return imagePart(wiretype.ParseMediaURL(url)) }

func imagePart(url wiretype.MediaURL) openaiapi.ContentPart {
	return openaiapi.ContentPart{
		Type:     openaiapi.ContentPartTypeImageURL,
		ImageURL: &openaiapi.ImageURL{URL: url},
	}
}

// AudioPart returns a part that holds a recording: data is the file as it is, not base64.
func AudioPart(format openaiapi.InputAudioFormat, data []byte) openaiapi.ContentPart {
	return openaiapi.ContentPart{
		Type: openaiapi.ContentPartTypeInputAudio,
		InputAudio: &openaiapi.InputAudio{Data: base64.StdEncoding.EncodeToString(data),
			Format: format},
	}
}

// FilePart returns a part that holds a document: data is the file as it is, not base64, and
// mimeType is its type, for example "application/pdf". The model sees the name.
func FilePart(name, mimeType string, data []byte) openaiapi.ContentPart {
	url := wiretype.InlineMedia(mimeType, base64.StdEncoding.EncodeToString(data)).String()
	return openaiapi.ContentPart{
		Type: openaiapi.ContentPartTypeFile,
		File: &openaiapi.InputFile{Filename: &name, FileData: &url},
	}
}

// FunctionTool returns a function that the model may call. It chooses by the description.
// parameters is the JSON Schema of the object that holds the arguments, such as structured.SchemaOf
// makes from a Go type; nil stands for a function without any.
func FunctionTool(name, description string, parameters jsontext.Value) openaiapi.Tool {
	return openaiapi.Tool{
		Type: openaiapi.ToolTypeFunction,
		Function: &openaiapi.FunctionObject{
			Name: name, Description: jsonx.NonEmpty(description), Parameters: parameters,
		},
	}
}

// ToolChoice returns the tool_choice that leaves to the model which tool it calls; mode says
// whether it has to call one.
func ToolChoice(mode openaiapi.ToolChoiceMode) wiretype.StringOr[openaiapi.ToolChoice] {
	return wiretype.StringOf[openaiapi.ToolChoice](string(mode))
}

// ToolChoiceFunction returns the tool_choice that makes the model call this function.
func ToolChoiceFunction(name string) wiretype.StringOr[openaiapi.ToolChoice] {
	return wiretype.ValueOf(openaiapi.ToolChoice{
		Type:     openaiapi.ToolChoiceTypeFunction,
		Function: &openaiapi.NamedTool{Name: name},
	})
}

// JSONSchema returns the response_format of an answer that is JSON by a schema. OpenAI wants the
// schema to have a name, and holds the answer to it only when Strict is true.
func JSONSchema(schema openaiapi.JSONSchemaFormat) wiretype.StringOr[openaiapi.ResponseFormat] {
	return wiretype.ValueOf(openaiapi.ResponseFormat{
		Type:       openaiapi.ResponseFormatTypeJSONSchema,
		JSONSchema: &schema,
	})
}

// Stop returns the texts at which generation ends, as a list, also for one.
func Stop(texts ...string) wiretype.StringOr[[]string] { return wiretype.ValueOf(texts) }

// Text returns the text of a completion's first choice: "" when there is none, as for an answer of
// calls alone, a refusal, or a completion without choices.
func Text(completion *openaiapi.CreateChatCompletionResponse) string {
	if len(completion.Choices) == 0 || completion.Choices[0].Message.Content == nil {
		return ""
	}
	return *completion.Choices[0].Message.Content
}
