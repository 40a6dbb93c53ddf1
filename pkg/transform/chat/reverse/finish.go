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

// finishReasons maps finish reasons of OpenAI and other servers to Gemini's. It is never written
// to.
var finishReasons = map[openaiapi.FinishReason]geminiapi.FinishReason{
	openaiapi.FinishReasonStop:          geminiapi.FinishReasonStop,
	openaiapi.FinishReasonLength:        geminiapi.FinishReasonMaxTokens,
	openaiapi.FinishReasonContentFilter: geminiapi.FinishReasonSafety,
	openaiapi.FinishReasonToolCalls:     geminiapi.FinishReasonStop,
	openaiapi.FinishReasonFunctionCall:  geminiapi.FinishReasonStop,

	// Used by Together and TGI.
	"eos":           geminiapi.FinishReasonStop,
	"eos_token":     geminiapi.FinishReasonStop,
	"stop_sequence": geminiapi.FinishReasonStop,
	// Used by Mistral and Zhipu.
	"model_length":                  geminiapi.FinishReasonMaxTokens,
	"model_context_window_exceeded": geminiapi.FinishReasonMaxTokens,
	"sensitive":                     geminiapi.FinishReasonSafety,
	// Anthropic's reasons, which some gateways pass on. OpenAI's first vision models sent
	// max_tokens in finish_details.
	"end_turn":   geminiapi.FinishReasonStop,
	"tool_use":   geminiapi.FinishReasonStop,
	"max_tokens": geminiapi.FinishReasonMaxTokens,
	"refusal":    geminiapi.FinishReasonSafety,
}

// noReason is the value that Alibaba's servers send for no finish reason.
const noReason = "null"

// reasonOf returns why a choice ended, or "" if it has not.
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

// memberFinishDetails is the member of a choice in which OpenAI's first vision models sent the
// finish reason.
const memberFinishDetails = "finish_details"

// finishReasonOf returns Gemini's value for a reason, and whether the reason is known. Gateways to
// Gemini pass on Gemini's own values.
func finishReasonOf(reason openaiapi.FinishReason) (own geminiapi.FinishReason, isKnown bool) {
	if own, isKnown = finishReasons[reason]; isKnown {
		return own, true
	}
	own = geminiapi.FinishReason(reason)
	return own, own.Valid()
}

// finish is why a choice ended, as a server reports it.
type finish struct {
	reason openaiapi.FinishReason // "" for none; some servers send null
	native *string
	at     string // the pointer of the choice
	// failure is the server's message about why it could not continue, or "".
	failure string
}

// reasonFailed is OpenRouter's reason for a choice that a server could not continue.
const reasonFailed openaiapi.FinishReason = "error"

// complete sets the reason of a choice that ended without one. The choice is complete, unless the
// server reports a failure.
func (e *finish) complete() {
	e.reason = openaiapi.FinishReasonStop
	if e.failure != "" {
		e.reason = reasonFailed
	}
}

// memberError is the member of a choice that says why a server could not continue it. OpenRouter
// sends it.
const memberError = "error"

// failureOf returns a choice's message about a failure, or "".
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

// end sets why a candidate ended. If the answer came from Gemini, Gemini's own value is used.
func (o *options) end(out *geminiapi.Candidate, t *turn, e finish, isBlocked bool) {
	reason, known := finishReasonOf(e.reason)
	switch {
	case t.malformed != "" && reason == geminiapi.FinishReasonMaxTokens: // it cut the call
		out.FinishMessage = &t.malformed
	case t.malformed != "":
		if e.at != "" {
			t.report.add(report.Approximated, e.at+"/finish_reason", "replaced, because a call is malformed")
		}
		reason = geminiapi.FinishReasonMalformedFunctionCall
		out.FinishMessage = &t.malformed
	case e.reason != "" && !known:
		reason = geminiapi.FinishReasonOther
		out.FinishMessage = new(cmp.Or(e.failure, "finish_reason: "+string(e.reason)))
	case t.refused && out.FinishMessage == nil:
		out.FinishMessage = new(refusedMessage)
	}
	isNative := e.native != nil && looksLikeGeminis(*e.native) && t.malformed == ""
	switch {
	case isBlocked: // Both values are in the feedback.
		reason = jsonx.Deref(out.FinishReason)
		t.report.add(report.Approximated, e.at+"/finish_reason",
			"omitted, because the feedback says why the prompt was refused")
	case isNative && out.FinishReason == nil:
		if own, _ := finishReasonOf(e.reason); own != geminiapi.FinishReason(*e.native) {
			t.report.add(report.Approximated, e.at+"/finish_reason",
				"replaced by native_finish_reason, which is Gemini's own")
		}
		reason = geminiapi.FinishReason(*e.native)
	}
	if e.native != nil && (isBlocked || !isNative) {
		t.report.add(report.Approximated, e.at+"/native_finish_reason",
			"the server's own reason why the answer ended")
	}
	out.FinishReason = jsonx.NonEmpty(reason)
}

// looksLikeGeminis reports whether a word is spelled like Gemini's reasons.
func looksLikeGeminis(word string) bool {
	return word != "" && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}
