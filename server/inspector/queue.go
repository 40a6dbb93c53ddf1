package inspector

import "sync"

// maxPending is the maximum size in bytes of the bodies that wait for the removal of their secrets,
// over all exchanges. A recorder that adds more waits.
const maxPending = 16 << 20

// backlog is the shared state of all queues: a lock, and the pending size.
type backlog struct {
	mu      sync.Mutex
	changed sync.Cond // of mu
	bytes   int
}

func newBacklog() *backlog {
	b := &backlog{}
	b.changed.L = &b.mu
	return b
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
	bytes int
	run   func()
}

// add adds a task that holds a number of bytes.
func (q *queue) add(bytes int, run func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.bytes > 0 && q.bytes+bytes > maxPending {
		q.changed.Wait()
	}
	q.tasks = append(q.tasks, task{bytes, run})
	q.bytes += bytes
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
		q.tasks = q.tasks[1:]
		q.mu.Unlock()
		next.run()
		q.mu.Lock()
		q.bytes -= next.bytes
		q.done++
		q.changed.Broadcast()
	}
	q.tasks, q.running = nil, false
}

// settle waits until all earlier tasks are done.
func (q *queue) settle() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for added := q.added; q.done < added; {
		q.changed.Wait()
	}
}
