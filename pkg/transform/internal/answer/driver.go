// Package answer has the code that all conversions of Gemini's answers share: the driver of a
// stream, the loop over a stream, and the tables of the reported members.
package answer

import (
	"cmp"
	"errors"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// Driver passes the chunks of a stream through package normalize to one form. T is the type of the
// form's events.
//
//	        Push                 Close, or a chunk that is an error
//	open ─────────► open ──────────────────────────────────────────► ended
//
// The Stream type of a form has a Driver and passes its own methods to it.
type Driver[T any] struct {
	// Source normalizes the chunks and has the report.
	Source *normalize.Stream
	// Ended is true after the form's last event.
	Ended bool
	// Err is why the stream failed, or nil.
	Err error

	form string
}

// Convert returns the form's events for the events of a chunk. It sets Ended and Err of the driver.
// The chunk is nil at the end of a stream. err is why the chunk ended the stream; it is nil for
// most chunks.
type Convert[T any] func(c *geminiapi.GenerateContentResponse, events []normalize.Event,
	err error) []T

// NewDriver returns the driver of a form. The form's name is the prefix of the driver's errors.
// source must be new or reset; for nil, NewDriver makes one. A driver that reports only losses
// needs its own source.
func NewDriver[T any](form string, source *normalize.Stream, lossesOnly bool) Driver[T] {
	switch {
	case lossesOnly:
		source = NewSource(normalize.WithLossesOnly())
	case source == nil:
		source = NewSource()
	}
	return Driver[T]{Source: source, form: form}
}

// NewSource returns a source for a form that makes the ids of calls itself. It avoids the random
// ids of package normalize.
func NewSource(opts ...normalize.Option) *normalize.Stream {
	return normalize.NewStream(append(opts, normalize.WithToolCallIDs(PendingID))...)
}

// PendingID returns the id of calls for which a form makes an id itself.
func PendingID(string, int, int) string { return "pending" }

// Push converts the next chunk. After the end it returns the error that ended the stream, or an
// error that says that the stream has ended.
func (d *Driver[T]) Push(c *geminiapi.GenerateContentResponse, convert Convert[T]) ([]T, error) {
	if d.Ended {
		return nil, cmp.Or(d.Err, ErrEnded(d.form))
	}
	events, err := d.Source.Push(c)
	out := convert(c, events, err)
	return out, d.Err
}

// Close ends the stream and returns its last events. After the end it returns nothing.
func (d *Driver[T]) Close(err error, convert Convert[T]) ([]T, error) {
	if d.Ended {
		return nil, nil
	}
	events, _ := d.Source.Close(err) // the last event has the error
	out := convert(nil, events, nil)
	return out, d.Err
}

// Report returns the report so far.
func (d *Driver[T]) Report() report.Report { return d.Source.Report() }

// Lost returns the losses so far.
func (d *Driver[T]) Lost() report.Report { return d.Source.Lost() }

// ErrEnded returns the error of a push after a completed stream.
func ErrEnded(form string) error { return errors.New(form + ": the stream has ended") }
