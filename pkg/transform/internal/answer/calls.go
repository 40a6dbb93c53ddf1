package answer

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

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

// HasOtherArguments reports whether the rest of a part, which may be nil, has arguments of a call
// that are no object.
func HasOtherArguments(rest *geminiapi.Part) bool {
	return rest != nil && rest.FunctionCall != nil && rest.FunctionCall.Args != nil
}
