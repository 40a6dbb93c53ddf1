// Package answer has what conversions of Gemini's answers share, whatever form they make: the
// driver of a stream, and the loop that reads a stream to its end.
package answer

import (
	"cmp"
	"errors"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// Driver passes the chunks of a stream through package normalize to one form, whose events are of
// type T.
//
//	        Push                 Close, or a chunk that is an error
//	open ─────────► open ──────────────────────────────────────────► ended
//
// A Stream of a form has a Driver and hands its own methods on to it.
type Driver[T any] struct {
	// Source normalizes the chunks and has the report.
	Source *normalize.Stream
	// Ended reports that the form has made its last event.
	Ended bool
	// Err is why the stream failed, nil as long as it has not.
	Err error

	form string
}

// Convert returns the events of a form for those of a chunk. It sets Ended and Err of the driver.
// The chunk is nil at the end of a stream. err is why the chunk ended the stream, nil for most.
type Convert[T any] func(c *geminiapi.GenerateContentResponse, events []normalize.Event,
	err error) []T

// NewDriver returns the driver of a form, whose name begins the driver's errors. The source is new,
// or was Reset; nil makes one. A driver whose report has only losses needs a source of its own.
func NewDriver[T any](form string, source *normalize.Stream, lossesOnly bool) Driver[T] {
	switch {
	case lossesOnly:
		source = NewSource(normalize.WithLossesOnly())
	case source == nil:
		source = NewSource()
	}
	return Driver[T]{Source: source, form: form}
}

// NewSource returns a source for a form that makes the ids of calls itself, in place of the random
// ones of package normalize.
func NewSource(opts ...normalize.Option) *normalize.Stream {
	return normalize.NewStream(append(opts, normalize.WithToolCallIDs(PendingID))...)
}

// PendingID is the id of calls for which a form makes one itself.
func PendingID(string, int, int) string { return "pending" }

// Push converts the next chunk. After the end it returns the error that ended the stream, or one
// that says that the stream has ended.
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

// ErrEnded returns the error of a push after the proper end of a stream.
func ErrEnded(form string) error { return errors.New(form + ": the stream has ended") }
