package chat

import (
	"cmp"
	"errors"
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
)

// WriteStream converts a whole stream, as it comes, into the body of a streamed completion. It
// returns the report of [Stream.Report].
//
//	in := gemini.NewStreamReader(body)
//	report, err := chat.WriteStream(w, in.All(), chat.WithUsage())
//
// Where the stream fails, the body ends in an error object instead of [DONE], and the error is
// returned: a *[normalize.Error], or an *[wire.EncodeError] for a chunk that cannot be written as JSON. An
// error of w is returned too, and then nothing more is read.
func WriteStream(w io.Writer, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error], opts ...Option) (report.Report, error) {
	room := scratches.Get().(*scratch)
	s := room.begin(opts)
	err := writeStream(openai.NewStreamWriter(w), s, chunks)
	report := s.Report()
	room.end()
	return report, err
}

// writeStream writes the body that a stream makes of chunks.
func writeStream(w *openai.StreamWriter, s *Stream, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error]) error {
	for c, failure := range chunks {
		if failure != nil {
			return writeEnd(w, s, failure)
		}
		out, err := s.Push(c)
		if err := writeChunks(w, out, err); err != nil {
			return err
		}
	}
	return writeEnd(w, s, nil)
}

// writeEnd ends a stream and the body.
func writeEnd(w *openai.StreamWriter, s *Stream, failure error) error {
	out, err := s.Close(failure)
	if err := writeChunks(w, out, err); err != nil {
		return err
	}
	return w.Done()
}

// writeChunks writes what a stream returned, and when that or the writing failed ends the body, if it can.
func writeChunks(w *openai.StreamWriter, chunks []chunk, failure error) error {
	err := w.Write(chunks...)
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
