package fakegemini

import "sync"

// requestLog keeps the requests of a server.
type requestLog struct {
	mu       sync.Mutex
	requests []Request
}

func (l *requestLog) add(r *Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, *r)
}

func (l *requestLog) all() []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Request(nil), l.requests...)
}
