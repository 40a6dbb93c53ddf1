package normalize

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/report"
)

// FromResponse normalises a whole response: every candidate, its blocks in the order of the wire,
// its sources, its finish reason, and the usage by the accounting rule of [Usage].
//
// A response without candidates is not an error. A nil response is an empty one. The errors are
//
//   - a wrapped *[gemini.Error] if r is an error envelope in the form of a response,
//   - a *[BlockedError] with the rest of the response if the prompt was refused,
//   - a *[PartError] if a function call has no function name, or its arguments are not JSON.
//
// The result holds pointers into r and shares its strings and slices: r must not be changed while
// the result is in use. The result is complete and passes [Validate].
func FromResponse(r *geminiapi.GenerateContentResponse, opts ...Option) (*Response, error) {
	if r == nil {
		return &Response{}, nil
	}
	if err := envelopeError(r); err != nil {
		return nil, err
	}
	n := normalizer{options: newOptions(opts)}
	n.out = newResponse(r)
	n.out.Ignored = n.ignored
	err := n.candidates(r.Candidates)
	if err != nil {
		return nil, err
	}
	if n.pieces != nil {
		n.out.JoinedPieces = n.pieces.Report(merge.ForEvents)
	}
	if blocked := n.out.Blocked(); blocked != nil {
		return nil, blocked
	}
	return n.out, nil
}

// newResponse normalises everything but the candidates.
func newResponse(r *geminiapi.GenerateContentResponse) *Response {
	return &Response{
		ID:               jsonx.Deref(r.ResponseID),
		Model:            jsonx.Deref(r.ModelVersion),
		CreateTime:       jsonx.Deref(r.CreateTime),
		Usage:            NewUsage(r.UsageMetadata),
		ThoughtSignature: rootSignature(r),
		PromptFeedback:   r.PromptFeedback,
		Extra:            responseExtra(r),
	}
}

// Response is a whole answer in normalised form. It is complete: members of the wire without a
// counterpart are in the Extra members, in the wire's form. The command calls its JSON form
// "normalized".
type Response struct {
	// ID is the provider's id of the response, "" if the wire has none.
	ID string `json:"id,omitzero"`
	// Model is the version of the model that answered, "" if the wire has none.
	Model string `json:"model,omitzero"`
	// CreateTime is when the answer began, in RFC 3339 as on the wire (Vertex AI), else "".
	CreateTime string `json:"create_time,omitzero"`
	// Candidates are the alternatives, ordered by index. Usually the list has one. It is empty if
	// the response has no generated content.
	Candidates []Candidate `json:"candidates" validate:"dive"`
	// Usage counts the tokens of the whole response.
	Usage Usage `json:"usage"`
	// ThoughtSignature is a signature at the root of the response or of its first candidate, where
	// some models send it. It is "" if they have none. Signatures of parts are in the blocks.
	ThoughtSignature string `json:"thought_signature,omitzero"`
	// PromptFeedback is the safety filters' rating of the prompt; see [Response.Blocked].
	PromptFeedback *geminiapi.PromptFeedback `json:"prompt_feedback,omitzero" validate:"-"`
	// Ignored lists members of an invalid type, which were treated as absent, as JSON pointers into
	// the wire's form. Google sends no such members.
	Ignored []string `json:"ignored,omitzero"`
	// WireOrder holds, for each of Candidates, its position on the wire. It is nil if all positions
	// are the same, and for a response that [FromResponse] did not make.
	WireOrder []int `json:"-"`
	// MovedIndexes are the wire positions of the candidates that got another index, because an
	// earlier candidate has the same one; see [Candidate]. For a stream, this is in the report.
	MovedIndexes []int `json:"-"`
	// JoinedPieces lists the pieces of function calls that were joined, and the values that joining
	// replaced. It applies to a whole answer that holds calls in pieces, as a stream does; see
	// [MergeChunks]. For a stream, this is in the report.
	JoinedPieces report.Report `json:"-" validate:"-"`
	// Extra holds the response's other members in the wire's form, nil if it has no others.
	Extra *geminiapi.GenerateContentResponse `json:"extra,omitzero" validate:"-"`
}

// Candidate is one of the alternatives that a response offers.
type Candidate struct {
	// Index is the candidate's number, unique in the response. It is the index on the wire. A
	// missing index (Vertex AI and older models send none) or a negative one counts as 0. If an
	// earlier candidate has that index, Index is the lowest number that is used neither on the wire
	// nor by an earlier candidate.
	Index int `json:"index" validate:"gte=0"`
	// Role is the author of the content: "model", or "" if the wire has none.
	Role string `json:"role,omitzero"`
	// Blocks is the content in the order of the wire. It is empty if nothing was generated.
	Blocks []Block `json:"content_blocks" validate:"dive"`
	// FinishReason says why the candidate ended, in this package's terms. It is FinishToolUse for a
	// candidate that ended normally and holds a tool call.
	FinishReason FinishReason `json:"finish_reason" validate:"required,oneof=stop length tool_use content_filter error unknown"`
	// NativeFinishReason is the wire's finish reason, "" if it is absent.
	NativeFinishReason geminiapi.FinishReason `json:"native_finish_reason,omitzero"`
	// FinishMessage explains the finish reason, "" if the wire does not.
	FinishMessage string `json:"finish_message,omitzero"`
	// SafetyRatings are the safety filters' ratings of the candidate.
	SafetyRatings []geminiapi.SafetyRating `json:"safety_ratings,omitzero" validate:"-"`
	// Grounding connects parts of the text with sources, nil if there is no grounding.
	Grounding *Grounding `json:"grounding,omitzero"`
	// Citations are the places where the text quotes a source at length.
	Citations []Citation `json:"citations,omitzero" validate:"dive"`
	// URLContext lists the pages that the model read, with the outcome of each.
	URLContext []geminiapi.URLMetadata `json:"url_context,omitzero" validate:"-"`
	// Logprobs are the tokens' log probabilities, nil if they were not requested.
	Logprobs *Logprobs `json:"logprobs,omitzero"`
	// Extra holds the candidate's other members in the wire's form, nil if it has no others. It
	// holds the whole citation metadata with the original offsets; Citations are converted from
	// them.
	Extra *geminiapi.Candidate `json:"extra,omitzero" validate:"-"`
}

