package responses

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/callid"
)

// FromGemini converts a generateContent response to a Responses API response. The report lists what
// was added, approximated or lost, with JSON pointers into r.
//
// A refused prompt is not an error. It becomes a failed response with the code invalid_prompt. The
// error is:
//
//   - [normalize.ErrNoCandidates] if the response has neither candidates nor a refusal;
//   - a *gemini.Error in the chain if r is an error envelope;
//   - a *[normalize.PartError] for a function call that cannot be understood;
//   - any other error of [normalize.FromResponse].
//
// [FromError] converts an error for a client.
//
// The result shares strings, slices and whole records with r. Neither may be changed while the
// other is in use. The result passes [responses.ValidateResponse].
func FromGemini(r *geminiapi.GenerateContentResponse, opts ...Option) (*openaiapi.Response,
	report.Report, error) {
	o := &options{}
	option.Apply(o, opts)
	if o.toolCallID == nil {
		o.toolCallID = callid.Of
	}
	in, err := normalize.FromResponse(r, normalize.WithToolCallIDs(answer.PendingID))
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		in, err = blocked.Response, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return convert(in, o)
}

// FromNormalized converts a response of package normalize like [FromGemini]. The pointers of the
// report refer to the wire response that r was made from. Tool-call ids stay unchanged, unless
// [WithToolCallIDs] replaces generated ones.
//
// The extensions contain what r carries from the wire in its Wire and Extra members. FromNormalized
// returns an error if r fails [normalize.Validate]. A nil r is an empty response.
func FromNormalized(r *normalize.Response, opts ...Option) (*openaiapi.Response, report.Report,
	error) {
	if r == nil {
		r = &normalize.Response{}
	}
	if err := normalize.Validate(r); err != nil {
		return nil, nil, fmt.Errorf("responses: %w", err)
	}
	o := &options{}
	option.Apply(o, opts)
	return convert(r, o)
}

// converter holds what the steps of one conversion share.
type converter struct {
	*options
	in      *normalize.Response
	blocked *normalize.BlockedError // why the prompt was refused, or nil
	report  report.Report
}

func convert(in *normalize.Response, o *options) (*openaiapi.Response, report.Report, error) {
	c := converter{options: o, in: in, blocked: in.Blocked()}
	if c.blocked == nil && len(in.Candidates) == 0 {
		return nil, nil, normalize.ErrNoCandidates
	}
	e := encoder{options: o, entries: answer.PartEntries{Report: &c.report}, responseID: in.ID}
	h := c.head()
	e.suffix = itemSuffix(h.id)
	e.give()
	var end outcome
	if len(in.Candidates) > 0 {
		end = c.candidate(&e)
	}
	if c.blocked != nil {
		c.reportRefusal()
		end = refused(c.blocked)
		e.finish(nil, &end)
	}
	out := c.begun(&h)
	c.complete(out, &e, &end)
	c.reportRest(&e)
	return out, c.report, nil
}

// unknownName stands for a missing id or model name.
const unknownName = "gemini"

// head returns what the response has from its start.
func (c *converter) head() head {
	id, model := c.responseID(), c.modelName()
	openaianswer.ReportTime(&c.report, "created_at", c.in.CreateTime, c.created, c.plain)
	return head{id: id, model: model, created: openaianswer.Seconds(c.in.CreateTime, c.created)}
}

func (c *converter) responseID() string {
	if c.id == "" && c.in.ID == "" {
		c.report.Add(report.Added, "/responseId", "the response has no id")
	}
	return c.idOf(c.in.ID)
}

// idOf returns the id of the response for Gemini's response id.
func (o *options) idOf(responseID string) string {
	return cmp.Or(o.id, "resp_"+cmp.Or(responseID, unknownName))
}

func (c *converter) modelName() string {
	model := c.modelOf(c.in.Model)
	if model == unknownName {
		c.report.Add(report.Added, "/modelVersion", "the response does not name its model")
	}
	return model
}

