package merge

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// FirstCandidate returns the candidate that is used where one answer is wanted: the candidate with
// the lowest index, by the rule of [CandidateIndexes], at any position on the wire. It returns nil
// for an answer without candidates, and for a nil answer. Package normalize sorts candidates by
// the same rule.
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

// Turn returns the content of the [FirstCandidate] as the turn of the model that the next request
// sends back: unchanged, with all members. If the content names no author, Turn adds it, because
// Gemini takes a turn without an author for the user's. It returns nil for an answer without
// parts.
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
