package interactions

import (
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// FromGemini converts a generateContent response to an interaction. The report lists what was
// added, approximated or lost, with JSON pointers into r.
//
// A refused prompt is not an error. It becomes an interaction without steps that failed with the
// code content_blocked. The error is:
//
//   - [normalize.ErrNoCandidates] if the response has neither candidates nor a refusal;
//   - a *gemini.Error in the chain if r is an error envelope;
//   - a *[normalize.PartError] for a function call that cannot be understood;
//   - any other error of [normalize.FromResponse].
//
// [FromError] converts an error for a client.
//
// The result shares strings with r. Neither may be changed while the other is in use.
func FromGemini(r *geminiapi.GenerateContentResponse, opts ...Option) (*interactionsapi.Interaction,
	report.Report, error) {
	in, err := normalize.FromResponse(r, normalize.WithToolCallIDs(answer.PendingID))
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		in, err = blocked.Response, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return convert(in, option.New[options](opts))
}

// FromNormalized converts a response of package normalize like [FromGemini]. The pointers of the
// report refer to the wire response that r was made from. Tool-call ids stay unchanged, unless
// [WithToolCallIDs] replaces generated ones.
//
// It returns an error if r fails [normalize.Validate]. A nil r is an empty response.
func FromNormalized(r *normalize.Response, opts ...Option) (*interactionsapi.Interaction,
	report.Report, error) {
	if r == nil {
		r = &normalize.Response{}
	}
	if err := normalize.Validate(r); err != nil {
		return nil, nil, fmt.Errorf("interactions: %w", err)
	}
	o := option.New[options](opts)
	o.keepsMadeIDs = true
	return convert(r, o)
}

// converter holds what the steps of one conversion share.
type converter struct {
	encoder
	own    options
	list   stepList
	in     *normalize.Response
	report report.Report
}

func convert(in *normalize.Response, o options) (*interactionsapi.Interaction, report.Report,
	error) {
	blocked := in.Blocked()
	if blocked == nil && len(in.Candidates) == 0 {
		return nil, nil, normalize.ErrNoCandidates
	}
	c := &converter{in: in, own: o}
	c.options, c.sink, c.responseID = &c.own, &c.list, in.ID
	c.entries = answer.PartEntries{Report: &c.report}
	var candidate *normalize.Candidate
	if len(in.Candidates) > 0 {
		candidate = &in.Candidates[0]
		c.candidate = candidate.Index
		c.parts(candidate, in.WirePosition(0))
		c.made = answer.CallsOf(candidate)
	}
	kept := c.keptInteraction(in)
	who, entries := o.identify(in.ID, in.Model, kept)
	c.report = joinReports(c.report, entries)
	done := c.conclude(in, candidate, blocked, &who, kept)
	if candidate != nil {
		at := answer.Pointer(in.WirePosition(0), "")
		for _, e := range append(done.candidate, done.grounding...) {
			c.report.Add(e.Kind, at+e.Pointer, e.Detail)
		}
	}
	c.report = joinReports(c.report, done.response)
	if blocked != nil && hasReason(in.PromptFeedback) {
		c.report.Add(report.Approximated, blockReason, detailRefusal)
	}
	c.unshown(blocked != nil)
	done.interaction.Steps = c.list.steps
	return done.interaction, c.report, nil
}

// joinReports returns the entries of both. Most answers have entries in one of them only.
func joinReports(first, second report.Report) report.Report {
	if len(first) == 0 {
		return second
	}
	return append(first, second...)
}

// blockReason is the pointer of the reason of a refusal.
const blockReason = "/promptFeedback/blockReason"

// hasReason reports whether a feedback names a reason.
func hasReason(f *geminiapi.PromptFeedback) bool {
	return f != nil && jsonx.Deref(f.BlockReason) != ""
}

// keptInteraction returns the interaction in the extension of an answer, or nil.
func (o *options) keptInteraction(in *normalize.Response) *interactionsapi.Interaction {
	if in.Extra == nil {
		return nil
	}
	return keptInteraction(in.Extra.Unknown)
}

// parts converts the blocks of a candidate.
func (c *converter) parts(candidate *normalize.Candidate, position int) {
	if c.in.Extra != nil {
		c.sources.exact = exactAnnotations(c.in.Extra.Unknown)
	}
	if candidate.Grounding != nil {
		c.sources.wire = candidate.Grounding.Wire
	}
	var joined map[int]int
	if needsPositions(candidate.Blocks) {
		joined = candidate.JoinedParts()
	}
	if isEmptyText(candidate.Blocks) {
		c.begin(&interactionsapi.Step{Type: interactionsapi.StepTypeModelOutput})
		c.list.text("")
	}
	early := earlySignatures(candidate.Blocks)
	for i := range candidate.Blocks {
		b := &candidate.Blocks[i]
		at, part := answer.PartLocation{Candidate: position, Part: b.Part}, b.Part
		if joined != nil {
			part = joined[b.Part]
		}
		if signature, ok := early[i]; ok && signature != "" {
			c.settle()
			c.signed(signature)
		}
		switch {
		case b.Type == normalize.BlockToolCall:
			c.toolCall(b, at, part)
		case b.Extra != nil:
			p := b.WirePart()
			if signature, ok := early[i]; ok && signature == "" {
				p.ThoughtSignature = nil // it was before the step
				if p.Text != nil && *p.Text == "" {
					continue // a stream has such a signature on an empty text
				}
			}
			c.convert(p, at, part)
		case b.Type == normalize.BlockText:
			c.text(b.Text, b.Signature, b.Part)
		case b.Type == normalize.BlockThinking:
			c.thought(b.Text, b.Signature)
		case b.Type == normalize.BlockSignature:
			c.signature(b.Signature)
		default:
			c.convert(b.WirePart(), at, part)
		}
	}
}

// isEmptyText reports whether blocks are one empty text. Among other blocks it says nothing.
func isEmptyText(blocks []normalize.Block) bool {
	return len(blocks) == 1 && blocks[0].Type == normalize.BlockText && blocks[0].Text == "" &&
		blocks[0].Signature == "" && blocks[0].Extra == nil
}

// needsPositions reports whether blocks need the positions of the joined content, for ids.
func needsPositions(blocks []normalize.Block) bool {
	for i := range blocks {
		if t := blocks[i].Type; t != normalize.BlockText && t != normalize.BlockThinking &&
			t != normalize.BlockSignature {
			return true
		}
	}
	return false
}

// earlySignatures returns the signatures that the extension puts before the whole output, by the
// first block of the output. The block that has the signature has "".
func earlySignatures(blocks []normalize.Block) (out map[int]string) {
	first := -1
	for i := range blocks {
		b := &blocks[i]
		isOutput := !b.Thought && (b.Type == normalize.BlockText ||
			b.Type == normalize.BlockMedia || b.Type == normalize.BlockFile)
		joining := steps.Joining{}
		if b.Extra != nil {
			joining = steps.JoiningOf(b.Extra.Unknown)
		}
		switch {
		case !isOutput:
			first = -1
			continue
		case first < 0 || joining.NewStep:
			first = i
		}
		if b.Signature == "" {
			continue
		}
		if joining.SignatureBefore && first < i {
			if out == nil {
				out = map[int]string{}
			}
			out[first], out[i] = b.Signature, ""
		}
		first = -1
	}
	return out
}

// toolCall converts a call of a client's function.
func (c *converter) toolCall(b *normalize.Block, at answer.PartLocation, part int) {
	call := functionCall{name: b.ToolCall.Name, signature: b.Signature,
		arguments: b.ToolCall.Arguments, rest: b.Extra, isThought: b.Thought}
	call.id = c.callID(b.ToolCall.ID, b.ToolCall.MadeID, part, at)
	c.wholeCall(&call, at, part)
	if !c.plain {
		return
	}
	if b.Extra != nil && merge.HasLeftOver(b.Extra.FunctionCall) {
		c.entries.Add(report.Lost, at, "/functionCall", answer.DetailLeftOver)
	}
	c.encoder.unshown = c.encoder.unshown[:0]
	p := merge.WithoutPieces(b.WirePart())
	if steps.Extension(p.Unknown) != nil {
		other := *p
		other.Unknown = steps.WithoutExtension(p.Unknown)
		p = &other
	}
	reportCall(&c.encoder.unshown, p)
	c.entries.AddAll(at, c.encoder.unshown)
}

// unshown reports what the interaction does not show, apart from the parts.
func (c *converter) unshown(isBlocked bool) {
	for at := range c.in.Candidates {
		position := c.in.WirePosition(at)
		if at > 0 {
			c.report.Add(report.Lost, answer.Pointer(position, ""), detailOtherCandidate)
			continue
		}
		if !c.plain {
			continue
		}
		if c.in.Candidates[at].Index > 0 {
			c.report.Add(report.Lost, answer.Pointer(position, "/index"), detailOtherCandidate)
		}
		c.reportCandidate(&c.report, answer.Pointer(position, ""),
			c.in.Candidates[at].WireMetadata())
	}
	answer.AddJoined(&c.report, c.in)
	if c.plain {
		rest := answer.WireMembers(c.in)
		rest.CreateTime = jsonx.NonEmpty(c.in.CreateTime)
		rest.Unknown = withoutExtension(rest.Unknown)
		reportResponse(&c.report, &rest, isBlocked)
	}
	answer.AddIgnored(&c.report, c.in)
}
