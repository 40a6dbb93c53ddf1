package interactions

import (
	"cmp"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// ending is what an interaction says about the end of a candidate.
type ending struct {
	status interactionsapi.InteractionStatus
	// code is the code of the error of a failed interaction.
	code string
	// exact is true if no other reason of Gemini has the same status.
	exact bool
}

// endings maps Gemini's finish reasons. A reason that it does not have ends a completed
// interaction, because the answer is usable. The table is never modified.
var endings = map[geminiapi.FinishReason]ending{
	geminiapi.FinishReasonStop:         {status: interactionsapi.InteractionStatusCompleted, exact: true},
	geminiapi.FinishReasonMaxTokens:    {status: interactionsapi.InteractionStatusIncomplete, exact: true},
	geminiapi.FinishReasonContinuation: {status: interactionsapi.InteractionStatusRequiresContinuation, exact: true},

	geminiapi.FinishReasonMalformedFunctionCall:   failedBecause("malformed_function_call"),
	geminiapi.FinishReasonMalformedResponse:       failedBecause("malformed_response"),
	geminiapi.FinishReasonUnexpectedToolCall:      failedBecause("unexpected_tool_call"),
	geminiapi.FinishReasonTooManyToolCalls:        failedBecause("too_many_tool_calls"),
	geminiapi.FinishReasonMissingThoughtSignature: failedBecause("missing_thought_signature"),
	geminiapi.FinishReasonLanguage:                failedBecause("language"),
	geminiapi.FinishReasonOther:                   failedBecause("other"),
	geminiapi.FinishReasonNoImage:                 failedBecause("no_image"),
	geminiapi.FinishReasonEscalation:              failedBecause("escalation"),

	geminiapi.FinishReasonSafety:                 failedBecause(wire.CodeContentBlocked),
	geminiapi.FinishReasonProhibitedContent:      failedBecause(wire.CodeContentBlocked),
	geminiapi.FinishReasonBlocklist:              failedBecause(wire.CodeContentBlocked),
	geminiapi.FinishReasonSPII:                   failedBecause(wire.CodeContentBlocked),
	geminiapi.FinishReasonRecitation:             failedBecause(wire.CodeContentBlocked),
	geminiapi.FinishReasonImageSafety:            failedBecause(wire.CodeContentBlocked),
	geminiapi.FinishReasonImageProhibitedContent: failedBecause(wire.CodeContentBlocked),
	geminiapi.FinishReasonImageRecitation:        failedBecause(wire.CodeContentBlocked),
	geminiapi.FinishReasonImageOther:             failedBecause(wire.CodeContentBlocked),
	geminiapi.FinishReasonModelArmor:             failedBecause(wire.CodeContentBlocked),

	geminiapi.FinishReasonUnspecified: {status: interactionsapi.InteractionStatusCompleted},
}

func failedBecause(code string) ending {
	return ending{status: interactionsapi.InteractionStatusFailed, code: code}
}

// finished is the end of a candidate, as package normalize reports it.
type finished struct {
	native       geminiapi.FinishReason
	message      string
	continuation *string // token
}

// end is why an interaction ends.
type end struct {
	status       interactionsapi.InteractionStatus
	errors       []interactionsapi.Error
	continuation *string
	// isExact is true if the status alone has Gemini's reason.
	isExact bool
	// hasMessage is true if the errors have Gemini's finish message.
	hasMessage bool
}

// endOf returns why an interaction ends, and the report entries about the candidate's finishReason.
func endOf(f *finished, made answer.Calls) (out end, entries report.Report) {
	note := func(kind report.Kind, detail string) { entries.Add(kind, "/finishReason", detail) }
	row, isKnown := endings[f.native]
	out = end{status: row.status, isExact: row.exact}
	switch {
	case f.native == "":
		note(report.Added, "the candidate does not say why it ended")
		out.status, out.isExact = interactionsapi.InteractionStatusCompleted, true
	case !isKnown || f.native == geminiapi.FinishReasonUnspecified:
		note(report.Approximated, detailNoReason)
		out.status = interactionsapi.InteractionStatusCompleted
	case row.code != "":
		note(report.Approximated, detailErrorCode)
		out.errors = []interactionsapi.Error{newError(row.code, string(f.native), f.message)}
		out.hasMessage = true
	case out.status == interactionsapi.InteractionStatusRequiresContinuation:
		out.continuation = f.continuation
	}
	if out.status != interactionsapi.InteractionStatusCompleted {
		return out, entries
	}
	switch {
	case made.Cut:
		note(report.Approximated, "converted to incomplete, because a call is cut and must not be run")
		out.status, out.isExact = interactionsapi.InteractionStatusIncomplete, f.native == ""
	case made.Some:
		out.status = interactionsapi.InteractionStatusRequiresAction
	}
	return out, entries
}

// refused returns the end for a refused prompt.
func refused(blocked *normalize.BlockedError) end {
	reason := cmp.Or(string(blocked.Reason), answer.DetailRefused)
	return end{
		status: interactionsapi.InteractionStatusFailed,
		errors: []interactionsapi.Error{newError(wire.CodeContentBlocked, reason, blocked.Message)},
	}
}

// newError returns an error of an interaction with Gemini's reason and its message, if any.
func newError(code, reason, message string) interactionsapi.Error {
	text := reason
	if message != "" {
		text += ": " + message
	}
	return wire.ErrorBody(code, strings.ToValidUTF8(text, "\ufffd")).Error
}

// continuationToken returns the token of a candidate, or nil.
func continuationToken(rest *geminiapi.Candidate) *string {
	if rest == nil || jsonx.Deref(rest.ContinuationToken) == "" {
		return nil
	}
	return rest.ContinuationToken
}

const (
	detailNoReason  = "converted to completed, because an interaction has no such reason"
	detailErrorCode = "converted to the status failed and an error that names the reason"
)
