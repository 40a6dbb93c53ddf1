package intake

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// budget is the memory limit for the bodies of all requests. It is safe for concurrent use.
type budget struct {
	mu      sync.Mutex
	shares  shares
	waiting list.List // of *claim, the oldest first
}

// claim is a request's claim on the memory.
type claim struct {
	client string
	// fits is the number of bytes that must be free. size of them are taken.
	fits, size int64
	granted    chan struct{} // closed when they are taken; nil unless the request waits
}

// take takes the bytes of a claim. It waits for them, and returns [ErrFull] if they are not free in
// time.
func (r *budget) take(ctx context.Context, c *claim, wait time.Duration) error {
	r.mu.Lock()
	if r.grant(c) {
		r.mu.Unlock()
		return nil
	}
	c.granted = make(chan struct{})
	place := r.waiting.PushBack(c)
	r.mu.Unlock()

	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-c.granted:
		return nil
	case <-timer.C:
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-c.granted: // just now
		return nil
	default:
		r.waiting.Remove(place)
		return ErrFull
	}
}

// grant takes the bytes of a claim if they are free.
func (r *budget) grant(c *claim) bool {
	if !r.shares.fits(c.client, c.fits) {
		return false
	}
	r.shares.take(c.client, c.size)
	return true
}

// give returns a client's bytes, and grants the claims that fit now.
func (r *budget) give(client string, size int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shares.give(client, size)
	for place := r.waiting.Front(); place != nil; {
		next := place.Next()
		if c := place.Value.(*claim); r.grant(c) {
			r.waiting.Remove(place)
			close(c.granted)
		}
		place = next
	}
}
