package anthropic

import (
	"encoding/base64"
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// System returns the instructions of a request as one text.
func System(text string) wiretype.StringOr[[]anthropicapi.ContentBlock] {
	return wiretype.StringOf[[]anthropicapi.ContentBlock](text)
}

// UserText returns a user message with one text.
func UserText(text string) anthropicapi.InputMessage {
	return anthropicapi.InputMessage{Role: anthropicapi.RoleUser, Content: System(text)}
}

// UserBlocks returns a user message with several blocks, for example an image and a question about
// it, or the results of calls. The message keeps the slice.
func UserBlocks(list ...anthropicapi.ContentBlock) anthropicapi.InputMessage {
	return anthropicapi.InputMessage{Role: anthropicapi.RoleUser, Content: wiretype.ValueOf(list)}
}

// AssistantText returns a model message with one text, for an example of an answer or a turn of a
// plain-text history. For real answers of a model use [AssistantTurn].
func AssistantText(text string) anthropicapi.InputMessage {
	return anthropicapi.InputMessage{Role: anthropicapi.RoleAssistant, Content: System(text)}
}

// AssistantTurn returns a message as a message of the next request. It includes everything to send
// back: calls, and thoughts with their signatures. It shares memory with m.
func AssistantTurn(m *anthropicapi.Message) anthropicapi.InputMessage {
	return anthropicapi.InputMessage{Role: anthropicapi.RoleAssistant,
		Content: wiretype.ValueOf(m.Content)}
}

// TextBlock returns a block with a text.
func TextBlock(text string) anthropicapi.ContentBlock {
	return anthropicapi.ContentBlock{Type: anthropicapi.BlockTypeText, Text: &text}
}

// ImageBlock returns a block with an image. data is the raw file, not base64, and mediaType is its
// type, for example "image/png".
func ImageBlock(mediaType string, data []byte) anthropicapi.ContentBlock {
	return inline(anthropicapi.BlockTypeImage, mediaType, data)
}

// ImageURLBlock returns a block with the address of an image.
func ImageURLBlock(url string) anthropicapi.ContentBlock {
	return anthropicapi.ContentBlock{
		Type:   anthropicapi.BlockTypeImage,
		Source: wiretype.ValueOf(anthropicapi.Source{Type: anthropicapi.SourceTypeURL, URL: &url}),
	}
}

// DocumentBlock returns a block with a PDF. data is the raw file, not base64. The model sees the
// title, which may be empty.
func DocumentBlock(title string, data []byte) anthropicapi.ContentBlock {
	block := inline(anthropicapi.BlockTypeDocument, "application/pdf", data)
	if title != "" {
		block.Title = wiretype.Present(title)
	}
	return block
}

func inline(kind anthropicapi.BlockType, mediaType string, data []byte) anthropicapi.ContentBlock {
	encoded := base64.StdEncoding.EncodeToString(data)
	return anthropicapi.ContentBlock{
		Type: kind,
		Source: wiretype.ValueOf(anthropicapi.Source{Type: anthropicapi.SourceTypeBase64,
			MediaType: &mediaType, Data: &encoded}),
	}
}

// ToolResult returns the result of a call of the model, by the id of the call. The next user
// message must begin with the results of all calls of a message.
func ToolResult(callID, result string) anthropicapi.ContentBlock {
	return anthropicapi.ContentBlock{
		Type: anthropicapi.BlockTypeToolResult, ToolUseID: &callID,
		Content: wiretype.StringOf[wiretype.OneOrList[anthropicapi.ContentBlock]](result),
	}
}

// ToolFailure returns the result of a call that failed. The text explains the failure to the model.
func ToolFailure(callID, problem string) anthropicapi.ContentBlock {
	block := ToolResult(callID, problem)
	block.IsError = new(true)
	return block
}

// FunctionTool returns a tool of the client that the model may call. The model chooses tools by
// their descriptions. schema is the JSON Schema of the object that is the input, which
// structured.SchemaOf can make from a Go type. Pass nil for a tool without input.
func FunctionTool(name, description string, schema jsontext.Value) anthropicapi.Tool {
	if schema == nil {
		schema = jsontext.Value(`{"type":"object"}`)
	}
	return anthropicapi.Tool{Name: name, Description: jsonx.NonEmpty(description),
		InputSchema: schema}
}

// JSONSchema returns the output_config for an answer in JSON by a schema.
func JSONSchema(schema jsontext.Value) *anthropicapi.OutputConfig {
	return &anthropicapi.OutputConfig{Format: &anthropicapi.OutputFormat{Type: "json_schema",
		Schema: schema}}
}

// Text returns the joined text blocks of a message, or "" if it has none.
func Text(m *anthropicapi.Message) string {
	var text strings.Builder
	for i := range m.Content {
		if m.Content[i].Type == anthropicapi.BlockTypeText {
			text.WriteString(jsonx.Deref(m.Content[i].Text))
		}
	}
	return text.String()
}
