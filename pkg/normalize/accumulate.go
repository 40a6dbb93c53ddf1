package normalize

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/wire"
)

// Accumulate joins the events of a stream into a whole response. The result equals what
// [FromResponse] returns for the merged chunks ([MergeChunks]) of the same stream.
//
// If the last event is EventError, Accumulate returns the event's Error together with the partial
// response. In the partial response, a tool call that was cut off has willContinue in its Extra. If
// the prompt was refused, Accumulate returns only a *[BlockedError]. If there is no last event, the
// error wraps [wire.ErrTruncated].
func Accumulate(events iter.Seq[Event]) (*Response, error) {
	var a Accumulator
	for event := range events {
		a.Add(event)
	}
	out, err := a.Response()
	if err == nil && !a.ended {
		err = fmt.Errorf("normalize: the events have no end: %w", wire.ErrTruncated)
	}
	return out, err
}

// Accumulator joins events one at a time and can return the response so far at any moment. The
// report of the [Stream] lists the values that joining replaces. The zero value is ready for use.
// An Accumulator is not safe for concurrent use.
type Accumulator struct {
	merged     merge.Response // in the wire's form, without candidates
	candidates jsonx.IndexedList[accumulated]
	usage      Usage
	ignored    []string // by decoding
	ended      bool
	err        *Error
}

// accumulated is the known state of a candidate.
type accumulated struct {
	index   int
	merged  merge.Candidate // all but the parts
	blocks  []Block
	text    strings.Builder // of the last block, if it is text or thinking of several pieces
	ignored []int           // the parts that are calls whose arguments are no object
}

// Add adds an event. It ignores events of unknown types, and events that only announce a value that
// another event holds whole.
func (a *Accumulator) Add(e Event) {
	switch e.Type {
	case EventStart:
		a.addResponse(&geminiapi.GenerateContentResponse{
			ModelVersion: jsonx.NonEmpty(e.Model), ResponseID: jsonx.NonEmpty(e.ID),
			CreateTime: jsonx.NonEmpty(e.CreateTime),
		})
	case EventPromptFeedback:
		a.addResponse(&geminiapi.GenerateContentResponse{PromptFeedback: e.PromptFeedback})
	case EventResponseExtra:
		a.addResponse(e.ResponseExtra)
	case EventUsage:
		a.addUsage(e.Usage)
	case EventDone, EventError:
		a.addUsage(e.Usage)
		a.ended, a.err = true, e.Error
		a.ignored = append(a.ignored, e.Ignored...)
	case EventTextDelta, EventThinkingDelta, EventSignature, EventToolCallDone, EventBlock:
		a.candidate(e.Candidate).addContent(&e)
	case EventGrounding, EventCitations, EventURLContext, EventLogprobs, EventSafety,
		EventCandidateExtra:
		a.candidate(e.Candidate).addMetadata(&e)
	case EventFinish:
		a.candidate(e.Candidate).addFinish(&e)
	}
}

// Response returns the response so far. The result shares memory with the added events, and later
// events do not change it. The error is the same as in [Accumulate], except that a missing end is
// not an error.
func (a *Accumulator) Response() (*Response, error) {
	wire := a.merged.Wire
	for i, c := range a.candidates.Values() {
		if i == 0 && len(c.merged.Wire.Unknown) > 0 { // which may have a signature
			wire.Candidates = []geminiapi.Candidate{c.merged.Wire}
		}
	}
	out := newResponse(&wire)
	out.Usage, out.Ignored = a.usage, slices.Clone(a.ignored)
	if n := a.candidates.Len(); n > 0 {
		out.Candidates = make([]Candidate, n)
	}
	for i, c := range a.candidates.Values() {
		out.Candidates[i] = Candidate{Index: c.index, Blocks: c.withText(slices.Clone(c.blocks))}
		out.Candidates[i].describe(&c.merged.Wire)
		for _, part := range c.ignored {
			out.Ignored = append(out.Ignored,
				partPosition{candidate: i, part: part}.pointer("/functionCall/args"))
		}
	}
	blocked := out.Blocked()
	switch {
	case a.err != nil && (blocked == nil || a.err.Category != CategoryContentFilter):
		return out, a.err
	case blocked != nil:
		return nil, blocked
	default:
		return out, nil
	}
}

