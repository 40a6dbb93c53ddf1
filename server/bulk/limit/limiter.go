package limit

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/internal/option"
)

// Limiter says when the calls of one worker for one project may begin. It is made by [New], and
// safe for use by several goroutines. It starts none.
type Limiter struct {
	project string
	limits  amounts
	ledger  Ledger
	now     func() time.Time
	pause   time.Duration
	worker  uint64 // its name in claims

	// resume and quotaUntil are those of the register, as far as this worker knows.
	resume, quotaUntil atomic.Int64

	// turn is held by who talks to the ledger.
	turn chan struct{}
	// sooner tells who waits with the turn that units are free again.
	sooner chan struct{}
	cached cached // of who holds the turn

	mu          sync.Mutex
	queue       []*waiting   // those without a slot, in their order
	corrections []correction // that the register does not know yet
	changed     time.Time    // when the first of them came
}

// Option changes a limiter.
type Option func(*Limiter)

// WithClock sets what tells the time, by default [time.Now].
func WithClock(now func() time.Time) Option { return func(l *Limiter) { l.now = now } }

// WithPause sets how long a worker waits at least between two changes of the ledger, by default not
// at all. Calls that come meanwhile are in one change, so that a ledger behind a network has fewer.
func WithPause(d time.Duration) Option { return func(l *Limiter) { l.pause = d } }

// New returns the limiter of a worker for a project. Without limits it never asks the ledger, which
// may then be nil: it holds calls back where the server has asked this worker to wait, and no more.
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

// Permit is the leave to make one call. The zero value is one that nobody counts.
type Permit struct {
	limiter *Limiter
	slot    int64
	given   amounts
}

// Settle tells what the call used in truth. What it did not use is free for others. It is called at
// most once, when the call is over; without it the estimate stands.
func (p Permit) Settle(ctx context.Context, used Use) {
	if p.limiter == nil {
		return
	}
	change := used.amounts().where(p.limiter.limits).minus(p.given)
	p.limiter.correct(ctx, correction{slot: p.slot, change: change})
}

// QuotaError says that the quota of a day is used up.
type QuotaError struct {
	Project string
	// Until is when it is worth another call.
	Until time.Time
}

// Error names the project and the time.
func (e *QuotaError) Error() string {
	return "limit: the daily quota of the project " + e.Project + " is used up until " +
		e.Until.UTC().Format(time.RFC3339)
}

// Acquire waits until a call may begin that takes as much as estimated. Its error is a
// *[QuotaError], that of the context, or that of the ledger. Slots are given in the order in which
// calls came to this worker.
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

// awaitResumption waits as long as the server asked to.
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

// checkQuota returns an error where the quota of the day is used up.
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

// sleep waits for a time, or until it is woken.
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

// BackOff has all workers of the project make no call before a time, as a server asks by
// Retry-After. Others hear of it with their next slots, within a second. Its error is that of the
// ledger; this worker waits in any case.
func (l *Limiter) BackOff(ctx context.Context, until time.Time) error {
	raise(&l.resume, until.UnixNano())
	return l.Flush(ctx)
}

// Exhaust has all calls of the project refused by a *[QuotaError] until a time, when the quota of
// the day is used up. What waits is refused too.
func (l *Limiter) Exhaust(ctx context.Context, until time.Time) error {
	raise(&l.quotaUntil, until.UnixNano())
	l.wake()
	return l.Flush(ctx)
}

// raise sets a time unless it is later already.
func raise(at *atomic.Int64, until int64) {
	for {
		before := at.Load()
		if before >= until || at.CompareAndSwap(before, until) {
			return
		}
	}
}
