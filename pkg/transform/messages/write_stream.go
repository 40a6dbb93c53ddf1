package messages

import (
	"cmp"
	"errors"
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
)

// WriteStream converts a whole stream, as it comes, into the body of a streamed message. It returns the report of
// [Stream.Report].
//
//	in := gemini.NewStreamReader(body)
//	report, err := messages.WriteStream(w, in.All(), messages.WithRequest(request))
//
// Where the stream fails, the body ends in an event of type error in place of message_stop, and the error is
// returned: a *[normalize.Error], or an *[wire.EncodeError] for an event that cannot be written as JSON. An error of w
// is returned too, and then nothing more is read.
func WriteStream(w io.Writer, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error], opts ...Option) (report.Report, error) {
	room := scratches.Get().(*scratch)
	s := room.begin(opts)
	err := writeStream(anthropic.NewStreamWriter(w), s, chunks)
	report := s.Report()
	room.end()
	return report, err
}

// writeStream writes the body that a stream makes of chunks.
func writeStream(w *anthropic.StreamWriter, s *Stream, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error]) error {
	for c, failure := range chunks {
		if failure != nil {
			out, err := s.Close(failure)
			return writeEvents(w, out, err)
		}
		out, err := s.Push(c)
		if err := writeEvents(w, out, err); err != nil {
			return err
		}
	}
	out, err := s.Close(nil)
	return writeEvents(w, out, err)
}

// writeEvents writes what a stream returned, and when that or the writing failed ends the body, if it can.
func writeEvents(w *anthropic.StreamWriter, events []anthropicapi.StreamEvent, failure error) error {
	err := w.Write(events...)
	if _, unwritten := errors.AsType[*wire.EncodeError](err); err != nil && !unwritten {
		return err
	}
	if failure = cmp.Or(err, failure); failure == nil {
		return nil
	}
	_, body := FromError(failure)
	if err := w.Fail(body); err != nil {
		return errors.Join(failure, err)
	}
	return failure
}
