package reverse

import (
	"cmp"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// finishReasons are Gemini's words for why an answer ended, by OpenAI's and by those of other
// servers. It is never written to.
var finishReasons = map[openaiapi.FinishReason]geminiapi.FinishReason{
	openaiapi.FinishReasonStop:          geminiapi.FinishReasonStop,
	openaiapi.FinishReasonLength:        geminiapi.FinishReasonMaxTokens,
	openaiapi.FinishReasonContentFilter: geminiapi.FinishReasonSafety,
	openaiapi.FinishReasonToolCalls:     geminiapi.FinishReasonStop,
	openaiapi.FinishReasonFunctionCall:  geminiapi.FinishReasonStop,

	// Together's and TGI's.
	"eos":           geminiapi.FinishReasonStop,
	"eos_token":     geminiapi.FinishReasonStop,
	"stop_sequence": geminiapi.FinishReasonStop,
	// Mistral's and Zhipu's.
	"model_length":                  geminiapi.FinishReasonMaxTokens,
	"model_context_window_exceeded": geminiapi.FinishReasonMaxTokens,
	"sensitive":                     geminiapi.FinishReasonSafety,
	// Anthropic's, as some gateways pass them on. OpenAI's first models with vision said max_tokens
	// in finish_details.
	"end_turn":   geminiapi.FinishReasonStop,
	"tool_use":   geminiapi.FinishReasonStop,
	"max_tokens": geminiapi.FinishReasonMaxTokens,
	"refusal":    geminiapi.FinishReasonSafety,
}

// noReason is what servers of Alibaba's write for no finish reason.
const noReason = "null"

// reasonOf returns why a choice has ended: "" for one that has not.
func reasonOf(said *openaiapi.FinishReason, unknown jsontext.Value) openaiapi.FinishReason {
	reason := jsonx.Deref(said)
	if reason == noReason {
		reason = ""
	}
	if reason == "" {
		reason = openaiapi.FinishReason(
			stringOf(jsonx.Member(jsonx.Member(unknown, memberFinishDetails), "type")))
	}
	return reason
}

// memberFinishDetails is the member of a choice in which OpenAI's first models with vision said why
// it ended.
const memberFinishDetails = "finish_details"

// finishReasonOf returns Gemini's word for a reason, and whether it is known. Gateways before
// Gemini pass on its own.
func finishReasonOf(reason openaiapi.FinishReason) (own geminiapi.FinishReason, isKnown bool) {
	if own, isKnown = finishReasons[reason]; isKnown {
		return own, true
	}
	own = geminiapi.FinishReason(reason)
	return own, own.Valid()
}

// finish is why a choice ended, as a server tells it.
type finish struct {
	reason openaiapi.FinishReason // "" for none, as some servers say null
	native *string
	at     string // the pointer of the choice
	// failure is why the server could not go on, in its words; "" where it could.
	failure string
}

// reasonFailed is the reason of a choice that a server could not continue, as OpenRouter writes it.
const reasonFailed openaiapi.FinishReason = "error"

// complete sets the reason of a choice that has ended without one: it is whole, unless the server
// reports a failure.
func (e *finish) complete() {
	e.reason = openaiapi.FinishReasonStop
	if e.failure != "" {
		e.reason = reasonFailed
	}
}

// memberError is the member of a choice that says why a server could not go on with it, as
// OpenRouter's do.
const memberError = "error"

// failureOf returns what a choice says of a failure.
func failureOf(unknown jsontext.Value) string {
	said := jsonx.Member(unknown, memberError)
	if said == nil {
		return ""
	}
	if e := openai.DecodeForeignError(jsonx.Object(memberError, said)); e != nil {
		return e.Error.Message
	}
	return ""
}

// refusedMessage is the finishMessage of an answer that is a refusal.
const refusedMessage = "The answer is a refusal."

// end sets why a candidate ended. Gemini's own word counts, where the answer came from Gemini.
func (o *options) end(out *geminiapi.Candidate, t *turn, e finish, isBlocked bool) {
	reason, known := finishReasonOf(e.reason)
	switch {
	case t.malformed != "" && reason == geminiapi.FinishReasonMaxTokens: // which cut the call
		out.FinishMessage = &t.malformed
	case t.malformed != "":
		if e.at != "" {
			t.report.add(report.Approximated, e.at+"/finish_reason", "a call is malformed")
		}
		reason = geminiapi.FinishReasonMalformedFunctionCall
		out.FinishMessage = &t.malformed
	case e.reason != "" && !known:
		reason = geminiapi.FinishReasonOther
		out.FinishMessage = new(cmp.Or(e.failure, "finish_reason: "+string(e.reason)))
	case t.refused && out.FinishMessage == nil:
		out.FinishMessage = new(refusedMessage)
	}
	isTold := e.native != nil && looksLikeGeminis(*e.native) && t.malformed == ""
	switch {
	case isBlocked: // Both words are those of the feedback.
		reason = jsonx.Deref(out.FinishReason)
		t.report.add(report.Approximated, e.at+"/finish_reason",
			"why the prompt was refused, as the feedback says")
	case isTold && out.FinishReason == nil:
		if own, _ := finishReasonOf(e.reason); own != geminiapi.FinishReason(*e.native) {
			t.report.add(report.Approximated, e.at+"/finish_reason",
				"native_finish_reason has Gemini's own")
		}
		reason = geminiapi.FinishReason(*e.native)
	}
	if e.native != nil && (isBlocked || !isTold) {
		t.report.add(report.Approximated, e.at+"/native_finish_reason",
			"the server's own word for why the answer ended")
	}
	out.FinishReason = jsonx.NonEmpty(reason)
}

// looksLikeGeminis reports whether a word is written as Gemini writes reasons.
func looksLikeGeminis(word string) bool {
	return word != "" && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}
