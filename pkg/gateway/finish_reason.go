package gateway

import (
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// noteReason notes why the first candidate of a chunk ended, if it says so. Calls may stand in chunks before.
func noteReason(reason *normalize.FinishReason, chunk *geminiapi.GenerateContentResponse) {
	if len(chunk.Candidates) == 0 {
		return
	}
	first := &chunk.Candidates[0]
	if hasCall(first.Content) {
		*reason = normalize.FinishToolUse
	}
	if first.FinishReason == nil {
		return
	}
	found := normalize.MapFinishReason(*first.FinishReason)
	if found != normalize.FinishStop || *reason == "" {
		*reason = found
	}
}

func hasCall(content *geminiapi.Content) bool {
	if content == nil {
		return false
	}
	for i := range content.Parts {
		if content.Parts[i].FunctionCall != nil {
			return true
		}
	}
	return false
}

// brokenAnswer is the problem of an answer that the model could not make, such as one with a call that is none. It is for
// forms that have no reason of that kind: their clients try again.
func brokenAnswer(answer *geminiapi.GenerateContentResponse) *Problem {
	if len(answer.Candidates) == 0 || answer.Candidates[0].FinishReason == nil {
		return nil
	}
	first := &answer.Candidates[0]
	if normalize.MapFinishReason(*first.FinishReason) != normalize.FinishError {
		return nil
	}
	return &Problem{
		Status: http.StatusBadGateway, Type: typeServer, Code: "bad_upstream_answer",
		Message: strings.TrimSuffix("the model's answer cannot be used: "+string(*first.FinishReason)+": "+optional.Value(first.FinishMessage), ": "),
	}
}

// silentFailure is brokenAnswer for chat_completions, where such a reason is "stop", beside what there is of the answer. Where
// there is nothing of it that is a good answer without words to clients, which agents end at or ask for again without end. By an
// error they try again a few times, as Gemini CLI does.
func silentFailure(answer *geminiapi.GenerateContentResponse) *Problem {
	if len(answer.Candidates) != 1 || showsAnything(answer.Candidates[0].Content) {
		return nil
	}
	return brokenAnswer(answer)
}

// showsAnything reports whether a content has more than thoughts.
func showsAnything(content *geminiapi.Content) bool {
	if content == nil {
		return false
	}
	for i := range content.Parts {
		p := &content.Parts[i]
		if text := optional.Value(p.Text) != ""; !optional.Value(p.Thought) && (text || p.Text == nil) {
			return true
		}
	}
	return false
}
