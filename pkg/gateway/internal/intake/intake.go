// Package intake bounds what requests take of the gateway: how many there are at a time, the bytes of a body, those of all
// bodies together, and the time that a body takes to come.
package intake

import (
	"errors"
	"math"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// Limits are those of a gateway.
type Limits struct {
	// BodySize is the most bytes of a body.
	BodySize int64
	// BytesInFlight is the most bytes of all bodies together, at least BodySize.
	BytesInFlight int64
	// Concurrent is the most requests at a time, 0 for any number.
	Concurrent int
}

// Gate lets requests in up to its limits. It is safe for use by several goroutines.
type Gate struct {
	limits  Limits
	bytes   *semaphore.Weighted
	current atomic.Int64
}

// NewGate returns a gate with limits.
func NewGate(limits Limits) *Gate {
	limits.BytesInFlight = max(limits.BytesInFlight, limits.BodySize+1)
	if limits.Concurrent <= 0 {
		limits.Concurrent = math.MaxInt
	}
	return &Gate{limits: limits, bytes: semaphore.NewWeighted(limits.BytesInFlight)}
}

// HasLimits reports whether the gate has these limits, and so may stand in for a new one.
func (g *Gate) HasLimits(limits Limits) bool { return g.limits == NewGate(limits).limits }

// Enter lets a request in, and reports false where there are too many. One that was let in leaves by [Gate.Leave].
func (g *Gate) Enter() bool {
	if g.current.Add(1) <= int64(g.limits.Concurrent) {
		return true
	}
	g.current.Add(-1)
	return false
}

// Leave makes room for another request.
func (g *Gate) Leave() { g.current.Add(-1) }

// longestWait is how long a request waits for memory that others hold.
const longestWait = time.Second

// What a body fails by, besides what its connection does.
var (
	// ErrTooLarge is that of a body with more bytes than one may have.
	ErrTooLarge = errors.New("the body is too large")
	// ErrFull is that of a body for which there is no room beside those of other requests.
	ErrFull = errors.New("the bodies of other requests take all memory that there is for them")
	// ErrSlow is that of a body which does not come.
	ErrSlow = errors.New("the body does not come in time")
)
