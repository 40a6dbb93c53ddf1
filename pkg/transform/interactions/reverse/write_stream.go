package reverse

import (
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	answers "github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// WriteStream converts a whole stream, as it arrives, to the body of a streamGenerateContent
// response as server-sent events. It returns the report of [Stream.Report].
//
//	in := interactions.NewStreamReader(body)
//	report, err := reverse.WriteStream(w, in.All())
//
// If the stream fails, the body ends in an error object, and WriteStream returns the error. It also
// returns an error of w, and stops reading.
func WriteStream(w io.Writer, events iter.Seq2[*interactionsapi.StreamEvent, error],
	opts ...Option) (report.Report, error) {
	s := NewStream(opts...)
	s.reused = &chunkMemory{} // a chunk is written before the next one
	out := gemini.NewStreamWriter(w)
	if err := answers.Write(s, events, body{out}); err != nil {
		return s.Report(), err
	}
	return s.Report(), out.Done()
}

// body is the body of a Gemini stream.
type body struct{ *gemini.StreamWriter }

func (b body) Fail(failure error) error {
	return b.StreamWriter.Fail(ErrorBody(FromError(failure)))
}
