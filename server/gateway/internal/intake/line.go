package intake

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// Line limits the number of requests that are served at the same time. Others wait in line for a
// limited time. It is safe for concurrent use.
type Line struct {
	limit int // 0 for any number
	share int // how many turns one client may have

	mu      sync.Mutex
	served  shares
	waiting list.List // of *turn, the oldest first
	places  shares    // of those who wait
}

// turn is a request that waits.
type turn struct {
	client string
	begins chan struct{} // closed when it is served
}

// The number of waiting places: placesEach for each request that may be served, and at least
// fewestPlaces.
const (
	placesEach   = 32
	fewestPlaces = 1024
)

// newLine returns a line that serves at most limit requests at the same time, and at most share
// requests of one client.
func newLine(limit, share int) *Line {
	return &Line{
		limit: limit, share: share,
		served: newShares(int64(limit)),
		places: newShares(int64(max(limit*placesEach, fewestPlaces))),
	}
}

// hasTurn reports whether a request of a client may be served.
func (l *Line) hasTurn(client string) bool {
	return l.served.taken < int64(l.limit) && l.served.held[client] < int64(l.share)
}

// HasPlace reports whether a client's request would be served or could wait. It reserves nothing.
// The gateway can refuse a request with it before it does any work.
func (l *Line) HasPlace(client string) bool {
	if l.limit == 0 {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.hasTurn(client) || l.places.fits(client, 1)
}

// Enter waits up to the given time until the request is served. It returns [ErrBusy] if the request
// is not served in time. A request that has entered must leave.
func (l *Line) Enter(ctx context.Context, client string, wait time.Duration) error {
	if l.limit == 0 {
		return nil
	}
	l.mu.Lock()
	if l.hasTurn(client) {
		l.served.take(client, 1)
		l.mu.Unlock()
		return nil
	}
	if !l.places.fits(client, 1) {
		l.mu.Unlock()
		return ErrBusy
	}
	l.places.take(client, 1)
	t := &turn{client: client, begins: make(chan struct{})}
	place := l.waiting.PushBack(t)
	l.mu.Unlock()

	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-t.begins:
		return nil
	case <-timer.C:
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-t.begins: // just now
		return nil
	default:
		l.remove(place)
		return ErrBusy
	}
}

// Leave ends a served request of a client. The next waiting request takes its slot: the oldest, or
// the newest if more requests wait than are served. In that case the oldest have waited so long
// that most would be served too late, and the newest would be served in time.
func (l *Line) Leave(client string) {
	if l.limit == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.served.give(client, 1)
	for place := l.next(); place != nil; place = l.next() {
		t := l.remove(place)
		l.served.take(t.client, 1)
		close(t.begins)
	}
}

// next returns the request that is served next, or nil.
func (l *Line) next() *list.Element {
	place, step := l.waiting.Front(), (*list.Element).Next
	if l.waiting.Len() > l.limit {
		place, step = l.waiting.Back(), (*list.Element).Prev
	}
	for place != nil && !l.hasTurn(place.Value.(*turn).client) {
		if l.served.taken >= int64(l.limit) {
			return nil
		}
		place = step(place)
	}
	return place
}

// remove takes a request out of the line.
func (l *Line) remove(place *list.Element) *turn {
	t := l.waiting.Remove(place).(*turn)
	l.places.give(t.client, 1)
	return t
}
