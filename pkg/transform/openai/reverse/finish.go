package reverse

import (
	"cmp"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// finishReasons are Gemini's words for why an answer ended. Together says eos for the end that the model made. It is never
// written to.
var finishReasons = map[openaiapi.FinishReason]geminiapi.FinishReason{
	openaiapi.FinishReasonStop:          geminiapi.FinishReasonStop,
	openaiapi.FinishReasonLength:        geminiapi.FinishReasonMaxTokens,
	openaiapi.FinishReasonContentFilter: geminiapi.FinishReasonSafety,
	openaiapi.FinishReasonToolCalls:     geminiapi.FinishReasonStop,
	openaiapi.FinishReasonFunctionCall:  geminiapi.FinishReasonStop,
	"eos":                               geminiapi.FinishReasonStop,
}

// ending is why a choice ended, as a server tells it.
type ending struct {
	reason openaiapi.FinishReason // "" for none, as some servers say null
	native *string
	at     string // the pointer of the choice
	// failure is why the server could not go on, in its words; "" where it could.
	failure string
}

// memberError is the member of a choice that says why a server could not go on with it, as OpenRouter's do.
const memberError = "error"

// failureOf returns what a choice says of a failure.
func failureOf(unknown jsontext.Value) string {
	said := rawobject.Member(unknown, memberError)
	if said == nil {
		return ""
	}
	if e := openai.DecodeForeignError(rawobject.Of(memberError, said)); e != nil {
		return e.Error.Message
	}
	return ""
}

// refusedMessage is the finishMessage of an answer that is a refusal.
const refusedMessage = "The answer is a refusal."

// end sets why a candidate ended. Gemini's own word counts, where the answer came from Gemini.
func (o *options) end(out *geminiapi.Candidate, t *turn, e ending, isBlocked bool) {
	reason, known := finishReasons[e.reason]
	switch {
	case t.malformed != "" && e.reason == openaiapi.FinishReasonLength: // which cut the call
		out.FinishMessage = &t.malformed
	case t.malformed != "":
		reason = geminiapi.FinishReasonMalformedFunctionCall
		out.FinishMessage = &t.malformed
	case e.reason != "" && !known:
		reason = geminiapi.FinishReasonOther
		out.FinishMessage = new(cmp.Or(e.failure, "finish_reason: "+string(e.reason)))
	case t.refused && out.FinishMessage == nil:
		out.FinishMessage = new(refusedMessage)
	}
	isTold := e.native != nil && isGeminis(*e.native) && t.malformed == ""
	switch {
	case isBlocked: // Both words are those of the feedback.
		reason = optional.Value(out.FinishReason)
		t.report.add(transform.Approximated, e.at+"/finish_reason", "why the prompt was refused, as the feedback says")
	case isTold && out.FinishReason == nil:
		t.reportTold(e)
		reason = geminiapi.FinishReason(*e.native)
	}
	if e.native != nil && (isBlocked || !isTold) {
		t.report.add(transform.Approximated, e.at+"/native_finish_reason", "the server's own word for why the answer ended")
	}
	out.FinishReason = optional.Text(reason)
}

// reportTold reports a finish reason beside Gemini's own, which counts.
func (t *turn) reportTold(e ending) {
	if finishReasons[e.reason] != geminiapi.FinishReason(*e.native) {
		t.report.add(transform.Approximated, e.at+"/finish_reason", "native_finish_reason has Gemini's own")
	}
}

// isGeminis reports whether a word is written as Gemini writes reasons.
func isGeminis(word string) bool {
	return word != "" && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}
