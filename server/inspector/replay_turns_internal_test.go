package inspector

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

func TestReservedReplaysCountBeforeTheyEnter(t *testing.T) {
	t.Parallel()
	places := turns{max: maxWaiting}
	if !places.reserve(maxWaiting-1) || places.reserve(2) || !places.reserve(1) {
		t.Errorf("%d replays are reserved, expected %d", places.reserved, maxWaiting)
	}
	run := &replayRun{mayRun: make(chan struct{})}
	if !places.enter(run) || places.reserve(1) {
		t.Error("a running replay has no place")
	}
	if places.leave(run); !places.reserve(1) {
		t.Error("a replay that has ended has a place")
	}
}

func TestABusyGatewayDelaysTheDialogOfAReplayByASecondAtMost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		i, err := New(WithReplay(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
		})))
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if got := i.modelsOfGateway(t.Context()); len(got) != 0 || time.Since(began) > time.Second {
			t.Errorf("%v after %v", got, time.Since(began))
		}
	})
}
