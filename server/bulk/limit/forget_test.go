package limit_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/bulk/limit"
)

func TestForgettingPausesLetsCallsBeginAtOnceInAllWorkers(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string]limit.Limits{"with limits": {Requests: 600}, "without": {}} {
		synctest.Test(t, func(t *testing.T) {
			ledger := limit.NewMemory()
			first := limit.New("p", limits, ledger)
			second := limit.New("p", limits, ledger)
			now := time.Now()
			for _, l := range []*limit.Limiter{first, second} {
				if err := errors.Join(l.Exhaust(t.Context(), now.Add(time.Hour)),
					l.BackOff(t.Context(), now.Add(time.Hour))); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := first.Acquire(t.Context(), limit.Use{Requests: 1}); err == nil {
				t.Fatalf("%s: a call began in the pause", name)
			}
			for _, l := range []*limit.Limiter{first, second} {
				if err := l.Forget(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for _, l := range []*limit.Limiter{first, second} {
				if _, err := l.Acquire(t.Context(), limit.Use{Requests: 1}); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			if waited := time.Since(now); waited > time.Second {
				t.Errorf("%s: waited %s", name, waited)
			}
		})
	}
}
