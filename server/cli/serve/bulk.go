package serve

import (
	"context"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/live"
	"github.com/gemwire/gemwire/server/cli/setup"
)

// limitPause is how long calls that ask for slots at the same time are collected.
const limitPause = 10 * time.Millisecond

// bulkWorker answers the requests of batches through the gateway itself, so that the client's keys,
// limits and models apply.
func (s *server) bulkWorker() bulk.Worker {
	opts := []live.Option{live.WithConcurrency(s.settings.BulkConcurrency)}
	limits := limit.Limits{
		Requests: int64(s.settings.BulkLimitRequests), TokensIn: int64(s.settings.BulkLimitTokens),
		TokensOut: int64(s.settings.BulkLimitOutputTokens),
	}
	if !limits.IsZero() {
		opts = append(opts,
			live.WithLimiter(limit.New(string(s.settings.Service()), limits, s.jobs.Ledger(),
				limit.WithPause(limitPause))))
	}
	executor := live.New(s.gateway, opts...)
	return bulk.Worker{
		Executors: map[string]bulk.Executor{bulk.ExecutorLive: executor},
		Takes:     func(job *bulk.Job) bool { return setup.Takes(s.settings, job) },
	}
}

// bulkPause is how long the worker pauses after an error of the store.
const bulkPause = 10 * time.Second

// workAtBatches works until stop is called. stop waits for requests in flight.
func (s *server) workAtBatches(ctx context.Context) (stop func()) {
	if s.jobs == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	worker := s.bulkWorker()
	go func() {
		defer close(done)
		for {
			err := s.jobs.Work(ctx, worker)
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				s.log.Error("batches rest", "error", err.Error(), "pause", bulkPause)
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(bulkPause):
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
