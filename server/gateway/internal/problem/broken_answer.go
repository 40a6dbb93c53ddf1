package problem

import (
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// BrokenAnswer is the problem of an answer that the model could not make, such as one with a call
// that is none. It is for forms that have no reason of that kind: their clients try again.
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

// SilentFailure is BrokenAnswer for chat_completions, where such a reason is "stop", beside what
// there is of the answer. Where there is nothing of it that is a good answer without words to
// clients, which agents end at or ask for again without end. By an error they try again a few
// times, as Gemini CLI does.
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