// modelOf returns the name of the model for the version of the model that answered.
func (o *options) modelOf(version string) string {
	asked := ""
	if o.request != nil && o.request.Model != nil {
		asked = *o.request.Model
	}
	return cmp.Or(o.model, asked, version, unknownName)
}

// candidate converts the first candidate and returns how the response ends.
func (c *converter) candidate(e *encoder) outcome {
	candidate, at := &c.in.Candidates[0], c.in.WirePosition(0)
	e.index = candidate.Index
	cutCall := e.parts(candidate, at)
	if candidate.Logprobs != nil && len(candidate.Logprobs.Tokens) > 0 {
		e.hasLostLogprobs = !e.addLogprobs(candidate.Logprobs.Tokens)
	}
	if c.blocked != nil {
		return outcome{} // the outcome of the refusal is used
	}
	end, entries := outcomeOf(&finished{candidate.FinishReason, candidate.NativeFinishReason,
		candidate.FinishMessage, cutCall}, e.hasOutput())
	for _, entry := range entries {
		c.report.Add(entry.Kind, answer.Pointer(at, entry.Pointer), entry.Detail)
	}
	if e.finish(candidate, &end) {
		c.report.Add(report.Approximated, answer.Pointer(at, movedMember(candidate)), detailMoved)
	}
	return end
}

// hasOutput reports whether the model has made an item.
func (e *encoder) hasOutput() bool {
	return len(e.items) > e.given || e.open != "" || e.held.isHeld || len(e.pending) > 0
}

// movedMember returns the pointer of the candidate's member whose spans have other positions here.
func movedMember(candidate *normalize.Candidate) string {
	if candidate.Grounding != nil {
		return "/groundingMetadata"
	}
	return "/citationMetadata"
}

// parts converts the blocks of a candidate. cutCall reports whether a call is incomplete.
func (e *encoder) parts(candidate *normalize.Candidate, position int) (cutCall bool) {
	var joined map[int]int
	if len(candidate.Blocks) > 1 {
		joined = candidate.JoinedParts()
	}
	for i := range candidate.Blocks {
		b := &candidate.Blocks[i]
		part, at := joined[b.Part], answer.PartLocation{Candidate: position, Part: b.Part}
		if b.Type != normalize.BlockCodeResult {
			e.writeCode(openaiapi.ResponseItemStatusCompleted)
		}
		switch b.Type {
		case normalize.BlockText:
			e.text(b.Text, b.Signature, part, at)
			e.keepRest(b, part, at)
		case normalize.BlockThinking:
			e.thought(b.Text, b.Signature, part)
			e.keepRest(b, part, at)
		case normalize.BlockToolCall:
			e.startCall(e.callID(b.ToolCall.ID, b.ToolCall.MadeID, part, at), b.ToolCall.Name,
				b.Signature, part, at)
			e.continueCall(string(b.ToolCall.Arguments))
			e.endCall(b.ToolCall.Incomplete)
			cutCall = cutCall || b.ToolCall.Incomplete
			e.keepRest(b, part, at)
		default:
			e.block(b, part, at)
		}
	}
	return cutCall
}

// complete sets the members that a response has at its end.
func (c *converter) complete(out *openaiapi.Response, e *encoder, end *outcome) {
	out.Status = end.status()
	out.Error = end.failed
	if end.reason != "" {
		out.IncompleteDetails = &openaiapi.ResponseIncompleteDetails{Reason: end.reason}
	}
	if out.Status == openaiapi.ResponseStatusCompleted {
		out.CompletedAt = &out.CreatedAt
	}
	if e.items != nil {
		out.Output = e.items
	}
	out.Usage = usageOf(&c.in.Usage)
	out.ServiceTier = new(tierOf(&c.in.Usage))
	reportUsage(&c.report, &c.in.Usage, out.Usage, c.plain)
	if !c.plain {
		out.ExtraContent = c.extension(e)
	}
}

// itemSuffix returns the part of the response's id that the ids of items contain.
func itemSuffix(id string) string {
	if own, ok := strings.CutPrefix(id, "resp_"); ok && own != "" {
		return own
	}
	return id
}
