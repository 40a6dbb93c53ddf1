package messages

import (
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// WriteStream converts a whole stream, as it arrives, to the body of a streamed message. It returns
// the report of [Stream.Report].
//
//	in := gemini.NewStreamReader(body)
//	report, err := messages.WriteStream(w, in.All(), messages.WithRequest(request))
//
// If the stream fails, the body ends in an error event instead of message_stop. WriteStream then
// returns a *[normalize.Error], or an *[wire.EncodeError] for an event that cannot be written as
// JSON. It also returns an error of w, and stops reading.
func WriteStream(w io.Writer, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error],
	opts ...Option) (report.Report, error) {
	scratch := scratches.Get().(*scratch)
	s := scratch.begin(opts)
	err := answer.Write(s, chunks, body{anthropic.NewStreamWriter(w)})
	report := s.Report()
	scratch.end()
	return report, err
}

// body is the body of a streamed message.
type body struct{ *anthropic.StreamWriter }

func (b body) Fail(failure error) error {
	_, body := FromError(failure)
	return b.StreamWriter.Fail(body)
}
