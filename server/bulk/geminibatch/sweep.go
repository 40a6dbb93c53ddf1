package geminibatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/bulk"
)

// Sweep implements [bulk.Sweeper]: it cancels the batches of jobs that have ended or are about to
// end, such as cancelled jobs. It does so at most once per [WithSweepEvery] interval. Batches of
// unknown jobs stay unchanged, because they may belong to another service.
func (e *Executor) Sweep(ctx context.Context, service *bulk.Service) error {
	before, now := e.swept.Load(), time.Now()
	if now.Sub(time.Unix(0, before)) < e.sweepEvery ||
		!e.swept.CompareAndSwap(before, now.UnixNano()) {
		return nil
	}
	return e.cancelBatches(ctx, service)
}

func (e *Executor) cancelBatches(ctx context.Context, service *bulk.Service) error {
	isOver := map[string]bool{}
	var failures []error
	for batch, err := range e.client.Batches.List(ctx) {
		if err != nil {
			return errors.Join(append(failures, fmt.Errorf("geminibatch: %w", err))...)
		}
		about := jsonx.Deref(batch.Metadata)
		id, isOurs := jobOf(jsonx.Deref(about.DisplayName))
		if !isOurs || hasEnded(jsonx.Deref(about.State)) {
			continue
		}
		over, isKnown := isOver[id]
		if !isKnown {
			job, err := service.Job(ctx, id)
			if err != nil && !errors.As(err, new(*bulk.NotFoundError)) {
				return err
			}
			over = err == nil && job.State != bulk.InProgress && job.State != bulk.Validating
			isOver[id] = over
		}
		if over {
			failures = append(failures, e.client.Batches.Cancel(ctx, jsonx.Deref(batch.Name)))
		}
	}
	return errors.Join(failures...)
}
