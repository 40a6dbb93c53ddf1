package eventwriter

import (
	"errors"
	"net/http"
	"time"
)

// Deadline disconnects a client that accepts no bytes of a response. Each write has at least half
// of the timeout.
type Deadline struct {
	control *http.ResponseController
	timeout time.Duration // 0 for none
	at      time.Time
}

// NewDeadline returns a Deadline for a response. It is not set yet.
func NewDeadline(w http.ResponseWriter, timeout time.Duration) *Deadline {
	return &Deadline{control: http.NewResponseController(w), timeout: timeout}
}

// Extend extends the deadline for the next write.
func (d *Deadline) Extend() { d.extend(time.Now()) }

// extend sets the deadline rarely, because each call costs time.
func (d *Deadline) extend(now time.Time) {
	if d.timeout == 0 || d.at.Sub(now) > d.timeout/2 {
		return
	}
	d.at = now.Add(d.timeout)
	_ = d.control.SetWriteDeadline(d.at) // not every response has one
}

// Flush sends what was written.
func (d *Deadline) Flush() error {
	if err := d.control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}
