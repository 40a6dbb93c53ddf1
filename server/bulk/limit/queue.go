package limit

import (
	"context"
	"slices"
	"time"
)

const (
	// horizon is how far ahead slots are taken.
	horizon = time.Second / 2
	// longestPoll is how long a waiting worker waits before it checks whether other workers have
	// returned units.
	longestPoll = 5 * time.Second
	// patience is how long a call is the first of its worker before it claims room.
	patience = 2 * time.Second
	// unsaid is how long a correction may wait for the next change of the register.
	unsaid = horizon / 2
)

// waiting is a call without a slot.
type waiting struct {
	need amounts
	// slot receives the call's slot.
	slot chan int64
	// first is when it became the first of its worker, or 0.
	first int64
}

// takeSlot returns the slot of a call. Another call may have taken it, or the call takes some slots
// itself.
func (l *Limiter) takeSlot(ctx context.Context, need amounts) (int64, error) {
	w := &waiting{need: need, slot: make(chan int64, 1)}
	l.mu.Lock()
	l.queue = append(l.queue, w)
	l.mu.Unlock()
	for {
		if err := l.checkQuota(); err != nil {
			return 0, l.leave(ctx, w, err)
		}
		select {
		case slot := <-w.slot:
			return slot, nil
		case <-ctx.Done():
			return 0, l.leave(ctx, w, ctx.Err())
		case l.turn <- struct{}{}:
			slot, err := l.serveQueue(ctx, w)
			<-l.turn
			if slot != 0 {
				return slot, nil
			}
			if err != nil {
				return 0, l.leave(ctx, w, err)
			}
		}
	}
}

// leave stops waiting for a reason. A slot that arrived in the meantime is returned.
func (l *Limiter) leave(ctx context.Context, w *waiting, why error) error {
	l.mu.Lock()
	l.queue = slices.DeleteFunc(l.queue, func(other *waiting) bool { return other == w })
	l.mu.Unlock()
	select {
	case slot := <-w.slot:
		l.correct(ctx, correction{slot: slot, change: amounts{}.minus(w.need)})
	default:
	}
	return why
}

// serveQueue takes slots for all waiting calls until w has one. The caller must hold the turn.
func (l *Limiter) serveQueue(ctx context.Context, w *waiting) (int64, error) {
	for {
		select {
		case slot := <-w.slot:
			return slot, nil
		default:
		}
		if err := l.checkQuota(); err != nil {
			return 0, err
		}
		again, err := l.change(ctx)
		if err != nil {
			return 0, err
		}
		if len(w.slot) > 0 {
			continue
		}
		if err := sleep(ctx, again, l.sooner); err != nil {
			return 0, err
		}
	}
}

// wake wakes the goroutine that holds the turn.
func (l *Limiter) wake() {
	select {
	case l.sooner <- struct{}{}:
	default:
	}
}

// correct records a correction for the next change of the register. If there was no change for some
// time, it makes one at once, unless the context has ended.
func (l *Limiter) correct(ctx context.Context, c correction) {
	if c.change == (amounts{}) {
		return
	}
	l.mu.Lock()
	if len(l.corrections) == 0 {
		l.changed = l.now()
	}
	l.corrections = append(l.corrections, c)
	isDue := l.now().Sub(l.changed) >= unsaid
	hasQueue := len(l.queue) > 0
	l.mu.Unlock()
	if hasQueue {
		l.wake()
		return
	}
	if !isDue || ctx.Err() != nil {
		return
	}
	select {
	case l.turn <- struct{}{}:
		_, _ = l.change(ctx) // what fails is noted still
		<-l.turn
	default: // who holds it changes the register
	}
}

// Flush writes pending corrections to the ledger, for example at the end of a worker's work.
func (l *Limiter) Flush(ctx context.Context) error {
	if l.isUnlimited() {
		return nil
	}
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.turn }()
	_, err := l.change(ctx)
	return err
}
