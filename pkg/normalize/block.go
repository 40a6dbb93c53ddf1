package normalize

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json/jsontext"
)

// BlockType is what a block of content is, and so which of its members are set.
type BlockType string

// The types of blocks.
const (
	// BlockText is text of the answer: Text.
	BlockText BlockType = "text"
	// BlockThinking is a summary of the model's thoughts: Text.
	BlockThinking BlockType = "thinking"
	// BlockRedactedThinking is thinking that may be passed back but not read: Data.
	BlockRedactedThinking BlockType = "redacted_thinking"
	// BlockToolCall is a call of a function that the caller declared: ToolCall.
	BlockToolCall BlockType = "tool_call"
	// BlockToolResult is the result of such a call: ToolResult.
	BlockToolResult BlockType = "tool_result"
	// BlockMedia is media whose bytes are in the response: Media.
	BlockMedia BlockType = "media"
	// BlockFile is media that the response refers to: File.
	BlockFile BlockType = "file"
	// BlockCode is code that the model wrote and Google ran: Code.
	BlockCode BlockType = "code"
	// BlockCodeResult is what running the code gave: CodeResult.
	BlockCodeResult BlockType = "code_result"
	// BlockServerToolCall is a call of one of Google's own tools: ServerToolCall.
	BlockServerToolCall BlockType = "server_tool_call"
	// BlockServerToolResult is the result of such a call: ServerToolResult.
	BlockServerToolResult BlockType = "server_tool_result"
	// BlockSignature is a thought signature on a part that holds nothing else, as recent models
	// send at the end of a stream: Signature.
	BlockSignature BlockType = "signature"
	// BlockUnknown is a part of a kind that this version does not know: Extra, the whole part.
	BlockUnknown BlockType = "unknown"
)

// Block is one piece of a candidate's content: a tagged union, in which Type tells the member that
// is set. Blocks stand in the order of the wire's parts; a part that says several things at once
// gives one block and keeps the rest in Extra. The zero value is not a valid block.
type Block struct {
	// Type tells which of the members below is set.
	Type BlockType `json:"type" validate:"required,oneof=text thinking redacted_thinking tool_call tool_result media file code code_result server_tool_call server_tool_result signature unknown"`
	// Part is the position of the wire part in the candidate's content, counted from 0 over all
	// parts. Skipped parts leave a gap.
	Part int `json:"part" validate:"gte=0"`
	// Text is the text of a text or thinking block, UTF-8.
	Text string `json:"text,omitzero"`
	// Data is the opaque content of redacted thinking, in the provider's encoding.
	Data string `json:"data,omitzero"`
	// Signature is the thought signature of the part, an opaque string that must go back to the
	// model byte for byte on the same part; "" when there is none.
	Signature string `json:"signature,omitzero"`
	// Thought reports that a block of another type than thinking belongs to the model's thoughts
	// and not to its answer, such as the draft images of image models.
	Thought bool `json:"thought,omitzero"`

	ToolCall         *ToolCall         `json:"tool_call,omitzero"`
	ToolResult       *ToolResult       `json:"tool_result,omitzero"`
	Media            *Media            `json:"media,omitzero"`
	File             *File             `json:"file,omitzero"`
	Code             *Code             `json:"code,omitzero"`
	CodeResult       *CodeResult       `json:"code_result,omitzero"`
	ServerToolCall   *ServerToolCall   `json:"server_tool_call,omitzero"`
	ServerToolResult *ServerToolResult `json:"server_tool_result,omitzero"`

	// Extra holds, in the wire's form, what the part said beyond the members above: video
	// metadata, part metadata, members that no schema knows. Nil when there is nothing.
	Extra *geminiapi.Part `json:"extra,omitzero" validate:"-"`
}

