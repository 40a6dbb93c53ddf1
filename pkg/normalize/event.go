package normalize

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json/jsontext"
)

// EventType is the type of an event of a stream. It decides which of the event's members are set.
type EventType string

// The types of events.
const (
	// EventStart is the first event, unless the stream begins with an error: Model, ID, CreateTime.
	EventStart EventType = "start"

	// EventTextDelta is a piece of the answer's text: Text. Extra holds the rest of the part.
	EventTextDelta EventType = "text_delta"
	// EventThinkingDelta is a piece of the summary of the model's thoughts, like EventTextDelta.
	EventThinkingDelta EventType = "thinking_delta"
	// EventToolCallStart begins a tool call: ToolCallID, ToolName, MadeID. Signature and Thought
	// are set if they are already known.
	EventToolCallStart EventType = "tool_call_start"
	// EventToolCallDelta is a piece of the call's arguments: ToolCallID, ArgumentsDelta. All pieces
	// of a call, joined, equal the Arguments of its EventToolCallDone.
	EventToolCallDelta EventType = "tool_call_delta"
	// EventToolCallDone ends a tool call and repeats the whole call: ToolCallID, ToolName, MadeID,
	// Arguments, Incomplete, Signature, Thought, Extra, Ignored.
	EventToolCallDone EventType = "tool_call_done"
	// EventBlock is a whole block: Block. Its type is any except text, thinking, tool call and
	// signature.
	EventBlock EventType = "block"
	// EventSignature is the thought signature of a part: Signature, BlockType. It follows the
	// part's content. If the part has no other event, Extra and Thought are set, too.
	EventSignature EventType = "signature"

	// EventGrounding is a chunk's record of the sources: Grounding.
	EventGrounding EventType = "grounding"
	// EventCitations is a chunk's record of quotations: Citations.
	EventCitations EventType = "citations"
	// EventURLContext is a chunk's record of the pages that the model read: URLContext.
	EventURLContext EventType = "url_context"
	// EventLogprobs holds the log probabilities of the tokens in a chunk: Logprobs.
	EventLogprobs EventType = "logprobs"
	// EventSafety is the safety filters' latest rating of a candidate: SafetyRatings.
	EventSafety EventType = "safety"
	// EventPromptFeedback is the safety filters' rating of the prompt: PromptFeedback. If it has a
	// block reason, the stream will end in EventError.
	EventPromptFeedback EventType = "prompt_feedback"
	// EventCandidateExtra holds a chunk's other members of a candidate: CandidateExtra.
	EventCandidateExtra EventType = "candidate_extra"
	// EventResponseExtra holds a chunk's other members of the response: ResponseExtra.
	EventResponseExtra EventType = "response_extra"
	// EventUsage reports changed token counts: Usage, the whole count so far.
	EventUsage EventType = "usage"

	// EventFinish is the end of a candidate: FinishReason, NativeFinishReason, FinishMessage, Role.
	// All of the candidate's other events come before it.
	EventFinish EventType = "finish"
	// EventDone is the last event of a stream that completes: Usage.
	EventDone EventType = "done"
	// EventError is the last event of a stream that fails: Error, and Usage so far.
	EventError EventType = "error"
)

