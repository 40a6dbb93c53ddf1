package answer

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// Calls reports whether a candidate has calls (Some), and whether one has incomplete arguments
// (Cut).
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

// HasOtherArguments reports whether the remainder of a part has call arguments that are not an
// object. rest may be nil.
func HasOtherArguments(rest *geminiapi.Part) bool {
	return rest != nil && rest.FunctionCall != nil && rest.FunctionCall.Args != nil
}
