package gemini

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
)

// FirstCandidate returns the candidate that an answer is taken from where one is wanted, as by a [Chat], the packages
// toolloop and structured, and the methods of normalize.Response: that of the lowest index, wherever it stands in the
// list. A candidate without an index has 0, or the lowest that is free when another one has that. It is nil for an answer
// without candidates, and for a nil one. It points into the answer.
func FirstCandidate(answer *geminiapi.GenerateContentResponse) *geminiapi.Candidate {
	return merge.FirstCandidate(answer)
}
