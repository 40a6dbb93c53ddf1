package reverse

import (
	"cmp"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
)

// ending says how Gemini reports a status.
type ending struct {
	// reason is the finish reason, or "" while the interaction runs.
	reason geminiapi.FinishReason
	// message is the finish message, unless an error of the interaction has one.
	message string
	// isNear is true if the reason says less than the status.
	isNear bool
}

// endings maps the status of an interaction to Gemini's finish reason. It is never written to.
var endings = map[interactionsapi.InteractionStatus]ending{
	interactionsapi.InteractionStatusCompleted:      {reason: geminiapi.FinishReasonStop},
	interactionsapi.InteractionStatusRequiresAction: {reason: geminiapi.FinishReasonStop},
	interactionsapi.InteractionStatusIncomplete:     {reason: geminiapi.FinishReasonMaxTokens},
	interactionsapi.InteractionStatusRequiresContinuation: {
		reason: geminiapi.FinishReasonContinuation},
	interactionsapi.InteractionStatusBudgetExceeded: {reason: geminiapi.FinishReasonMaxTokens,
		isNear: true},
	interactionsapi.InteractionStatusCancelled: {reason: geminiapi.FinishReasonOther,
		message: "the interaction was cancelled", isNear: true},
	interactionsapi.InteractionStatusFailed: {reason: geminiapi.FinishReasonOther,
		message: "the interaction failed"},
	interactionsapi.InteractionStatusInProgress: {},
	interactionsapi.InteractionStatusQueued:     {isNear: true},
}

// statusOf returns the status that a finish reason says without the extension.
func statusOf(reason geminiapi.FinishReason, hasCalls bool) interactionsapi.InteractionStatus {
	switch reason {
	case "":
		return interactionsapi.InteractionStatusInProgress
	case geminiapi.FinishReasonStop:
		if hasCalls {
			return interactionsapi.InteractionStatusRequiresAction
		}
		return interactionsapi.InteractionStatusCompleted
	case geminiapi.FinishReasonMaxTokens:
		return interactionsapi.InteractionStatusIncomplete
	case geminiapi.FinishReasonContinuation:
		return interactionsapi.InteractionStatusRequiresContinuation
	default:
		return interactionsapi.InteractionStatusFailed
	}
}

const (
	detailNoStatus   = "the interaction has steps and no status, so it is complete"
	detailNearStatus = "the finish reason says less than the status"
)

// end sets the finish reason and the finish message of a candidate. room is memory for the reason.
func (a *answer) end(candidate *geminiapi.Candidate, room *geminiapi.FinishReason) {
	status := a.in.Status
	if status == "" {
		a.entries.Add(report.Added, "/status", detailNoStatus)
		status = interactionsapi.InteractionStatusCompleted
	}
	e, isKnown := endings[status]
	if !isKnown {
		e = ending{reason: geminiapi.FinishReasonOther, message: "status: " + string(status)}
	}
	failure := a.failure()
	if status == interactionsapi.InteractionStatusFailed {
		if a.isBlocked() {
			e.reason = geminiapi.FinishReasonSafety
		}
		if reason, message, ok := native(a.in); ok {
			e.reason, e.message, failure = reason, "", message
		}
	}
	if *room = e.reason; e.reason != "" {
		candidate.FinishReason = room
	}
	candidate.FinishMessage = jsonx.NonEmpty(cmp.Or(failure, e.message))
	candidate.ContinuationToken = a.in.ContinuationToken
	a.restStatus(e)
}

// native returns Gemini's own finish reason and message, which package interactions puts into the
// message of an error. ok is false for an error of Google's own.
func native(in *interactionsapi.Interaction) (reason geminiapi.FinishReason, message string,
	ok bool) {
	word, message, _ := strings.Cut(firstMessage(in), ": ")
	reason = geminiapi.FinishReason(word)
	if !reason.Valid() || len(in.Errors) != 1 {
		return "", "", false
	}
	code := codeOf(&in.Errors[0])
	return reason, message, code == interactions.CodeContentBlocked ||
		strings.EqualFold(code, word)
}

// restStatus keeps a status that the finish reason does not say.
func (a *answer) restStatus(e ending) {
	isSaid := a.in.Status == statusOf(e.reason, a.calls.wait()) &&
		a.in.Status == statusOf(e.reason, a.calls.some)
	if e.reason == "" && !a.noExtension {
		isSaid = false // an answer that says no reason may be complete
	}
	if a.in.Status == "" || isSaid {
		a.rest.Status = ""
		return
	}
	if a.noExtension && (e.isNear || e.message != "") {
		a.entries.Add(report.Approximated, "/status", detailNearStatus)
	}
}

// isBlocked reports whether a filter refused the prompt or the answer.
func (a *answer) isBlocked() bool {
	return len(a.in.Errors) > 0 && codeOf(&a.in.Errors[0]) == interactions.CodeContentBlocked
}

func codeOf(e *interactionsapi.Error) string {
	return (&interactions.Error{Response: interactionsapi.ErrorResponse{Error: *e}}).Code()
}

func firstMessage(in *interactionsapi.Interaction) string {
	if len(in.Errors) == 0 {
		return ""
	}
	return jsonx.Deref(in.Errors[0].Message)
}

// failure returns the text of the first error of the interaction, or of a step, or "".
func (a *answer) failure() string {
	if len(a.in.Errors) > 0 {
		return cmp.Or(firstMessage(a.in), codeOf(&a.in.Errors[0]))
	}
	return a.stepFailure
}

// failed returns the error of an interaction that failed without steps. It returns nil for any
// other interaction, for one that a filter refused, and for one that was made of an answer of
// Gemini, which has a finish reason.
func failed(in *interactionsapi.Interaction) error {
	if in.Status != interactionsapi.InteractionStatusFailed || len(in.Steps) > 0 {
		return nil
	}
	if _, _, ok := native(in); ok {
		return nil
	}
	body := interactions.ErrorBody(interactions.CodeInternal, "the interaction failed")
	if len(in.Errors) > 0 {
		body.Error = in.Errors[0]
	}
	if e := (&interactions.Error{Response: *body}); e.Code() != interactions.CodeContentBlocked {
		return e
	}
	return nil
}
