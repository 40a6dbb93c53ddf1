package quota_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
	"github.com/gemwire/gemwire/server/quota"
	"github.com/gemwire/gemwire/server/quota/ledger"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// take takes units of one rule.
func take(t *testing.T, q *quota.Quota, rule quota.Rule, need int64) (*quota.Permit, error) {
	t.Helper()
	return q.Take(t.Context(), quota.Demand{Rule: rule, Need: need})
}

// use takes units and uses them.
func use(t *testing.T, q *quota.Quota, rule quota.Rule, need, used int64) error {
	t.Helper()
	permit, err := take(t, q, rule, need)
	if err == nil {
		permit.Settle(0, used)
		permit.Release()
	}
	return err
}

func limitError(t *testing.T, err error) *quota.LimitError {
	t.Helper()
	limited, ok := errors.AsType[*quota.LimitError](err)
	if !ok {
		t.Fatalf("%v; expected a limit", err)
	}
	return limited
}

// ledgers are the ways in which a limit is counted.
func ledgers(t *testing.T, test func(t *testing.T, opts ...quota.Option)) {
	t.Helper()
	t.Run("here", func(t *testing.T) { t.Parallel(); synctest.Test(t, func(t *testing.T) { test(t) }) })
	t.Run("shared", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) { test(t, quota.On(newLedger())) })
	})
}

func TestRequestsRefillByTheMinute(t *testing.T) {
	t.Parallel()
	ledgers(t, func(t *testing.T, opts ...quota.Option) {
		q := quota.New(opts...)
		defer q.Close()
		rule := quota.Rule{Name: "alice requests", Limit: 60, Period: quota.Minute}
		for i := range 60 {
			if err := use(t, q, rule, 1, 1); err != nil {
				t.Fatalf("request %d: %v", i, err)
			}
		}
		if limited := limitError(t, use(t, q, rule, 1, 1)); limited.Wait != time.Second {
			t.Errorf("the 61st waits %v", limited.Wait)
		}
		if got := q.Standing(rule); got.Remaining != 0 || got.Reset != time.Minute {
			t.Errorf("stands at %+v", got)
		}
		time.Sleep(time.Second)
		if err := use(t, q, rule, 1, 1); err != nil {
			t.Errorf("a second later: %v", err)
		}
		if use(t, q, rule, 1, 1) == nil {
			t.Error("two a second are let through")
		}
		time.Sleep(time.Hour)
		if got := q.Standing(rule); got.Remaining != 60 || got.Reset != 0 {
			t.Errorf("an hour later it stands at %+v", got)
		}
	})
}

func TestTokensAreCountedAtFirstAndThenCorrected(t *testing.T) {
	t.Parallel()
	ledgers(t, func(t *testing.T, opts ...quota.Option) {
		q := quota.New(opts...)
		defer q.Close()
		rule := quota.Rule{Name: "alice tokens", Limit: 1000, Period: quota.Minute}
		first, err := take(t, q, rule, 100)
		if err != nil || q.Standing(rule).Remaining != 900 {
			t.Fatalf("%v, %+v", err, q.Standing(rule))
		}
		first.Settle(0, 250)
		first.Release()
		first.Release()
		if got := q.Standing(rule).Remaining; got != 750 {
			t.Errorf("%d tokens remain after the correction", got)
		}
		if err := use(t, q, rule, 40, 1750); err != nil { // more than there was
			t.Fatal(err)
		}
		if limited := limitError(t, use(t, q, rule, 1, 1)); limited.Wait < time.Minute ||
			limited.Wait > time.Minute+time.Second {
			t.Errorf("below empty: %v", limited.Wait)
		}
		time.Sleep(2 * time.Minute)
		if err := use(t, q, rule, 50, 0); err != nil { // which fails
			t.Fatal(err)
		}
		if got := q.Standing(rule).Remaining; got != 1000 {
			t.Errorf("%d tokens remain after a request that failed", got)
		}
	})
}

