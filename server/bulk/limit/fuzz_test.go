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

// FuzzNoMinuteIsAboveTheLimits runs workers of one project with calls of all sizes. At random,
// calls give up, the ledger refuses them, or the server asks them to wait. The test counts each
// minute.
func FuzzNoMinuteIsAboveTheLimits(f *testing.F) {
	f.Add(uint64(1), uint8(1), uint16(60), uint16(1000), uint16(0))
	f.Add(uint64(2), uint8(3), uint16(7), uint16(0), uint16(500))
	f.Add(uint64(3), uint8(4), uint16(0), uint16(300), uint16(77))
	f.Add(uint64(4), uint8(2), uint16(1), uint16(3), uint16(3))
	f.Add(uint64(5), uint8(3), uint16(3000), uint16(9000), uint16(9000))
	// in this time the ledger delays some slots
	f.Add(uint64(116), uint8(14), uint16(57), uint16(372), uint16(173))
	f.Fuzz(func(t *testing.T, seed uint64, workers uint8, perMinute, in, out uint16) {
		limits := limit.Limits{Requests: int64(perMinute), TokensIn: int64(in),
			TokensOut: int64(out)}
		if limits.IsZero() {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			ledger := &troubledLedger{Ledger: limit.NewMemory(),
				random: rand.New(rand.NewPCG(seed, 1))}
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			used, all := &usage{}, sync.WaitGroup{}
			for i := range 1 + workers%4 {
				l := limit.New("p", limits, ledger,
					limit.WithPause(time.Duration(seed%3)*5*time.Millisecond))
				for j := range 6 {
					all.Go(func() { workAtRandom(ctx, l, rand.New(rand.NewPCG(seed, uint64(i)<<8+uint64(j))), limits, used) })
				}
			}
			all.Wait()
			used.checkMinutes(t, limits)
		})
	})
}

// workAtRandom makes calls until the context ends.
func workAtRandom(ctx context.Context, l *limit.Limiter, random *rand.Rand, limits limit.Limits,
	used *usage) {
	// within the limit
	size := func(limit int64) int64 { return random.Int64N(limit/(1+random.Int64N(20)) + 1) }
	for ctx.Err() == nil {
		n := limit.Use{Requests: min(1, limits.Requests), TokensIn: size(limits.TokensIn),
			TokensOut: size(limits.TokensOut)}
		calling, cancel := context.WithTimeout(ctx,
			time.Duration(1+random.IntN(40_000))*time.Millisecond)
		permit, err := l.Acquire(calling, n)
		if err == nil {
			// the time to reach the server, with its maximum
			time.Sleep(upTo(random, time.Until(permit.Latest())))
			n.TokensIn -= random.Int64N(n.TokensIn/2 + 1)
			used.add(n)
			time.Sleep(upTo(random, 3*time.Second))
		}
		switch {
		case err == nil && random.IntN(10) > 0:
			permit.Settle(ctx, n)
		case random.IntN(20) == 0:
			_ = l.BackOff(ctx, time.Now().Add(upTo(random, 5*time.Second)))
		case errors.Is(err, errTrouble):
			time.Sleep(upTo(random, time.Second))
		}
		cancel()
	}
}

func upTo(random *rand.Rand, d time.Duration) time.Duration {
	return time.Duration(random.Int64N(int64(d)))
}

// checkMinutes checks that each minute is within the limits.
func (u *usage) checkMinutes(t *testing.T, limits limit.Limits) {
	t.Helper()
	for name, kind := range map[string]struct {
		of    func(limit.Use) int64
		limit int64
	}{
		"requests":   {requests, limits.Requests},
		"tokens in":  {tokensIn, limits.TokensIn},
		"tokens out": {tokensOut, limits.TokensOut},
	} {
		if most := u.busiestMinute(kind.of); most > kind.limit {
			t.Errorf("a minute has %d %s, the limit is %d", most, name, kind.limit)
		}
	}
}

// troubledLedger fails at random.
type troubledLedger struct {
	limit.Ledger
	mu     sync.Mutex
	random *rand.Rand
}

var errTrouble = errors.New("the ledger is out of reach")

func (l *troubledLedger) Store(ctx context.Context, project string, record []byte,
	revision uint64) (uint64, error) {
	l.mu.Lock()
	chance := l.random.IntN(20)
	l.mu.Unlock()
	time.Sleep(time.Duration(chance) * time.Millisecond)
	switch chance {
	case 0:
		return 0, limit.ErrChanged
	case 1:
		return 0, errTrouble
	default:
		return l.Ledger.Store(ctx, project, record, revision)
	}
}

// bubbleStart is the start time in a bubble of package synctest.
func bubbleStart() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }

// FuzzRecords makes a limiter read arbitrary data as a record.
func FuzzRecords(f *testing.F) {
	ledger := limit.NewMemory()
	l := limit.New("p", limit.Limits{Requests: 6000, TokensIn: 6000}, ledger,
		limit.WithClock(bubbleStart))
	for range 2 {
		if _, err := l.Acquire(f.Context(), limit.Use{Requests: 1, TokensIn: 1}); err != nil {
			f.Fatal(err)
		}
	}
	record, _, _ := ledger.Load(f.Context(), "p")
	f.Add(record)
	f.Add(record[:len(record)/2])
	f.Add([]byte{1})
	f.Add([]byte{2, 0, 0, 0})
	f.Fuzz(func(t *testing.T, record []byte) {
		synctest.Test(t, func(t *testing.T) {
			ledger := limit.NewMemory()
			if len(record) > 0 {
				if _, err := ledger.Store(t.Context(), "p", record, 0); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			if p, err := limit.New("p", limit.Limits{Requests: 2, TokensIn: 3}, ledger).Acquire(ctx,
				limit.Use{Requests: 1, TokensIn: 2}); err == nil {
				p.Settle(ctx, limit.Use{Requests: 1, TokensIn: 1})
			}
		})
	})
}
