package bulk

import (
	"context"
	"time"

	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/limit/kvledger"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// Resume continues a job at once. Unlike [Service.Continue] it also ends the pauses that a server
// has asked for, and the pauses for used-up quotas, in all workers and for all projects. A worker
// that meets such a quota again pauses again. Resume returns a *StateError for a job that has
// ended.
func (s *Service) Resume(ctx context.Context, id string) (*Job, error) {
	job, err := s.Job(ctx, id)
	if err != nil {
		return nil, err
	}
	if job.State.Ended() {
		return nil, &StateError{ID: id, State: job.State, Action: "resume"}
	}
	projects, err := kvledger.New(s.engine.Ledger).Projects(ctx)
	if err != nil {
		return nil, err
	}
	for _, project := range projects {
		if err := limit.Forget(ctx, s.Ledger(), project); err != nil {
			return nil, err
		}
	}
	s.notify(engine.SubjectResume, nil)
	return s.Continue(ctx, id)
}

// Resumer is an executor that pauses its calls by itself. Forget ends its pauses.
type Resumer interface {
	Executor
	Forget(ctx context.Context) error
}

// forgetTimeout is the time limit for the pauses of one executor.
const forgetTimeout = 10 * time.Second

// forgetPauses ends the pauses of the worker's executors.
func (w *workplace) forgetPauses() {
	for name, executor := range w.worker.Executors {
		resumer, ok := executor.(Resumer)
		if !ok {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), forgetTimeout)
		if err := resumer.Forget(ctx); err != nil {
			w.logger.Warn("bulk: pauses could not be ended", "executor", name, "error", err)
		}
		cancel()
	}
}
