package normalize

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json/jsontext"
)

// EventType is what an event of a stream reports, and so which of its members are set.
type EventType string

// The types of events.
const (
	// EventStart is the first event, unless the stream begins with an error: Model, ID, CreateTime.
	EventStart EventType = "start"

	// EventTextDelta is a piece of the answer's text: Text, and Extra if the part said more.
	EventTextDelta EventType = "text_delta"
	// EventThinkingDelta is a piece of the summary of the model's thoughts, like EventTextDelta.
	EventThinkingDelta EventType = "thinking_delta"
	// EventToolCallStart begins a tool call: ToolCallID, ToolName, MadeID, Signature and Thought as
	// far as they are known.
	EventToolCallStart EventType = "tool_call_start"
	// EventToolCallDelta is a piece of the call's arguments: ToolCallID, ArgumentsDelta. All pieces
	// of a call, joined, are exactly the Arguments of its EventToolCallDone.
	EventToolCallDelta EventType = "tool_call_delta"
	// EventToolCallDone ends a tool call and repeats it whole: ToolCallID, ToolName, MadeID,
	// Arguments, Incomplete, Signature, Thought, Extra, Ignored.
	EventToolCallDone EventType = "tool_call_done"
	// EventBlock is a block that comes whole, of any type but text, thinking, tool call and
	// signature: Block.
	EventBlock EventType = "block"
	// EventSignature is the thought signature of a part: Signature, BlockType; and if the part
	// holds nothing else that has an event, Extra and Thought. It follows what the part holds.
	EventSignature EventType = "signature"

	// EventGrounding is what a chunk has about the sources: Grounding.
	EventGrounding EventType = "grounding"
	// EventCitations is what a chunk has about quotations: Citations.
	EventCitations EventType = "citations"
	// EventURLContext is what a chunk has about the pages that the model read: URLContext.
	EventURLContext EventType = "url_context"
	// EventLogprobs has the log probabilities of the tokens in a chunk: Logprobs.
	EventLogprobs EventType = "logprobs"
	// EventSafety is what the safety filters say of a candidate so far: SafetyRatings.
	EventSafety EventType = "safety"
	// EventPromptFeedback is what the safety filters say of the prompt: PromptFeedback. With a
	// block reason in it, the stream will end in EventError.
	EventPromptFeedback EventType = "prompt_feedback"
	// EventCandidateExtra is what else a chunk has about a candidate: CandidateExtra.
	EventCandidateExtra EventType = "candidate_extra"
	// EventResponseExtra is what else a chunk has about the response: ResponseExtra.
	EventResponseExtra EventType = "response_extra"
	// EventUsage means that the counts of tokens have changed: Usage, the whole count so far.
	EventUsage EventType = "usage"

	// EventFinish is the end of a candidate: FinishReason, NativeFinishReason, FinishMessage, Role.
	// All of the candidate's other events come before it.
	EventFinish EventType = "finish"
	// EventDone is the last event of a stream that came to its end: Usage.
	EventDone EventType = "done"
	// EventError is the last event of a stream that did not: Error, and Usage so far.
	EventError EventType = "error"
)

