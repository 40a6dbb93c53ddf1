package serve

import (
	"context"
	"fmt"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/batchapi"
	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/live"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/gateway"
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

// setUpBatches gives files and batches to the gateway if the store lasts. With callers' keys there
// are no batches, because no caller is connected to send a key when a request of a batch runs.
func (s *server) setUpBatches(ctx context.Context) (err error) {
	switch {
	case !s.settings.StoreLasts():
		return nil
	case s.settings.CallersKey:
		s.log.Info("no files and batches: they need the gateway's own accounts, not callers_key")
		return nil
	}
	s.jobs, err = bulk.Open(ctx, bulk.WithStore(s.store), bulk.WithForms(setup.Forms(ctx)),
		bulk.WithObserver(s.observers.Jobs...))
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	answeredBy := map[string]string{setup.JobUpstream: string(s.settings.Service())}
	s.lasting = append(s.lasting,
		gateway.WithBatches(batchapi.New(s.jobs,
			batchapi.WithExecutor(bulk.ExecutorLive, answeredBy))))
	return nil
}
