package responses

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// outcome is how a response ends. The zero value is completed.
type outcome struct {
	reason openaiapi.ResponseIncompleteReason // of an incomplete one
	failed *openaiapi.ResponseError           // of a failed one
}

// status returns the status of the response.
func (e *outcome) status() openaiapi.ResponseStatus {
	switch {
	case e.failed != nil:
		return openaiapi.ResponseStatusFailed
	case e.reason != "":
		return openaiapi.ResponseStatusIncomplete
	default:
		return openaiapi.ResponseStatusCompleted
	}
}

// itemStatus returns the status of the item that was open at the end.
func (e *outcome) itemStatus() openaiapi.ResponseItemStatus {
	if e.status() == openaiapi.ResponseStatusCompleted {
		return openaiapi.ResponseItemStatusCompleted
	}
	return openaiapi.ResponseItemStatusIncomplete
}

// finished is how a candidate ended.
type finished struct {
	reason  normalize.FinishReason
	native  geminiapi.FinishReason
	message string
	cutCall bool // a call is incomplete
}

// fate says how a response ends.
type fate uint8

const (
	completed fate = iota
	incompleteLength
	incompleteFiltered
	failed
	unclear // completed with an output, else failed
)

// fates maps the finish reason of a candidate to the fate of the response.
var fates = map[normalize.FinishReason]fate{
	normalize.FinishStop:          completed,
	normalize.FinishToolUse:       completed,
	normalize.FinishLength:        incompleteLength,
	normalize.FinishContentFilter: incompleteFiltered,
	normalize.FinishError:         failed,
	normalize.FinishUnknown:       unclear,
}

// fateOf returns the fate of a response. A missing image is not a failure if there is other output.
func fateOf(f *finished) fate {
	if f.native == geminiapi.FinishReasonNoImage || f.native == geminiapi.FinishReasonImageOther {
		return unclear
	}
	return fates[f.reason]
}

// outcomeOf returns how the response of a candidate ends. Pointers in the report are relative to
// the candidate.
func outcomeOf(f *finished, hasOutput bool) (end outcome, entries report.Report) {
	const pointer = "/finishReason"
	if f.native == "" {
		entries.Add(report.Added, pointer, "the candidate does not say why it ended")
	}
	switch fate := fateOf(f); {
	case fate == incompleteLength:
		end.reason = openaiapi.ResponseIncompleteReasonMaxOutputTokens
	case fate == incompleteFiltered:
		end.reason = openaiapi.ResponseIncompleteReasonContentFilter
	case fate == failed, fate == unclear && !hasOutput:
		end.failed = serverError(failureText(f))
	case f.cutCall:
		entries.Add(report.Approximated, pointer,
			"converted to max_output_tokens, because a call is incomplete and must not be run")
		end.reason = openaiapi.ResponseIncompleteReasonMaxOutputTokens
	}
	return end, entries
}

// failureText says why the model failed, with Gemini's reason and explanation.
func failureText(f *finished) string {
	text := "The model ended the answer: " + cmp.Or(string(f.native), "it gave no reason")
	if f.message != "" {
		text += ": " + f.message
	}
	return text
}

func serverError(message string) *openaiapi.ResponseError {
	return &openaiapi.ResponseError{Type: "server_error",
		Code: openaiapi.ResponseErrorCodeServerError, Message: message}
}

// refused returns how the response to a refused prompt ends. Codex treats invalid_prompt as final.
// It would send the prompt again after response.incomplete.
func refused(blocked *normalize.BlockedError) outcome {
	return outcome{failed: &openaiapi.ResponseError{
		Type: "invalid_request_error", Code: openaiapi.ResponseErrorCodeInvalidPrompt,
		Message: openaianswer.RefusalText(blocked),
	}}
}

// finish ends the items. The open message gets the sources as annotations. Then follow what waits
// and the searches. moved reports whether the positions of sources differ from Gemini's.
func (e *encoder) finish(candidate *normalize.Candidate, end *outcome) (moved bool) {
	e.writeCode(end.itemStatus())
	if e.open == openaiapi.ResponseItemTypeMessage && candidate != nil {
		moved = e.annotateSources(candidate)
	}
	e.end(end.itemStatus())
	if len(e.pending) > 0 {
		e.sign()
	}
	if candidate != nil {
		e.searches(candidate)
	}
	return moved
}
