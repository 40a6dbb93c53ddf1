package live_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/live"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
)

// The budget of a client must not become a result of its lines, and must not make other jobs wait.
func TestAUsedUpBudgetPausesTheJobOfItsClientAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // which begins at midnight UTC
		keys, err := clientkey.Read([]byte(`keys: [{name: ann, budget: {tokens: 50, period: day}, ` +
			`hash: "` + clientkey.Hash(clientkey.New()) + `"}, {name: bob, hash: "` +
			clientkey.Hash(clientkey.New()) + `"}]`))
		if err != nil {
			t.Fatal(err)
		}
		handler, err := gateway.New(gateway.WithClientKeys(keys))
		if err != nil {
			t.Fatal(err)
		}
		defer handler.Close()
		e := live.New(handler,
			live.WithLimiter(limit.New("p", limit.Limits{Requests: 100_000}, limit.NewMemory())))
		run := func(owner string) (results int, err error) {
			kept := &written{}
			item := bulk.NewItem(&bulk.Job{ID: owner, Owner: owner}, 0,
				linesOf(40, chatURL, chatBody), nil, kept.write)
			err = e.Run(t.Context(), item)
			for _, result := range kept.results {
				if result.Response.Status != 200 {
					t.Errorf("%s: %s", owner, result.Response.Body)
				}
			}
			return len(kept.results), err
		}
		for i, want := range []time.Duration{5 * time.Minute, 5 * time.Minute, time.Minute} {
			if i == 2 {
				time.Sleep(24*time.Hour - time.Minute - time.Since(midnight()))
			}
			results, err := run("ann")
			paused, ok := errors.AsType[*bulk.LaterError](err)
			if !ok || !paused.Park || paused.After != want ||
				!strings.HasPrefix(paused.Reason, live.ReasonBudget+
					"the budget of the key ann, 50 tokens per day, is used up; it resets at ") {
				t.Fatalf("run %d: %#v", i, err)
			}
			if isFirst := i == 0; isFirst != (results > 0) || results == 40 {
				t.Errorf("run %d: %d lines are answered", i, results)
			}
		}
		if results, err := run("bob"); err != nil || results != 40 {
			t.Errorf("bob: %d lines are answered, %v", results, err)
		}
		time.Sleep(2 * time.Minute)
		if results, _ := run("ann"); results == 0 {
			t.Error("no line is answered on the next day")
		}
	})
}

// midnight returns the beginning of this day in UTC.
func midnight() time.Time { return time.Now().UTC().Truncate(24 * time.Hour) }
