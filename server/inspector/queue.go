package inspector

import (
	"context"
	"sync"
)

// Limits of the bodies that wait for the removal of their secrets, over all exchanges. A body
// that does not fit is not recorded, because a client would wait for its place.
const (
	// minPending is the minimum of their maximum size in bytes.
	minPending = 16 << 20
	// maxPendingShare is the part of all bytes that they may take.
	maxPendingShare = 4
	// largeTask is the size in bytes from which bodies are read one after another, so that the
	// gateway has the other processors.
	largeTask = 256 << 10
)

// backlog is the shared state of all queues: a lock, and the pending size.
type backlog struct {
	max int // of bytes

	mu      sync.Mutex
	changed sync.Cond // of mu
	bytes   int

	large sync.Mutex // held by the task that reads a large body
}

// newBacklog returns a backlog for a store of a size in bytes.
func newBacklog(maxBytes int) *backlog {
	b := &backlog{max: max(minPending, maxBytes/maxPendingShare)}
	b.changed.L = &b.mu
	return b
}

// reserve reserves a place for a body, which the next task of that size takes. It reports false if
// too many bytes wait. One body alone may be larger.
func (b *backlog) reserve(bytes int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bytes > 0 && bytes > 0 && b.bytes+bytes > b.max {
		return false
	}
	b.bytes += bytes
	return true
}

// queue performs the slow work of recording one exchange, in order, in parallel with the goroutine
// that reports the exchange, because a client waits for that goroutine. The queue has a goroutine
// only while there is work.
type queue struct {
	*backlog
	tasks   []task
	running bool
	added   int // so far
	done    int // of these
}

type task struct {
	bytes int // reserved
	run   func()
}

// add adds a task without a body. It never waits for other tasks.
func (q *queue) add(run func()) { q.addReserved(0, run) }

// addReserved adds a task for a body whose place is reserved.
func (q *queue) addReserved(bytes int, run func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tasks = append(q.tasks, task{bytes, run})
	q.added++
	if !q.running {
		q.running = true
		go q.work()
	}
}

// work does tasks until the queue is empty.
func (q *queue) work() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.tasks) > 0 {
		next := q.tasks[0]
		q.tasks[0] = task{} // releases the body
		q.tasks = q.tasks[1:]
		q.mu.Unlock()
		q.perform(next)
		q.mu.Lock()
		q.bytes -= next.bytes
		q.done++
		q.changed.Broadcast()
	}
	q.tasks, q.running = nil, false
}

// perform does a task.
func (q *queue) perform(t task) {
	if t.bytes >= largeTask {
		q.large.Lock()
		defer q.large.Unlock()
	}
	t.run()
}

// settle waits until all earlier tasks are done, or the context ends.
func (q *queue) settle(ctx context.Context) {
	defer context.AfterFunc(ctx, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.changed.Broadcast()
	})()
	q.mu.Lock()
	defer q.mu.Unlock()
	for added := q.added; q.done < added && ctx.Err() == nil; {
		q.changed.Wait()
	}
}
