package problem

import (
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// BrokenAnswer is the problem of an answer that the model failed to make, such as one with a
// malformed call. It is for forms without such a finish reason. Their clients retry.
func BrokenAnswer(answer *geminiapi.GenerateContentResponse) *Problem {
	if len(answer.Candidates) == 0 || answer.Candidates[0].FinishReason == nil {
		return nil
	}
	first := &answer.Candidates[0]
	if normalize.MapFinishReason(*first.FinishReason) != normalize.FinishError {
		return nil
	}
	return &Problem{
		Status: http.StatusBadGateway, Type: TypeServer, Code: codeBadAnswer,
		Message: strings.TrimSuffix("the model's answer cannot be used: "+
			string(*first.FinishReason)+": "+jsonx.Deref(first.FinishMessage), ": "),
	}
}

// Unusable is the problem of an unusable answer, and that another attempt may mend: the
// model made a malformed call, or nothing at all. isCall reports a malformed call. It is nil for an
// answer with several candidates, because some of them may be usable.
func Unusable(answer *geminiapi.GenerateContentResponse) (p *Problem, isCall bool) {
	if answer.PromptFeedback != nil || len(answer.Candidates) > 1 {
		return nil, false
	}
	if len(answer.Candidates) == 0 {
		return emptyAnswer(), false
	}
	first := &answer.Candidates[0]
	switch jsonx.Deref(first.FinishReason) {
	case geminiapi.FinishReasonMalformedFunctionCall, geminiapi.FinishReasonUnexpectedToolCall:
		return BrokenAnswer(answer), true
	case geminiapi.FinishReasonMalformedResponse:
		return BrokenAnswer(answer), false
	case geminiapi.FinishReasonStop:
		if !ShowsAnything(first.Content) && first.GroundingMetadata == nil {
			return emptyAnswer(), false
		}
	}
	return nil, false
}

func emptyAnswer() *Problem {
	return &Problem{Status: http.StatusBadGateway, Type: TypeServer, Code: CodeEmptyAnswer,
		Message: "the model returned an empty answer; try again"}
}

// SilentFailure is BrokenAnswer for chat_completions, where such a finish reason becomes "stop". If
// the answer is empty, clients take it for a good answer without text. Then agents stop, or repeat
// the request endlessly. After an error they retry a few times, as Gemini CLI does.
func SilentFailure(answer *geminiapi.GenerateContentResponse) *Problem {
	if len(answer.Candidates) != 1 || ShowsAnything(answer.Candidates[0].Content) {
		return nil
	}
	return BrokenAnswer(answer)
}

// ShowsAnything reports whether a content has more than thoughts.
func ShowsAnything(content *geminiapi.Content) bool {
	if content == nil {
		return false
	}
	for i := range content.Parts {
		p := &content.Parts[i]
		if text := jsonx.Deref(p.Text) != ""; !jsonx.Deref(p.Thought) && (text || p.Text == nil) {
			return true
		}
	}
	return false
}
