package merge

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
)

// Turn returns the first candidate's content as the turn of the model that the next request sends back: as it came,
// all members included, and with the author where none is named, since a turn of nobody is one of the user's. It is nil
// for an answer without parts, which is no turn.
func Turn(answer *geminiapi.GenerateContentResponse) *geminiapi.Content {
	if len(answer.Candidates) == 0 || answer.Candidates[0].Content == nil || len(answer.Candidates[0].Content.Parts) == 0 {
		return nil
	}
	turn := *answer.Candidates[0].Content
	if optional.Value(turn.Role) == "" {
		turn.Role = new("model")
	}
	return &turn
}