// WirePosition returns the wire position of the candidate at a position of Candidates.
func (r *Response) WirePosition(at int) int {
	if at < len(r.WireOrder) {
		return r.WireOrder[at]
	}
	return at
}

// Blocks returns the first candidate's content, nil if there is no candidate.
func (r *Response) Blocks() []Block {
	if r == nil || len(r.Candidates) == 0 {
		return nil
	}
	return r.Candidates[0].Blocks
}

// FinishReason returns the first candidate's finish reason, FinishUnknown if there is no candidate.
func (r *Response) FinishReason() FinishReason {
	if r == nil || len(r.Candidates) == 0 {
		return FinishUnknown
	}
	return r.Candidates[0].FinishReason
}

// Text returns the first candidate's answer: all its text blocks, joined, without thinking.
func (r *Response) Text() string {
	if r == nil || len(r.Candidates) == 0 {
		return ""
	}
	return r.Candidates[0].Text()
}

// Text returns the candidate's answer: all its text blocks, joined, without thinking.
func (c *Candidate) Text() string { return c.join(BlockText) }

// Thinking returns the summary of the model's thoughts: all its thinking blocks, joined.
func (c *Candidate) Thinking() string { return c.join(BlockThinking) }

// join returns the string of a single block itself. A long text is copied only if there are several
// blocks.
func (c *Candidate) join(typ BlockType) string {
	if c == nil {
		return ""
	}
	blocks := c.Blocks
	first, count, size := "", 0, 0
	for i := range blocks {
		if blocks[i].Type != typ {
			continue
		}
		if count == 0 {
			first = blocks[i].Text
		}
		count++
		size += len(blocks[i].Text)
	}
	if count < 2 {
		return first
	}
	var b strings.Builder
	b.Grow(size)
	for i := range blocks {
		if blocks[i].Type == typ {
			b.WriteString(blocks[i].Text)
		}
	}
	return b.String()
}

// ToolCalls returns the candidate's tool calls in order.
func (c *Candidate) ToolCalls() []*ToolCall {
	if c == nil {
		return nil
	}
	var calls []*ToolCall
	for i := range c.Blocks {
		if c.Blocks[i].Type == BlockToolCall {
			calls = append(calls, c.Blocks[i].ToolCall)
		}
	}
	return calls
}

func (c *Candidate) hasToolCall() bool {
	for i := range c.Blocks {
		if c.Blocks[i].Type == BlockToolCall {
			return true
		}
	}
	return false
}

// Report lists what normalising changed and the result does not show. Generated ids of tool calls
// are reported as added. Moved offsets and indexes, joined pieces of calls, and arguments of an
// invalid type are reported as approximated. Other members of an invalid type are reported as lost.
// The pointers lead into Gemini's response.
func (r *Response) Report() report.Report {
	var entries report.Report
	for _, pointer := range r.Ignored {
		kind := report.Lost
		if strings.HasSuffix(pointer, "/functionCall/args") { // which are in the block's Extra
			kind = report.Approximated
		}
		entries.Add(kind, pointer, "wrong type, treated as absent")
	}
	for _, position := range r.MovedIndexes {
		entries.Add(report.Approximated, fmt.Sprintf("/candidates/%d/index", position),
			merge.DetailIndexMoved)
	}
	entries = append(entries, r.JoinedPieces...)
	for i := range r.Candidates {
		r.Candidates[i].addTo(&entries, fmt.Sprintf("/candidates/%d", r.WirePosition(i)))
	}
	return entries
}

// addTo adds the entries of [Response.Report] about the candidate at a pointer.
func (c *Candidate) addTo(entries *report.Report, at string) {
	for i := range c.Blocks {
		if call := c.Blocks[i].ToolCall; call != nil && call.MadeID {
			entries.Add(report.Added,
				fmt.Sprintf("%s/content/parts/%d/functionCall/id", at, c.Blocks[i].Part),
				"made from the call's position, because the model sent none")
		}
	}
	for i := range c.Citations {
		if c.Citations[i].Approximated {
			entries.Add(report.Approximated, at+"/citationMetadata",
				"offsets moved to whole characters of the text")
		}
	}
	if c.Grounding == nil {
		return
	}
	for i := range c.Grounding.Supports {
		if c.Grounding.Supports[i].Approximated {
			entries.Add(report.Approximated,
				fmt.Sprintf("%s/groundingMetadata/groundingSupports/%d/segment", at, i),
				"offsets moved to the nearest occurrence of the segment's text")
		}
	}
}
