package chat

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// FromGemini converts a generateContent response to a chat completion. The report lists what was
// added, approximated or lost, with JSON pointers into r.
//
// A refused prompt is not an error. It becomes a completion with one choice that ends in
// content_filter and gives the reason in refusal. The error is:
//
//   - [normalize.ErrNoCandidates] if the response has neither candidates nor a refusal, because
//     clients read the first choice without a check;
//   - a *gemini.Error in the chain if r is an error envelope;
//   - a *[normalize.PartError] for a function call that cannot be understood;
//   - any other error of [normalize.FromResponse].
//
// [FromError] converts an error for a client.
//
// The result shares strings, slices and whole records with r. Neither may be changed while the
// other is in use. The result passes [openai.ValidateResponse].
func FromGemini(r *geminiapi.GenerateContentResponse,
	opts ...Option) (*openaiapi.CreateChatCompletionResponse, report.Report, error) {
	c := converter{options: option.New[options](opts)}
	if c.toolCallID == nil {
		c.toolCallID = madeCallID
	}
	in, err := normalize.FromResponse(r, normalize.WithToolCallIDs(answer.PendingID))
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		in, err = blocked.Response, nil
	}
	if err != nil {
		return nil, nil, err
	}
	c.in = in
	return c.completion()
}

// FromNormalized converts a response of package normalize like [FromGemini]. The pointers of the
// report refer to the wire response that r was made from. Tool-call ids stay unchanged, unless
// [WithToolCallIDs] replaces generated ones.
//
// The extensions contain what r carries from the wire in its Wire and Extra members. FromNormalized
// returns an error if r fails [normalize.Validate]. A nil r is an empty response.
func FromNormalized(r *normalize.Response, opts ...Option) (*openaiapi.CreateChatCompletionResponse,
	report.Report, error) {
	if r == nil {
		r = &normalize.Response{}
	}
	if err := normalize.Validate(r); err != nil {
		return nil, nil, fmt.Errorf("chat: %w", err)
	}
	c := converter{options: option.New[options](opts), in: r}
	return c.completion()
}

// converter holds what the steps of one conversion share.
type converter struct {
	options
	in        *normalize.Response
	index     int                  // of the current choice
	candidate *normalize.Candidate // the candidate of the choice
	// [normalize.Candidate.JoinedParts] of the candidate; made when an id needs it
	joined  map[int]int
	ids     callIDs                 // of its calls
	blocked *normalize.BlockedError // why the prompt was refused, or nil
	report  report.Report
}

func (c *converter) completion() (*openaiapi.CreateChatCompletionResponse, report.Report, error) {
	c.blocked = c.in.Blocked()
	if c.blocked == nil && len(c.in.Candidates) == 0 {
		return nil, nil, normalize.ErrNoCandidates
	}
	out := c.envelope()
	out.Choices = make([]openaiapi.Choice, len(c.in.Candidates))
	index := choiceIndex{several: len(out.Choices) > 1}
	for at := range out.Choices {
		c.choice(&out.Choices[at], &c.in.Candidates[at], c.in.WirePosition(at), &index)
	}
	answer.AddJoined(&c.report, c.in)
	if c.blocked != nil {
		c.refuse(out)
	}
	answer.AddIgnored(&c.report, c.in)
	return out, c.report, nil
}

// envelope makes the completion without its choices.
func (c *converter) envelope() *openaiapi.CreateChatCompletionResponse {
	id := c.responseID()
	c.reportTime()
	out := &openaiapi.CreateChatCompletionResponse{
		ID:      id,
		Object:  openaiapi.ObjectTypeChatCompletion,
		Created: openaianswer.Seconds(c.in.CreateTime, c.created),
		Model:   c.modelName(),
		Usage:   c.usage(),
	}
	if c.plain {
		c.loseEnvelope()
	} else {
		out.ExtraContent = c.responseExtension()
	}
	return out
}

// unknownName stands for a missing id or model name.
const unknownName = "gemini"

func (c *converter) responseID() string {
	id := cmp.Or(c.id, c.in.ID)
	if id == "" {
		c.report.Add(report.Added, "/responseId", "the response has no id")
		return unknownName
	}
	return id
}

func (c *converter) modelName() string {
	model := cmp.Or(c.model, c.in.Model)
	if model == "" {
		c.report.Add(report.Added, "/modelVersion", "the response does not name its model")
		return unknownName
	}
	return model
}

// reportTime reports the part of the time that created does not show.
func (c *converter) reportTime() {
	openaianswer.ReportTime(&c.report, "created", c.in.CreateTime, c.created, c.plain)
}
