package turn

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// NoteReason records the finish reason of the first candidate, if the chunk has one. Calls may be
// in earlier chunks.
func NoteReason(reason *normalize.FinishReason, chunk *geminiapi.GenerateContentResponse) {
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