// Event is one step of a stream: a tagged union, in which Type tells the members that are set. Its
// JSON form, one object on a line, is what the command calls "normalized-stream". The zero value is
// not a valid event.
//
// What comes from the wire shares memory with the chunk that it came in, which must not be changed
// while the event is in use.
type Event struct {
	// Type tells which of the members below is set.
	Type EventType `json:"type"`
	// Candidate is the index of the candidate that the event is about; 0 if it is about none.
	Candidate int `json:"candidate,omitzero"`
	// Part is the position of the part that the event is about, counted in the content that
	// [MergeChunks] makes of the whole stream. It tells which deltas and signatures are one block.
	Part int `json:"part,omitzero"`
	// Source is where in the stream the event comes from: the part of a piece of content, the
	// candidate of its metadata, the chunk of what is about the response; of an end, what said it.
	// It is not in the JSON form: an event that was decoded has none.
	Source Location `json:"-"`

	// Model, ID and CreateTime are those of [Response], as far as the first chunk tells them.
	Model      string `json:"model,omitzero"`
	ID         string `json:"id,omitzero"`
	CreateTime string `json:"create_time,omitzero"`

	// Text is to be appended to the block's text. It may be empty for the sake of Extra.
	Text string `json:"text,omitzero"`
	// Signature is the thought signature of the part, an opaque string.
	Signature string `json:"signature,omitzero"`
	// BlockType is the type of the block that Signature belongs to, which nothing else may tell: a
	// signature may come with an empty text. BlockSignature is a block of its own.
	BlockType BlockType `json:"block_type,omitzero"`
	// Thought is that of [Block].
	Thought bool `json:"thought,omitzero"`
	// Extra is that of [Block].
	Extra *geminiapi.Part `json:"extra,omitzero"`

	// ToolCallID and ToolName are the ID and the Name of [ToolCall]; so is MadeID.
	ToolCallID string `json:"tool_call_id,omitzero"`
	ToolName   string `json:"tool_name,omitzero"`
	MadeID     bool   `json:"made_id,omitzero"`
	// ArgumentsDelta is a piece of the JSON text of the arguments. It may end anywhere in it, but
	// not within a character.
	ArgumentsDelta string `json:"arguments_delta,omitzero"`
	// Arguments is the whole JSON object of the arguments.
	Arguments jsontext.Value `json:"arguments,omitzero"`
	// Incomplete is that of [ToolCall].
	Incomplete bool `json:"incomplete,omitzero"`
	// Ignored lists members of a type that makes no sense, like that of [Response]: of a call its
	// arguments, and in the last event of [ParseStream] what decoding passed over. The pointers are
	// those into the stream as a list of its chunks.
	Ignored []string `json:"ignored,omitzero"`

	// Block is the whole block, its Part included.
	Block *Block `json:"block,omitzero"`

	// Grounding, Citations and URLContext are one chunk's records. An [Accumulator] joins them.
	Grounding  *geminiapi.GroundingMetadata  `json:"grounding,omitzero"`
	Citations  *geminiapi.CitationMetadata   `json:"citations,omitzero"`
	URLContext *geminiapi.URLContextMetadata `json:"url_context,omitzero"`
	// Logprobs are one chunk's, which continue those of the chunks before.
	Logprobs *Logprobs `json:"logprobs,omitzero"`
	// SafetyRatings replace those of the chunks before.
	SafetyRatings []geminiapi.SafetyRating `json:"safety_ratings,omitzero"`
	// PromptFeedback is one chunk's record.
	PromptFeedback *geminiapi.PromptFeedback `json:"prompt_feedback,omitzero"`
	// CandidateExtra holds a candidate's other members in the wire's form.
	CandidateExtra *geminiapi.Candidate `json:"candidate_extra,omitzero"`
	// ResponseExtra holds the response's other members in the wire's form: model status, unknown
	// members, and what belongs to EventStart but came later or changed.
	ResponseExtra *geminiapi.GenerateContentResponse `json:"response_extra,omitzero"`

	// Usage counts the tokens of the whole response so far. The last one replaces all others.
	Usage *Usage `json:"usage,omitzero"`

	// Role, FinishReason, NativeFinishReason and FinishMessage are those of [Candidate].
	Role               string                 `json:"role,omitzero"`
	FinishReason       FinishReason           `json:"finish_reason,omitzero"`
	NativeFinishReason geminiapi.FinishReason `json:"native_finish_reason,omitzero"`
	FinishMessage      string                 `json:"finish_message,omitzero"`

	// Error is why the stream failed.
	Error *Error `json:"error,omitzero"`
}

// EncodeEvent writes an event in its JSON form, in one line without a line end. It fails with a
// *[wire.EncodeError] when e is nil or holds a [jsontext.Value] that is not JSON.
func EncodeEvent(e *Event) ([]byte, error) { return marshal(payloadEvent, e) }

// DecodeEvent reads what [EncodeEvent] writes. Members that it does not know are an error, as in
// [Decode].
func DecodeEvent(data []byte) (*Event, error) { return unmarshal[Event](payloadEvent, data) }
