package reverse

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
)

// errNoAnswer is returned for a missing completion, errNoChoices and errNoMessage for an empty one.
var (
	errNoAnswer  = errors.New("chat: reverse: there is no completion")
	errNoChoices = fmt.Errorf("chat: reverse: the completion has no choices: %w",
		normalize.ErrNoCandidates)
	errNoMessage = fmt.Errorf("chat: reverse: no choice of the completion has a message: %w",
		normalize.ErrNoCandidates)
)

// ToGemini converts a completion to a Gemini response. The report lists what was added,
// approximated or lost, with JSON pointers into in.
//
// The error is an *[openai.Error] if the server sent an error in place of a completion, which some
// servers do with a status of success. It wraps [normalize.ErrNoCandidates] if the completion has
// no choices. [FromError] converts an error for a client. The result shares memory with in.
func ToGemini(in *openaiapi.CreateChatCompletionResponse,
	opts ...Option) (*geminiapi.GenerateContentResponse, report.Report, error) {
	if in == nil {
		return nil, nil, errNoAnswer
	}
	if err := openai.ErrorIn(in); err != nil {
		return nil, nil, err
	}
	c := converter{options: option.New[options](opts), in: in}
	if c.google = googleOf(c.in.ExtraContent); len(in.Choices) == 0 &&
		c.google.PromptFeedback == nil {
		return nil, nil, errNoChoices
	}
	if len(in.Choices) > 0 && !slices.ContainsFunc(in.Choices, hasMessage) {
		return nil, nil, errNoMessage
	}
	return c.answer(), c.report.entries, nil
}

// converter converts one completion.
type converter struct {
	options
	in     *openaiapi.CreateChatCompletionResponse
	google openaiapi.GoogleExtraContent // of the completion
	// fromGemini reports whether package openai made the completion from a Gemini response. blocked
	// reports whether the prompt was refused.
	fromGemini, blocked bool
	first               *openaiapi.Choice // the choice with the lowest index, or nil
	report              reporter
}

func (c *converter) answer() *geminiapi.GenerateContentResponse {
	c.fromGemini = c.in.ExtraContent != nil || slices.ContainsFunc(c.in.Choices, isFromGemini)
	c.blocked = isBlocked(c.google.PromptFeedback, c.in.Choices)
	out := c.envelope()
	said := func(i int) int { return max(c.in.Choices[i].Index, 0) }
	indexes := merge.NewIndexes(len(c.in.Choices), said)
	c.first = firstOf(c.in.Choices)
	for i := range c.in.Choices {
		choice, index := &c.in.Choices[i], indexes.Next()
		if !hasMessage(*choice) {
			c.report.add(report.Lost, choicePointer(i), "the choice has no message")
			continue
		}
		if c.blocked && isRefusalAlone(choice) {
			c.report.add(report.Approximated, choicePointer(i),
				"omitted, because it only repeats that the prompt was refused")
			continue
		}
		candidate := c.candidate(choice, choicePointer(i))
		candidate.Index = &index
		if index != choice.Index {
			c.report.add(report.Approximated, choicePointer(i)+"/index",
				"replaced by the lowest free index, because another choice has it")
		}
		out.Candidates = append(out.Candidates, candidate)
	}
	return out
}

// hasMessage reports whether a choice has a message, or a reason for having none. A broken server
// sends null for both.
func hasMessage(choice openaiapi.Choice) bool {
	switch choice.FinishReason {
	case "", openaiapi.FinishReasonStop, openaiapi.FinishReasonToolCalls,
		openaiapi.FinishReasonFunctionCall:
		return !choice.Message.IsEmpty() || choice.NativeFinishReason != nil ||
			choice.Unknown != nil
	default:
		return true
	}
}

// firstOf returns the choice with the lowest index, or nil if there are no choices.
func firstOf(choices []openaiapi.Choice) (first *openaiapi.Choice) {
	for i := range choices {
		if choice := &choices[i]; first == nil || max(choice.Index, 0) < max(first.Index, 0) {
			first = choice
		}
	}
	return first
}

// isFromGemini reports whether a choice has a value that only Gemini sends.
func isFromGemini(choice openaiapi.Choice) bool {
	return choice.Message.ExtraContent != nil ||
		looksLikeGeminis(jsonx.Deref(choice.NativeFinishReason))
}

// isBlocked reports whether the feedback says that the prompt was refused. It does so by a reason,
// or by a message if the only choice is a refusal.
func isBlocked(feedback *geminiapi.PromptFeedback, choices []openaiapi.Choice) bool {
	switch {
	case feedback == nil:
		return false
	case jsonx.Deref(feedback.BlockReason) != "":
		return true
	default:
		return jsonx.Deref(feedback.BlockReasonMessage) != "" && len(choices) == 1 &&
			isRefusalAlone(&choices[0])
	}
}

// firstChoice is the pointer of the first choice, which is nearly always the only one.
const firstChoice = "/choices/0"

func choicePointer(i int) string {
	if i == 0 {
		return firstChoice
	}
	return "/choices/" + strconv.Itoa(i)
}

// isRefusalAlone reports whether a choice was added only to say that the prompt was refused.
func isRefusalAlone(choice *openaiapi.Choice) bool {
	m := &choice.Message
	return m.Refusal != nil && m.Content == nil && m.ReasoningContent == nil &&
		m.ExtraContent == nil && len(m.ToolCalls) == 0 &&
		m.Audio == nil && len(m.Images) == 0
}