func TestABudgetCountsWhatRequestsInFlightMayCost(t *testing.T) {
	t.Parallel()
	ledgers(t, func(t *testing.T, opts ...quota.Option) {
		q := quota.New(opts...)
		defer q.Close()
		rule := quota.Rule{Name: "alice USD", Limit: 100, Period: quota.Day}
		first, err := take(t, q, rule, 60)
		if err != nil {
			t.Fatal(err)
		}
		second, err := take(t, q, rule, 60) // the last one may exceed it
		if err != nil {
			t.Fatal(err)
		}
		limited := limitError(t, use(t, q, rule, 1, 1))
		if !limited.IsInFlight() || limited.Wait != time.Second {
			t.Errorf("while requests are in flight: %+v", limited)
		}
		first.Settle(0, 10)
		first.Release()
		second.Settle(0, 95)
		second.Release()
		limited = limitError(t, use(t, q, rule, 1, 1))
		if limited.IsInFlight() || limited.Wait != 0 || limited.Spent != 105 ||
			!limited.Resets.Equal(time.Date(2000, 1, 2, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("used up: %+v", limited)
		}
		time.Sleep(24 * time.Hour)
		if err := use(t, q, rule, 1, 1); err != nil {
			t.Errorf("the next day: %v", err)
		}
	})
}

func TestRequestsAtATimeAreLimited(t *testing.T) {
	t.Parallel()
	ledgers(t, func(t *testing.T, opts ...quota.Option) {
		q := quota.New(opts...)
		defer q.Close()
		rule := quota.Rule{Name: "alice at a time", Limit: 2, Period: quota.Now}
		var permits []*quota.Permit
		for range 2 {
			permit, err := take(t, q, rule, 1)
			if err != nil {
				t.Fatal(err)
			}
			permits = append(permits, permit)
		}
		time.Sleep(time.Minute) // longer than a lease
		if limited := limitError(t, use(t, q, rule, 1, 0)); limited.Wait != time.Second {
			t.Errorf("%+v", limited)
		}
		permits[0].Release()
		if err := use(t, q, rule, 1, 0); err != nil {
			t.Error(err)
		}
		permits[1].Release()
	})
}

func TestNothingIsTakenIfOneOfTheLimitsIsReached(t *testing.T) {
	t.Parallel()
	q := quota.New()
	first := quota.Rule{Name: "a", Limit: 10, Period: quota.Total}
	second := quota.Rule{Name: "b", Limit: 0, Period: quota.Total}
	if _, err := q.Take(t.Context(), quota.Demand{Rule: first, Need: 5},
		quota.Demand{Rule: second, Need: 5}); err == nil {
		t.Error("a limit of 0 admits a request")
	}
	if got := q.Standing(first).Remaining; got != 10 {
		t.Errorf("%d remain of the other", got)
	}
}

func TestPeriodsBeginInUTC(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 0, 30, 0, 0, time.FixedZone("", 3600)) // a Saturday in UTC
	q := quota.New(quota.WithClock(func() time.Time { return now }))
	for period, want := range map[quota.Period]string{quota.Day: "2026-03-01",
		quota.Week: "2026-03-02", quota.Month: "2026-03-01"} {
		got := q.Standing(quota.Rule{Name: string(period), Limit: 1, Period: period}).Resets
		if got.Format(time.DateOnly) != want {
			t.Errorf("%s resets at %v", period, got)
		}
	}
}

// Three replicas share a store. The last request of each may exceed the limit.
func TestReplicasShareALimit(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	for _, period := range []quota.Period{quota.Total, quota.Now} {
		rule := quota.Rule{Name: string(period), Limit: 200, Period: period}
		var used atomic.Int64
		var replicas sync.WaitGroup
		for range 3 {
			// on a busy machine a write may take too long
			q := quota.New(quota.On(ledger.OnEngine(e)), quota.RefuseWithoutLedger())
			replicas.Go(func() {
				var requests sync.WaitGroup
				for range 4 {
					requests.Go(func() {
						for range 60 {
							permit, err := q.Take(context.Background(),
								quota.Demand{Rule: rule, Need: 1})
							for errors.Is(err, quota.ErrUnavailable) {
								time.Sleep(10 * time.Millisecond)
								permit, err = q.Take(context.Background(),
									quota.Demand{Rule: rule, Need: 1})
							}
							if err != nil {
								continue
							}
							used.Add(1)
							permit.Settle(0, 1)
							if period != quota.Now {
								permit.Release()
							}
						}
					})
				}
				requests.Wait()
			})
			defer q.Close()
		}
		replicas.Wait()
		if n := used.Load(); n > rule.Limit || n < rule.Limit*3/4 {
			t.Errorf("%s: %d of %d", period, n, rule.Limit)
		}
	}
}

func TestAKilledReplicaReturnsWhatItHolds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger := newLedger()
		rule := quota.Rule{Name: "a", Limit: 10, Period: quota.Now}
		killed, q := quota.New(quota.On(ledger)), quota.New(quota.On(ledger))
		defer q.Close()
		if _, err := take(t, killed, rule, 10); err != nil {
			t.Fatal(err)
		}
		quota.Kill(killed)
		if _, err := take(t, q, rule, 10); err == nil {
			t.Error("it is taken although another replica holds it")
		}
		time.Sleep(quota.Lease + time.Second)
		if _, err := take(t, q, rule, 10); err != nil {
			t.Error(err)
		}
	})
}

