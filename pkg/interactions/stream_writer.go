package interactions

import (
	"cmp"
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// StreamWriter writes the body of a streamed interaction: server-sent events, each with the name of
// its event_type, and the mark [DONE] after interaction.completed. Each call flushes at its end if
// the underlying writer is from net/http or has a method Flush. It is not safe for use by several
// goroutines.
type StreamWriter struct {
	out eventstream.Writer
}

// errEnded is returned by writes after the end.
var errEnded = errors.New("interactions: the stream has ended")

// NewStreamWriter returns a writer to w. It writes nothing yet.
func NewStreamWriter(w io.Writer) *StreamWriter {
	return &StreamWriter{out: eventstream.NewWriter(w, "interactions")}
}

// Write writes the events. The stream ends with [DONE] after interaction.completed. It ends without
// [DONE] after an event of type error. Write returns the error of the underlying writer. If an
// event cannot be written as JSON, Write returns an *[wire.EncodeError] and writes nothing of that
// event.
func (w *StreamWriter) Write(events ...interactionsapi.StreamEvent) error {
	if w.out.Ended() {
		return errEnded
	}
	for i := range events {
		kind := events[i].EventType
		dst, err := AppendEvent(w.out.Begin(string(kind)), &events[i])
		if err != nil {
			return cmp.Or(w.out.Send(), err)
		}
		w.out.Commit(dst)
		switch kind {
		case interactionsapi.EventTypeInteractionCompleted:
			w.out.Commit(append(w.out.Begin("done"), eventstream.DoneMark...))
			return w.out.End()
		case interactionsapi.EventTypeError:
			return w.out.End()
		}
	}
	return w.out.Send()
}

// Fail ends the body of a failed stream with an event of type error. Invalid UTF-8 in its texts is
// replaced.
func (w *StreamWriter) Fail(body *interactionsapi.ErrorResponse) error {
	if w.out.Ended() {
		return errEnded
	}
	data, err := EncodeErrorResponse(body)
	if err != nil {
		return err
	}
	data = jsonx.MergeObjects(data, jsonx.Object("event_type", []byte(`"error"`)))
	w.out.Commit(append(w.out.Begin(string(interactionsapi.EventTypeError)), data...))
	return w.out.End()
}
