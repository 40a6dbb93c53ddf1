package normalize

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json/jsontext"
)

// BlockType is the kind of a block. It decides which of the block's members are set.
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
	// BlockFile is media that the response refers to by address: File.
	BlockFile BlockType = "file"
	// BlockCode is code that the model wrote and Google ran: Code.
	BlockCode BlockType = "code"
	// BlockCodeResult is the output of such code: CodeResult.
	BlockCodeResult BlockType = "code_result"
	// BlockServerToolCall is a call of one of Google's own tools: ServerToolCall.
	BlockServerToolCall BlockType = "server_tool_call"
	// BlockServerToolResult is the result of such a call: ServerToolResult.
	BlockServerToolResult BlockType = "server_tool_result"
	// BlockSignature is a thought signature on a part that holds nothing else, as recent models
	// send at the end of a stream: Signature.
	BlockSignature BlockType = "signature"
	// BlockUnknown is a part of a kind that this version does not know. Extra holds the whole part.
	BlockUnknown BlockType = "unknown"
)

// Block is one piece of a candidate's content. It is a tagged union: Type says which member is set.
// Blocks are in the order of the wire's parts. A part with several payloads becomes one block,
// which keeps the other payloads in Extra. The zero value is not a valid block.
type Block struct {
	// Type says which of the members below is set.
	Type BlockType `json:"type" validate:"required,oneof=text thinking redacted_thinking tool_call tool_result media file code code_result server_tool_call server_tool_result signature unknown"`
	// Part is the position of the wire part in the candidate's content. It counts from 0 over all
	// parts, so skipped parts leave a gap.
	Part int `json:"part" validate:"gte=0"`
	// Text is the text of a text or thinking block, UTF-8.
	Text string `json:"text,omitzero"`
	// Data is the opaque content of redacted thinking, in the provider's encoding.
	Data string `json:"data,omitzero"`
	// Signature is the thought signature of the part, "" if the part has none. It is an opaque
	// string that must be sent back to the model unchanged, on the same part.
	Signature string `json:"signature,omitzero"`
	// Thought reports that the block belongs to the model's thoughts and not to its answer. It is
	// set on blocks of other types than thinking, such as the draft images of image models.
	Thought bool `json:"thought,omitzero"`

	ToolCall         *ToolCall         `json:"tool_call,omitzero"`
	ToolResult       *ToolResult       `json:"tool_result,omitzero"`
	Media            *Media            `json:"media,omitzero"`
	File             *File             `json:"file,omitzero"`
	Code             *Code             `json:"code,omitzero"`
	CodeResult       *CodeResult       `json:"code_result,omitzero"`
	ServerToolCall   *ServerToolCall   `json:"server_tool_call,omitzero"`
	ServerToolResult *ServerToolResult `json:"server_tool_result,omitzero"`

	// Extra holds the rest of the part in the wire's form: video metadata, part metadata, unknown
	// members. It is nil if there is nothing else.
	Extra *geminiapi.Part `json:"extra,omitzero" validate:"-"`
}

// ToolCall is a call of a function that the caller declared. The caller has to run it.
type ToolCall struct {
	// ID identifies the call in its conversation. It is the model's own id or one made by this
	// package.
	ID string `json:"id" validate:"required"`
	// MadeID reports that the model sent no id, so this package made one.
	MadeID bool `json:"made_id,omitzero"`
	// Name is the function's name.
	Name string `json:"name" validate:"required"`
	// Arguments is the call's JSON object without white space. It keeps the key order, numbers and
	// escapes of the wire. It is "{}" if the model sent none.
	Arguments jsontext.Value `json:"arguments" validate:"required"`
	// Incomplete reports that pieces of the arguments are missing: the stream ended within them, or
	// one piece contradicts another. The arguments were completed to valid JSON, but the caller
	// must not run the call.
	Incomplete bool `json:"incomplete,omitzero"`
}

// ToolResult is the result of a tool call.
type ToolResult struct {
	// ToolCallID is the id of the call, "" if the wire has none.
	ToolCallID string `json:"tool_call_id,omitzero"`
	// Name is the function's name.
	Name string `json:"name,omitzero"`
	// Content is the result, a JSON value with the bytes of the wire.
	Content jsontext.Value `json:"content,omitzero"`
	// IsError reports that the call failed. By Google's convention, the result then has a member
	// "error" and no member "output".
	IsError bool `json:"is_error,omitzero"`
}

// Media is an image, audio or other data within the response.
type Media struct {
	// MIMEType is the media type, "" if the wire has none.
	MIMEType string `json:"mime_type,omitzero"`
	// Data is base64 exactly as on the wire. It is never decoded during a conversion.
	Data string `json:"data"`
	// DisplayName is the name of the media, if it has one (Vertex AI).
	DisplayName string `json:"display_name,omitzero"`
}

// File is media that the response refers to by address.
type File struct {
	// URI is the address in the Files API, in Cloud Storage (gs://) or on the web.
	URI string `json:"uri"`
	// MIMEType is the media type, "" if the wire has none.
	MIMEType string `json:"mime_type,omitzero"`
	// DisplayName is the name of the file, if it has one (Vertex AI).
	DisplayName string `json:"display_name,omitzero"`
}

// Code is a program that the model wrote and Google ran.
type Code struct {
	// ID pairs the code with its result, "" if the wire has none.
	ID string `json:"id,omitzero"`
	// Language is the wire's name of the programming language, for example PYTHON.
	Language geminiapi.CodeLanguage `json:"language,omitzero"`
	// Source is the program's text.
	Source string `json:"source"`
}

// CodeResult is the outcome of a program that Google ran.
type CodeResult struct {
	// ID pairs the result with its code, "" if the wire has none.
	ID string `json:"id,omitzero"`
	// Outcome is the wire's name of the outcome, for example OUTCOME_OK.
	Outcome geminiapi.CodeExecutionOutcome `json:"outcome,omitzero"`
	// Output is the program's output or its error.
	Output string `json:"output,omitzero"`
}

// ServerToolCall is a call of one of Google's own tools. Google has already run it.
type ServerToolCall struct {
	// ID pairs the call with its result, "" if the wire has none.
	ID string `json:"id,omitzero"`
	// Tool is the wire's name of the tool, for example GOOGLE_SEARCH_WEB.
	Tool geminiapi.ToolType `json:"tool,omitzero"`
	// Name is the tool's name, if the wire sends one instead of its type or in addition to it.
	Name string `json:"name,omitzero"`
	// Arguments is the call's JSON object with the bytes of the wire, nil if the call has none.
	Arguments jsontext.Value `json:"arguments,omitzero"`
}

// ServerToolResult is the answer of one of Google's own tools.
type ServerToolResult struct {
	// ID pairs the result with its call, "" if the wire has none.
	ID string `json:"id,omitzero"`
	// Tool is the wire's name of the tool, for example GOOGLE_SEARCH_WEB.
	Tool geminiapi.ToolType `json:"tool,omitzero"`
	// Response is the tool's JSON object with the bytes of the wire, nil if the part has none.
	Response jsontext.Value `json:"response,omitzero"`
}
