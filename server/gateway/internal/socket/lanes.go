package socket

import (
	"errors"
	"sync"
)

// Limits of lanes. OpenAI documents the first two for its own server. The third is ours.
const (
	maxAtOnce = 16
	// MaxNamed is the maximum number of named lanes of a connection.
	MaxNamed   = 32
	maxWaiting = 64
)

// Errors of [Conn.Go].
var (
	// ErrLanes is returned for one more named lane than a connection may have.
	ErrLanes = errors.New("socket: the connection has all the named lanes that it may have")
	// ErrWaiting is returned if too much work waits.
	ErrWaiting = errors.New("socket: too much work waits on this connection")
)

// lanes do the work of a connection. The zero value is ready to use.
type lanes struct {
	mu      sync.Mutex
	all     map[string]*lane
	ready   []*lane // with work that waits for a slot, the longest wait first
	working int     // lanes that do work
	waiting int     // pieces of work
	holds   int     // of begin
	onIdle  func()
	ended   sync.WaitGroup
}

// lane is the work of one lane, in order.
type lane struct {
	queue     []func()
	isWorking bool
	isReady   bool
}

// add adds work to a lane. The lane named "" always exists.
func (l *lanes) add(name string, work func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting >= maxWaiting {
		return ErrWaiting
	}
	to := l.all[name]
	if to == nil {
		named := len(l.all)
		if l.all[""] != nil {
			named--
		}
		if name != "" && named >= MaxNamed {
			return ErrLanes
		}
		if l.all == nil {
			l.all = map[string]*lane{}
		}
		to = &lane{}
		l.all[name] = to
	}
	to.queue = append(to.queue, work)
	l.waiting++
	l.schedule(to)
	l.start()
	return nil
}

// schedule lets a lane wait for a slot if it has work and does none.
func (l *lanes) schedule(to *lane) {
	if !to.isWorking && !to.isReady && len(to.queue) > 0 {
		to.isReady = true
		l.ready = append(l.ready, to)
	}
}

// start gives free slots to lanes that wait.
func (l *lanes) start() {
	for l.working < maxAtOnce {
		next := l.takeReady()
		if next == nil {
			return
		}
		l.working++
		l.ended.Go(func() { l.work(next) })
	}
}

// takeReady returns the lane that has waited longest for a slot, and gives it one. It returns nil
// if none waits.
func (l *lanes) takeReady() *lane {
	if len(l.ready) == 0 {
		return nil
	}
	next := l.ready[0]
	l.ready[0] = nil
	if l.ready = l.ready[1:]; len(l.ready) == 0 {
		l.ready = nil // so that an idle connection holds no list
	}
	next.isReady, next.isWorking = false, true
	return next
}

// work does the first work of a lane, and then lets another lane have the slot.
func (l *lanes) work(in *lane) {
	for in != nil {
		l.mu.Lock()
		work := in.queue[0]
		in.queue[0] = nil
		if in.queue = in.queue[1:]; len(in.queue) == 0 {
			in.queue = nil
		}
		l.waiting--
		l.mu.Unlock()
		work()
		in = l.next(in)
	}
}

// next ends the work of a lane, and returns the lane whose work is next, or nil.
func (l *lanes) next(in *lane) *lane {
	l.mu.Lock()
	defer l.mu.Unlock()
	in.isWorking = false
	l.schedule(in)
	if next := l.takeReady(); next != nil {
		return next
	}
	l.working--
	l.report()
	return nil
}

// begin holds the connection: it is not idle until done.
func (l *lanes) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holds++
}

func (l *lanes) done() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holds--
	l.report()
}

// report calls onIdle if nothing is in flight.
func (l *lanes) report() {
	if l.onIdle != nil && l.isIdle() {
		l.onIdle()
	}
}

func (l *lanes) isIdle() bool { return l.working == 0 && l.waiting == 0 && l.holds == 0 }

// whenIdle calls a function when nothing is in flight, now or later. It may be called again.
func (l *lanes) whenIdle(call func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onIdle = call
	l.report()
}

// wait waits until all work has ended.
func (l *lanes) wait() { l.ended.Wait() }
