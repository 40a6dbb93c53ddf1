package exchangetest

import (
	"sync"
	"time"
)

// Clock is a clock that a test sets forward.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that is stopped at a time.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Sleep sets the clock forward.
func (c *Clock) Sleep(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
