package background_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/gateway/internal/background"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var alice, bob = responsestore.OwnerOf("alice"), responsestore.OwnerOf("bob")

// counting appends n events, one per second.
func counting(events int) func(context.Context, *background.Run) {
	return func(ctx context.Context, run *background.Run) {
		for i := range events {
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Second):
				run.Append([]byte(fmt.Sprint(i)))
			}
		}
	}
}

var errCanceled, errEnding = errors.New("canceled"), errors.New("ending")

// countingWithCause counts to 100 and appends why it stopped early.
func countingWithCause(ctx context.Context, run *background.Run) {
	counting(100)(ctx, run)
	run.Append([]byte(context.Cause(ctx).Error()))
}

func start(t *testing.T, runs *background.Runs, id string,
	f func(context.Context, *background.Run)) *background.Run {
	t.Helper()
	run, err := runs.Start(t.Context(), alice, id, 0, f)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// follow returns all events from a given one on, and the error at the end.
func follow(ctx context.Context, run *background.Run, from int) string {
	var out []string
	for event, err := range run.Follow(ctx, from) {
		if err != nil {
			return strings.Join(append(out, err.Error()), " ")
		}
		out = append(out, string(event))
	}
	return strings.Join(out, " ")
}

func TestARunIsFollowedFromAnyEventOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		runs := background.NewRuns(2)
		defer runs.Close(errEnding)
		run := start(t, runs, "resp_1", counting(5))
		if runs.Find(alice, "resp_1") != run || runs.Find(bob, "resp_1") != nil ||
			runs.Find(alice, "resp_2") != nil {
			t.Error("not the run of the response, or of somebody else")
		}
		time.Sleep(2500 * time.Millisecond)
		for from, want := range map[int]string{0: "0 1 2 3 4", 3: "3 4", 5: "", 9: ""} {
			if got := follow(t.Context(), run, from); got != want {
				t.Errorf("from %d: %q, expected %q", from, got, want)
			}
		}
		if runs.Find(alice, "resp_1") != nil {
			t.Error("a run is found that has ended")
		}
		if got := len(run.Events()); got != 5 {
			t.Errorf("%d events", got)
		}
	})
}

func TestWhoFollowsMayLeave(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		runs := background.NewRuns(1)
		defer runs.Close(errEnding)
		run := start(t, runs, "resp_1", counting(9))
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		if got := follow(ctx, run, 0); got != "0 1 "+context.DeadlineExceeded.Error() {
			t.Errorf("got %q", got)
		}
		for event := range run.Follow(t.Context(), 0) {
			if string(event) == "1" {
				break
			}
		}
		if err := run.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("waiting: %v", err)
		}
		if err := run.Wait(t.Context()); err != nil || len(run.Events()) != 9 {
			t.Errorf("the run did not go on: %v", err)
		}
	})
}

func TestARunThatIsCanceledEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		runs := background.NewRuns(1)
		run := start(t, runs, "resp_1", countingWithCause)
		time.Sleep(1500 * time.Millisecond)
		run.Cancel(errCanceled)
		run.Cancel(errEnding) // which changes nothing
		if got := follow(t.Context(), run, 0); got != "0 canceled" {
			t.Errorf("got %q", got)
		}
		runs.Close(errEnding)
	})
}

func TestRunsAreLimitedAndCloseEndsThem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		runs := background.NewRuns(1)
		run := start(t, runs, "resp_1", countingWithCause)
		if _, err := runs.Start(t.Context(), alice, "resp_2", 0, counting(1)); !errors.Is(err,
			background.ErrFull) {
			t.Errorf("a second run: %v", err)
		}
		runs.Close(errEnding)
		if got := follow(t.Context(), run, 0); got != errEnding.Error() {
			t.Errorf("got %q", got)
		}
		if _, err := runs.Start(t.Context(), alice, "resp_3", 0, counting(1)); !errors.Is(err,
			background.ErrFull) {
			t.Errorf("a run after the end: %v", err)
		}
	})
}

func TestAllRunsAreWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		runs := background.NewRuns(9)
		for i := range 3 {
			start(t, runs, fmt.Sprint("resp_", i), counting(3*i+1))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if err := runs.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("too early: %v", err)
		}
		if err := runs.Wait(t.Context()); err != nil || runs.Find(alice, "resp_2") != nil {
			t.Errorf("they have not ended: %v", err)
		}
		runs.Close(errEnding)
	})
}

func TestARunOutlivesItsRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		runs := background.NewRuns(1)
		ctx, cancel := context.WithCancel(t.Context())
		run, err := runs.Start(ctx, alice, "resp_1", 0, counting(3))
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if got := follow(t.Context(), run, 0); got != "0 1 2" {
			t.Errorf("got %q", got)
		}
		runs.Close(errEnding)
	})
}

func TestAnOwnerHasAtMostItsShareOfTheRuns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		runs := background.NewRuns(5)
		try := func(owner responsestore.Owner, id string, want error) {
			t.Helper()
			if _, err := runs.Start(t.Context(), owner, id, 3, counting(2)); !errors.Is(err, want) {
				t.Errorf("%s: %v, expected %v", id, err, want)
			}
		}
		for i := range 3 {
			try(alice, fmt.Sprint("a", i), nil)
		}
		try(alice, "a3", background.ErrShare)
		try(bob, "b0", nil)
		try(bob, "b1", nil)
		try(bob, "b2", background.ErrFull)
		time.Sleep(3 * time.Second)
		try(alice, "a4", nil)
		if err := runs.Wait(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
