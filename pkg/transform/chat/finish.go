package chat

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// finishReasons are the values that clients know. OpenAI has no value for a failure of the model or
// an unknown reason. Those become stop, so that a client that waits for a known value sees the end.
var finishReasons = map[normalize.FinishReason]openaiapi.FinishReason{
	normalize.FinishStop:          openaiapi.FinishReasonStop,
	normalize.FinishLength:        openaiapi.FinishReasonLength,
	normalize.FinishToolUse:       openaiapi.FinishReasonToolCalls,
	normalize.FinishContentFilter: openaiapi.FinishReasonContentFilter,
	normalize.FinishError:         openaiapi.FinishReasonStop,
	normalize.FinishUnknown:       openaiapi.FinishReasonStop,
}

// finishReason returns why a choice ended. A refused prompt takes precedence.
func (c *converter) finishReason(candidate *normalize.Candidate, made answer.Calls,
	at int) openaiapi.FinishReason {
	native, reason := candidate.NativeFinishReason, candidate.FinishReason
	switch {
	case c.blocked != nil:
		if c.plain && native != "" {
			c.report.Add(report.Lost, answer.Pointer(at, "/finishReason"), answer.DetailRefused)
		}
		return openaiapi.FinishReasonContentFilter
	case native == "" && reason == normalize.FinishUnknown:
		c.report.Add(report.Added, answer.Pointer(at, "/finishReason"),
			"the candidate does not say why it ended")
		switch {
		case made.Cut:
			return openaiapi.FinishReasonLength
		case made.Some:
			return openaiapi.FinishReasonToolCalls
		}
	case reason == normalize.FinishToolUse && made.Cut:
		c.report.Add(report.Approximated, answer.Pointer(at, "/finishReason"),
			"converted to length, because a call is incomplete and must not be run")
		return openaiapi.FinishReasonLength
	case reason == normalize.FinishError || reason == normalize.FinishUnknown:
		c.report.Add(report.Approximated, answer.Pointer(at, "/finishReason"),
			"converted to stop, because OpenAI has no such reason")
	case c.plain && native != "" && native != geminiapi.FinishReasonStop &&
		native != geminiapi.FinishReasonMaxTokens:
		c.report.Add(report.Approximated, answer.Pointer(at, "/finishReason"),
			"converted to a reason of OpenAI that covers several of Gemini's")
	}
	return finishReasons[reason]
}

// nativeReason returns Gemini's own reason, or "" without a reason.
func (c *converter) nativeReason(candidate *normalize.Candidate) string {
	if c.blocked != nil {
		return string(c.blocked.Reason)
	}
	return string(candidate.NativeFinishReason)
}
