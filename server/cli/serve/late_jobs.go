package serve

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/gemwire/gemwire/server/inspector"
)

// lateJobs are the jobs of a store that may be opened after the inspector. The zero value has none.
type lateJobs struct {
	jobs atomic.Pointer[inspector.Jobs]
}

var errNoStore = errors.New("the store is not available")

func (l *lateJobs) set(jobs inspector.Jobs) { l.jobs.Store(&jobs) }

// Jobs implements [inspector.Jobs].
func (l *lateJobs) Jobs(ctx context.Context, most int) ([]inspector.Job, error) {
	if jobs := l.jobs.Load(); jobs != nil {
		return (*jobs).Jobs(ctx, most)
	}
	return nil, errNoStore
}

// Failures implements [inspector.Jobs].
func (l *lateJobs) Failures(ctx context.Context, id string, most int) ([]inspector.Failure, error) {
	if jobs := l.jobs.Load(); jobs != nil {
		return (*jobs).Failures(ctx, id, most)
	}
	return nil, errNoStore
}
