package history

import (
	"context"
	"fmt"
	"slices"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/interactions"
)

// Steps returns the steps of an interaction and of the chain that it continues, in order: the input
// and the answer of each interaction. A stored interaction has its own input. The errors are the
// same as in [History.Before].
func (h *History) Steps(ctx context.Context, id string) ([]interactionsapi.Step, error) {
	var chain [][]interactionsapi.Step // from the last to the first
	seen := map[string]bool{}
	for id != "" && !seen[id] {
		seen[id] = true
		if !KindInteraction.Names(id) {
			return nil, &MissingError{Kind: KindInteraction, ID: id, Index: -1}
		}
		document, err := h.Store.Get(ctx, h.Owner, id)
		if err != nil {
			return nil, missing(err, KindInteraction, id)
		}
		if document.IsRunning {
			return nil, ErrUnfinished
		}
		h.read += int64(len(document.JSON))
		if h.Limit > 0 && h.read > h.Limit {
			return nil, ErrTooLong
		}
		stored, err := interactions.DecodeResponse(document.JSON)
		if err != nil {
			return nil, fmt.Errorf("history: the interaction %s: %w", id, err)
		}
		chain = append(chain, stored.Steps, InputSteps(stored.Input))
		id = document.Previous
	}
	slices.Reverse(chain)
	return slices.Concat(chain...), nil
}

// InputSteps returns the steps of an input.
func InputSteps(in interactions.Input) []interactionsapi.Step {
	list := interactions.Steps(in)
	steps := make([]interactionsapi.Step, len(list))
	for i := range list {
		steps[i] = list[i].Step
	}
	return steps
}