// Event is one step of a stream. It is a tagged union: Type says which members are set. The command
// calls its JSON form, one object per line, "normalized-stream". The zero value is not a valid
// event.
//
// Values from the wire share memory with their chunk. The chunk must not be changed while the event
// is in use.
type Event struct {
	// Type says which of the members below are set.
	Type EventType `json:"type"`
	// Candidate is the index of the candidate that the event is about, 0 if it is about none.
	Candidate int `json:"candidate,omitzero"`
	// Part is the position of the part that the event is about. It counts in the content that
	// [MergeChunks] produces for the whole stream. Deltas and signatures with the same Part belong
	// to one block.
	Part int `json:"part,omitzero"`
	// Source is the location in the stream that the event comes from: the part for content, the
	// candidate for its metadata, the chunk for the response. For an end, it is the location of the
	// value that reports the end. The JSON form leaves it out, so a decoded event has none.
	Source Location `json:"-"`

	// Model, ID and CreateTime have the values of [Response], if the first chunk has them.
	Model      string `json:"model,omitzero"`
	ID         string `json:"id,omitzero"`
	CreateTime string `json:"create_time,omitzero"`

	// Text is to be appended to the block's text. It may be empty if there is only Extra.
	Text string `json:"text,omitzero"`
	// Signature is the thought signature of the part, an opaque string.
	Signature string `json:"signature,omitzero"`
	// BlockType is the type of the block that Signature belongs to. A signature may arrive with an
	// empty text, so no other event may name the type. BlockSignature is a block of its own.
	BlockType BlockType `json:"block_type,omitzero"`
	// Thought has the meaning it has in [Block].
	Thought bool `json:"thought,omitzero"`
	// Extra has the meaning it has in [Block].
	Extra *geminiapi.Part `json:"extra,omitzero"`

	// ToolCallID, ToolName and MadeID are the ID, Name and MadeID of [ToolCall].
	ToolCallID string `json:"tool_call_id,omitzero"`
	ToolName   string `json:"tool_name,omitzero"`
	MadeID     bool   `json:"made_id,omitzero"`
	// ArgumentsDelta is a piece of the JSON text of the arguments. It may end at any character, but
	// not within one.
	ArgumentsDelta string `json:"arguments_delta,omitzero"`
	// Arguments is the whole JSON object of the arguments.
	Arguments jsontext.Value `json:"arguments,omitzero"`
	// Incomplete has the meaning it has in [ToolCall].
	Incomplete bool `json:"incomplete,omitzero"`
	// Ignored lists members whose type is invalid, like Ignored of [Response]. For a call these are
	// its arguments; for the last event of [ParseStream], the members that decoding skipped. The
	// pointers lead into the stream as a list of its chunks.
	Ignored []string `json:"ignored,omitzero"`

	// Block is the whole block, including its Part.
	Block *Block `json:"block,omitzero"`

	// Grounding, Citations and URLContext are one chunk's records. An [Accumulator] joins them.
	Grounding  *geminiapi.GroundingMetadata  `json:"grounding,omitzero"`
	Citations  *geminiapi.CitationMetadata   `json:"citations,omitzero"`
	URLContext *geminiapi.URLContextMetadata `json:"url_context,omitzero"`
	// Logprobs are the log probabilities of one chunk. They continue the list of earlier chunks.
	Logprobs *Logprobs `json:"logprobs,omitzero"`
	// SafetyRatings replace the ratings of earlier chunks.
	SafetyRatings []geminiapi.SafetyRating `json:"safety_ratings,omitzero"`
	// PromptFeedback is one chunk's record.
	PromptFeedback *geminiapi.PromptFeedback `json:"prompt_feedback,omitzero"`
	// CandidateExtra holds a candidate's other members in the wire's form.
	CandidateExtra *geminiapi.Candidate `json:"candidate_extra,omitzero"`
	// ResponseExtra holds the response's other members in the wire's form: model status, unknown
	// members, and members of EventStart that arrived late or changed.
	ResponseExtra *geminiapi.GenerateContentResponse `json:"response_extra,omitzero"`

	// Usage counts the tokens of the whole response so far. The latest value replaces all earlier
	// ones.
	Usage *Usage `json:"usage,omitzero"`

	// Role, FinishReason, NativeFinishReason and FinishMessage mean the same as in [Candidate].
	Role               string                 `json:"role,omitzero"`
	FinishReason       FinishReason           `json:"finish_reason,omitzero"`
	NativeFinishReason geminiapi.FinishReason `json:"native_finish_reason,omitzero"`
	FinishMessage      string                 `json:"finish_message,omitzero"`

	// Error says why the stream failed.
	Error *Error `json:"error,omitzero"`
}

// EncodeEvent writes an event in its JSON form, in one line without a line end. It returns a
// *[wire.EncodeError] if e is nil or holds a [jsontext.Value] that is not JSON.
func EncodeEvent(e *Event) ([]byte, error) { return marshal(payloadEvent, e) }

// DecodeEvent reads what [EncodeEvent] writes. Unknown members are an error, as in [Decode].
func DecodeEvent(data []byte) (*Event, error) { return unmarshal[Event](payloadEvent, data) }
