package geminibatch

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/budget"
	"github.com/gemwire/gemwire/server/bulk/estimate"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// budgetRest is how long a range waits that does not fit into the budget. The worker stops
// meanwhile.
const budgetRest = time.Second

// reserve reserves the maximum cost of the batch of the range. The error postpones the range.
func (r *run) reserve(ctx context.Context) error {
	if r.budget == nil {
		return nil
	}
	cost, err := r.maximum(ctx)
	if err == nil {
		err = r.budget.Reserve(r.displayName(), cost)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, budget.ErrBusy):
		return &bulk.LaterError{After: r.firstPoll, Reason: err.Error()}
	}
	return r.overBudget(err)
}

// overBudget ends the budget if its reason is about the cost of the lines.
func (r *run) overBudget(err error) error {
	if !errors.Is(err, budget.ErrUnlimited) && !errors.Is(err, budget.ErrUnpriced) &&
		!errors.Is(err, budget.ErrReached) {
		return err
	}
	r.budget.End(err)
	return &bulk.LaterError{After: budgetRest, Reason: err.Error()}
}

// restore reserves the cost of a batch that an earlier process has created.
func (r *run) restore(ctx context.Context) error {
	if r.budget == nil {
		return nil
	}
	cost, err := r.maximum(ctx)
	if err != nil {
		return r.overBudget(err)
	}
	r.budget.Restore(r.displayName(), cost)
	return nil
}

// spend counts the usage of an answer.
func (r *run) spend(used line.Usage) {
	if r.budget != nil {
		r.budget.Spend(used)
	}
}

// release ends the reservation of the batch.
func (r *run) release() {
	if r.budget != nil {
		r.budget.Release(r.displayName())
	}
}

// caution is the factor by which estimated tokens of requests are raised.
const caution = 1.5

// maximum returns the maximum cost of the lines of the range in batch mode.
func (r *run) maximum(ctx context.Context) (cost float64, err error) {
	for i := range r.item.Lines {
		l := &r.item.Lines[i]
		converted, refused, err := r.convertLine(ctx, l)
		if err != nil {
			return 0, err
		}
		if refused != nil { // before it costs anything
			continue
		}
		tokens, err := estimate.Of(l, converted.Model)
		if err != nil {
			return 0, err
		}
		if tokens.MaxOutput == 0 && !strings.HasSuffix(l.URL, "/embeddings") {
			return 0, budget.ErrUnlimited
		}
		var usage line.Usage
		r.setCost(&usage, converted.Model, normalize.Usage{OutputTokens: tokens.MaxOutput,
			InputTokens: int(caution * float64(tokens.Input))})
		if usage.Unpriced > 0 {
			return 0, budget.ErrUnpriced
		}
		cost += usage.Cost
	}
	return cost, nil
}
