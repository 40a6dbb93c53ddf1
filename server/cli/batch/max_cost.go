package batch

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/budget"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/gateway"
)

// maxCost is the flag --max-cost.
type maxCost struct {
	amount   float64 // 0 for no maximum
	currency string  // "" for the currency of the rate card
}

var costForm = regexp.MustCompile(`^(\d+(?:\.\d+)?) ?([A-Za-z]{3})?$`)

var errCost = errors.New("expected an amount above 0, such as 5USD")

// Set implements [pflag.Value].
func (c *maxCost) Set(text string) error {
	parts := costForm.FindStringSubmatch(text)
	if parts == nil {
		return errCost
	}
	amount, err := strconv.ParseFloat(parts[1], 64)
	if err != nil || amount <= 0 {
		return errCost
	}
	c.amount, c.currency = amount, parts[2]
	return nil
}

// String implements [pflag.Value].
func (c *maxCost) String() string {
	if c.amount == 0 {
		return ""
	}
	return strconv.FormatFloat(c.amount, 'f', -1, 64) + c.currency
}

// Type implements [pflag.Value].
func (c *maxCost) Type() string { return "string" }

// cautiousRange is the number of lines in a batch of a job with a maximum cost. Each batch in
// progress reserves as much as it may cost.
const cautiousRange = 500

// budget returns the budget of a job, or nil without a maximum. It counts what the job has spent.
func (r *run) budget(ctx context.Context, service *bulk.Service, id string) (*budget.Budget, error) {
	if r.maxCost.amount == 0 {
		return nil, nil
	}
	if r.answering.settings.Service() == gateway.Embedded {
		r.note("--max-cost has no effect, because the fake server costs nothing")
		return nil, nil
	}
	p, err := service.Progress(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, model := range append([]string{p.Job.Model}, p.Job.Models...) {
		if err := r.checkPrice(model, p.Job.Executor); err != nil {
			return nil, err
		}
	}
	workers, err := service.Workers(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(workers) > 0 {
		return nil, fmt.Errorf("%s works at the job already; with --max-cost only one process may work at it",
			workers[0].Name)
	}
	spent, call := p.Usage.Cost+p.Counts.RepeatedCost, 0.0
	if done := p.Counts.Done(); done > 0 {
		call = p.Usage.Cost / float64(done)
	}
	return budget.New(r.maxCost.amount, spent, call), nil
}

// othersInterval is the interval at which a run asks for other processes that work at its job.
const othersInterval = time.Second

// observeOthers counts the cost of other processes, until the context ends. Such a process has
// begun later, without a maximum cost.
func (r *run) observeOthers(ctx context.Context, service *bulk.Service, id string,
	spending *budget.Budget) {
	ticks := time.NewTicker(othersInterval)
	defer ticks.Stop()
	for {
		workers, err := service.Workers(ctx, id)
		if err == nil {
			var p bulk.Progress
			if p, err = service.Progress(ctx, id); err == nil {
				spending.Observe(p.Usage.Cost+p.Counts.RepeatedCost, max(len(workers)-1, 0))
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-ticks.C: // after an error too, as the store may be away
		}
	}
}

// checkPrice returns an error if the cost of the model is unknown or has another currency.
func (r *run) checkPrice(model, executor string) error {
	mode := modeLive
	if executor == bulk.ExecutorGeminiBatch {
		mode = modeGemini
	}
	prices, err := pricesOf(r.answering.settings, mode, clock.Now())
	if err != nil {
		return err
	}
	if alias, isAlias := r.answering.settings.Alias[model]; isAlias {
		model = alias
	}
	call := prices.call
	call.Model, call.Usage = model, normalize.Usage{InputTokens: 1, OutputTokens: 1}
	cost, err := prices.card.Cost(call)
	if err != nil {
		return fmt.Errorf("--max-cost: %s; add the price with --rate-card",
			errortext.WithoutPackage(err.Error()))
	}
	switch r.maxCost.currency {
	case "":
		r.maxCost.currency = cost.Currency
	case cost.Currency:
	default:
		return fmt.Errorf("--max-cost: the price of %s is in %s, not in %s", model, cost.Currency,
			r.maxCost.currency)
	}
	return nil
}

// stopAtCost pauses a job that stopped before its end, and prints why and how to continue.
func (r *run) stopAtCost(ctx context.Context, service *bulk.Service, id string, why error) error {
	p, err := service.Progress(ctx, id)
	if err != nil {
		return err
	}
	reason := "another call may exceed --max-cost " + formatCost(r.maxCost.amount,
		r.maxCost.currency)
	switch {
	case errors.Is(why, budget.ErrUnpriced):
		reason = "the price of a call is unknown, so --max-cost cannot be kept"
	case errors.Is(why, budget.ErrUnlimited):
		reason = "a line has no maximum of output tokens, such as max_tokens, so the cost of a batch is unknown before it ends"
	}
	const further = "; to continue, run the same command with a higher --max-cost, or without it"
	if !p.Job.State.Ended() { // or status would say that it is in progress
		if _, err := service.Park(ctx, id, bulk.Parking{Reason: reason + further}); err != nil {
			return err
		}
	}
	r.note("stopped: %s; %d of %d lines are done for %s"+further, reason, p.Counts.Done(), p.Counts.Total,
		formatCost(p.Usage.Cost+p.Counts.RepeatedCost, r.maxCost.currency))
	return process.ErrFailed
}
