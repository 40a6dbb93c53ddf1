package store_test

import (
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/store"
)

func filled(names ...string) *store.Store[string] {
	s := store.New[string]("thing", 100)
	for _, name := range names {
		s.Put(name, "value of "+name, time.Time{})
	}
	return s
}

func TestPagesHaveTheNewestFirst(t *testing.T) {
	t.Parallel()
	s := filled("a/1", "a/2", "b/3", "a/4", "a/5")
	var got []string
	token := ""
	for {
		values, next, ok := s.List(store.Page{Prefix: "a/", Size: 2, Token: token})
		if !ok {
			t.Fatal("a token of its own was refused")
		}
		got = append(got, values...)
		if token = next; token == "" {
			break
		}
		got = append(got, "--")
	}
	want := []string{"value of a/5", "value of a/4", "--", "value of a/2", "value of a/1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTokensAreThoseOfTheServers(t *testing.T) {
	t.Parallel()
	// A recorded one.
	const name, token = "models/veo-3.1-generate-preview",
		"Ch9tb2RlbHMvdmVvLTMuMS1nZW5lcmF0ZS1wcmV2aWV3"
	if got := store.Token(name); got != token {
		t.Errorf("got %s", got)
	}
	if got, ok := store.NameIn(token); !ok || got != name {
		t.Errorf("got %q, %t", got, ok)
	}
	for _, wrong := range []string{"x", "Cg==", "CgFhYg==", "EgFh"} {
		if name, ok := store.NameIn(wrong); ok {
			t.Errorf("%q is taken for the token of %q", wrong, name)
		}
	}
	if _, _, ok := filled("a").List(store.Page{Size: 1, Token: store.Token("gone")}); ok {
		t.Error("a token of another list was taken")
	}
}

func TestValuesExpire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := filled()
		s.Put("a", "x", time.Now().Add(time.Minute))
		time.Sleep(time.Minute - time.Nanosecond)
		if _, ok := s.Get("a"); !ok {
			t.Error("it expired too early")
		}
		time.Sleep(time.Nanosecond)
		if _, ok := s.Get("a"); ok || s.Delete("a") {
			t.Error("it did not expire")
		}
	})
}

func TestTheOldestAreDropped(t *testing.T) {
	t.Parallel()
	s := store.New[int]("thing", 2)
	for i := range 3 {
		s.Put(strconv.Itoa(i), i, time.Time{})
	}
	s.Put("2", 20, time.Time{})
	if values, _, _ := s.List(store.Page{Size: 9}); !slices.Equal(values, []int{20, 1}) {
		t.Error(values)
	}
}

func TestIDsAreTheirOwn(t *testing.T) {
	t.Parallel()
	s, other := filled(), filled()
	var mu sync.Mutex
	ids := map[string]bool{}
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			id := s.NewID(40)
			mu.Lock()
			defer mu.Unlock()
			ids[id] = true
		})
	}
	all.Wait()
	if len(ids) != 100 || !ids[other.NewID(40)] {
		t.Errorf("%d ids", len(ids))
	}
}
