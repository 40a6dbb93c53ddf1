package interactions

import "github.com/gemwire/gemwire/gen/interactionsapi"

// The quick checks, and the checks that they must agree with.
var (
	IsValidInteraction = isValidInteraction
	IsValidEvent       = isValidStreamEvent
	ByHand             = func(v any) int {
		var found violations
		switch v := v.(type) {
		case *interactionsapi.Interaction:
			found.interaction("", v)
		case *interactionsapi.StreamEvent:
			found.event(v)
		}
		return len(found)
	}
)
