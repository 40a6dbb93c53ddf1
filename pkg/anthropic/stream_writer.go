package anthropic

import (
	"cmp"
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/eventstream"
)

// StreamWriter writes the body of a streamed message: server-sent events, each with the name of its
// type, without which Anthropic's clients skip it. What one call writes is flushed at its end if
// the writer below is one of net/http, or has a method Flush. It is not safe for use by several
// goroutines.
type StreamWriter struct {
	out eventstream.Writer
}

// errEnded is what writing more returns behind the end.
var errEnded = errors.New("anthropic: the stream has ended")

// NewStreamWriter returns a writer to w. It writes nothing yet.
func NewStreamWriter(w io.Writer) *StreamWriter {
	return &StreamWriter{out: eventstream.NewWriter(w, "anthropic")}
}

// Write writes the events. Behind message_stop and behind an event of type error the stream has
// ended. The error is that of the writer below, or an *[wire.EncodeError] for an event that cannot
// be written as JSON, of which nothing is written.
func (w *StreamWriter) Write(events ...anthropicapi.StreamEvent) error {
	if w.out.Ended() {
		return errEnded
	}
	for i := range events {
		dst, err := AppendEvent(w.out.Begin(string(events[i].Type)), &events[i])
		if err != nil {
			return cmp.Or(w.out.Send(), err)
		}
		w.out.Commit(dst)
		if kind := events[i].Type; kind == anthropicapi.EventTypeMessageStop ||
			kind == anthropicapi.EventTypeError {
			return w.out.End()
		}
	}
	return w.out.Send()
}

// Ping writes an event that says nothing, so that clients know that the connection is alive.
func (w *StreamWriter) Ping() error {
	return w.Write(anthropicapi.StreamEvent{Type: anthropicapi.EventTypePing})
}

// Fail ends the body of a stream that failed, with an event of type error in place of what is
// missing. A body without a type gets that type.
func (w *StreamWriter) Fail(body *anthropicapi.ErrorResponse) error {
	if w.out.Ended() {
		return errEnded
	}
	if body != nil && body.Type == "" {
		typed := *body
		typed.Type, body = string(anthropicapi.EventTypeError), &typed
	}
	data, err := EncodeErrorResponse(body)
	if err != nil {
		return err
	}
	w.out.Commit(append(w.out.Begin(string(anthropicapi.EventTypeError)), data...))
	return w.out.End()
}
