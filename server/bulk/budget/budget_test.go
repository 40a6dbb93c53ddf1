package budget_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/gemwire/gemwire/server/bulk/budget"
	"github.com/gemwire/gemwire/server/bulk/line"
)

func cost(amount float64) line.Usage { return line.Usage{Cost: amount, Currency: "USD"} }

func TestTheFirstCallIsAloneBecauseItsCostIsUnknown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(10, 0, 0)
		if err := b.Acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
		second := make(chan error, 1)
		go func() { second <- b.Acquire(t.Context()) }()
		synctest.Wait()
		select {
		case err := <-second:
			t.Fatalf("the second began with the first: %v", err)
		default:
		}
		b.Settle(cost(1))
		if err := <-second; err != nil {
			t.Error(err)
		}
	})
}

func TestFewCallsSayLittleAboutTheNextOnes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(100, 0, 0)
		begun := make(chan error, 100)
		for range 100 {
			go func() { begun <- b.Acquire(t.Context()) }()
		}
		for _, want := range []int{1, 2, 4, 8} {
			synctest.Wait()
			if n := len(begun); n != want {
				t.Errorf("%d calls are in flight, want %d", n, want)
			}
			for range len(begun) {
				if err := <-begun; err != nil {
					t.Fatal(err)
				}
				b.Settle(cost(1))
			}
		}
		for range 85 {
			if err := <-begun; err != nil {
				t.Fatal(err)
			}
			b.Settle(cost(1))
		}
	})
}

func TestCallsInFlightNeverExceedTheMaximum(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(24, 20, 1)
		for range 4 {
			if err := b.Acquire(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		fifth := make(chan error, 1)
		go func() { fifth <- b.Acquire(t.Context()) }()
		synctest.Wait()
		b.Settle(cost(0)) // which was cheaper than expected
		if err := <-fifth; err != nil {
			t.Fatal(err)
		}
		for range 4 {
			b.Settle(cost(1))
		}
		if err := b.Acquire(t.Context()); !errors.Is(err, budget.ErrReached) ||
			!errors.Is(b.Err(), budget.ErrReached) {
			t.Errorf("%v, %v", err, b.Err())
		}
		<-b.Reached()
	})
}

func TestACallWithoutAPriceEndsTheBudget(t *testing.T) {
	t.Parallel()
	b := budget.New(5, 0, 0)
	if err := b.Acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.Settle(line.Usage{InputTokens: 1, Unpriced: 1})
	if err := b.Acquire(t.Context()); !errors.Is(err, budget.ErrUnpriced) {
		t.Error(err)
	}
}

func TestAWaitingCallEndsWithItsContext(t *testing.T) {
	t.Parallel()
	b := budget.New(5, 0, 0)
	if err := b.Acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Acquire(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
