package inspector

import "sync"

// maxPending is how many bytes of bodies wait at most for their secrets to be removed, of all
// exchanges together. Who tells more waits.
const maxPending = 16 << 20

// backlog is what all queues have in common: a lock, and how much waits.
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

// queue does what is slow about keeping one exchange, in the order in which it was told, beside the
// goroutine that tells it, which a client waits for. It has a goroutine of its own only while there
// is something to do.
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

// add adds a task that holds so many bytes.
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

// work does tasks until there are none.
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

// settle waits until everything is done that was added before.
func (q *queue) settle() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for added := q.added; q.done < added; {
		q.changed.Wait()
	}
}
