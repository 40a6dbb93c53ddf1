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
// its name and its data on one line. Each call flushes at its end if the underlying writer is from
// net/http or has a method Flush. It is not safe for use by several goroutines.
type StreamWriter struct {
	out      eventstream.Writer
	withMark bool
}

// WriterOption changes how a [StreamWriter] writes.
type WriterOption func(*StreamWriter)

// WithDoneMark ends the stream with the mark [DONE], which the specification Open Responses
// requires. By default the writer omits it, like OpenAI's own server.
func WithDoneMark() WriterOption { return func(w *StreamWriter) { w.withMark = true } }

// sentAtOnce is the minimum size of events that are sent before the next is written. The last
// events of a message repeat the whole text, which the buffer should not hold for each of them.
const sentAtOnce = 16 << 10

// errEnded is returned by writes after the end.
var errEnded = errors.New("responses: the stream has ended")

// NewStreamWriter returns a writer to w. It writes nothing yet.
func NewStreamWriter(w io.Writer, opts ...WriterOption) *StreamWriter {
	s := &StreamWriter{out: eventstream.NewWriter(w, "responses")}
	option.Apply(s, opts)
	return s
}

// Write writes the events. The stream ends after response.completed, response.incomplete and
// response.failed. Write returns the error of the underlying writer. If an event cannot be written
// as JSON, it returns an *[wire.EncodeError] and writes nothing of that event.
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

// Fail ends the body of a stream that failed before it had a response, with a single event of type
// error.
func (w *StreamWriter) Fail(e openaiapi.ResponseEvent) error {
	if err := w.Write(e); err != nil {
		return err
	}
	return w.end()
}

// end sends the buffered data, and the mark if requested.
func (w *StreamWriter) end() error {
	if w.withMark {
		w.out.Mark(eventstream.DoneMark)
	}
	return w.out.End()
}

// escapeLineBreaks escapes U+0085, U+2028 and U+2029. They do not end a line of an event stream,
// but some line readers break there. JSON has them only within strings.
func escapeLineBreaks(data []byte) []byte {
	for i := range lineBreaks {
		if bytes.Contains(data, lineBreaks[i].text) {
			data = bytes.ReplaceAll(data, lineBreaks[i].text, lineBreaks[i].escaped)
		}
	}
	return data
}

// lineBreaks are never modified.
var lineBreaks = [...]struct{ text, escaped []byte }{
	{[]byte("\u0085"), []byte(`\u0085`)},
	{[]byte("\u2028"), []byte(`\u2028`)},
	{[]byte("\u2029"), []byte(`\u2029`)},
}
