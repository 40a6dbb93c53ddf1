package budget

import (
	"errors"

	"github.com/gemwire/gemwire/server/bulk/line"
)

// ErrBusy is returned for a batch that does not fit into the budget while others are in progress.
// They may cost less than is reserved for them.
var ErrBusy = errors.New("budget: the batch has to wait for the cost of another batch")

// ErrUnlimited is returned for a batch whose maximum cost is unknown, because a line does not limit
// its output tokens.
var ErrUnlimited = errors.New("budget: a line in batch mode has no maximum of output tokens")

// Reserve reserves the maximum cost of a batch, once for each name. Its error is [ErrBusy], or the
// reason why no more batches may begin.
func (b *Budget) Reserve(name string, cost float64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, isReserved := b.reserved[name]
	switch {
	case isReserved:
		return nil
	case b.err != nil:
		return b.err
	case b.expected(b.inFlight)+cost <= b.maximum:
		b.reserved[name] = cost
		return nil
	case b.inFlight+len(b.reserved) > 0:
		return ErrBusy
	}
	b.end(ErrReached)
	return b.err
}

// Restore reserves the maximum cost of a batch that an earlier process has created.
func (b *Budget) Restore(name string, cost float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, isReserved := b.reserved[name]; !isReserved {
		b.reserved[name] = cost
	}
}

// Spend counts the usage of an answer of a batch, before its result is stored.
func (b *Budget) Spend(used line.Usage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent += used.Cost
	if used.Unpriced > 0 {
		b.end(ErrUnpriced)
	}
}

// Release ends a batch whose answers are counted. Releasing a batch again is not an error.
func (b *Budget) Release(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.reserved, name)
	b.change()
}

// End ends the budget for a reason, so that no more calls and batches begin.
func (b *Budget) End(why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end(why)
}
