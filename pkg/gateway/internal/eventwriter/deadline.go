package eventwriter

import (
	"errors"
	"net/http"
	"time"
)

// writeTimeout is how long a client may take no bytes before it is given up. Each write has at least the half of it.
const writeTimeout = 2 * time.Minute

// Deadline gives up on a client that takes no bytes, for a response that is written over a long time.
type Deadline struct {
	control *http.ResponseController
	at      time.Time
}

// NewDeadline returns the deadline of a response, which has none yet.
func NewDeadline(w http.ResponseWriter) *Deadline {
	return &Deadline{control: http.NewResponseController(w)}
}

// Extend gives the next write time.
func (d *Deadline) Extend() { d.extend(time.Now()) }

// extend does so seldom, since each time costs.
func (d *Deadline) extend(now time.Time) {
	if d.at.Sub(now) > writeTimeout/2 {
		return
	}
	d.at = now.Add(writeTimeout)
	_ = d.control.SetWriteDeadline(d.at) // not every response has one
}

// Flush sends what was written.
func (d *Deadline) Flush() error {
	if err := d.control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}
