package responses

import (
	"encoding/base64"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// jsonValue is what arguments are in place of a text.
type jsonValue = jsontext.Value

// Input returns the input of a request that is a list of items: messages, the output of earlier
// responses as it is, and the results of its calls.
func Input(items ...openaiapi.ResponseItem) wiretype.StringOr[[]openaiapi.ResponseItem] {
	return wiretype.ValueOf(items)
}

// InputText returns the input of a request that is one message of the user.
func InputText(text string) wiretype.StringOr[[]openaiapi.ResponseItem] {
	return wiretype.StringOf[[]openaiapi.ResponseItem](text)
}

// SystemText returns the instruction that outranks what users say.
func SystemText(text string) openaiapi.ResponseItem {
	return message(openaiapi.ResponseRoleSystem, InputTextPart(text))
}

// DeveloperText returns the same for OpenAI's reasoning models, which call the role developer.
func DeveloperText(text string) openaiapi.ResponseItem {
	return message(openaiapi.ResponseRoleDeveloper, InputTextPart(text))
}

// UserText returns a message of the user that is one text.
func UserText(text string) openaiapi.ResponseItem {
	return message(openaiapi.ResponseRoleUser, InputTextPart(text))
}

// UserParts returns a message of the user of several parts, for example a picture and a question
// about it. The message keeps the slice.
func UserParts(parts ...openaiapi.ResponseContentPart) openaiapi.ResponseItem {
	return message(openaiapi.ResponseRoleUser, parts...)
}

// AssistantText returns a message of the model that is one text: an example of an answer, or one
// from a history of plain texts. What a model has answered is the output of its response.
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
// needs one.
func FunctionCallOutput(callID, result string) openaiapi.ResponseItem {
	return output(openaiapi.ResponseItemTypeFunctionCallOutput, callID, result)
}

// CustomToolCallOutput returns the result of a call of a custom tool, by its call_id.
func CustomToolCallOutput(callID, result string) openaiapi.ResponseItem {
	return output(openaiapi.ResponseItemTypeCustomToolCallOutput, callID, result)
}

func output(kind openaiapi.ResponseItemType, callID, result string) openaiapi.ResponseItem {
	return openaiapi.ResponseItem{
		Type: kind, CallID: callID,
		Output: wiretype.StringOf[wiretype.OneOrList[openaiapi.ResponseContentPart]](result),
	}
}

// InputTextPart returns a part of a message to the model that is a text.
func InputTextPart(text string) openaiapi.ResponseContentPart {
	return openaiapi.ResponseContentPart{Type: openaiapi.ResponseContentTypeInputText, Text: &text}
}

// ImagePart returns a part that holds an image: data is the file as it is, not base64, and mimeType
// is its type, for example "image/png".
func ImagePart(mimeType string, data []byte) openaiapi.ResponseContentPart {
	return imagePart(wiretype.InlineMedia(mimeType, base64.StdEncoding.EncodeToString(data)))
}

// ImageURLPart returns a part that names an image by its address, or is the image as a data URL.
func ImageURLPart(url string) openaiapi.ResponseContentPart {
	return imagePart(wiretype.ParseMediaURL(url))
}

func imagePart(url wiretype.MediaURL) openaiapi.ResponseContentPart {
	return openaiapi.ResponseContentPart{
		Type: openaiapi.ResponseContentTypeInputImage, ImageURL: url,
		Detail: openaiapi.ResponseDetailAuto,
	}
}

// FilePart returns a part that holds a document: data is the file as it is, not base64, and
// mimeType is its type, for example "application/pdf". The model sees the name.
func FilePart(name, mimeType string, data []byte) openaiapi.ResponseContentPart {
	return openaiapi.ResponseContentPart{
		Type: openaiapi.ResponseContentTypeInputFile, Filename: name,
		FileData: wiretype.InlineMedia(mimeType, base64.StdEncoding.EncodeToString(data)).String(),
	}
}

// FunctionTool returns a function that the model may call. It chooses by the description.
// parameters is the JSON Schema of the object that holds the arguments, such as structured.SchemaOf
// makes from a Go type; nil stands for a function without any.
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

// ToolChoice returns the tool_choice that leaves to the model which tool it calls; mode says
// whether it has to call one.
func ToolChoice(mode openaiapi.ToolChoiceMode) wiretype.StringOr[openaiapi.ResponseToolChoice] {
	return wiretype.StringOf[openaiapi.ResponseToolChoice](string(mode))
}

// ToolChoiceFunction returns the tool_choice that makes the model call this function.
func ToolChoiceFunction(name string) wiretype.StringOr[openaiapi.ResponseToolChoice] {
	return wiretype.ValueOf(openaiapi.ResponseToolChoice{Type: openaiapi.ResponseToolChoiceTypeFunction,
		Name: name})
}

// JSONSchema returns the text of an answer that is JSON by a schema, which needs a name.
func JSONSchema(name string, schema jsontext.Value) *openaiapi.ResponseText {
	return &openaiapi.ResponseText{Format: &openaiapi.ResponseTextFormat{
		Type: openaiapi.ResponseFormatTypeJSONSchema, Name: name, Schema: schema, Strict: new(true),
	}}
}

// Text returns the texts of a response's messages, put together, as OpenAI's clients do for
// output_text: "" when there are none.
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
