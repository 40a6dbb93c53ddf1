package inspector

import (
	"slices"
	"sync"
)

// turns lets a number of replays run at the same time, and the others wait in order. It is safe for
// concurrent use.
type turns struct {
	mu      sync.Mutex
	running int
	waiting []chan struct{}
}

// hasRoom reports whether more replays may wait or run.
func (t *turns) hasRoom(more int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.running+len(t.waiting)+more <= maxWaiting
}

// enter returns a channel that is closed when a replay may run, and whether that is now.
func (t *turns) enter() (mayRun chan struct{}, now bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	mayRun = make(chan struct{})
	if t.running < maxReplays {
		t.running++
		close(mayRun)
		return mayRun, true
	}
	t.waiting = append(t.waiting, mayRun)
	return mayRun, false
}

// leave ends a replay, whether it has run or waits.
func (t *turns) leave(mayRun chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := slices.Index(t.waiting, mayRun); at >= 0 {
		t.waiting = slices.Delete(t.waiting, at, at+1)
		return
	}
	if len(t.waiting) == 0 {
		t.running--
		return
	}
	close(t.waiting[0])
	t.waiting = t.waiting[1:]
}
