package bulk

import (
	"context"
	"errors"
	"time"

	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// Observer observes what this process does with jobs, for metrics and traces. It must be safe for
// concurrent use, and must not change its arguments. The work waits for its methods.
type Observer interface {
	// JobChanged is called when a job enters another state, and when a job is made, for which
	// before is "". Each change is reported once by all processes together. The counts of the job
	// are final counts, or 0 before its end.
	JobChanged(job *Job, before State)
	// BeginRange is called when an executor gets a range. It returns the context of the work, and a
	// function that is called at the end.
	BeginRange(ctx context.Context, run RangeRun) (context.Context, func(RangeEnd))
	// ResultsKept is called with results that are on the disk. Each result is reported once, unless
	// the process dies in between.
	ResultsKept(job *Job, results []line.Result)
}

// RangeRun is a range that an executor is working at.
type RangeRun struct {
	Job   *Job
	Range int
	// Lines is the number of lines without a result.
	Lines int
	// At is when the executor got the range.
	At time.Time
}

// RangeEnd is how an executor ended its work at a range.
type RangeEnd struct {
	Outcome  Outcome
	Duration time.Duration
	// Reason is for people. It is "" for a range that is done.
	Reason string
}

// Outcome is the outcome of an executor's work at a range.
type Outcome string

// The outcomes.
const (
	// RangeDone is a range whose lines all have results.
	RangeDone Outcome = "done"
	// RangePostponed is a range that has to wait, for example for a quota or a vendor's batch.
	RangePostponed Outcome = "postponed"
	// RangeStopped is a range that was given back, because the worker stops or the job no longer
	// runs.
	RangeStopped Outcome = "stopped"
	// RangeLost is a range that another worker also had and finished first.
	RangeLost Outcome = "lost"
	// RangeFailed is a range that will be retried.
	RangeFailed Outcome = "failed"
)

// WithObserver adds observers of what this process does with jobs.
func WithObserver(observers ...Observer) Option {
	return func(s *settings) { s.observers = append(s.observers, observers...) }
}

// observers are the observers of a service.
type observers []Observer

func (o observers) jobChanged(job *jobRecord, before State) {
	if len(o) == 0 || job.State == before {
		return
	}
	seen := job.view(nil)
	for _, observer := range o {
		observer.JobChanged(seen, before)
	}
}

func (o observers) resultsKept(job *jobRecord, results []line.Result) {
	if len(o) == 0 {
		return
	}
	seen := job.view(nil)
	for _, observer := range o {
		observer.ResultsKept(seen, results)
	}
}

// beginRange reports the start of an item, and returns a function that reports its end.
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
		for _, endRange := range ends {
			endRange(end)
		}
	}
}

// endOfRange returns the outcome of an executor's run from its error and the error of its last
// write.
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
