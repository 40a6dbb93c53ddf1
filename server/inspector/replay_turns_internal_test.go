package inspector

import "testing"

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
