// Package intake bounds what requests take of the gateway: how many are served at the same time,
// the bytes of a body, the bytes of all bodies together, what each client has of them, and the time
// that a body takes to come.
package intake

import (
	"errors"
	"time"
)

// Limits are those of a gateway.
type Limits struct {
	// BodySize is the most bytes of a body.
	BodySize int64
	// BytesInFlight is the most bytes of all bodies together. It is at least twice BodySize, since
	// a client holds at most half.
	BytesInFlight int64
	// Concurrent is the most requests at a time, 0 for any number.
	Concurrent int
}

// Gate lets requests in up to its limits. It is safe for use by several goroutines.
type Gate struct {
	// Calls are the requests that are served. Uploads are those whose bodies pass on as they come.
	// They have a line of their own, since they wait for their clients while they are served. One
	// client has at most half of it: an upload may take hours.
	Calls, Uploads *Line

	limits Limits
	room   *budget
}

// NewGate returns a gate with limits.
func NewGate(limits Limits) *Gate {
	limits = limits.normal()
	return &Gate{
		limits: limits, room: newBudget(limits.BytesInFlight),
		Calls:   newLine(limits.Concurrent, limits.Concurrent),
		Uploads: newLine(limits.Concurrent, (limits.Concurrent+1)/2),
	}
}

// normal returns the limits as a gate has them.
func (l Limits) normal() Limits {
	// one byte more shows that a body is too large
	l.BytesInFlight = max(l.BytesInFlight, 2*(l.BodySize+1))
	l.Concurrent = max(l.Concurrent, 0)
	return l
}

// HasLimits reports whether the gate has these limits, and so may stand in for a new one.
func (g *Gate) HasLimits(limits Limits) bool { return g.limits == limits.normal() }

// Terms are what a request is let in by.
type Terms struct {
	// Client is whose share the request takes.
	Client string
	// Pace is how slowly its body may come.
	Pace Pace
	// Wait is how long the request waits for memory that others hold.
	Wait time.Duration
}

// The errors of a request that is not let in.
var (
	// ErrBusy is returned when as many requests are served as may be.
	ErrBusy = errors.New("as many requests are served as may be")
	// ErrTooLarge is returned for a body with more bytes than one may have.
	ErrTooLarge = errors.New("the body is too large")
	// ErrFull is returned for a body for which there is no room.
	ErrFull = errors.New("the bodies of other requests take all memory that there is for them")
	// ErrSlow is returned for a body that comes too slowly, or not at all.
	ErrSlow = errors.New("the body does not come in time")
)
