package batch

import (
	"context"
	"errors"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/bulk/live"
	"github.com/gemwire/gemwire/server/money"
	"github.com/gemwire/gemwire/server/quota"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/gemwire/gemwire/server/usage"
)

// batchSpending counts what Gemini's batch mode costs in the store of its jobs. Live calls are
// counted by the gateway that makes them.
type batchSpending struct {
	*spent
	budgets []quota.Budget
	service string
}

// budgetPause is the longest pause of a job because of a budget, which may be raised at any time.
const budgetPause = 5 * time.Minute

// Admit implements [geminibatch.Spending].
func (b *batchSpending) Admit(ctx context.Context, _ *bulk.Job) error {
	for _, budget := range b.budgets {
		if rule, ok := budget.Money(""); ok {
			if err := b.admit(ctx, rule, budget.MoneyText()); err != nil {
				return err
			}
		}
		if rule, ok := budget.TokenRule(""); ok {
			if err := b.admit(ctx, rule, budget.TokenText()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *batchSpending) admit(ctx context.Context, rule quota.Rule, text string) error {
	permit, err := b.quota.Take(ctx, quota.Demand{Rule: rule, Need: 1})
	permit.Release()
	limited, isUsedUp := errors.AsType[*quota.LimitError](err)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case !isUsedUp:
		return &bulk.LaterError{After: budgetPause, Park: true, Reason: err.Error()}
	}
	later := &bulk.LaterError{After: budgetPause, Park: true,
		Reason: live.ReasonBudget + "the budget of all keys, " + text + ", is used up"}
	if !limited.Resets.IsZero() {
		later.Reason += "; it resets at " + limited.Resets.UTC().Format(time.RFC3339)
		later.After = min(later.After, max(time.Until(limited.Resets), time.Second))
	}
	return later
}

// Count implements [geminibatch.Spending].
func (b *batchSpending) Count(job *bulk.Job, model string, used line.Usage) {
	tokens := used.InputTokens + used.OutputTokens
	key := usage.Key{Client: job.Owner, Model: model, Service: b.service,
		Tier: string(ratecard.Batch), Form: "batch"}
	counts := &usage.Counts{Requests: 1, InputTokens: used.InputTokens,
		CachedTokens: used.CachedTokens, OutputTokens: used.OutputTokens - used.ThinkingTokens,
		ThinkingTokens: used.ThinkingTokens}
	if used.Unpriced > 0 {
		key.Unpriced, counts.UnpricedTokens = "has no price", tokens
	} else {
		key.Currency, counts.Cost = used.Currency, money.Of(used.Cost)
	}
	b.usage.Add(key, counts)
	for _, budget := range b.budgets {
		if rule, ok := budget.Money(""); ok && budget.Currency == used.Currency {
			b.quota.Count(rule, int64(money.Of(used.Cost)))
		}
		if rule, ok := budget.TokenRule(""); ok {
			b.quota.Count(rule, tokens)
		}
	}
}
