package reverse

import (
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	answers "github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// WriteStream converts a whole stream, as it comes, into the body of a streamGenerateContent answer
// of server-sent events. It returns the report of [Stream.Report].
//
//	in := openai.NewStreamReader(body, openai.WithForeignChunks())
//	report, err := reverse.WriteStream(w, in.All())
//
// Where the stream fails, the body ends in an error object, and the error is returned. An error of
// w is returned too, and then nothing more is read.
func WriteStream(w io.Writer,
	chunks iter.Seq2[*openaiapi.CreateChatCompletionStreamResponse, error],
	opts ...Option) (report.Report, error) {
	s := NewStream(opts...)
	out := gemini.NewStreamWriter(w)
	if err := answers.Write(s, chunks, body{out}); err != nil {
		return s.Report(), err
	}
	return s.Report(), out.Done()
}

// body is that of a stream of Gemini's.
type body struct{ *gemini.StreamWriter }

func (b body) Fail(failure error) error {
	return b.StreamWriter.Fail(ErrorBody(FromError(failure)))
}
