package messages

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// stopReasons are the values that clients know. Anthropic has no value for a failure of the model
// or an unknown reason. Those become end_turn, so that a client sees the end. It is never written
// to.
var stopReasons = map[normalize.FinishReason]anthropicapi.StopReason{
	normalize.FinishStop:          anthropicapi.StopReasonEndTurn,
	normalize.FinishLength:        anthropicapi.StopReasonMaxTokens,
	normalize.FinishToolUse:       anthropicapi.StopReasonToolUse,
	normalize.FinishContentFilter: anthropicapi.StopReasonRefusal,
	normalize.FinishError:         anthropicapi.StopReasonEndTurn,
	normalize.FinishUnknown:       anthropicapi.StopReasonEndTurn,
}

// stop is why a candidate ended.
type stop struct {
	reason      anthropicapi.StopReason
	explanation string // of a refusal
}

// details returns details for a refusal, else null.
func (n *stop) details() wiretype.Nullable[anthropicapi.StopDetails] {
	if n.reason != anthropicapi.StopReasonRefusal {
		return wiretype.Null[anthropicapi.StopDetails]()
	}
	return wiretype.Present(anthropicapi.StopDetails{
		Type: "refusal", Category: wiretype.Null[string](),
		Explanation: wiretype.Present(n.explanation),
	})
}

// finished is the end of a candidate, as package normalize reports it.
type finished struct {
	reason  normalize.FinishReason
	native  geminiapi.FinishReason
	message string
}

// stopOf returns why a message ends, and the report entries about the candidate's finishReason.
func (o *options) stopOf(f *finished, made answer.Calls) (end stop, entries report.Report) {
	note := func(kind report.Kind, detail string) { entries.Add(kind, "/finishReason", detail) }
	end.reason = stopReasons[f.reason]
	switch {
	case f.native == "" && f.reason == normalize.FinishUnknown:
		note(report.Added, "the candidate does not say why it ended")
		switch {
		case made.Cut:
			end.reason = anthropicapi.StopReasonMaxTokens
		case made.Some:
			end.reason = anthropicapi.StopReasonToolUse
		}
	case f.reason == normalize.FinishToolUse && made.Cut:
		end.reason = anthropicapi.StopReasonMaxTokens
		note(report.Approximated, "converted to max_tokens, because a call is incomplete and must not be run")
	case f.reason == normalize.FinishContentFilter:
		end.explanation = explanation(string(f.native), f.message)
	case f.reason == normalize.FinishError || f.reason == normalize.FinishUnknown:
		note(report.Approximated, "converted to end_turn, because the Messages API has no such reason")
	case f.native != "" && f.native != geminiapi.FinishReasonStop &&
		f.native != geminiapi.FinishReasonMaxTokens:
		note(report.Approximated, "converted to a reason of the Messages API that covers several of Gemini's")
	case o.stopSequences && f.reason == normalize.FinishStop:
		note(report.Approximated,
			"converted to end_turn, because Gemini does not report whether a stop sequence ended the answer")
	}
	return end, entries
}

// refused returns the end for a refused prompt.
func refused(blocked *normalize.BlockedError) stop {
	return stop{anthropicapi.StopReasonRefusal,
		explanation(string(blocked.Reason), blocked.Message)}
}

// explanation returns Gemini's reason for a refusal with its message, if any.
func explanation(native, message string) string {
	native = cmp.Or(native, answer.DetailRefused)
	if message == "" {
		return native
	}
	return native + ": " + message
}
