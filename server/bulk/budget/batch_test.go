package budget_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/server/bulk/budget"
	"github.com/gemwire/gemwire/server/bulk/line"
)

func TestBatchesReserveTheirMaximumCostUntilTheyEnd(t *testing.T) {
	t.Parallel()
	b := budget.New(10, 1, 0)
	if err := errors.Join(b.Reserve("a", 6), b.Reserve("a", 6)); err != nil {
		t.Fatal(err)
	}
	if err := b.Reserve("b", 4); !errors.Is(err, budget.ErrBusy) {
		t.Errorf("while another batch is in progress: %v", err)
	}
	b.Spend(line.Usage{Cost: 2})
	b.Release("a")
	b.Release("a")
	if err := b.Reserve("b", 7); err != nil {
		t.Errorf("after a batch that cost less: %v", err)
	}
	b.Release("b")
	b.Restore("c", 9)
	if err := b.Reserve("d", 1); !errors.Is(err, budget.ErrBusy) {
		t.Errorf("after a batch of an earlier process: %v", err)
	}
	b.Release("c")
	if err := b.Reserve("d", 8); !errors.Is(err, budget.ErrReached) || b.Err() == nil {
		t.Errorf("a batch that never fits: %v", err)
	}
	<-b.Reached()
}

func TestTheCallsOfOtherProcessesCount(t *testing.T) {
	t.Parallel()
	b := budget.New(10, 4, 1)
	b.Observe(4, 2)
	for range 2 { // each of three processes may have as many calls in flight
		if err := b.Acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Reserve("a", 1); !errors.Is(err, budget.ErrBusy) {
		t.Errorf("with 6 calls in flight: %v", err)
	}
	b.Observe(3, 0) // which is less than is known
	if err := b.Reserve("a", 4); err != nil {
		t.Errorf("after the other processes have ended: %v", err)
	}
}
