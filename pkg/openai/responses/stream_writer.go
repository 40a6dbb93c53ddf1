package responses

import (
	"bytes"
	"cmp"
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/option"
)

// StreamWriter writes the body of a streamed response: server-sent events, each with its type as
// its name and its data on one line. What one call writes is flushed at its end if the writer below
// is one of net/http, or has a method Flush. It is not safe for use by several goroutines.
type StreamWriter struct {
	out      eventstream.Writer
	withMark bool
}

// WriterOption changes how a [StreamWriter] writes.
type WriterOption func(*StreamWriter)

// WithDoneMark has the stream end with the mark [DONE], which the specification Open Responses
// demands. OpenAI's own server sends none; without this option there is none.
func WithDoneMark() WriterOption { return func(w *StreamWriter) { w.withMark = true } }

// sentAtOnce is the size from which on events are sent before the next is written, so that the
// whole text, which the last events of a message repeat, is not kept for each of them.
const sentAtOnce = 16 << 10

// errEnded is what writing more returns behind the end.
var errEnded = errors.New("responses: the stream has ended")

// NewStreamWriter returns a writer to w. It writes nothing yet.
func NewStreamWriter(w io.Writer, opts ...WriterOption) *StreamWriter {
	s := &StreamWriter{out: eventstream.NewWriter(w, "responses")}
	option.Apply(s, opts)
	return s
}

// Write writes the events. Behind response.completed, response.incomplete and response.failed the
// stream has ended. The error is that of the writer below, or an *[wire.EncodeError] for an event
// that cannot be written as JSON, of which nothing is written.
func (w *StreamWriter) Write(events ...openaiapi.ResponseEvent) error {
	if w.out.Ended() {
		return errEnded
	}
	for i := range events {
		dst, err := AppendEvent(w.out.Begin(string(events[i].Type)), &events[i])
		if err != nil {
			return cmp.Or(w.out.Send(), err)
		}
		w.out.Commit(escapeLineBreaks(dst))
		if IsTerminal(events[i].Type) {
			return w.end()
		}
		if len(dst) > sentAtOnce {
			if err := w.out.Send(); err != nil {
				return err
			}
		}
	}
	return w.out.Send()
}

// Fail ends the body of a stream that failed before it had a response, with an event of type error
// alone.
func (w *StreamWriter) Fail(e openaiapi.ResponseEvent) error {
	if err := w.Write(e); err != nil {
		return err
	}
	return w.end()
}

// end sends what is left, and the mark where it is asked for.
func (w *StreamWriter) end() error {
	if w.withMark {
		w.out.Mark(eventstream.DoneMark)
	}
	return w.out.End()
}

// escapeLineBreaks escapes what some readers of lines break at and an event stream does not:
// U+0085, U+2028 and U+2029. In JSON they stand within strings alone.
func escapeLineBreaks(data []byte) []byte {
	for i := range lineBreaks {
		if bytes.Contains(data, lineBreaks[i].text) {
			data = bytes.ReplaceAll(data, lineBreaks[i].text, lineBreaks[i].escaped)
		}
	}
	return data
}

// lineBreaks are never written to.
var lineBreaks = [...]struct{ text, escaped []byte }{
	{[]byte("\u0085"), []byte(`\u0085`)},
	{[]byte("\u2028"), []byte(`\u2028`)},
	{[]byte("\u2029"), []byte(`\u2029`)},
}
