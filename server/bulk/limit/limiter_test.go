package limit_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/bulk/limit"
)

func TestNoMinuteIsAboveTheLimitAndAnHourWithinOnePercentOfIt(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 5} {
		synctest.Test(t, func(t *testing.T) {
			used := runWorkers(t, workers, limit.Limits{Requests: 600},
				func(*rand.Rand) call { return exactly(0, 0) })
			used.check(t, "requests", 600, requests, 0.99)
		})
	}
}

func TestTokensObeyTheirLimits(t *testing.T) {
	t.Parallel()
	limits := limit.Limits{Requests: 2500, TokensIn: 1_000_000, TokensOut: 100_000}
	for _, test := range []struct {
		name    string
		call    func(*rand.Rand) call
		in, out float64 // the least share of the limits that an hour has
		overrun float64 // by which share a minute may be above
	}{
		{
			name: "as estimated, bound by tokens in", in: 0.99,
			call: func(r *rand.Rand) call { return exactly(200+r.Int64N(2000), 20) },
		},
		{
			name: "as estimated, bound by tokens out", out: 0.99,
			call: func(r *rand.Rand) call { return exactly(100, 40+r.Int64N(200)) },
		},
		{
			name: "less than estimated", in: 0.99,
			call: func(r *rand.Rand) call { return estimated(200+r.Int64N(2000), 1+0.3*r.Float64()) },
		},
		{
			name: "more than estimated", in: 0.99, overrun: 0.01, // by calls in flight
			call: func(r *rand.Rand) call { return estimated(200+r.Int64N(2000), 1-0.3*r.Float64()) },
		},
		{
			name: "more or less than estimated", in: 0.99, overrun: 0.01,
			call: func(r *rand.Rand) call { return estimated(200+r.Int64N(2000), 0.8+0.4*r.Float64()) },
		},
		{
			name: "some calls are a fiftieth of the limit", in: 0.97,
			call: func(r *rand.Rand) call {
				if r.IntN(20) == 0 {
					return exactly(20_000, 10)
				}
				return exactly(500+r.Int64N(500), 10)
			},
		},
	} {
		for _, workers := range []int{1, 5} {
			synctest.Test(t, func(t *testing.T) {
				used := runWorkers(t, workers, limits, test.call)
				allowed := 1 + test.overrun
				used.check(t, test.name+": tokens in", int64(float64(limits.TokensIn)*allowed),
					tokensIn, test.in/allowed)
				used.check(t, test.name+": tokens out", int64(float64(limits.TokensOut)*allowed),
					tokensOut, test.out/allowed)
				used.check(t, test.name+": requests", limits.Requests, requests, 0)
				if used.total(tokensIn) > int64(used.length.Minutes())*limits.TokensIn {
					t.Errorf("%s: %v have %d tokens", test.name, used.length, used.total(tokensIn))
				}
			})
		}
	}
}

func TestACallThatIsLargerThanTheLimitHasAMinuteOfItsOwn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		l := limit.New("p", limit.Limits{TokensIn: 1000}, limit.NewMemory())
		for i := range 3 {
			if _, err := l.Acquire(t.Context(), limit.Use{TokensIn: 5000}); err != nil {
				t.Fatal(err)
			}
			if waited := time.Since(start); waited < time.Duration(i)*time.Minute ||
				waited > time.Duration(i)*61*time.Second {
				t.Errorf("call %d began after %v", i, waited)
			}
		}
	})
}

func TestALargeCallFindsItsTurnAmongTheSmallOnesOfOtherWorkers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger, limits := limit.NewMemory(), limit.Limits{TokensIn: 100_000}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		used, all := &usage{length: time.Hour}, sync.WaitGroup{}
		all.Go(func() {
			work(ctx, t, limit.New("p", limits, ledger), 40,
				func(*rand.Rand) call { return exactly(500, 0) }, used)
		})
		time.Sleep(2 * time.Minute)
		start := time.Now()
		if _, err := limit.New("p", limits, ledger).Acquire(ctx,
			limit.Use{TokensIn: 60_000}); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited > 61*time.Second {
			t.Errorf("the call waited %v", waited)
		}
		cancel()
		all.Wait()
	})
}

