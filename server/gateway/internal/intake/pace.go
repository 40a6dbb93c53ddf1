package intake

import (
	"errors"
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// Pace is the slowest accepted pace of a body.
type Pace struct {
	// Stall is how long a body may stall.
	Stall time.Duration
	// Rate is the minimum rate in bytes per second, averaged over Stall.
	Rate int64
}

// PacedBody is a body that must arrive at a pace. Otherwise reads fail with [ErrSlow]. Time counts
// only while a read waits, not while the received bytes are used.
type PacedBody struct {
	body       io.ReadCloser
	connection *http.ResponseController
	pace       Pace
	credit     time.Duration // how long the body may still be waited for
	isSlow     atomic.Bool
	isAtEnd    atomic.Bool
}

// NewPacedBody returns the body of a request with a pace, if the connection supports deadlines.
func NewPacedBody(w http.ResponseWriter, r *http.Request, pace Pace) *PacedBody {
	return &PacedBody{body: r.Body, connection: http.NewResponseController(w), pace: pace,
		credit: pace.Stall}
}

// Read implements [io.Reader]. Each byte earns time to wait for the next, but never more than a
// stall may take. So a fast start does not pay for a long stall.
func (b *PacedBody) Read(p []byte) (int, error) {
	begin := time.Now()
	_ = b.connection.SetReadDeadline(begin.Add(b.credit)) // where there is one
	n, err := b.body.Read(p)
	b.credit += time.Duration(float64(n)/float64(b.pace.Rate)*float64(time.Second)) - time.Since(begin)
	b.credit = min(b.credit, b.pace.Stall)
	switch {
	case err == io.EOF:
		b.endWait()
	case errors.Is(err, os.ErrDeadlineExceeded):
		b.isSlow.Store(true)
		err = ErrSlow
	}
	return n, err
}

// IsSlow reports whether the body arrived too slowly. Another goroutine may read meanwhile.
func (b *PacedBody) IsSlow() bool { return b.isSlow.Load() }

// IsAtEnd reports whether the body was read to its end. Another goroutine may read meanwhile.
func (b *PacedBody) IsAtEnd() bool { return b.isAtEnd.Load() }

// endWait removes the deadline. Otherwise the client would count as disconnected during the answer.
func (b *PacedBody) endWait() {
	b.isAtEnd.Store(true)
	_ = b.connection.SetReadDeadline(time.Time{})
}

// Unpaced returns the body itself, without a pace.
func (b *PacedBody) Unpaced() io.Reader { return b.body }

// Close closes the body.
func (b *PacedBody) Close() error { return b.body.Close() }
