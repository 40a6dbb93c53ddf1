package merge

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// FirstCandidate returns the candidate to use if a caller wants a single answer: the candidate with
// the lowest index by the rule of [CandidateIndexes]. It may be at any position in the JSON. It
// returns nil for a nil answer or an answer without candidates. Package normalize sorts candidates
// by the same rule.
func FirstCandidate(answer *geminiapi.GenerateContentResponse) *geminiapi.Candidate {
	if answer == nil {
		return nil
	}
	first, lowest := (*geminiapi.Candidate)(nil), 0
	for i, index := range CandidateIndexes(answer.Candidates) {
		if first == nil || index < lowest {
			first, lowest = &answer.Candidates[i], index
		}
	}
	return first
}

// Turn returns the content of the [FirstCandidate] as the turn of the model for the next request.
// The content is unchanged, with all members. If the content has no author, Turn adds the model as
// the author, because Gemini assumes that a turn without an author is the user's. It returns nil
// for an answer without parts.
func Turn(answer *geminiapi.GenerateContentResponse) *geminiapi.Content {
	first := FirstCandidate(answer)
	if first == nil || first.Content == nil || len(first.Content.Parts) == 0 {
		return nil
	}
	turn := *first.Content
	if jsonx.Deref(turn.Role) == "" {
		turn.Role = new("model")
	}
	return &turn
}