func TestWithoutItsLedgerAReplicaCountsForItselfOrRefuses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rule := quota.Rule{Name: "a", Limit: 10, Period: quota.Day}
		ledger := newLedger()
		local := quota.New(quota.On(ledger))
		strict := quota.New(quota.On(ledger), quota.RefuseWithoutLedger())
		defer local.Close()
		defer strict.Close()
		if err := use(t, local, rule, 4, 4); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		ledger.fail(errors.New("away"))
		for range 6 {
			if err := use(t, local, rule, 1, 1); err != nil {
				t.Errorf("local: %v", err)
			}
		}
		if limited := limitError(t, use(t, local, rule, 1, 1)); limited.Spent != 10 {
			t.Errorf("%+v", limited)
		}
		if err := use(t, strict, rule, 1, 1); !errors.Is(err, quota.ErrUnavailable) {
			t.Errorf("%v; expected %v", err, quota.ErrUnavailable)
		}
		ledger.fail(nil)
		time.Sleep(5 * time.Second)
		if limited := limitError(t, use(t, strict, rule, 1, 1)); limited.Spent != 10 {
			t.Errorf("what was counted without the ledger is %+v", limited)
		}
	})
}

// What was used in a period does not count in the next one, also if no request came in between, or
// the ledger was away.
func TestUseOfAPeriodDoesNotCountInTheNext(t *testing.T) {
	t.Parallel()
	for period, midnight := range map[quota.Period]time.Time{ // today is Saturday 1 January
		quota.Day:   time.Date(2000, 1, 2, 0, 0, 0, 0, time.UTC),
		quota.Week:  time.Date(2000, 1, 3, 0, 0, 0, 0, time.UTC),
		quota.Month: time.Date(2000, 2, 1, 0, 0, 0, 0, time.UTC),
	} {
		ledgers(t, func(t *testing.T, opts ...quota.Option) {
			q := quota.New(opts...)
			defer q.Close()
			rule := quota.Rule{Name: "alice USD", Limit: 100, Period: period}
			time.Sleep(time.Until(midnight) - time.Millisecond)
			over, err := take(t, q, rule, 5)
			if err != nil {
				t.Fatal(err)
			}
			if err := use(t, q, rule, 40, 90); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * time.Millisecond)
			if got := q.Standing(rule).Spent; got != 0 {
				t.Errorf("%s: %d are spent after midnight", period, got)
			}
			over.Settle(0, 3) // a request counts when it ends
			over.Release()
			if err := use(t, q, rule, 1, 1); err != nil {
				t.Errorf("%s: %v", period, err)
			}
			time.Sleep(time.Second)
			if got := q.Standing(rule).Spent; got != 4 {
				t.Errorf("%s: %d are spent; expected 4", period, got)
			}
		})
	}
}

func TestADayWithoutItsLedgerDoesNotCountInTheNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rule := quota.Rule{Name: "a", Limit: 10, Period: quota.Day}
		ledger := newLedger()
		q := quota.New(quota.On(ledger))
		defer q.Close()
		ledger.fail(errors.New("away"))
		if err := use(t, q, rule, 1, 10); err != nil {
			t.Fatal(err)
		}
		limitError(t, use(t, q, rule, 1, 1))
		time.Sleep(24 * time.Hour)
		if err := use(t, q, rule, 1, 2); err != nil {
			t.Errorf("the next day: %v", err)
		}
		ledger.fail(nil)
		time.Sleep(5 * time.Second)
		if got := q.Standing(rule).Spent; got != 2 {
			t.Errorf("%d are spent; expected 2", got)
		}
	})
}

// The answer of a write is lost, so the replica repeats it. Another replica writes in between.
func TestAWriteWhoseAnswerIsLostCountsOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rule := quota.Rule{Name: "a", Limit: 100, Period: quota.Total}
		ledger := newLedger()
		q, other := quota.New(quota.On(ledger)), quota.New(quota.On(ledger))
		defer q.Close()
		defer other.Close()
		if err := use(t, q, rule, 5, 5); err != nil {
			t.Fatal(err)
		}
		ledger.loseAnswers(errors.New("the answer is lost"))
		time.Sleep(3 * time.Second) // two tries
		ledger.loseAnswers(nil)
		if err := use(t, other, rule, 2, 2); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		if err := use(t, q, rule, 1, 1); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		if err := use(t, q, rule, 1, 1); err != nil {
			t.Fatal(err)
		}
		if got := q.Standing(rule).Spent; got != 9 {
			t.Errorf("%d are spent; expected 9", got)
		}
	})
}

// memoryLedger is a ledger whose calls may fail.
type memoryLedger struct {
	mu       sync.Mutex
	records  map[string][]byte
	revision map[string]uint64
	err      error
	lost     error // of writes that are made
}

func newLedger() *memoryLedger {
	return &memoryLedger{records: map[string][]byte{}, revision: map[string]uint64{}}
}

func (l *memoryLedger) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
}

func (l *memoryLedger) loseAnswers(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost = err
}

func (l *memoryLedger) Load(_ context.Context, name string) ([]byte, uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.records[name], l.revision[name], l.err
}

func (l *memoryLedger) Store(_ context.Context, name string, record []byte,
	revision uint64) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return 0, l.err
	}
	if l.revision[name] != revision {
		return 0, quota.ErrChanged
	}
	l.records[name], l.revision[name] = record, revision+1
	return revision + 1, l.lost
}
