package answer

import "github.com/gemwire/gemwire/pkg/normalize"

// Calls says whether a candidate has calls (Some), and one whose arguments are incomplete (Cut).
type Calls struct{ Some, Cut bool }

// CallsOf returns the calls of a whole candidate.
func CallsOf(candidate *normalize.Candidate) (made Calls) {
	for i := range candidate.Blocks {
		if call := candidate.Blocks[i].ToolCall; call != nil {
			made.Some, made.Cut = true, made.Cut || call.Incomplete
		}
	}
	return made
}
