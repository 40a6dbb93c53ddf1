package background_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/gateway/internal/background"
	"github.com/gemwire/gemwire/pkg/gateway/responsestore"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var alice, bob = responsestore.OwnerOf("alice"), responsestore.OwnerOf("bob")

// counting appends so many events, one each second.
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

func start(t *testing.T, runs *background.Runs, id string, f func(context.Context, *background.Run)) *background.Run {
	t.Helper()
	run, err := runs.Start(t.Context(), alice, id, f)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// follow returns all events from one on, and the error in the end.
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
		defer runs.Close()
		run := start(t, runs, "resp_1", counting(5))
		if runs.Find(alice, "resp_1") != run || runs.Find(bob, "resp_1") != nil || runs.Find(alice, "resp_2") != nil {
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
		defer runs.Close()
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
		run := start(t, runs, "resp_1", counting(100))
		time.Sleep(1500 * time.Millisecond)
		run.Cancel()
		if err := run.Wait(t.Context()); err != nil || !run.IsCanceled() || len(run.Events()) != 1 {
			t.Errorf("%v, %d events", err, len(run.Events()))
		}
		runs.Close()
	})
}

func TestRunsAreLimitedAndCloseEndsThem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		runs := background.NewRuns(1)
		run := start(t, runs, "resp_1", counting(100))
		if _, err := runs.Start(t.Context(), alice, "resp_2", counting(1)); !errors.Is(err, background.ErrFull) {
			t.Errorf("a second run: %v", err)
		}
		runs.Close()
		if !run.IsCanceled() {
			t.Error("the run was not canceled")
		}
		if _, err := runs.Start(t.Context(), alice, "resp_3", counting(1)); !errors.Is(err, background.ErrFull) {
			t.Errorf("a run behind the end: %v", err)
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
		runs.Close()
	})
}

func TestARunOutlivesItsRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		runs := background.NewRuns(1)
		ctx, cancel := context.WithCancel(t.Context())
		run, err := runs.Start(ctx, alice, "resp_1", counting(3))
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		if got := follow(t.Context(), run, 0); got != "0 1 2" {
			t.Errorf("got %q", got)
		}
		runs.Close()
	})
}