// envelope makes the answer without its candidates.
func (c *converter) envelope() *geminiapi.GenerateContentResponse {
	rest := jsonx.Deref(c.google.Response)
	out := &geminiapi.GenerateContentResponse{
		ResponseID: cmp.Or(jsonx.NonEmpty(c.id), rest.ResponseID,
			jsonx.NonEmpty(c.given(c.in.ID))),
		ModelVersion: cmp.Or(jsonx.NonEmpty(c.model), rest.ModelVersion,
			jsonx.NonEmpty(c.given(c.in.Model))),
		PromptFeedback: c.google.PromptFeedback,
		ModelStatus:    c.google.ModelStatus,
		TurnToken:      rest.TurnToken,
		Unknown:        rest.Unknown,
	}
	out.CreateTime = createTime(c.in.Created, c.google.CreateTime)
	tier := c.in.ServiceTier
	out.UsageMetadata = usage(c.in.Usage, c.google.UsageMetadata, &c.report)
	c.setTier(out, tier)
	c.loseEnvelope(out)
	return out
}

// madeName is the id or model name in a completion if Gemini did not send one.
const madeName = "gemini"

// given returns an id or a name, or "" if package openai made it.
func (c *converter) given(name string) string {
	if c.fromGemini && name == madeName {
		return ""
	}
	return name
}

// lastSecond is the last second of the year 9999. Larger times are in milliseconds.
const lastSecond = 253402300799

// createTime returns the time of an answer: the extension's time, which is more precise, or the
// completion's time in seconds.
func createTime(created int64, finer *string) *string {
	if finer != nil || created <= 0 {
		return finer
	}
	if created > lastSecond {
		created /= 1000
	}
	return new(time.Unix(created, 0).UTC().Format(time.RFC3339))
}

// isTime reports whether a time counts seconds since 1970. 0 means no time and is accepted.
func isTime(created int64) bool { return 0 <= created && created <= lastSecond }

// setTier sets the service tier of the answer.
func (c *converter) setTier(out *geminiapi.GenerateContentResponse, tier *openaiapi.ServiceTier) {
	if tier == nil {
		return
	}
	own, known := serviceTiers[*tier]
	switch {
	case !known:
		c.report.add(report.Lost, "/service_tier", "Gemini does not have this tier")
	case out.UsageMetadata != nil && out.UsageMetadata.ServiceTier != nil:
		c.report.add(report.Approximated, "/service_tier", detailOwnCounts)
	default:
		if out.UsageMetadata == nil {
			out.UsageMetadata = &geminiapi.UsageMetadata{}
		}
		out.UsageMetadata.ServiceTier = &own
	}
}

// serviceTiers maps OpenAI's tiers to Gemini's. It is never modified.
var serviceTiers = map[openaiapi.ServiceTier]geminiapi.ServiceTier{
	openaiapi.ServiceTierDefault:  geminiapi.ServiceTierStandard,
	openaiapi.ServiceTierFlex:     geminiapi.ServiceTierFlex,
	openaiapi.ServiceTierPriority: geminiapi.ServiceTierPriority,
}

// loseEnvelope reports what the answer does not show of the completion, apart from its choices.
func (c *converter) loseEnvelope(out *geminiapi.GenerateContentResponse) {
	c.report.differs("/object", string(c.in.Object), string(openaiapi.ObjectTypeChatCompletion))
	c.report.differs("/id", c.in.ID, jsonx.Deref(out.ResponseID))
	c.report.differs("/model", c.in.Model, jsonx.Deref(out.ModelVersion))
	if c.google.CreateTime != nil && jsonx.Deref(createTime(c.in.Created, nil)) != "" ||
		!isTime(c.in.Created) {
		c.report.add(report.Approximated, "/created",
			"replaced, because the extension has a more precise time, or it does not count seconds since 1970")
	}
	c.report.lose("/system_fingerprint", c.in.SystemFingerprint != nil)
	c.report.lose("/metadata", len(c.in.Metadata) > 0)
	c.report.lose("/moderation", c.in.Moderation != nil)
	c.loseUnknown()
	left := c.google
	left.PromptFeedback, left.UsageMetadata, left.ModelStatus, left.CreateTime, left.Response = nil,
		nil, nil, nil, nil
	c.report.loseGoogle("", c.in.ExtraContent, left)
	c.report.loseResponse(c.google.Response)
}

// loseUnknown reports the unknown members of a completion, except lists of sources, which belong to
// the first choice.
func (c *converter) loseUnknown() {
	if c.fromGemini || len(c.in.Choices) == 0 {
		c.report.loseUnknown("", c.in.Unknown)
		return
	}
	c.report.loseUnknown("", c.in.Unknown, sourceListNames(c.in.Unknown)...)
}

// loseResponse reports the members of a response in the extension that are not used.
func (r *reporter) loseResponse(rest *geminiapi.GenerateContentResponse) {
	if rest != nil {
		other := *rest
		other.ResponseID, other.ModelVersion, other.TurnToken, other.Unknown = nil, nil, nil, nil
		r.lose("/extra_content/google/response", !other.IsEmpty())
	}
}
