package generator

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Load is requests to one server.
type Load struct {
	// Address is the host and port.
	Address string
	// Requests are sent one after the other. After the last, the first follows again.
	Requests []Request
	// Rate is how many are due in a second; 0 has each connection send its next when it has its
	// answer, which finds out how many a server can answer.
	Rate float64
	// Count is how many are sent, unless Span is over before.
	Count int
	// Span is how long requests begin, where the load has no rate; 0 is until Count.
	Span time.Duration
	// Connections is the maximum number of requests in flight.
	Connections int
	// IsImpatient leaves out requests for which no connection is free when they are due. Else they
	// wait. Those due in one millisecond are sent together, since waking for each would take
	// processors from the server that is overloaded.
	IsImpatient bool
	// Limit is how long all of it may take.
	Limit time.Duration
}

// run is a load on its way.
type run struct {
	*Load
	start time.Time
	next  atomic.Int64 // the number of the next request
	free  chan *connection
	done  chan struct{}
	Result
}

// Run sends all requests and waits for their answers.
func (l *Load) Run() (*Result, error) {
	r := &run{Load: l, free: make(chan *connection, l.Connections), done: make(chan struct{}),
		Result: newResult()}
	connections := make([]*connection, l.Connections)
	for i := range connections {
		c := &connection{run: r, wake: make(chan struct{}, 1)}
		if err := c.dial(); err != nil {
			return nil, fmt.Errorf("connection %d: %w", i, err)
		}
		defer c.close()
		connections[i] = c
	}
	r.start = time.Now()
	var working sync.WaitGroup
	for _, c := range connections {
		working.Go(c.work)
	}
	if l.Rate > 0 {
		r.dispatch()
		close(r.done)
	}
	working.Wait()
	r.Elapsed = time.Since(r.start)
	for _, c := range connections {
		r.add(&c.Result)
	}
	return &r.Result, nil
}

// dispatch sends each request when it is due.
func (r *run) dispatch() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	sleepPrecisely()
	interval := float64(time.Second) / r.Rate
	for i := range r.Count {
		due := time.Duration(float64(i) * interval)
		if r.IsImpatient {
			sleepUntil(r.start.Add(due.Truncate(time.Millisecond) + time.Millisecond))
		} else {
			sleepUntil(r.start.Add(due))
		}
		select {
		case c := <-r.free:
			c.send(due, i)
			continue
		default:
		}
		if r.IsImpatient {
			r.Unsent++
			continue
		}
		select {
		case c := <-r.free:
			c.send(due, i)
		case <-time.After(r.Limit - time.Since(r.start)):
			r.Unsent += r.Count - i
			return
		}
	}
}
