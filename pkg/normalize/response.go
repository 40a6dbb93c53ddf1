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
// where its text comes from, why it ended, and the usage by the accounting rule of [Usage].
//
// A response without candidates is no error; a nil one is an empty one. The errors are
//
//   - a *[gemini.Error] in the chain when r is an error envelope in the clothes of a response,
//   - a *[BlockedError] when the prompt was refused, with all that the response has besides,
//   - a *[PartError] when a function call does not say which function, or its arguments are not
//     JSON.
//
// The result holds pointers into r and shares its strings and slices: r must not be changed while
// the result is in use. The result is complete, and [Validate] holds on it.
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

// Response is a whole answer in normalised form. It is complete: what the model has no member for
// is kept in the wire's form in the Extra members. Its JSON form is what the command calls
// "normalized".
type Response struct {
	// ID is the provider's id of the response, "" where the wire has none.
	ID string `json:"id,omitzero"`
	// Model is the version of the model that answered, "" where the wire has none.
	Model string `json:"model,omitzero"`
	// CreateTime is when the answer was begun, RFC 3339 as on the wire (Vertex AI), else "".
	CreateTime string `json:"create_time,omitzero"`
	// Candidates are the alternatives in the order of their indexes, which nearly always is that of
	// the wire; usually one, none when the response carries no generated content.
	Candidates []Candidate `json:"candidates" validate:"dive"`
	// Usage counts the tokens of the whole response.
	Usage Usage `json:"usage"`
	// ThoughtSignature is a signature at the root of the response or of the first candidate,
	// where some models put it; "" when there is none. Signatures of parts are in the blocks.
	ThoughtSignature string `json:"thought_signature,omitzero"`
	// PromptFeedback is what the safety filters said of the prompt; see [Response.Blocked].
	PromptFeedback *geminiapi.PromptFeedback `json:"prompt_feedback,omitzero" validate:"-"`
	// Ignored lists, as JSON pointers into the wire's form, members that were there and of a type
	// that makes no sense, and that were treated as absent; empty for all that Google sends.
	Ignored []string `json:"ignored,omitzero"`
	// WireOrder has for each of Candidates the position that it had on the wire; nil where it is
	// its own, and for a response that was not made by [FromResponse].
	WireOrder []int `json:"-"`
	// MovedIndexes are the positions on the wire of the candidates that have another index than the
	// wire says, as a candidate before them has that; see [Candidate]. A stream has them in its
	// report.
	MovedIndexes []int `json:"-"`
	// JoinedPieces says which pieces of function calls were joined, in an answer that holds calls
	// in pieces as a stream does, and what that replaced; see [MergeChunks]. A stream has it in its
	// report.
	JoinedPieces report.Report `json:"-" validate:"-"`
	// Extra holds the response's other members in the wire's form, nil when there are none.
	Extra *geminiapi.GenerateContentResponse `json:"extra,omitzero" validate:"-"`
}

// Candidate is one of the alternatives that a response offers.
type Candidate struct {
	// Index is the candidate's number, which no other candidate has. It is the index on the wire,
	// or 0 if the wire has none, as from Vertex AI and older models, or a negative one. If an
	// earlier candidate has that index, Index is the lowest number that neither the wire gives to a
	// candidate nor an earlier candidate has.
	Index int `json:"index" validate:"gte=0"`
	// Role is the author of the content: "model", or "" where the wire has none.
	Role string `json:"role,omitzero"`
	// Blocks is the content in the order of the wire; empty when nothing was generated.
	Blocks []Block `json:"content_blocks" validate:"dive"`
	// FinishReason is why the candidate ended, in this package's terms. A candidate that ended
	// normally and holds a tool call ends in FinishToolUse.
	FinishReason FinishReason `json:"finish_reason" validate:"required,oneof=stop length tool_use content_filter error unknown"`
	// NativeFinishReason is the wire's finish reason, "" where it is absent.
	NativeFinishReason geminiapi.FinishReason `json:"native_finish_reason,omitzero"`
	// FinishMessage explains the finish reason, "" where the wire does not.
	FinishMessage string `json:"finish_message,omitzero"`
	// SafetyRatings are the safety filters' ratings of the candidate.
	SafetyRatings []geminiapi.SafetyRating `json:"safety_ratings,omitzero" validate:"-"`
	// Grounding tells which sources support which part of the text, nil without grounding.
	Grounding *Grounding `json:"grounding,omitzero"`
	// Citations are the places where the text quotes a source at length.
	Citations []Citation `json:"citations,omitzero" validate:"dive"`
	// URLContext lists the pages that the model read, with the outcome of each.
	URLContext []geminiapi.URLMetadata `json:"url_context,omitzero" validate:"-"`
	// Logprobs are the tokens' log probabilities, nil when they were not asked for.
	Logprobs *Logprobs `json:"logprobs,omitzero"`
	// Extra holds the candidate's other members in the wire's form, nil when there are none. The
	// citation metadata is there as a whole, with the offsets that Citations are converted from.
	Extra *geminiapi.Candidate `json:"extra,omitzero" validate:"-"`
}

// WirePosition returns the position on the wire of the candidate at a position of Candidates.
func (r *Response) WirePosition(at int) int {
	if at < len(r.WireOrder) {
		return r.WireOrder[at]
	}
	return at
}

// Blocks returns the first candidate's content, nil when there is no candidate.
func (r *Response) Blocks() []Block {
	if r == nil || len(r.Candidates) == 0 {
		return nil
	}
	return r.Candidates[0].Blocks
}

// FinishReason returns the first candidate's finish reason, FinishUnknown when there is no
// candidate.
func (r *Response) FinishReason() FinishReason {
	if r == nil || len(r.Candidates) == 0 {
		return FinishUnknown
	}
	return r.Candidates[0].FinishReason
}

// Text returns the first candidate's answer: all its text blocks, joined. Thinking is left out.
func (r *Response) Text() string {
	if r == nil || len(r.Candidates) == 0 {
		return ""
	}
	return r.Candidates[0].Text()
}

// Text returns the candidate's answer: all its text blocks, joined. Thinking is left out.
func (c *Candidate) Text() string { return c.join(BlockText) }

// Thinking returns the summary of the model's thoughts: all its thinking blocks, joined.
func (c *Candidate) Thinking() string { return c.join(BlockThinking) }

// join returns the only block's own string where there is one, so that a long text is copied only
// when there is something to join.
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

// Report returns what normalising did to the wire's response that the result alone does not tell
// apart from it: ids of tool calls that were made are added; offsets and indexes that were moved,
// pieces of calls that were joined, and arguments of a type that makes no sense, are approximated;
// other members of such a type are lost. The pointers are those into the wire's form.
func (r *Response) Report() report.Report {
	var entries report.Report
	for _, pointer := range r.Ignored {
		kind := report.Lost
		if strings.HasSuffix(pointer, "/functionCall/args") { // which are in the block's Extra
			kind = report.Approximated
		}
		entries.Add(kind, pointer, "of a type that has no meaning there, treated as absent")
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

// addTo adds what [Response.Report] says of the candidate at a pointer.
func (c *Candidate) addTo(entries *report.Report, at string) {
	for i := range c.Blocks {
		if call := c.Blocks[i].ToolCall; call != nil && call.MadeID {
			entries.Add(report.Added,
				fmt.Sprintf("%s/content/parts/%d/functionCall/id", at, c.Blocks[i].Part),
				"made of the call's place, as the model sent none")
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
				"offsets moved to the nearest place where the segment's text stands")
		}
	}
}
