package chat

import (
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// WriteStream converts a whole stream, as it arrives, to the body of a streamed completion. It
// returns the report of [Stream.Report].
//
//	in := gemini.NewStreamReader(body)
//	report, err := chat.WriteStream(w, in.All(), chat.WithUsage())
//
// If the stream fails, the body ends in an error object instead of [DONE]. WriteStream then returns
// a *[normalize.Error], or an *[wire.EncodeError] for a chunk that cannot be written as JSON. It
// also returns an error of w, and stops reading.
func WriteStream(w io.Writer, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error],
	opts ...Option) (report.Report, error) {
	scratch := scratches.Get().(*scratch)
	s := scratch.begin(opts)
	out := openai.NewStreamWriter(w)
	err := answer.Write(s, chunks, body{out})
	if err == nil {
		err = out.Done()
	}
	report := s.Report()
	scratch.end()
	return report, err
}

// body is the body of a streamed completion, without the mark [DONE].
type body struct{ *openai.StreamWriter }

func (b body) Fail(failure error) error {
	_, body := FromError(failure)
	return b.StreamWriter.Fail(body)
}
