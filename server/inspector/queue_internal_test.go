package inspector

import (
	"slices"
	"testing"
	"testing/synctest"
)

func TestAQueueKeepsTheOrderAndEndsWhenThereIsNothingToDo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := &queue{backlog: newBacklog()}
		var done []int
		for range 2 { // The second time by another goroutine.
			for n := range 100 {
				q.add(1, func() { done = append(done, n) })
			}
			q.settle()
			if len(done) != 100 || !slices.IsSorted(done) {
				t.Fatalf("done: %v", done)
			}
			synctest.Wait() // A goroutine that stays would end the bubble in a panic.
			done = nil
		}
	})
}

func TestASenderWaitsForAFullQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shared := newBacklog()
		slow, other := &queue{backlog: shared}, &queue{backlog: shared}
		release := make(chan struct{})
		slow.add(maxPending+1, func() { <-release }) // One alone may be larger.
		told := false
		go func() {
			other.add(1, func() {})
			told = true
		}()
		synctest.Wait()
		if told {
			t.Error("a body more is taken while too many bytes wait")
		}
		close(release)
		other.settle()
		synctest.Wait()
		if !told || shared.bytes != 0 {
			t.Errorf("done %v, %d bytes wait", told, shared.bytes)
		}
	})
}