func TestAServerThatAsksToWaitStopsAllWorkers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger, limits := limit.NewMemory(), limit.Limits{Requests: 600}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		used, all := &usage{length: time.Hour}, sync.WaitGroup{}
		one := func(*rand.Rand) call { return exactly(0, 0) }
		first := limit.New("p", limits, ledger)
		all.Go(func() { work(ctx, t, first, 20, one, used) })
		all.Go(func() { work(ctx, t, limit.New("p", limits, ledger), 20, one, used) })
		time.Sleep(30 * time.Second)
		asked := time.Now()
		if err := first.BackOff(ctx, asked.Add(40*time.Second)); err != nil {
			t.Fatal(err)
		}
		all.Wait()
		during, after := 0, 0
		for _, each := range used.uses {
			switch since := each.at.Sub(asked); {
			case since > time.Second && since < 40*time.Second:
				during++
			case since >= 40*time.Second:
				after++
			}
		}
		if during > 0 || after < 450 {
			t.Errorf("%d calls while the server was to be left alone, %d after it", during, after)
		}
		used.check(t, "requests", 600, requests, 0)
	})
}

func TestAServerThatAsksToWaitStopsAWorkerWithoutLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := limit.New("p", limit.Limits{}, nil)
		start := time.Now()
		if err := l.BackOff(t.Context(), start.Add(7*time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Acquire(t.Context(), limit.Use{Requests: 1}); err != nil ||
			time.Since(start) != 7*time.Second {
			t.Errorf("the call began after %v with the error %v", time.Since(start), err)
		}
	})
}

func TestAQuotaOfTheDayRefusesAllWorkersUntilItIsOver(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string]limit.Limits{"limited": {Requests: 60}, "unlimited": {}} {
		synctest.Test(t, func(t *testing.T) {
			ledger := limit.NewMemory()
			first, second := limit.New("p", limits, ledger), limit.New("p", limits, ledger)
			if limits.IsZero() { // what others know is not shared then
				second = first
			}
			until := time.Now().Add(5 * time.Hour)
			waits := make(chan error, 10)
			for range 10 {
				go func() {
					for {
						if _, err := first.Acquire(t.Context(),
							limit.Use{Requests: 1}); err != nil {
							waits <- err
							return
						}
						time.Sleep(time.Second)
					}
				}()
			}
			time.Sleep(3 * time.Second)
			if err := first.Exhaust(t.Context(), until); err != nil {
				t.Fatal(err)
			}
			_, err := second.Acquire(t.Context(), limit.Use{Requests: 1})
			for range 10 {
				err = errors.Join(err, <-waits)
			}
			for _, each := range err.(interface{ Unwrap() []error }).Unwrap() {
				if used, ok := errors.AsType[*limit.QuotaError](each); ok &&
					!used.Until.Equal(until) || !ok && each.Error() == "" {
					t.Errorf("%s: the error is %v", name, each)
				}
			}
			time.Sleep(time.Until(until))
			if _, err := second.Acquire(t.Context(), limit.Use{Requests: 1}); err != nil {
				t.Errorf("%s: after the end of the quota's day: %v", name, err)
			}
		})
	}
}

func TestClocksThatDifferWithinTheToleranceKeepTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger, used, all := limit.NewMemory(), &usage{length: 20 * time.Minute}, sync.WaitGroup{}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
		defer cancel()
		for i := range 3 {
			ahead := time.Duration(i) * limit.Tolerance / 3
			l := limit.New("p", limit.Limits{Requests: 300}, ledger,
				limit.WithClock(func() time.Time { return time.Now().Add(ahead) }))
			all.Go(func() { work(ctx, t, l, 10, func(*rand.Rand) call { return exactly(0, 0) }, used) })
		}
		all.Wait()
		used.check(t, "requests", 300, requests, 0.99)
	})
}

