package messages

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// FromGemini converts a generateContent response to a message. The report lists what was added,
// approximated or lost, with JSON pointers into r.
//
// A refused prompt is not an error. It becomes a message without blocks that ends in refusal and
// gives the reason. The error is:
//
//   - [normalize.ErrNoCandidates] if the response has neither candidates nor a refusal;
//   - a *gemini.Error in the chain if r is an error envelope;
//   - a *[normalize.PartError] for a function call that cannot be understood;
//   - any other error of [normalize.FromResponse].
//
// [FromError] converts an error for a client.
//
// The result shares strings with r. Neither may be changed while the other is in use. The result
// passes [anthropic.ValidateResponse].
func FromGemini(r *geminiapi.GenerateContentResponse, opts ...Option) (*anthropicapi.Message,
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
// report refer to the wire response that r was made from. Tool-call ids stay unchanged, unless the
// Messages API does not allow their characters, or [WithToolCallIDs] replaces generated ones.
//
// It returns an error if r fails [normalize.Validate]. A nil r is an empty response.
func FromNormalized(r *normalize.Response, opts ...Option) (*anthropicapi.Message, report.Report,
	error) {
	if r == nil {
		r = &normalize.Response{}
	}
	if err := normalize.Validate(r); err != nil {
		return nil, nil, fmt.Errorf("messages: %w", err)
	}
	o := option.New[options](opts)
	o.keepsMadeIDs = true
	return convert(r, o)
}

// converter holds what the steps of one conversion share.
type converter struct {
	encoder
	in     *normalize.Response
	report report.Report
}

// convert makes the events that a stream would have, and the message from these events.
func convert(in *normalize.Response, o options) (*anthropicapi.Message, report.Report, error) {
	blocked := in.Blocked()
	if blocked == nil && len(in.Candidates) == 0 {
		return nil, nil, normalize.ErrNoCandidates
	}
	c := converter{in: in}
	r := messageMemories.Get().(*eventMemory)
	c.encoder = encoder{options: &o, entries: answer.PartEntries{Report: &c.report},
		responseID: in.ID, memory: r, out: r.events}
	if len(in.Candidates) > 0 {
		c.candidate = in.Candidates[0].Index
	}
	c.start(c.messageID(), c.modelName(), c.usage(&in.Usage))
	end := c.content(blocked)
	usage := c.usage(&in.Usage)
	reportUsage(&c.report, &in.Usage, &usage)
	c.finish(&end, usage)
	c.unshown(blocked != nil)
	out, err := accumulated(c.out)
	if r.events = c.out; r.clear() {
		messageMemories.Put(r)
	}
	return out, c.report, err
}

// accumulated returns the message that events add up to.
func accumulated(events []anthropicapi.StreamEvent) (*anthropicapi.Message, error) {
	var a anthropic.Accumulator
	for i := range events {
		if err := a.Push(&events[i]); err != nil {
			return nil, err
		}
	}
	return a.Message(), nil
}

// unknownName stands for a missing id or model name.
const unknownName = "gemini"

func (c *converter) messageID() string {
	report, id := c.identify(c.in.ID)
	c.report = append(c.report, report...)
	return id
}

// identify returns the id of a message, and the report entries about the response's id.
func (o *options) identify(responseID string) (entries report.Report, id string) {
	const pointer = "/responseId"
	switch {
	case o.id != "" && responseID != "":
		entries.Add(report.Lost, pointer, "an option sets another id")
	case o.id == "" && responseID == "":
		entries.Add(report.Added, pointer, "the response has no id")
	case o.id == "" && safe(responseID) != responseID:
		entries.Add(report.Approximated, pointer,
			"characters other than letters, digits, underscores and dashes are replaced")
	}
	return entries, cmp.Or(o.id, "msg_"+safe(cmp.Or(responseID, unknownName)))
}

func (c *converter) modelName() string {
	report, model := c.nameModel(c.in.Model)
	c.report = append(c.report, report...)
	return model
}

// nameModel returns the model of a message, and the report entries about the response's model.
func (o *options) nameModel(version string) (entries report.Report, model string) {
	const pointer = "/modelVersion"
	switch {
	case o.model == "" && version == "":
		entries.Add(report.Added, pointer, "the response does not name its model")
	case o.model != "" && version != "" && version != o.model:
		entries.Add(report.Approximated, pointer,
			"replaced by the model name that the client requested")
	}
	return entries, cmp.Or(o.model, version, unknownName)
}

// content converts the first candidate, if any, and returns why the message ends.
func (c *converter) content(blocked *normalize.BlockedError) stop {
	if len(c.in.Candidates) == 0 {
		c.report.Add(report.Added, "/candidates", detailRefusal)
		return refused(blocked)
	}
	candidate, at := &c.in.Candidates[0], c.in.WirePosition(0)
	c.parts(candidate, at)
	made := answer.CallsOf(candidate)
	c.pad(made, candidate, at)
	if c.webSearch && candidate.Grounding != nil {
		isCited := c.search(candidate.Grounding, candidate.Text())
		c.reportCitations(candidate.Grounding, at, isCited)
	}
	c.end()
	if blocked != nil {
		if candidate.NativeFinishReason != "" {
			c.report.Add(report.Lost, answer.Pointer(at, "/finishReason"), answer.DetailRefused)
		}
		return refused(blocked)
	}
	end, report := c.stopOf(&finished{candidate.FinishReason, candidate.NativeFinishReason,
		candidate.FinishMessage}, made)
	for _, e := range report {
		c.report.Add(e.Kind, answer.Pointer(at, e.Pointer), e.Detail)
	}
	return end
}

const detailRefusal = "the message says that the prompt was refused"

// parts converts the blocks of a candidate.
func (c *converter) parts(candidate *normalize.Candidate, position int) {
	var joined map[int]int
	for i := range candidate.Blocks {
		b := &candidate.Blocks[i]
		at := answer.PartLocation{Candidate: position, Part: b.Part}
		switch b.Type {
		case normalize.BlockText:
			c.text(b.Text, b.Signature, at)
			c.unshownPart(b.Extra, at)
		case normalize.BlockThinking:
			c.thought(b.Text, b.Signature, at)
			c.unshownPart(b.Extra, at)
		case normalize.BlockToolCall:
			if b.ToolCall.MadeID && joined == nil {
				joined = candidate.JoinedParts()
			}
			id := c.callID(b.ToolCall.ID, b.ToolCall.MadeID, joined[b.Part], at)
			c.startCall(id, b.ToolCall.Name, b.Signature, at)
			c.addInput(string(b.ToolCall.Arguments))
			c.end()
			if b.Extra != nil && merge.HasLeftOver(b.Extra.FunctionCall) {
				c.entries.Add(report.Lost, at, "/functionCall", answer.DetailLeftOver)
			}
			c.encoder.unshown = c.encoder.unshown[:0]
			reportCall(&c.encoder.unshown, merge.WithoutPieces(b.WirePart()))
			c.entries.AddAll(at, c.encoder.unshown)
		default:
			c.block(b, at)
		}
	}
}

// pad ends the thinking. It adds a text to a message that consists of thoughts only.
func (c *converter) pad(made answer.Calls, candidate *normalize.Candidate, at int) {
	c.endThinking()
	if c.needsText(candidate.FinishReason, made) {
		c.report.Add(report.Added, answer.Pointer(at, "/content/parts"), detailPadded)
		c.addSpace()
	}
}

const detailPadded = "a text of one space, because clients retry a turn that has only thoughts"

// needsText reports whether a message has only thoughts, and a stop reason that does not explain
// this.
func (e *encoder) needsText(reason normalize.FinishReason, made answer.Calls) bool {
	return e.begun > 0 && e.visible == 0 && !made.Some && reason != normalize.FinishLength &&
		reason != normalize.FinishContentFilter
}

// addSpace adds a block of text with one space.
func (e *encoder) addSpace() {
	e.beginText()
	e.addText(" ")
}

// reportCitations reports how the text spans with sources were converted.
func (c *converter) reportCitations(g *normalize.Grounding, at int, isCited bool) {
	if len(g.Supports) == 0 {
		return
	}
	kind, detail := citationsFate(isCited)
	c.report.Add(kind, answer.Pointer(at, "/groundingMetadata/groundingSupports"), detail)
}

func citationsFate(isCited bool) (report.Kind, string) {
	if isCited {
		return report.Approximated, detailCited
	}
	return report.Lost, detailNotCited
}

// unshown reports what the message does not show, apart from the parts.
func (c *converter) unshown(isBlocked bool) {
	for at := range c.in.Candidates {
		position := c.in.WirePosition(at)
		if at > 0 {
			c.report.Add(report.Lost, answer.Pointer(position, ""), detailOtherCandidate)
			continue
		}
		if c.in.Candidates[at].Index > 0 {
			c.report.Add(report.Lost, answer.Pointer(position, "/index"), detailOtherCandidate)
		}
		c.reportCandidate(&c.report, answer.Pointer(position, ""),
			c.in.Candidates[at].WireMetadata())
	}
	answer.AddJoined(&c.report, c.in)
	rest := answer.WireMembers(c.in)
	rest.CreateTime = jsonx.NonEmpty(c.in.CreateTime)
	reportResponse(&c.report, &rest, isBlocked)
	answer.AddIgnored(&c.report, c.in)
}
