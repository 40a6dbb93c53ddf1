package serve

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/batchapi"
	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/live"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/config"
)

// openBulk opens the store of files and batches: servers by their addresses, or a folder. It
// returns nil if the settings have neither.
func openBulk(ctx context.Context, settings *config.Config,
	observers []bulk.Observer) (*bulk.Service, error) {
	if settings.BulkStore == "" {
		return nil, nil
	}
	where := bulk.WithDirectory(settings.BulkStore)
	if strings.Contains(settings.BulkStore, "://") {
		where = bulk.WithServer(settings.BulkStore)
	}
	jobs, err := bulk.Open(ctx, where, bulk.WithForms(setup.Forms(ctx)),
		bulk.WithObserver(observers...))
	if err != nil {
		return nil, fmt.Errorf("bulk_store: %w", err)
	}
	return jobs, nil
}

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

// errBatchesOfCallers is the reason why callers' keys exclude batches: no caller is connected to
// send a key when a request of a batch runs.
var errBatchesOfCallers = errors.New("bulk_store: batches need the gateway's own accounts; remove callers_key")

// setUpBulk opens the store of files and batches, and gives it to the gateway.
func (s *server) setUpBulk(ctx context.Context) (err error) {
	if s.settings.BulkStore != "" && s.settings.CallersKey {
		return errBatchesOfCallers
	}
	if s.jobs, err = openBulk(ctx, s.settings, s.observers.Jobs); err != nil || s.jobs == nil {
		return err
	}
	answeredBy := map[string]string{setup.JobUpstream: string(s.settings.Service())}
	s.lasting = append(s.lasting,
		gateway.WithBatches(batchapi.New(s.jobs,
			batchapi.WithExecutor(bulk.ExecutorLive, answeredBy))))
	return nil
}
