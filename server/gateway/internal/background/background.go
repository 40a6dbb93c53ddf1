// Package background runs work that continues after the client has its first answer. It holds the
// events of each run while the run lasts, for clients that follow it, and it cancels runs.
//
//	           Append                     Finish
//	running ──────────► running ───────────────────► finished
//	   │  Cancel: the context of the run ends with a    ▲
//	   │  cause, and the run appends why it ended       │
//	   └────────────────────────────────────────────────┘
package background

import (
	"context"
	"errors"
	"iter"
	"sync"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// Runs are the runs in progress. They are safe for concurrent use.
type Runs struct {
	limit int

	mu       sync.Mutex
	runs     map[key]*Run
	isClosed bool
	group    sync.WaitGroup
}

// key is the owner and the id of a run's response.
type key struct {
	owner responsestore.Owner
	id    string
}

// NewRuns returns a set that holds at most the given number of runs at a time.
func NewRuns(limit int) *Runs { return &Runs{limit: limit, runs: map[key]*Run{}} }

// The errors of Start.
var (
	// ErrFull is returned if the maximum number of runs is in progress.
	ErrFull = errors.New("background: the limit of background responses is reached")
	// ErrShare is returned if the owner has its maximum number of runs.
	ErrShare = errors.New("background: the client is at its limit of background responses")
)

// Start runs f on its own goroutine until f returns. The context of f ends when the run is
// canceled. When f returns, the result must be stored elsewhere, because the run can no longer be
// found. An owner has at most share runs; 0 is no limit.
func (r *Runs) Start(
	ctx context.Context, owner responsestore.Owner, id string, share int,
	f func(context.Context, *Run),
) (*Run, error) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	run := &Run{cancel: cancel, changed: make(chan struct{})}
	k := key{owner, id}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.room(owner, share); err != nil {
		cancel(nil)
		return nil, err
	}
	r.runs[k] = run
	r.group.Go(func() {
		defer r.end(k, run)
		f(ctx, run)
	})
	return run, nil
}

// room returns an error if an owner may not start another run.
func (r *Runs) room(owner responsestore.Owner, share int) error {
	if r.isClosed || len(r.runs) >= r.limit {
		return ErrFull
	}
	if share == 0 {
		return nil
	}
	for k := range r.runs {
		if k.owner == owner {
			share--
		}
	}
	if share <= 0 {
		return ErrShare
	}
	return nil
}

// end removes a run.
func (r *Runs) end(k key, run *Run) {
	run.cancel(nil)
	r.mu.Lock()
	delete(r.runs, k)
	r.mu.Unlock()
	run.change(func() { run.isFinished = true })
}

// Find returns the run of a response, or nil if none is in progress.
func (r *Runs) Find(owner responsestore.Owner, id string) *Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.runs[key{owner, id}]
}

// Wait waits until there are no runs, or until ctx ends.
func (r *Runs) Wait(ctx context.Context) error {
	for run := r.any(); run != nil; run = r.any() {
		if err := run.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// any returns one of the runs, or nil.
func (r *Runs) any() *Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, run := range r.runs {
		return run
	}
	return nil
}

// Close cancels all runs with a cause and waits until they end. Nothing starts after Close.
func (r *Runs) Close(cause error) {
	r.mu.Lock()
	r.isClosed = true
	for _, run := range r.runs {
		run.Cancel(cause)
	}
	r.mu.Unlock()
	r.group.Wait()
}

// Run is one run.
type Run struct {
	cancel context.CancelCauseFunc

	mu         sync.Mutex
	events     [][]byte
	isFinished bool
	changed    chan struct{} // closed at the next change
}

// Append adds an event. The caller must not change the event afterwards.
func (r *Run) Append(event []byte) {
	r.change(func() { r.events = append(r.events, event) })
}

// Cancel ends the context of the run. The first cause becomes the context's cause.
func (r *Run) Cancel(cause error) { r.cancel(cause) }

// Wait waits until the run has finished, or until ctx ends.
func (r *Run) Wait(ctx context.Context) error {
	for {
		_, changed, isFinished := r.from(0)
		if isFinished {
			return nil
		}
		if err := waitFor(ctx, changed); err != nil {
			return err
		}
	}
}

// change changes the run and wakes all waiting goroutines.
func (r *Run) change(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
	close(r.changed)
	r.changed = make(chan struct{})
}

// from returns the events from an index on, a channel that is closed when there are more, and
// whether the run has finished.
func (r *Run) from(i int) (events [][]byte, changed <-chan struct{}, isFinished bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.events[min(i, len(r.events)):], r.changed, r.isFinished
}

// Events returns all events so far.
func (r *Run) Events() [][]byte {
	events, _, _ := r.from(0)
	return events
}

// Follow returns the events from an index on, and waits for more. It ends with the run, or with the
// error of ctx.
func (r *Run) Follow(ctx context.Context, from int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for i := from; ; {
			events, changed, isFinished := r.from(i)
			for _, event := range events {
				if !yield(event, nil) {
					return
				}
			}
			i += len(events)
			if isFinished {
				return
			}
			if err := waitFor(ctx, changed); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

func waitFor(ctx context.Context, changed <-chan struct{}) error {
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