func TestAClockThatIsFarAheadIsAnError(t *testing.T) {
	t.Parallel()
	for by, isError := range map[time.Duration]bool{time.Minute: false, time.Minute + 1: true,
		time.Hour: true} {
		synctest.Test(t, func(t *testing.T) {
			ledger, limits := limit.NewMemory(), limit.Limits{Requests: 10}
			ahead := func() time.Time { return time.Now().Add(by) }
			if _, err := limit.New("p", limits, ledger, limit.WithClock(ahead)).Acquire(t.Context(),
				limit.Use{Requests: 1}); err != nil {
				t.Fatal(err)
			}
			_, err := limit.New("p", limits, ledger).Acquire(t.Context(), limit.Use{Requests: 1})
			clock, ok := errors.AsType[*limit.ClockError](err)
			if ok != isError || ok && clock.Ahead != by || !ok && err != nil {
				t.Errorf("%v ahead: the error is %v", by, err)
			}
		})
	}
}

// countingLedger counts its calls.
type countingLedger struct {
	limit.Ledger
	loads, stores int
	stored        func() // nil, or called after a record was stored
}

func (c *countingLedger) Load(ctx context.Context, project string) ([]byte, uint64, error) {
	c.loads++
	return c.Ledger.Load(ctx, project)
}

func (c *countingLedger) Store(ctx context.Context, project string, record []byte,
	revision uint64) (uint64, error) {
	c.stores++
	revision, err := c.Ledger.Store(ctx, project, record, revision)
	if c.stored != nil {
		c.stored()
	}
	return revision, err
}

// contendedLedger refuses a number of writes, as if other workers had changed the record. It
// records when it was tried.
type contendedLedger struct {
	limit.Ledger
	conflicts int // that are still to come
	tries     []time.Time
}

func (c *contendedLedger) Store(ctx context.Context, project string, record []byte,
	revision uint64) (uint64, error) {
	c.tries = append(c.tries, time.Now())
	if c.conflicts--; c.conflicts >= 0 {
		return 0, limit.ErrChanged
	}
	return c.Ledger.Store(ctx, project, record, revision)
}

func TestAWorkerPausesAfterItsThirdConflictWithOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const conflicts = 20
		ledger := &contendedLedger{Ledger: limit.NewMemory(), conflicts: conflicts}
		start := time.Now()
		if _, err := limit.New("p", limit.Limits{Requests: 1000}, ledger).Acquire(t.Context(),
			limit.Use{Requests: 1}); err != nil || len(ledger.tries) != conflicts+1 {
			t.Fatalf("%v, after %d tries; expected %d", err, len(ledger.tries), conflicts+1)
		}
		if at := ledger.tries[2]; !at.Equal(start) {
			t.Errorf("the third try is after %v; expected it at once", at.Sub(start))
		}
		// of 64 ms at most, one after another
		if took := ledger.tries[conflicts].Sub(ledger.tries[2]); took < 100*time.Millisecond {
			t.Errorf("%d more tries are within %v", conflicts-2, took)
		}
	})
}

// failingLedger returns the errors loads and stores while they are set.
type failingLedger struct {
	limit.Ledger
	loads, stores error
}

func (f *failingLedger) Load(ctx context.Context, project string) ([]byte, uint64, error) {
	if f.loads != nil {
		return nil, 0, f.loads
	}
	return f.Ledger.Load(ctx, project)
}

func (f *failingLedger) Store(ctx context.Context, project string, record []byte,
	revision uint64) (uint64, error) {
	if f.stores != nil {
		return 0, f.stores
	}
	return f.Ledger.Store(ctx, project, record, revision)
}

