package signature_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/gateway/internal/signature"
)

// slowStore answers after a time.
type slowStore struct {
	takes  time.Duration
	asked  int
	stored map[string]string
}

func (s *slowStore) wait(ctx context.Context) error {
	s.asked++
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(s.takes):
		return nil
	}
}

func (s *slowStore) Keep(ctx context.Context, name, signature string) error {
	if err := s.wait(ctx); err != nil {
		return err
	}
	s.stored[name] = signature
	return nil
}

func (s *slowStore) Find(ctx context.Context, name string) (string, error) {
	return s.stored[name], s.wait(ctx)
}

func replica(store *slowStore) *signature.Memory {
	m := signature.NewMemory(1 << 20)
	m.SetStore(signature.NewBacked(store, slog.New(slog.DiscardHandler)))
	return m
}

func TestASignatureSurvivesTheElectionOfALeader(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &slowStore{takes: 10 * time.Second, stored: map[string]string{}}
		id := replica(store).Keep("call_1", "c2lnbmF0dXJl")
		other := replica(store)
		other.Load(id)
		if bare, found, _ := other.Find(id); bare != "call_1" || found != "c2lnbmF0dXJl" {
			t.Errorf("the other replica finds %q for %q", found, bare)
		}
	})
}

func TestAStoreThatIsDownDelaysFewAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &slowStore{takes: time.Hour, stored: map[string]string{}}
		m := replica(store)
		for i, want := range []time.Duration{15 * time.Second, 0, 500 * time.Millisecond, 0} {
			if i == 2 {
				time.Sleep(5 * time.Second)
			}
			began := time.Now()
			m.Keep("call_1", "c2lnbmF0dXJl")
			if took := time.Since(began); took != want {
				t.Errorf("answer %d waits for %v, want %v", i, took, want)
			}
		}
		store.takes = 0
		time.Sleep(5 * time.Second)
		m.Keep("call_1", "c2lnbmF0dXJl")
		store.takes = 10 * time.Second
		if m.Keep("call_2", "c2Vjb25k"); len(store.stored) != 2 {
			t.Errorf("after the store answered again, %d signatures are stored", len(store.stored))
		}
	})
}
