package responses

import (
	"encoding/base64"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// jsonValue is an argument that is JSON instead of a text.
type jsonValue = jsontext.Value

// Input returns the input of a request as a list of items: messages, the unchanged output of
// earlier responses, and the results of their calls.
func Input(items ...openaiapi.ResponseItem) wiretype.StringOr[[]openaiapi.ResponseItem] {
	return wiretype.ValueOf(items)
}

// InputText returns the input of a request as one user message.
func InputText(text string) wiretype.StringOr[[]openaiapi.ResponseItem] {
	return wiretype.StringOf[[]openaiapi.ResponseItem](text)
}

// SystemText returns a system message: instructions that take precedence over user messages.
func SystemText(text string) openaiapi.ResponseItem {
	return message(openaiapi.ResponseRoleSystem, InputTextPart(text))
}

// DeveloperText returns a system message for OpenAI's reasoning models, which call the role
// developer.
func DeveloperText(text string) openaiapi.ResponseItem {
	return message(openaiapi.ResponseRoleDeveloper, InputTextPart(text))
}

// UserText returns a user message with one text.
func UserText(text string) openaiapi.ResponseItem {
	return message(openaiapi.ResponseRoleUser, InputTextPart(text))
}

// UserParts returns a user message with several parts, for example a picture and a question about
// it. The message keeps the slice.
func UserParts(parts ...openaiapi.ResponseContentPart) openaiapi.ResponseItem {
	return message(openaiapi.ResponseRoleUser, parts...)
}

// AssistantText returns a model message with one text, for an example of an answer or a turn of a
// plain-text history. For a real answer, send the output of its response.
func AssistantText(text string) openaiapi.ResponseItem {
	return message(openaiapi.ResponseRoleAssistant, openaiapi.ResponseContentPart{
		Type: openaiapi.ResponseContentTypeOutputText, Text: &text,
	})
}

func message(role openaiapi.ResponseRole,
	parts ...openaiapi.ResponseContentPart) openaiapi.ResponseItem {
	return openaiapi.ResponseItem{
		Type: openaiapi.ResponseItemTypeMessage, Role: role, Content: wiretype.ValueOf(parts),
	}
}

// FunctionCallOutput returns the result of a function call of the model, by its call_id. Each call
// needs a result.
func FunctionCallOutput(callID, result string) openaiapi.ResponseItem {
	return output(openaiapi.ResponseItemTypeFunctionCallOutput, callID, result)
}

// CustomToolCallOutput returns the result of a custom tool call, by its call_id.
func CustomToolCallOutput(callID, result string) openaiapi.ResponseItem {
	return output(openaiapi.ResponseItemTypeCustomToolCallOutput, callID, result)
}

func output(kind openaiapi.ResponseItemType, callID, result string) openaiapi.ResponseItem {
	return openaiapi.ResponseItem{
		Type: kind, CallID: callID,
		Output: wiretype.StringOf[wiretype.OneOrList[openaiapi.ResponseContentPart]](result),
	}
}

// InputTextPart returns a text part of a message to the model.
func InputTextPart(text string) openaiapi.ResponseContentPart {
	return openaiapi.ResponseContentPart{Type: openaiapi.ResponseContentTypeInputText, Text: &text}
}

// ImagePart returns a part with an image. data is the raw file, not base64, and mimeType is its
// type, for example "image/png".
func ImagePart(mimeType string, data []byte) openaiapi.ResponseContentPart {
	return imagePart(wiretype.InlineMedia(mimeType, base64.StdEncoding.EncodeToString(data)))
}

// ImageURLPart returns a part with the address of an image, or with the image as a data URL.
func ImageURLPart(url string) openaiapi.ResponseContentPart {
	return imagePart(wiretype.ParseMediaURL(url))
}

func imagePart(url wiretype.MediaURL) openaiapi.ResponseContentPart {
	return openaiapi.ResponseContentPart{
		Type: openaiapi.ResponseContentTypeInputImage, ImageURL: url,
		Detail: openaiapi.ResponseDetailAuto,
	}
}

// FilePart returns a part with a document. data is the raw file, not base64, and mimeType is its
// type, for example "application/pdf". The model sees the name.
func FilePart(name, mimeType string, data []byte) openaiapi.ResponseContentPart {
	return openaiapi.ResponseContentPart{
		Type: openaiapi.ResponseContentTypeInputFile, Filename: name,
		FileData: wiretype.InlineMedia(mimeType, base64.StdEncoding.EncodeToString(data)).String(),
	}
}

// FunctionTool returns a function that the model may call. The model chooses functions by their
// descriptions. parameters is the JSON Schema of the object that holds the arguments, which
// structured.SchemaOf can make from a Go type. Pass nil for a function without arguments.
func FunctionTool(name, description string, parameters jsontext.Value) openaiapi.ResponseTool {
	return openaiapi.ResponseTool{
		Type: openaiapi.ResponseToolTypeFunction, Name: name,
		Description: jsonx.NonEmpty(description),
		Parameters:  parameters, Strict: new(false),
	}
}

// CustomTool returns a tool that the model calls with a text.
func CustomTool(name, description string) openaiapi.ResponseTool {
	return openaiapi.ResponseTool{
		Type: openaiapi.ResponseToolTypeCustom, Name: name,
		Description: jsonx.NonEmpty(description),
	}
}

// ToolChoice returns the tool_choice with which the model chooses the tool itself. mode sets
// whether the model must call a tool.
func ToolChoice(mode openaiapi.ToolChoiceMode) wiretype.StringOr[openaiapi.ResponseToolChoice] {
	return wiretype.StringOf[openaiapi.ResponseToolChoice](string(mode))
}

// ToolChoiceFunction returns the tool_choice that makes the model call a function.
func ToolChoiceFunction(name string) wiretype.StringOr[openaiapi.ResponseToolChoice] {
	return wiretype.ValueOf(openaiapi.ResponseToolChoice{Type: openaiapi.ResponseToolChoiceTypeFunction,
		Name: name})
}

// JSONSchema returns the text setting for an answer in JSON by a schema. The schema needs a name.
func JSONSchema(name string, schema jsontext.Value) *openaiapi.ResponseText {
	return &openaiapi.ResponseText{Format: &openaiapi.ResponseTextFormat{
		Type: openaiapi.ResponseFormatTypeJSONSchema, Name: name, Schema: schema, Strict: new(true),
	}}
}

// Text returns the joined texts of a response's messages, like output_text of OpenAI's clients. It
// is "" without texts.
func Text(r *openaiapi.Response) string {
	var out strings.Builder
	for i := range r.Output {
		parts, _ := r.Output[i].Content.AsValue()
		for j := range parts {
			if parts[j].Type == openaiapi.ResponseContentTypeOutputText {
				out.WriteString(jsonx.Deref(parts[j].Text))
			}
		}
	}
	return out.String()
}
