package eventwriter

import (
	"errors"
	"net/http"
	"time"
)

// Deadline gives up on a client that takes no bytes of a response. Each write has at least half of
// the timeout.
type Deadline struct {
	control *http.ResponseController
	timeout time.Duration // 0 for none
	at      time.Time
}

// NewDeadline returns the deadline of a response, which has none yet.
func NewDeadline(w http.ResponseWriter, timeout time.Duration) *Deadline {
	return &Deadline{control: http.NewResponseController(w), timeout: timeout}
}

// Extend gives the next write time.
func (d *Deadline) Extend() { d.extend(time.Now()) }

// extend does so seldom, since each time costs.
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
