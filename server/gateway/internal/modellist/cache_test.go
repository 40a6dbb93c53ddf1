package modellist_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/gateway/internal/modellist"
)

// ab is a list of two models.
var ab = []modellist.Listed{{Name: "a"}, {Name: "b"}}

func TestAnOldListIsReturnedWhileItIsFetchedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cache, asked, failure := modellist.NewCache(), 0, error(nil)
		defer cache.Close()
		ask := func(context.Context) ([]modellist.Listed, error) {
			asked++
			time.Sleep(time.Second)
			return slices.Clone(ab), failure
		}
		check := func(when string, calls int, waits time.Duration) {
			t.Helper()
			began := time.Now()
			listed, err := cache.Models(t.Context(), time.Now, ask)
			waited := time.Since(began)
			synctest.Wait()
			if err != nil || !slices.Equal(listed, ab) || asked != calls || waited != waits {
				t.Errorf("%s: %v, %v after %d calls and %s", when, listed, err, asked, waited)
			}
			time.Sleep(2 * time.Second) // the upstream has answered then
			synctest.Wait()
		}
		check("at first", 1, time.Second)
		check("at once", 1, 0)
		time.Sleep(5 * time.Minute)
		failure = errors.New("away")
		check("when it is old and the upstream is away", 2, 0)
		failure = nil
		check("when the upstream is there again", 3, 0)
		check("when it has answered", 3, 0)
	})
}

func TestOneAsksAtATimeAndOthersWaitNoLongerThanTheyMay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cache, hold := modellist.NewCache(), make(chan struct{})
		defer cache.Close()
		go func() {
			_, _ = cache.Models(t.Context(), time.Now,
				func(context.Context) ([]modellist.Listed, error) {
					<-hold
					return []modellist.Listed{{Name: "a"}}, nil
				})
		}()
		synctest.Wait()
		never := func(context.Context) ([]modellist.Listed, error) {
			t.Error("a second one asks")
			return nil, nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := cache.Models(ctx, time.Now, never)
		if !errors.Is(err, modellist.ErrLate) || !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		close(hold)
		if listed, err := cache.Models(t.Context(), time.Now, never); err != nil ||
			!slices.Equal(listed, []modellist.Listed{{Name: "a"}}) {
			t.Error(listed, err)
		}
	})
}

func TestAFetchWithoutAWaitingCallerFillsTheCache(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cache, asked := modellist.NewCache(), 0
		defer cache.Close()
		ask := func(context.Context) ([]modellist.Listed, error) {
			asked++
			time.Sleep(5 * time.Second)
			return slices.Clone(ab), nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := cache.Models(ctx, time.Now, ask); !errors.Is(err, modellist.ErrLate) {
			t.Error(err)
		}
		time.Sleep(5 * time.Second)
		if listed, err := cache.Models(t.Context(), time.Now, ask); err != nil ||
			!slices.Equal(listed, ab) || asked != 1 {
			t.Errorf("%v, %v after %d calls", listed, err, asked)
		}
	})
}

func TestCloseCancelsAFetch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cache, ended := modellist.NewCache(), error(nil)
		go func() {
			_, _ = cache.Models(t.Context(), time.Now,
				func(ctx context.Context) ([]modellist.Listed, error) {
					<-ctx.Done()
					ended = ctx.Err()
					return nil, ended
				})
		}()
		synctest.Wait()
		cache.Close()
		if !errors.Is(ended, context.Canceled) {
			t.Errorf("the fetch ended with %v", ended)
		}
	})
}

func TestTheVersionChangesWithTheList(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cache := modellist.NewCache()
		defer cache.Close()
		var got []int
		for _, list := range [][]modellist.Listed{ab, ab, ab[:1], ab} {
			_, err := cache.Models(t.Context(), time.Now,
				func(context.Context) ([]modellist.Listed, error) { return list, nil })
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			got = append(got, cache.Version())
			time.Sleep(6 * time.Minute)
		}
		if want := []int{1, 1, 2, 3}; !slices.Equal(got, want) {
			t.Errorf("versions %v, want %v", got, want)
		}
	})
}
