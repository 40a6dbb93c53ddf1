package intake

import (
	"errors"
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// Pace is how slowly a body may come.
type Pace struct {
	// Stall is how long a body may stall.
	Stall time.Duration
	// Rate is how many bytes a second have to come, averaged over Stall.
	Rate int64
}

// PacedBody is a body that has to come at a pace. Reading fails with [ErrSlow] when it does not.
// Time counts only while the body is waited for, not while the bytes that came are used.
type PacedBody struct {
	body       io.ReadCloser
	connection *http.ResponseController
	pace       Pace
	credit     time.Duration // how long the body may still be waited for
	isSlow     atomic.Bool
	isAtEnd    atomic.Bool
}

// NewPacedBody returns the body of a request, which has to come at a pace where the connection has
// deadlines.
func NewPacedBody(w http.ResponseWriter, r *http.Request, pace Pace) *PacedBody {
	return &PacedBody{body: r.Body, connection: http.NewResponseController(w), pace: pace,
		credit: pace.Stall}
}

// Read implements [io.Reader]. Each byte earns time to wait for the next, but never more than a
// stall may take: a fast beginning does not pay for a long stall.
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

// IsSlow reports whether the body came too slowly. Another goroutine may read meanwhile.
func (b *PacedBody) IsSlow() bool { return b.isSlow.Load() }

// IsAtEnd reports whether the body was read to its end. Another goroutine may read meanwhile.
func (b *PacedBody) IsAtEnd() bool { return b.isAtEnd.Load() }

// endWait takes the deadline away, or the client would be taken to have left while it is answered.
func (b *PacedBody) endWait() {
	b.isAtEnd.Store(true)
	_ = b.connection.SetReadDeadline(time.Time{})
}

// Unpaced returns the body itself, which is read without a pace.
func (b *PacedBody) Unpaced() io.Reader { return b.body }

// Close closes the body.
func (b *PacedBody) Close() error { return b.body.Close() }
