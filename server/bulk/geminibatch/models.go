package geminibatch

import (
	"context"
	"errors"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// runParts creates or polls a batch for each model of an item.
func (e *Executor) runParts(ctx context.Context, item *bulk.Item) error {
	var wait *bulk.LaterError
	for _, part := range partsOf(item) {
		err := e.runPart(ctx, item.Part(part.model, part.lines), part.model)
		later, isLater := errors.AsType[*bulk.LaterError](err)
		switch {
		case err == nil:
		case !isLater:
			return err
		default:
			wait = sooner(wait, later)
		}
	}
	if wait == nil { // not an error with a nil pointer
		return nil
	}
	return wait
}

// sooner returns the wait after which there is work again. A pause of the whole job is stronger.
func sooner(a, b *bulk.LaterError) *bulk.LaterError {
	switch {
	case a == nil, b.Park && !a.Park, b.Park == a.Park && b.After < a.After:
		return b
	default:
		return a
	}
}

// part has the lines of an item with the same model.
type part struct {
	model string
	lines []line.Line
}

// partsOf divides the lines of an item by their models, in the order of their first lines.
func partsOf(item *bulk.Item) (parts []part) {
	at := map[string]int{}
	for _, l := range item.Lines {
		model := l.Model()
		i, isKnown := at[model]
		if !isKnown {
			i = len(parts)
			at[model] = i
			parts = append(parts, part{model: model})
		}
		parts[i].lines = append(parts[i].lines, l)
	}
	return parts
}
