package messages

import (
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// WriteStream converts a whole stream, as it comes, into the body of a streamed message. It returns
// the report of [Stream.Report].
//
//	in := gemini.NewStreamReader(body)
//	report, err := messages.WriteStream(w, in.All(), messages.WithRequest(request))
//
// Where the stream fails, the body ends in an event of type error in place of message_stop, and the
// error is returned: a *[normalize.Error], or an *[wire.EncodeError] for an event that cannot be
// written as JSON. An error of w is returned too, and then nothing more is read.
func WriteStream(w io.Writer, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error],
	opts ...Option) (report.Report, error) {
	scratch := scratches.Get().(*scratch)
	s := scratch.begin(opts)
	err := answer.Write(s, chunks, body{anthropic.NewStreamWriter(w)})
	report := s.Report()
	scratch.end()
	return report, err
}

// body is that of a streamed message.
type body struct{ *anthropic.StreamWriter }

func (b body) Fail(failure error) error {
	_, body := FromError(failure)
	return b.StreamWriter.Fail(body)
}
