package responses

import (
	"cmp"
	"errors"

	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	responseswire "github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
)

// WriteStream converts a whole stream, as it comes, into the body of a streamed response. It returns the report of
// [Stream.Report].
//
//	in := gemini.NewStreamReader(body)
//	report, err := responses.WriteStream(w, in.All(), responses.WithRequest(request))
//
// Where the stream fails, the body ends in an event of type error and a failed response, and the error is returned: a
// *[normalize.Error], or an *[wire.EncodeError] for an event that cannot be written as JSON. An error of w is
// returned too, and then nothing more is read.
func WriteStream(w io.Writer, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error], opts ...Option) (report.Report, error) {
	s := NewStream(opts...)
	err := writeStream(responseswire.NewStreamWriter(w), s, chunks)
	return s.Report(), err
}

// writeStream writes the body that a stream makes of chunks.
func writeStream(w *responseswire.StreamWriter, s *Stream, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error]) error {
	for c, failure := range chunks {
		if failure != nil {
			out, err := s.Close(failure)
			return s.write(w, out, err)
		}
		out, err := s.Push(c)
		if err := s.write(w, out, err); err != nil {
			return err
		}
	}
	out, err := s.Close(nil)
	return s.write(w, out, err)
}

// write writes events, and where one cannot be written ends the body, if it can.
func (s *Stream) write(w *responseswire.StreamWriter, events []openaiapi.ResponseEvent, failure error) error {
	err := w.Write(events...)
	if err == nil {
		return failure
	}
	if _, isUnwritten := errors.AsType[*wire.EncodeError](err); !isUnwritten {
		return err
	}
	failed := responseswire.ErrorEvent(s.encoder.events, *serverError("an event could not be written"))
	return cmp.Or(w.Fail(failed), err)
}
