package live

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/answercheck"
	"github.com/gemwire/gemwire/server/bulk/budget"
	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// Executor is a [bulk.Executor] that calls a gateway. [New] makes it. It is safe for concurrent
// use.
type Executor struct {
	gateway   Gateway
	limiter   *limit.Limiter
	budget    *budget.Budget // nil for no maximum
	room      chan struct{}  // for calls in flight
	attempts  int
	accounts  int // of the gateway
	estimates estimates
	pressure  pressure
	answers   answercheck.Checker
}

// Option configures an executor.
type Option func(*Executor)

// DefaultConcurrency is the default number of lines in flight. DefaultAttempts is the default
// number of attempts for a line.
const (
	DefaultConcurrency = 64
	DefaultAttempts    = 5
)

// MaxRateLimitErrors is how many consecutive rate limit errors (429) a line may get before the next
// one is its result. The count restarts when another line is answered, because then it was not this
// line's turn. After ten times this number in total, the next one is the result too.
const MaxRateLimitErrors = 100

// WithConcurrency sets the number of lines in flight over all items. The default is
// [DefaultConcurrency].
func WithConcurrency(n int) Option {
	return func(e *Executor) { e.room = make(chan struct{}, max(n, 1)) }
}

// WithLimiter limits the calls to a project's limits. Without it only the server's own answers
// limit them.
func WithLimiter(l *limit.Limiter) Option { return func(e *Executor) { e.limiter = l } }

// WithBudget stops before the calls cost more than a budget. The executor must have only one job
// then. Lines that exceed the budget have to wait, as a [bulk.LaterError] says.
func WithBudget(b *budget.Budget) Option { return func(e *Executor) { e.budget = b } }

// WithAccounts sets the number of accounts of the gateway (default 1). With several, a rate limit
// error of one account does not delay the calls of the others.
func WithAccounts(n int) Option { return func(e *Executor) { e.accounts = n } }

// WithAttempts sets the maximum number of attempts for a line whose calls fail, the first one
// included. The default is [DefaultAttempts].
func WithAttempts(n int) Option { return func(e *Executor) { e.attempts = max(n, 1) } }

// New returns an executor that answers lines with a gateway.
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

// window is the number of lines that are announced together. A small window costs writes, and a
// large one overstates how many calls the death of a worker repeats.
const window = 16

// Window implements [bulk.Announcer].
func (e *Executor) Window([]byte) int { return window }

// Run implements [bulk.Executor].
func (e *Executor) Run(ctx context.Context, item *bulk.Item) error {
	r := newRun(ctx, e, item)
	defer r.cancel(nil)
	var calls sync.WaitGroup
	for i := 0; i < len(item.Lines) && r.enter(); i++ {
		if i%window == 0 {
			last := item.Lines[min(i+window, len(item.Lines))-1].Number
			if err := item.Announce(last); err != nil {
				r.cancel(err)
				<-r.room
				break
			}
		}
		calls.Go(func() {
			defer func() { <-r.room }()
			r.answer(&item.Lines[i])
		})
	}
	calls.Wait()
	return r.end()
}

// Forget implements [bulk.Resumer]: it ends the pauses of the project.
func (e *Executor) Forget(ctx context.Context) error { return e.limiter.Forget(ctx) }

// run is one item in progress.
type run struct {
	*Executor
	item     *bulk.Item
	estimate *estimate
	// calling is the context of calls. begin is the context of the work before them: no call begins
	// after it has ended.
	calling, begin context.Context
	cancel         context.CancelCauseFunc // of calling
	stop           context.CancelCauseFunc // of begin
	parent         context.Context
	written        atomic.Int64 // results
}

// errStopping reports that no more calls may begin.
var errStopping = errors.New("the worker is stopping")

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

// enter takes a slot for a call. It reports false if no more calls may begin.
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

// answer answers a line and writes its result. Any other outcome ends the run.
func (r *run) answer(l *line.Line) {
	result, err := r.ask(l)
	if err != nil {
		r.stop(err)
		return
	}
	// A finished result is worth the 100 ms that writing it may take after the end.
	if err := r.item.Write(context.WithoutCancel(r.parent), result); err != nil {
		r.cancel(err)
		return
	}
	r.written.Add(1)
}

// end returns the outcome of the run.
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

// later returns the error for a job that has to be paused.
func later(until time.Time, reason string) *bulk.LaterError {
	return &bulk.LaterError{After: max(time.Until(until), 0), Park: true, Reason: reason}
}
