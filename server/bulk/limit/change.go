package limit

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// cached is the register as this worker knows it.
type cached struct {
	register *register // nil for none
	revision uint64
	at       time.Time // when it was stored
	record   []byte    // memory for the next one
}

// change has the register know of all corrections, and takes slots for those that wait, as far as
// it has some for the next second. It returns after which time to try again for the rest. Who calls
// it holds the turn.
func (l *Limiter) change(ctx context.Context) (again time.Duration, err error) {
	if err := sleep(ctx, l.pause-l.now().Sub(l.cached.at), nil); err != nil {
		return 0, err
	}
	for tries := 0; ; tries++ {
		isFresh := l.cached.register == nil
		if isFresh {
			if err := l.load(ctx); err != nil {
				return 0, err
			}
		}
		d := l.draft()
		switch {
		case d.isChanged:
			if err = l.store(ctx); err == nil {
				l.commit(d)
				return d.again, nil
			}
			l.cached.register = nil
			if !errors.Is(err, ErrChanged) {
				return 0, err
			}
			if err := sleep(ctx, contention(tries), nil); err != nil {
				return 0, err
			}
		case isFresh || d.again == 0:
			return d.again, nil
		default: // others may have given something back
			l.cached.register = nil
		}
	}
}

// longestSkew is by how much the clock of another worker may be ahead. Its slots would hold this
// one back for as long.
const longestSkew = time.Minute

// ClockError says that the clocks of two workers differ by too much for any of what is promised.
type ClockError struct {
	Project string
	// Ahead is by how much the clock of another worker is ahead of this one's.
	Ahead time.Duration
}

// Error says by how much the clocks differ.
func (e *ClockError) Error() string {
	return "limit: a worker of the project " + e.Project + " has a clock that is " +
		e.Ahead.Round(time.Second).String() + " ahead of this one's"
}

// contention returns how long to wait after so many tries in which another worker was faster.
func contention(tries int) time.Duration {
	if tries < 2 {
		return 0
	}
	return rand.N(time.Millisecond << min(tries, 6))
}

// load reads the register.
func (l *Limiter) load(ctx context.Context) error {
	record, revision, err := l.ledger.Load(ctx, l.project)
	if err != nil {
		return err
	}
	r, err := readRegister(record)
	if err != nil {
		return err
	}
	if ahead := time.Duration(r.last - l.now().UnixNano()); ahead > longestSkew {
		return &ClockError{Project: l.project, Ahead: ahead}
	}
	l.cached.register, l.cached.revision = r, revision
	raise(&l.resume, r.resume)
	raise(&l.quotaUntil, r.quotaUntil)
	return nil
}

// store writes the register, unless another worker was faster.
func (l *Limiter) store(ctx context.Context) error {
	l.cached.record = l.cached.register.appendRecord(l.cached.record[:0])
	revision, err := l.ledger.Store(ctx, l.project, l.cached.record, l.cached.revision)
	if err != nil {
		return err
	}
	l.cached.revision, l.cached.at = revision, l.now()
	return nil
}

// draft is what a change of the register is about.
type draft struct {
	isChanged bool
	corrected int
	served    []*waiting
	slots     []int64
	// again is after which time to try again for those that are not served, 0 where all are.
	again time.Duration
}

// draft changes the register in memory.
func (l *Limiter) draft() *draft {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, d, now := l.cached.register, &draft{corrected: len(l.corrections)}, l.now().UnixNano()
	for _, c := range l.corrections {
		r.correct(c, l.limits, now)
	}
	resume, quotaUntil := max(r.resume, l.resume.Load()), max(r.quotaUntil, l.quotaUntil.Load())
	d.isChanged = d.corrected > 0 || resume != r.resume || quotaUntil != r.quotaUntil
	r.resume, r.quotaUntil = resume, quotaUntil
	if quotaUntil <= now {
		l.serve(r, d, now)
	}
	return d
}

// serve gives slots to those that wait.
func (l *Limiter) serve(r *register, d *draft, now int64) {
	for _, w := range l.queue {
		at := r.slot(w.need, l.limits, now)
		if r.claim.isAgainst(l.worker, now) {
			// it is the other's
			if behind := r.slotBehind(r.claim.need.upTo(l.limits), w.need, l.limits,
				now); behind > at {
				d.again = max(nextTry(behind, now), horizon/10)
				return
			}
		}
		if at > now+int64(horizon) {
			d.again = nextTry(at, now)
			l.stake(r, d, w, now)
			return
		}
		r.take(w.need, l.limits, at)
		if r.claim.worker == l.worker {
			r.claim = claim{}
		}
		d.isChanged = true
		d.served, d.slots = append(d.served, w), append(d.slots, at)
	}
}

// nextTry returns after which time to try for a slot that is so far ahead.
func nextTry(at, now int64) time.Duration {
	return min(time.Duration(at-now)-horizon/2, longestPoll)
}

// stake claims room for the first call that waits, if it has waited for long.
func (l *Limiter) stake(r *register, d *draft, w *waiting, now int64) {
	if w.first == 0 {
		w.first = now
	}
	if now-w.first < int64(patience) || r.resume > now {
		return
	}
	r.claim = claim{worker: l.worker, until: now + int64(d.again+horizon), need: w.need}
	d.isChanged = true
}

// commit hands out what the register has given.
func (l *Limiter) commit(d *draft) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.corrections = append(l.corrections[:0], l.corrections[d.corrected:]...)
	if len(l.corrections) > 0 {
		l.changed = l.now()
	}
	for i, w := range d.served { // the first of the queue, unless they have left
		if len(l.queue) > 0 && l.queue[0] == w {
			l.queue = l.queue[1:]
			w.slot <- d.slots[i]
			continue
		}
		l.corrections = append(l.corrections,
			correction{slot: d.slots[i], change: amounts{}.minus(w.need)})
	}
}
