package limit

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// cached is the register in this worker's memory.
type cached struct {
	register *register // nil for none
	revision uint64
	at       time.Time // when it was stored
	record   []byte    // memory for the next one
}

// change writes all corrections to the register, and takes the available slots of the next second
// for waiting calls. It returns how long to wait before the next attempt. The caller must hold the
// turn.
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

// longestSkew is how far another worker's clock may be ahead. Its slots would delay this worker by
// that time.
const longestSkew = time.Minute

// ClockError reports that the clocks of two workers differ by too much for the limits to hold.
type ClockError struct {
	Project string
	// Ahead is how far the other worker's clock is ahead.
	Ahead time.Duration
}

// Error returns the difference of the clocks.
func (e *ClockError) Error() string {
	return "limit: a worker of the project " + e.Project + " has a clock that is " +
		e.Ahead.Round(time.Second).String() + " ahead of this one's"
}

// contention returns how long to wait after n conflicts with other workers.
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

// store writes the register, unless another worker has changed it.
func (l *Limiter) store(ctx context.Context) error {
	l.cached.record = l.cached.register.appendRecord(l.cached.record[:0])
	revision, err := l.ledger.Store(ctx, l.project, l.cached.record, l.cached.revision)
	if err != nil {
		return err
	}
	l.cached.revision, l.cached.at = revision, l.now()
	return nil
}

// draft is one change of the register.
type draft struct {
	isChanged bool
	corrected int
	served    []*waiting
	slots     []int64
	// again is when to try again for calls without a slot. It is 0 if all have one.
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

// serve gives slots to waiting calls.
func (l *Limiter) serve(r *register, d *draft, now int64) {
	for _, w := range l.queue {
		at := r.slot(w.need, l.limits, now)
		if r.claim.isAgainst(l.worker, now) {
			// the room belongs to the other worker's call
			if later := r.slotLeaving(r.claim.need.upTo(l.limits), w.need, l.limits,
				now); later > at {
				d.again = max(nextTry(later, now), horizon/10)
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

// nextTry returns when to try again for a slot that is this far ahead.
func nextTry(at, now int64) time.Duration {
	return min(time.Duration(at-now)-horizon/2, longestPoll)
}

// stake claims room for the first waiting call, if it has waited for long.
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

// commit passes on the slots of the register.
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
