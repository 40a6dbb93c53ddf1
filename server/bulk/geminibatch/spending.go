package geminibatch

import (
	"context"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// Spending counts what batches cost, outside of their jobs. It must be safe for concurrent use.
type Spending interface {
	// Admit is called before a batch is created. Its error postpones the batch.
	Admit(ctx context.Context, job *bulk.Job) error
	// Count counts the usage of an answer, after its result is stored. Model is the one that
	// answered.
	Count(job *bulk.Job, model string, used line.Usage)
}

// WithSpending counts what batches cost.
func WithSpending(s Spending) Option { return func(e *Executor) { e.spending = s } }

// admit asks whether a batch may be created.
func (r *run) admit(ctx context.Context) error {
	if r.spending == nil {
		return nil
	}
	return r.spending.Admit(ctx, r.item.Job)
}

// count counts the usage of an answer.
func (r *run) count(model string, used line.Usage) {
	if r.spending != nil && used != (line.Usage{}) {
		r.spending.Count(r.item.Job, model, used)
	}
}