func TestACallThatFailsWithItsLedgerUsesNothing(t *testing.T) {
	t.Parallel()
	broken := errors.New("the ledger is away")
	for name, failing := range map[string]failingLedger{
		"a load": {loads: broken}, "a store": {stores: broken},
	} {
		synctest.Test(t, func(t *testing.T) {
			ledger := failing
			ledger.Ledger = limit.NewMemory()
			l, start := limit.New("p", limit.Limits{Requests: 1}, &ledger), time.Now()
			if _, err := l.Acquire(t.Context(), limit.Use{Requests: 1}); !errors.Is(err, broken) {
				t.Errorf("%s fails: %v; expected %v", name, err, broken)
			}
			ledger.loads, ledger.stores = nil, nil
			// The limit is one call a minute, which the failed call has not used.
			if _, err := l.Acquire(t.Context(), limit.Use{Requests: 1}); err != nil ||
				!time.Now().Equal(start) {
				t.Errorf("after %s failed: %v, after %v", name, err, time.Since(start))
			}
		})
	}
}

// A worker that was delayed, for example because its machine slept, may not call in a minute that
// others have filled.
func TestACallThatIsTooLateForItsSlotTakesAnother(t *testing.T) {
	t.Parallel()
	for late, stores := range map[time.Duration]int{limit.Tolerance - 1: 1, limit.Tolerance: 2} {
		synctest.Test(t, func(t *testing.T) {
			ahead := time.Duration(0)
			ledger := &countingLedger{Ledger: limit.NewMemory()}
			ledger.stored = func() {
				if ledger.stores == 1 {
					ahead = late
				}
			}
			l := limit.New("p", limit.Limits{Requests: 1000}, ledger,
				limit.WithClock(func() time.Time { return time.Now().Add(ahead) }))
			if _, err := l.Acquire(t.Context(), limit.Use{Requests: 1}); err != nil ||
				ledger.stores != stores {
				t.Errorf("%v late: %v, the ledger is changed %d times, want %d", late, err,
					ledger.stores, stores)
			}
		})
	}
}

func TestACallWhoseContextEndsWithItsSlotDoesNotBegin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for range 30 {
			ctx, cancel := context.WithCancel(t.Context())
			ledger := &countingLedger{Ledger: limit.NewMemory(), stored: cancel}
			l := limit.New("p", limit.Limits{Requests: 1000}, ledger)
			if _, err := l.Acquire(ctx, limit.Use{Requests: 1}); !errors.Is(err, context.Canceled) ||
				ledger.stores != 1 {
				t.Fatalf("%v, %d changes of the ledger", err, ledger.stores)
			}
		}
	})
}

func TestAnEarlierTimeToWaitForDoesNotReplaceALaterOne(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string]limit.Limits{"limited": {Requests: 1000}, "unlimited": {}} {
		synctest.Test(t, func(t *testing.T) {
			ledger := &countingLedger{Ledger: limit.NewMemory()}
			l, start := limit.New("p", limits, ledger), time.Now()
			for _, seconds := range []time.Duration{3, 7, 5} {
				if err := l.BackOff(t.Context(), start.Add(seconds*time.Second)); err != nil {
					t.Fatal(err)
				}
			}
			ledger.stores = 0
			if _, err := l.Acquire(t.Context(), limit.Use{Requests: 1}); err != nil ||
				time.Since(start) != 7*time.Second {
				t.Errorf("%s: the call began after %v: %v", name, time.Since(start), err)
			}
			if ledger.stores > 1 {
				t.Errorf("%s: the call took %d slots", name, ledger.stores)
			}
		})
	}
}

func TestAWaitingCallEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string]limit.Limits{"limited": {Requests: 1000}, "unlimited": {}} {
		synctest.Test(t, func(t *testing.T) {
			l, start := limit.New("p", limits, limit.NewMemory()), time.Now()
			if err := l.BackOff(t.Context(), start.Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if _, err := l.Acquire(ctx, limit.Use{Requests: 1}); !errors.Is(err,
				context.DeadlineExceeded) || time.Since(start) != time.Minute {
				t.Errorf("%s: after %v: %v", name, time.Since(start), err)
			}
			if _, err := l.Acquire(ctx, limit.Use{Requests: 1}); !errors.Is(err,
				context.DeadlineExceeded) {
				t.Errorf("%s: a call with an ended context: %v", name, err)
			}
		})
	}
}

func TestTheLedgerIsNotAskedWithoutNeed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger := &countingLedger{Ledger: limit.NewMemory()}
		l := limit.New("p", limit.Limits{TokensIn: 1_000_000}, ledger)
		expect := func(what string, loads, stores int) {
			t.Helper()
			if ledger.loads != loads || ledger.stores != stores {
				t.Errorf("%s: %d loads and %d stores, want %d and %d", what, ledger.loads,
					ledger.stores, loads, stores)
			}
		}
		var permits []limit.Permit
		for range 4 {
			permit, err := l.Acquire(t.Context(), limit.Use{TokensIn: 10})
			if err != nil {
				t.Fatal(err)
			}
			permits = append(permits, permit)
		}
		expect("four calls", 1, 4)
		if err := l.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		expect("nothing is new", 1, 4)
		less := limit.Use{TokensIn: 1}
		permits[0].Settle(t.Context(), less)
		time.Sleep(time.Second/4 - time.Nanosecond)
		permits[1].Settle(t.Context(), less)
		expect("corrections wait a while for another change", 1, 4)
		time.Sleep(time.Nanosecond)
		ended, end := context.WithCancel(t.Context())
		end()
		permits[2].Settle(ended, less)
		expect("whoever leaves does not wait for the ledger", 1, 4)
		permits[3].Settle(t.Context(), less)
		expect("all corrections are one change", 1, 5)
	})
}

func TestASlotWithoutACallIsFreeAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := limit.New("p", limit.Limits{TokensIn: 1000}, limit.NewMemory())
		take := func(n int64) (limit.Permit, time.Duration) {
			start := time.Now()
			p, err := l.Acquire(t.Context(), limit.Use{TokensIn: n})
			if err != nil {
				t.Fatal(err)
			}
			return p, time.Since(start)
		}
		p, _ := take(1000)
		p.Settle(t.Context(), limit.Use{})
		if _, waited := take(1000); waited != 0 {
			t.Errorf("the next call waited %v", waited)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		if _, err := l.Acquire(ctx, limit.Use{TokensIn: 1000}); !errors.Is(err,
			context.DeadlineExceeded) {
			t.Errorf("the error is %v", err)
		}
		time.Sleep(31 * time.Second)
		if _, waited := take(1000); waited != 0 {
			t.Errorf("after a call that gave up, the next waited %v", waited)
		}
	})
}

func TestNoLimitsCostNothing(t *testing.T) {
	l := limit.New("p", limit.Limits{}, nil)
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() {
		p, err := l.Acquire(ctx, limit.Use{Requests: 1, TokensIn: 100})
		if err != nil {
			t.Error(err)
		}
		p.Settle(ctx, limit.Use{Requests: 1, TokensIn: 90})
	}); n > 0 {
		t.Errorf("a call allocates %v times", n)
	}
}

func BenchmarkAcquire(b *testing.B) {
	l := limit.New("p", limit.Limits{Requests: 1 << 40, TokensIn: 1 << 40}, limit.NewMemory())
	b.ReportAllocs()
	b.SetParallelism(64)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			p, err := l.Acquire(b.Context(), limit.Use{Requests: 1, TokensIn: 100})
			if err != nil {
				b.Error(err)
			}
			p.Settle(b.Context(), limit.Use{Requests: 1, TokensIn: 90})
		}
	})
}
