package limit_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/bulk/limit"
)

// call has the estimated and the actual use of a call.
type call struct{ estimate, used limit.Use }

// exactly is a call whose use equals its estimate.
func exactly(in, out int64) call {
	n := limit.Use{Requests: 1, TokensIn: in, TokensOut: out}
	return call{n, n}
}

// estimated is a call whose tokens are estimated as a multiple of the real number.
func estimated(in int64, times float64) call {
	c := exactly(in, 10)
	c.estimate.TokensIn = int64(float64(in) * times)
	return c
}

// runWorkers runs workers of a project for an hour, or for less in a short run.
func runWorkers(t *testing.T, workers int, limits limit.Limits, next func(*rand.Rand) call) *usage {
	used := &usage{length: time.Hour}
	if testing.Short() {
		used.length = 10 * time.Minute
	}
	ctx, cancel := context.WithTimeout(t.Context(), used.length)
	defer cancel()
	ledger := limit.NewMemory()
	var all sync.WaitGroup
	for range workers {
		all.Go(func() { work(ctx, t, limit.New("p", limits, ledger), 80/workers, next, used) })
	}
	all.Wait()
	return used
}

// work makes n calls at a time until the context ends.
func work(ctx context.Context, t *testing.T, l *limit.Limiter, atOnce int,
	next func(*rand.Rand) call, used *usage) {
	var calls sync.WaitGroup
	for i := range atOnce {
		calls.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 7))
			for {
				c := next(random)
				permit, err := l.Acquire(ctx, c.estimate)
				if err != nil {
					if !errors.Is(err, context.DeadlineExceeded) &&
						!errors.Is(err, context.Canceled) {
						t.Error(err)
					}
					return
				}
				used.add(c.used)
				time.Sleep(time.Duration(200+random.IntN(1500)) * time.Millisecond)
				permit.Settle(context.WithoutCancel(ctx), c.used)
			}
		})
	}
	calls.Wait()
}

// usage records the use of calls, and its times.
type usage struct {
	length time.Duration // over which calls are made

	mu   sync.Mutex
	uses []use
}

type use struct {
	at time.Time
	n  limit.Use
}

func (u *usage) add(n limit.Use) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.uses = append(u.uses, use{time.Now(), n})
}

// The kinds of use.
func requests(n limit.Use) int64  { return n.Requests }
func tokensIn(n limit.Use) int64  { return n.TokensIn }
func tokensOut(n limit.Use) int64 { return n.TokensOut }

// total returns the sum of the use.
func (u *usage) total(of func(limit.Use) int64) (sum int64) {
	for _, each := range u.uses {
		sum += of(each.n)
	}
	return sum
}

// busiestMinute returns the maximum use in any 60 seconds, both ends included.
func (u *usage) busiestMinute(of func(limit.Use) int64) (most int64) {
	slices.SortStableFunc(u.uses, func(a, b use) int { return a.at.Compare(b.at) })
	first, sum := 0, int64(0)
	for _, each := range u.uses {
		sum += of(each.n)
		for each.at.Sub(u.uses[first].at) > time.Minute {
			sum -= of(u.uses[first].n)
			first++
		}
		most = max(most, sum)
	}
	return most
}

// check checks that each minute is within a limit, and that the whole time uses at least a share of
// the limit.
func (u *usage) check(t *testing.T, what string, limit int64, of func(limit.Use) int64,
	share float64) {
	t.Helper()
	if most := u.busiestMinute(of); most > limit {
		t.Errorf("%s: a minute has %d, the limit is %d", what, most, limit)
	}
	reached := float64(u.total(of)) / (float64(limit) * u.length.Minutes())
	if reached < share {
		t.Errorf("%s: %v have %.4f of the limit, want at least %.4f", what, u.length, reached,
			share)
	}
}
