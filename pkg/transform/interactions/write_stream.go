package interactions

import (
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// WriteStream converts a whole stream, as it arrives, to the body of a streamed interaction. It
// returns the report of [Stream.Report].
//
//	in := gemini.NewStreamReader(body)
//	report, err := interactions.WriteStream(w, in.All(), interactions.WithRequest(request))
//
// If the stream fails, the body ends in an error event instead of interaction.completed.
// WriteStream then returns a *[normalize.Error], or an *[wire.EncodeError] for an event that
// cannot be written as JSON. It also returns an error of w, and stops reading.
func WriteStream(w io.Writer, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error],
	opts ...Option) (report.Report, error) {
	scratch := scratches.Get().(*scratch)
	s := scratch.begin(opts)
	err := answer.Write(s, chunks, body{wire.NewStreamWriter(w)})
	report := s.Report()
	scratch.end()
	return report, err
}

// body is the body of a streamed interaction.
type body struct{ *wire.StreamWriter }

func (b body) Fail(failure error) error {
	_, body := FromError(failure)
	return b.StreamWriter.Fail(body)
}
