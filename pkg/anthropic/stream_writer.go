package anthropic

import (
	"cmp"
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/eventstream"
)

// StreamWriter writes the body of a streamed message: server-sent events, each with the name of its
// type, without which Anthropic's clients skip it. Each call flushes at its end if the underlying
// writer is from net/http or has a method Flush. It is not safe for use by several goroutines.
type StreamWriter struct {
	out eventstream.Writer
}

// errEnded is returned by writes after the end.
var errEnded = errors.New("anthropic: the stream has ended")

// NewStreamWriter returns a writer to w. It writes nothing yet.
func NewStreamWriter(w io.Writer) *StreamWriter {
	return &StreamWriter{out: eventstream.NewWriter(w, "anthropic")}
}

// Write writes the events. The stream ends after message_stop and after an event of type error.
// Write returns the error of the underlying writer. If an event cannot be written as JSON, it
// returns an *[wire.EncodeError] and writes nothing of that event.
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

// Ping writes an event without content, so that clients know that the connection is alive.
func (w *StreamWriter) Ping() error {
	return w.Write(anthropicapi.StreamEvent{Type: anthropicapi.EventTypePing})
}

// Fail ends the body of a failed stream with an event of type error. It sets the type of the body
// if the type is missing.
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
