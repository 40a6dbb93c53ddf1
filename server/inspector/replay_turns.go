package inspector

import (
	"slices"
	"sync"
)

// turns lets a number of replays run at the same time, and the others wait in order. It is safe for
// concurrent use.
type turns struct {
	max int // that wait or run

	mu       sync.Mutex
	reserved int // replays that will enter
	running  int
	waiting  []*replayRun
}

// reserve makes room for replays that will enter. It reports false if too many would wait or run.
func (t *turns) reserve(more int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reserved+t.running+len(t.waiting)+more > t.max {
		return false
	}
	t.reserved += more
	return true
}

// enter takes a reserved place. It reports whether the replay may run now. Otherwise mayRun of the
// replay is closed when the replay may run.
func (t *turns) enter(run *replayRun) (now bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reserved--
	if t.running < maxReplays {
		t.running++
		close(run.mayRun)
		return true
	}
	t.waiting = append(t.waiting, run)
	return false
}

// leave ends a replay, whether it has run or waits.
func (t *turns) leave(run *replayRun) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := slices.Index(t.waiting, run); at >= 0 {
		t.waiting = slices.Delete(t.waiting, at, at+1)
		return
	}
	if len(t.waiting) == 0 {
		t.running--
		return
	}
	close(t.waiting[0].mayRun)
	t.waiting = t.waiting[1:]
}

// cancelDropped cancels the waiting replays whose exchanges were dropped.
func (i *Inspector) cancelDropped() {
	i.replays.mu.Lock()
	waiting := slices.Clone(i.replays.waiting)
	i.replays.mu.Unlock()
	for _, run := range waiting {
		if !i.store.has(run.record) {
			run.cancel()
		}
	}
}

// has reports whether an exchange was not dropped.
func (s *store) has(r *record) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !r.dropped
}
