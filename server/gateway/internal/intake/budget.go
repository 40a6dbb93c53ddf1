package intake

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// budget is the memory that the bodies of all requests may have together. It is safe for use by
// several goroutines.
type budget struct {
	mu      sync.Mutex
	shares  shares
	waiting list.List // of *claim, the oldest first
}

// claim is what a request asks of the room.
type claim struct {
	client string
	// fits is how many bytes there has to be room for, of which size are taken.
	fits, size int64
	granted    chan struct{} // closed when they are taken; nil unless the request waits
}

func newBudget(size int64) *budget { return &budget{shares: newShares(size)} }

// take takes the bytes of a claim. It waits for them, and returns [ErrFull] when they are not free
// in time.
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

// give returns bytes of a client, and grants the claims that now fit.
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
