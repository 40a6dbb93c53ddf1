package bulk

import (
	"context"
	"errors"
	"time"

	"github.com/gemwire/gemwire/server/bulk/internal/engine"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// Observer is told what this process does with jobs, for metrics and traces. It is safe for use by
// several goroutines, and may not change what it is told of. What it does, the work waits for.
type Observer interface {
	// JobChanged is told of a job that came into another state, and of one that was made, for which
	// before is "". All processes together tell of each change once. The counts of the job are
	// those of its end, 0 before that.
	JobChanged(job *Job, before State)
	// BeginRange is told of a range that is given to an executor. It returns the context of its
	// work, and who is told of the end.
	BeginRange(ctx context.Context, run RangeRun) (context.Context, func(RangeEnd))
	// ResultsKept is told of results that are on the disk. Each result is told of once, unless the
	// process dies in between.
	ResultsKept(job *Job, results []line.Result)
}

// RangeRun is a range in the hands of an executor.
type RangeRun struct {
	Job   *Job
	Range int
	// Lines is how many had no result.
	Lines int
	// At is when the executor was given it.
	At time.Time
}

// RangeEnd is how an executor came to the end with a range.
type RangeEnd struct {
	Outcome  Outcome
	Duration time.Duration
	// Reason is for people, "" for a range that is done.
	Reason string
}

// Outcome is what became of a range in the hands of an executor.
type Outcome string

// The outcomes.
const (
	// RangeDone is a range of which all lines have results.
	RangeDone Outcome = "done"
	// RangePostponed is one that has to wait, such as for a quota, or a batch at a vendor.
	RangePostponed Outcome = "postponed"
	// RangeStopped is one that was given back, since the worker stops or the job does not run any
	// more.
	RangeStopped Outcome = "stopped"
	// RangeLost is one that another worker had too, and was faster.
	RangeLost Outcome = "lost"
	// RangeFailed is one that is tried again.
	RangeFailed Outcome = "failed"
)

// WithObserver has observers told of what this process does with jobs.
func WithObserver(observers ...Observer) Option {
	return func(s *settings) { s.observers = append(s.observers, observers...) }
}

// observers are those of a service.
type observers []Observer

func (o observers) jobChanged(job *jobRecord, before State) {
	if len(o) == 0 || job.State == before {
		return
	}
	told := job.view(nil)
	for _, observer := range o {
		observer.JobChanged(told, before)
	}
}

func (o observers) resultsKept(job *jobRecord, results []line.Result) {
	if len(o) == 0 {
		return
	}
	told := job.view(nil)
	for _, observer := range o {
		observer.ResultsKept(told, results)
	}
}

// beginRange tells of an item, and returns what tells of its end.
func (o observers) beginRange(ctx context.Context, item *Item) (context.Context, func(RangeEnd)) {
	if len(o) == 0 {
		return ctx, func(RangeEnd) {}
	}
	run := RangeRun{Job: item.Job, Range: item.Range, Lines: len(item.Lines), At: time.Now()}
	ends := make([]func(RangeEnd), 0, len(o))
	for _, observer := range o {
		next, end := observer.BeginRange(ctx, run)
		ctx, ends = next, append(ends, end)
	}
	return ctx, func(end RangeEnd) {
		end.Duration = time.Since(run.At)
		for _, told := range ends {
			told(end)
		}
	}
}

// endOfRange words how an executor came to the end, by its error and that of writing what it had.
func endOfRange(err, unwritten error, isStopped bool) RangeEnd {
	later, isLater := errors.AsType[*LaterError](err)
	switch {
	case errors.Is(unwritten, engine.ErrConflict):
		return RangeEnd{Outcome: RangeLost, Reason: "another worker has the range"}
	case unwritten != nil:
		return RangeEnd{Outcome: RangeFailed, Reason: unwritten.Error()}
	case err == nil:
		return RangeEnd{Outcome: RangeDone}
	case isStopped:
		return RangeEnd{Outcome: RangeStopped, Reason: err.Error()}
	case isLater:
		return RangeEnd{Outcome: RangePostponed, Reason: later.Reason}
	default:
		return RangeEnd{Outcome: RangeFailed, Reason: err.Error()}
	}
}