// ToolCall is a call of a function that the caller declared and now has to run.
type ToolCall struct {
	// ID identifies the call in its conversation: the model's own id, or a made one.
	ID string `json:"id" validate:"required"`
	// MadeID reports that the model sent no id and this package made one.
	MadeID bool `json:"made_id,omitzero"`
	// Name is the function's name.
	Name string `json:"name" validate:"required"`
	// Arguments is the call's JSON object with the key order, numbers and escapes of the wire,
	// without white space; "{}" when the model sent none.
	Arguments jsontext.Value `json:"arguments" validate:"required"`
	// Incomplete reports that the arguments came in pieces of which some are missing, because the
	// stream ended within them or a piece contradicts another one. They were completed to JSON, but
	// the call must not be run.
	Incomplete bool `json:"incomplete,omitzero"`
}

// ToolResult is what running a tool call gave.
type ToolResult struct {
	// ToolCallID is the id of the call, "" where the wire has none.
	ToolCallID string `json:"tool_call_id,omitzero"`
	// Name is the function's name.
	Name string `json:"name,omitzero"`
	// Content is the result, a JSON value with the bytes of the wire.
	Content jsontext.Value `json:"content,omitzero"`
	// IsError reports that the call failed: by Google's convention the result has a member error,
	// and none named output.
	IsError bool `json:"is_error,omitzero"`
}

// Media is an image, a sound or other bytes within the response.
type Media struct {
	// MIMEType is the media type, "" where the wire has none.
	MIMEType string `json:"mime_type,omitzero"`
	// Data is base64 as it stood on the wire, never decoded on the way through.
	Data string `json:"data"`
	// DisplayName is the name given to the media, if any (Vertex AI).
	DisplayName string `json:"display_name,omitzero"`
}

// File is media that the response refers to by address.
type File struct {
	// URI is the address: of the Files API, of Cloud Storage (gs://) or of the web.
	URI string `json:"uri"`
	// MIMEType is the media type, "" where the wire has none.
	MIMEType string `json:"mime_type,omitzero"`
	// DisplayName is the name given to the file, if any (Vertex AI).
	DisplayName string `json:"display_name,omitzero"`
}

// Code is a program that the model wrote and Google ran.
type Code struct {
	// ID pairs the code with its result, "" where the wire has none.
	ID string `json:"id,omitzero"`
	// Language is the wire's name of the programming language, for example PYTHON.
	Language geminiapi.CodeLanguage `json:"language,omitzero"`
	// Source is the program's text.
	Source string `json:"source"`
}

// CodeResult is the outcome of a program that Google ran.
type CodeResult struct {
	// ID pairs the result with its code, "" where the wire has none.
	ID string `json:"id,omitzero"`
	// Outcome is the wire's name of the outcome, for example OUTCOME_OK.
	Outcome geminiapi.CodeExecutionOutcome `json:"outcome,omitzero"`
	// Output is what the program printed, or the error.
	Output string `json:"output,omitzero"`
}

// ServerToolCall is a call of one of Google's own tools, which Google has run already.
type ServerToolCall struct {
	// ID pairs the call with its result, "" where the wire has none.
	ID string `json:"id,omitzero"`
	// Tool is the wire's name of the tool, for example GOOGLE_SEARCH_WEB.
	Tool geminiapi.ToolType `json:"tool,omitzero"`
	// Name is the tool's name where the wire gives one instead of, or beside, its type.
	Name string `json:"name,omitzero"`
	// Arguments is the call's JSON object with the bytes of the wire, nil when there is none.
	Arguments jsontext.Value `json:"arguments,omitzero"`
}

// ServerToolResult is what one of Google's own tools answered.
type ServerToolResult struct {
	// ID pairs the result with its call, "" where the wire has none.
	ID string `json:"id,omitzero"`
	// Tool is the wire's name of the tool, for example GOOGLE_SEARCH_WEB.
	Tool geminiapi.ToolType `json:"tool,omitzero"`
	// Response is the tool's JSON object with the bytes of the wire, nil when there is none.
	Response jsontext.Value `json:"response,omitzero"`
}
