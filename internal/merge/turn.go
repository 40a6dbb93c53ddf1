package merge

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// FirstCandidate returns the candidate that an answer is taken from where one is wanted: that of
// the lowest index, by the rule of [CandidateIndexes], wherever it stands on the wire. It is nil
// for an answer without candidates, and for none. Package normalize sorts candidates by the same
// rule.
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
// sends back: as it came, all members included, and with the author where none is named, since a
// turn of nobody is one of the user's. It is nil for an answer without parts, which is no turn.
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
