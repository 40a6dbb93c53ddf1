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

func TestAnOldListIsFetchedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cache, asked, failure := modellist.NewCache(), 0, error(nil)
		ask := func(context.Context) ([]modellist.Listed, error) {
			asked++
			time.Sleep(time.Second)
			return []modellist.Listed{{Name: "a"}, {Name: "b"}}, failure
		}
		check := func(when string, calls int, wanted error) {
			t.Helper()
			listed, err := cache.Models(t.Context(), time.Now, ask)
			if !slices.Equal(listed, []modellist.Listed{{Name: "a"}, {Name: "b"}}) ||
				!errors.Is(err, wanted) || asked != calls {
				t.Errorf("%s: %v, %v after %d calls", when, listed, err, asked)
			}
		}
		check("at first", 1, nil)
		check("at once", 1, nil)
		time.Sleep(5 * time.Minute)
		failure = errors.New("away")
		check("when it is old and the upstream is away", 2, failure)
		failure = nil
		check("when the upstream is there again", 3, nil)
	})
}

func TestOneAsksAtATimeAndOthersWaitNoLongerThanTheyMay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cache, hold := modellist.NewCache(), make(chan struct{})
		go func() {
			_, _ = cache.Models(t.Context(), time.Now,
				func(context.Context) ([]modellist.Listed,
					error) {
					<-hold
					return []modellist.Listed{{Name: "a"}}, nil
				})
		}()
		synctest.Wait()
		never := func(context.Context) ([]modellist.Listed,
			error) {
			t.Error("a second one asks")
			return nil, nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := cache.Models(ctx, time.Now, never); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		close(hold)
		if listed, err := cache.Models(t.Context(), time.Now, never); err != nil ||
			!slices.Equal(listed, []modellist.Listed{{Name: "a"}}) {
			t.Error(listed, err)
		}
	})
}