func (a *Accumulator) addResponse(r *geminiapi.GenerateContentResponse) {
	if r != nil {
		a.merged.Add(r, merge.Location{})
	}
}

func (a *Accumulator) addUsage(u *Usage) {
	if u != nil {
		a.usage = *u
	}
}

func (a *Accumulator) candidate(index int) *accumulated {
	c := a.candidates.At(index)
	c.index = index
	return c
}

func (c *accumulated) addContent(e *Event) {
	switch e.Type {
	case EventTextDelta:
		c.addText(e, BlockText)
	case EventThinkingDelta:
		c.addText(e, BlockThinking)
	case EventSignature:
		c.addSignature(e)
	case EventToolCallDone:
		call := &ToolCall{ID: e.ToolCallID, MadeID: e.MadeID, Name: e.ToolName,
			Arguments: e.Arguments, Incomplete: e.Incomplete}
		c.addBlock(Block{
			Type: BlockToolCall, Part: e.Part, ToolCall: call,
			Signature: e.Signature, Thought: e.Thought, Extra: e.Extra,
		})
		if len(e.Ignored) > 0 {
			c.ignored = append(c.ignored, e.Part)
		}
	case EventBlock:
		if e.Block != nil {
			c.addBlock(*e.Block)
		}
	}
}

func (c *accumulated) addText(e *Event, typ BlockType) {
	last := c.at(e.Part)
	switch {
	case last == nil || last.Type != typ:
		c.addBlock(Block{Type: typ, Part: e.Part, Thought: e.Thought, Extra: e.Extra, Text: e.Text})
		return
	case c.text.Len() == 0:
		c.text.Grow(2 * (len(last.Text) + len(e.Text))) // of two pieces there will be more
		c.text.WriteString(last.Text)
	default:
		// double the buffer when it is full; WriteString does so only at first
		c.text.Grow(len(e.Text))
	}
	c.text.WriteString(e.Text)
}

// addSignature sets the signature of the part's block. It adds a block if the part has none yet.
// The signature of a tool call is repeated when the call is done.
func (c *accumulated) addSignature(e *Event) {
	if e.BlockType == BlockToolCall {
		return
	}
	last := c.at(e.Part)
	if last == nil {
		last = c.addBlock(Block{Type: e.BlockType, Part: e.Part, Thought: e.Thought,
			Extra: e.Extra})
	}
	last.Signature = e.Signature
}

// at returns the last block if it belongs to the part, else nil.
func (c *accumulated) at(part int) *Block {
	if n := len(c.blocks); n > 0 && c.blocks[n-1].Part == part {
		return &c.blocks[n-1]
	}
	return nil
}

func (c *accumulated) addBlock(b Block) *Block {
	c.blocks = c.withText(c.blocks)
	c.text.Reset()
	c.blocks = append(c.blocks, b)
	return &c.blocks[len(c.blocks)-1]
}

// withText sets the text of the last of the blocks.
func (c *accumulated) withText(blocks []Block) []Block {
	if c.text.Len() > 0 {
		blocks[len(blocks)-1].Text = c.text.String()
	}
	return blocks
}

func (c *accumulated) addMetadata(e *Event) {
	wire := geminiapi.Candidate{
		GroundingMetadata:  e.Grounding,
		CitationMetadata:   e.Citations,
		URLContextMetadata: e.URLContext,
		SafetyRatings:      e.SafetyRatings,
	}
	switch {
	case e.CandidateExtra != nil:
		wire = *e.CandidateExtra
	case e.Logprobs != nil:
		wire.AvgLogprobs, wire.LogprobsResult = e.Logprobs.Average, e.Logprobs.Wire
	}
	c.merged.Add(&wire)
}

func (c *accumulated) addFinish(e *Event) {
	c.merged.AddContent(&geminiapi.Content{Role: jsonx.NonEmpty(e.Role)})
	c.merged.Add(&geminiapi.Candidate{
		FinishReason:  jsonx.NonEmpty(e.NativeFinishReason),
		FinishMessage: jsonx.NonEmpty(e.FinishMessage),
	})
}
