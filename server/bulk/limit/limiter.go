package limit

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/internal/option"
)

// Limiter decides when one worker's calls for one project may begin. [New] makes it. It is safe for
// concurrent use. It starts no goroutine.
type Limiter struct {
	project string
	limits  amounts
	ledger  Ledger
	now     func() time.Time
	pause   time.Duration
	worker  uint64 // its name in claims

	// resume and quotaUntil are the last values of the register that this worker knows.
	resume, quotaUntil atomic.Int64

	// turn is held by the goroutine that uses the ledger.
	turn chan struct{}
	// sooner wakes the goroutine that holds the turn when units are free again.
	sooner chan struct{}
	cached cached // of who holds the turn

	mu          sync.Mutex
	queue       []*waiting   // those without a slot, in their order
	corrections []correction // that the register does not know yet
	changed     time.Time    // when the first of them came
}

// Option configures a limiter.
type Option func(*Limiter)

// WithClock sets the clock (default [time.Now]).
func WithClock(now func() time.Time) Option { return func(l *Limiter) { l.now = now } }

// WithPause sets the minimum time between two changes of the ledger (default none). One change
// serves all calls that arrive in that time, which reduces the load on a remote ledger.
func WithPause(d time.Duration) Option { return func(l *Limiter) { l.pause = d } }

// New returns the limiter of a worker for a project. Without limits it never uses the ledger, which
// may then be nil. It then delays calls only if the server has asked this worker to wait.
func New(project string, limits Limits, ledger Ledger, opts ...Option) *Limiter {
	l := &Limiter{
		project: project, limits: limits.amounts(), ledger: ledger, now: time.Now,
		worker: rand.Uint64() | 1,
		turn:   make(chan struct{}, 1), sooner: make(chan struct{}, 1),
	}
	option.Apply(l, opts)
	return l
}

// isUnlimited reports whether there is nothing to count.
func (l *Limiter) isUnlimited() bool { return l.limits == amounts{} }

// Permit allows one call. The zero value is a permit that is not counted.
type Permit struct {
	limiter *Limiter
	slot    int64
	given   amounts
}

// Settle reports what the call really used. The unused part is free for other calls. It is called
// at most once, after the call. Without it the estimate counts.
func (p Permit) Settle(ctx context.Context, used Use) {
	if p.limiter == nil {
		return
	}
	change := used.amounts().where(p.limiter.limits).minus(p.given)
	p.limiter.correct(ctx, correction{slot: p.slot, change: change})
}

// QuotaError reports that the daily quota is used up.
type QuotaError struct {
	Project string
	// Until is when another call is worth a try.
	Until time.Time
}

// Error returns the project and the time.
func (e *QuotaError) Error() string {
	return "limit: the daily quota of the project " + e.Project + " is used up until " +
		e.Until.UTC().Format(time.RFC3339)
}

// Acquire waits until a call with the estimated use may begin. Its error is a *[QuotaError], or the
// error of the context or the ledger. A worker's calls get slots in the order of their arrival.
func (l *Limiter) Acquire(ctx context.Context, estimate Use) (Permit, error) {
	if l.isUnlimited() {
		return Permit{}, l.awaitResumption(ctx)
	}
	need := estimate.amounts().upTo(l.limits)
	for {
		slot, err := l.takeSlot(ctx, need)
		if err != nil {
			return Permit{}, err
		}
		if err = l.sleepUntil(ctx, slot); err == nil {
			err = l.checkQuota()
		}
		isLate := l.now().UnixNano() >= slot+int64(Tolerance)
		if err == nil && !isLate && l.resume.Load() <= slot {
			return Permit{limiter: l, slot: slot, given: need}, nil
		}
		l.correct(ctx, correction{slot: slot, change: amounts{}.minus(need)})
		if err != nil {
			return Permit{}, err
		}
	}
}

// awaitResumption waits as long as the server has asked.
func (l *Limiter) awaitResumption(ctx context.Context) error {
	for {
		if err := l.checkQuota(); err != nil {
			return err
		}
		resume := l.resume.Load()
		if resume <= l.now().UnixNano() {
			return ctx.Err()
		}
		if err := l.sleepUntil(ctx, resume); err != nil {
			return err
		}
	}
}

// checkQuota returns an error if the daily quota is used up.
func (l *Limiter) checkQuota() error {
	until := l.quotaUntil.Load()
	if until <= l.now().UnixNano() {
		return nil
	}
	return &QuotaError{Project: l.project, Until: time.Unix(0, until)}
}

// sleepUntil waits for a time of the limiter's clock.
func (l *Limiter) sleepUntil(ctx context.Context, at int64) error {
	return sleep(ctx, time.Duration(at-l.now().UnixNano()), nil)
}

// sleep waits for a time, or until it is woken up.
func sleep(ctx context.Context, d time.Duration, woken <-chan struct{}) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-woken:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// BackOff stops all calls of the project until a time, as a server asks with Retry-After. Other
// workers learn of it with their next slots, within a second. Its error is the ledger's; this
// worker waits in any case.
func (l *Limiter) BackOff(ctx context.Context, until time.Time) error {
	raise(&l.resume, until.UnixNano())
	return l.Flush(ctx)
}

// Exhaust refuses all calls of the project with a *[QuotaError] until a time, because the daily
// quota is used up. It also refuses waiting calls.
func (l *Limiter) Exhaust(ctx context.Context, until time.Time) error {
	raise(&l.quotaUntil, until.UnixNano())
	l.wake()
	return l.Flush(ctx)
}

// raise sets a time unless it is already later.
func raise(at *atomic.Int64, until int64) {
	for {
		before := at.Load()
		if before >= until || at.CompareAndSwap(before, until) {
			return
		}
	}
}
