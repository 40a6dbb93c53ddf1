package live

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// Executor is a [bulk.Executor] that asks a gateway. It is made by [New], and safe for use by
// several goroutines.
type Executor struct {
	gateway   Gateway
	limiter   *limit.Limiter
	room      chan struct{} // for calls under way
	attempts  int
	estimates estimates
	pressure  pressure
}

// Option changes an executor.
type Option func(*Executor)

// DefaultConcurrency is how many lines are asked at a time by default, and DefaultAttempts how
// often a line is.
const (
	DefaultConcurrency = 64
	DefaultAttempts    = 5
)

// MostRefusals is how often in a row a line may be refused as one of too many, until that is its
// result. It begins anew when another line is answered, as then it was not this one's turn, and
// ends at ten times as many in all.
const MostRefusals = 100

// WithConcurrency sets how many lines are asked at a time, over all items. The default is
// [DefaultConcurrency].
func WithConcurrency(n int) Option {
	return func(e *Executor) { e.room = make(chan struct{}, max(n, 1)) }
}

// WithLimiter holds calls to the limits of a project. Without it they are not limited, but for what
// the server says.
func WithLimiter(l *limit.Limiter) Option { return func(e *Executor) { e.limiter = l } }

// WithAttempts sets how often a line is asked whose calls fail, the first time included. The
// default is [DefaultAttempts].
func WithAttempts(n int) Option { return func(e *Executor) { e.attempts = max(n, 1) } }

// New returns an executor that asks a gateway for the answers to lines.
func New(g Gateway, opts ...Option) *Executor {
	e := &Executor{gateway: g, attempts: DefaultAttempts}
	option.Apply(e, opts)
	if e.room == nil {
		WithConcurrency(DefaultConcurrency)(e)
	}
	if e.limiter == nil {
		e.limiter = limit.New("", limit.Limits{}, nil)
	}
	return e
}

// Run implements [bulk.Executor].
func (e *Executor) Run(ctx context.Context, item *bulk.Item) error {
	r := newRun(ctx, e, item)
	defer r.cancel(nil)
	var calls sync.WaitGroup
	for i := range item.Lines {
		if !r.enter() {
			break
		}
		calls.Go(func() {
			defer r.leave()
			r.answer(&item.Lines[i])
		})
	}
	calls.Wait()
	return r.end()
}

// run is one item under way.
type run struct {
	*Executor
	item     *bulk.Item
	estimate *estimate
	// calling is the context of calls, begin that of what comes before them: nothing begins once it
	// has ended.
	calling, begin context.Context
	cancel         context.CancelCauseFunc // of calling
	stop           context.CancelCauseFunc // of begin
	parent         context.Context
	written        atomic.Int64 // results
}

// errStopping says that no call is to begin any more.
var errStopping = errors.New("the worker stops")

func newRun(ctx context.Context, e *Executor, item *bulk.Item) *run {
	r := &run{Executor: e, item: item, estimate: e.estimates.of(item.Job.ID), parent: ctx}
	r.calling, r.cancel = context.WithCancelCause(ctx)
	r.begin, r.stop = context.WithCancelCause(r.calling)
	if stopping := item.Stopping(); stopping != nil {
		go func() {
			select {
			case <-stopping:
				r.stop(errStopping)
			case <-r.begin.Done():
			}
		}()
	}
	return r
}

// enter takes room for a call, and reports false where none is to begin any more.
func (r *run) enter() bool {
	select {
	case <-r.begin.Done():
		return false
	default:
	}
	select {
	case r.room <- struct{}{}:
		return true
	case <-r.begin.Done():
		return false
	}
}

func (r *run) leave() { <-r.room }

// answer has a line answered, and its result written. What else comes of it ends the run.
func (r *run) answer(l *line.Line) {
	result, err := r.ask(l)
	if err != nil {
		r.stop(err)
		return
	}
	// A result in hand is worth more than the 100 ms that writing it may take behind the end.
	if err := r.item.Write(context.WithoutCancel(r.parent), result); err != nil {
		r.cancel(err)
		return
	}
	r.written.Add(1)
}

// end returns what became of the run.
func (r *run) end() error {
	if r.written.Load() == int64(len(r.item.Lines)) {
		return nil
	}
	if err := r.parent.Err(); err != nil {
		return err
	}
	if why := context.Cause(r.begin); why != errStopping {
		return why
	}
	return &bulk.LaterError{Reason: errStopping.Error()}
}

// later is what a job does that has to rest.
func later(until time.Time, reason string) *bulk.LaterError {
	return &bulk.LaterError{After: max(time.Until(until), 0), Park: true, Reason: reason}
}
