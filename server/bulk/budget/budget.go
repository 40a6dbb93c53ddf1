// Package budget stops the calls of a bulk job before their cost exceeds a maximum.
//
// The cost of a call is known only after it. So each call in flight counts as much as the most
// expensive call so far. Few calls say little about the next ones, so at most one more call is in
// flight than calls have ended: first one, then two, then four.
package budget

import (
	"context"
	"errors"
	"sync"

	"github.com/gemwire/gemwire/server/bulk/line"
)

// ErrReached is returned if another call may exceed the maximum.
var ErrReached = errors.New("budget: another call may exceed the maximum cost")

// ErrUnpriced is returned after a call whose price is unknown.
var ErrUnpriced = errors.New("budget: the price of a call is unknown")

// Budget is the maximum cost of a job. [New] makes it. It is safe for concurrent use.
type Budget struct {
	mu       sync.Mutex
	maximum  float64
	spent    float64
	largest  float64 // cost of a call, 0 if it is unknown
	inFlight int
	ended    int                // calls with a cost, also of earlier processes
	others   int                // processes that work at the job too
	reserved map[string]float64 // of batches in progress, by their names
	changed  chan struct{}      // closed at the next change
	reached  chan struct{}
	err      error // why no more calls may begin
}

// New returns a budget of which an amount is spent already. Call is the expected cost of a call,
// which is the mean of earlier calls, or 0 if it is unknown.
func New(maximum, spent, call float64) *Budget {
	b := &Budget{maximum: maximum, spent: spent, largest: call, reserved: map[string]float64{},
		changed: make(chan struct{}), reached: make(chan struct{})}
	if call > 0 {
		b.ended = int(spent / call)
	}
	return b
}

// Acquire waits until a call fits into the budget. Its error is [ErrReached], [ErrUnpriced] or the
// error of the context. After nil the caller calls [Budget.Settle].
func (b *Budget) Acquire(ctx context.Context) error {
	for {
		changed, err := b.try()
		if changed == nil || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// try begins a call. If the call must wait for another one, it returns a channel that is closed at
// the next change.
func (b *Budget) try() (changed <-chan struct{}, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	expected := b.expected(b.inFlight + 1)
	switch {
	case b.err != nil:
		return nil, b.err
	case b.spent < b.maximum && expected <= b.maximum && b.inFlight <= b.ended:
		b.inFlight++
		return nil, nil
	case b.inFlight+len(b.reserved) > 0 && b.spent < b.maximum:
		return b.changed, nil
	}
	b.end(ErrReached)
	return nil, b.err
}

// expected returns what the job costs after a number of calls in flight and the batches. Each other
// process may have as many calls in flight.
func (b *Budget) expected(calls int) float64 {
	cost := b.spent + float64(calls*(1+b.others))*b.largest
	for _, reserved := range b.reserved {
		cost += reserved
	}
	return cost
}

// Settle ends a call with its usage, which is zero for a call that was not made.
func (b *Budget) Settle(used line.Usage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inFlight--
	if used.Cost > 0 {
		b.ended++
	}
	b.spent += used.Cost
	b.largest = max(b.largest, used.Cost)
	if used.Unpriced > 0 {
		b.end(ErrUnpriced)
	}
	b.change()
}

// change wakes the calls that wait.
func (b *Budget) change() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// Observe records the cost of the whole job so far and the number of other processes that work at
// it.
func (b *Budget) Observe(spent float64, others int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent, b.others = max(b.spent, spent), others
	b.change()
}

// end ends the budget once.
func (b *Budget) end(why error) {
	if b.err == nil {
		b.err = why
		close(b.reached)
	}
}

// Reached returns a channel that is closed when no more calls may begin; see [Budget.Err].
func (b *Budget) Reached() <-chan struct{} { return b.reached }

// Err returns why no more calls may begin, or nil.
func (b *Budget) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}
