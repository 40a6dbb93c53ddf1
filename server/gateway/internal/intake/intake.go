// Package intake limits what requests take of the gateway: the number of requests at a time, the
// size of a body, the size of all bodies, each client's share of them, and the time that a body
// takes to arrive.
package intake

import (
	"errors"
	"time"
)

// Limits are the limits of a gateway.
type Limits struct {
	// BodySize is the maximum size of a body in bytes.
	BodySize int64
	// BytesInFlight is the maximum size of all bodies in bytes. It is at least twice BodySize,
	// because a client holds at most half.
	BytesInFlight int64
	// Concurrent is the maximum number of requests at a time, or 0 for no limit.
	Concurrent int
}

// Gate admits requests up to its limits. It is safe for concurrent use.
type Gate struct {
	// Calls are the requests that are served. Uploads are requests whose bodies are passed on as
	// they arrive. They have a line of their own, because they wait for their clients while they
	// are served. One client gets at most half of that line, because an upload may take hours.
	Calls, Uploads *Line

	limits Limits
	room   *budget
}

// NewGate returns a gate with the limits.
func NewGate(limits Limits) *Gate {
	limits = limits.normal()
	return &Gate{
		limits: limits, room: &budget{shares: newShares(limits.BytesInFlight)},
		Calls:   newLine(limits.Concurrent, limits.Concurrent),
		Uploads: newLine(limits.Concurrent, (limits.Concurrent+1)/2),
	}
}

// normal returns the limits in normalized form.
func (l Limits) normal() Limits {
	// one more byte shows that a body is too large
	l.BytesInFlight = max(l.BytesInFlight, 2*(l.BodySize+1))
	l.Concurrent = max(l.Concurrent, 0)
	return l
}

// HasLimits reports whether the gate has these limits, and so can be used instead of a new one.
func (g *Gate) HasLimits(limits Limits) bool { return g.limits == limits.normal() }

// Terms are the admission rules of a request.
type Terms struct {
	// Client is the client whose share the request uses.
	Client string
	// Pace is the slowest accepted pace of its body.
	Pace Pace
	// Wait is how long the request waits for memory.
	Wait time.Duration
	// Encodings are the encodings of its body; see [ParseEncodings]. All limits apply to the body
	// with them and without them.
	Encodings []string
}

// Errors of a request that is not admitted.
var (
	// ErrBusy is returned if the maximum number of requests is being served.
	ErrBusy = errors.New("too many requests are being served")
	// ErrTooLarge is returned for a body above the size limit.
	ErrTooLarge = errors.New("the body is too large")
	// ErrFull is returned for a body that gets no memory.
	ErrFull = errors.New("other request bodies use all the memory for bodies")
	// ErrSlow is returned for a body that arrives too slowly, or not at all.
	ErrSlow = errors.New("the body does not arrive in time")
)
