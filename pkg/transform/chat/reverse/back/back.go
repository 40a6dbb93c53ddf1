// Package back converts between Gemini's clients and servers of chat_completions: Gemini's requests
// to chat_completions, and the answers back to Gemini's API. Package forms offers it to the
// command.
package back

import (
	"io"
	"iter"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
)

// New returns the conversions.
func New() *transform.Back {
	return &transform.Back{Request: fromRequest, Answer: answer, Stream: newStream}
}

func fromRequest(r *geminiapi.GenerateContentRequest, o *transform.Options) ([]byte, report.Report,
	error) {
	opts := []request.Option{request.ForModel(o.Model)}
	if o.WithoutExtensions {
		opts = append(opts, request.WithoutExtensions())
	}
	out, entries, err := request.FromGemini(r, opts...)
	if err != nil {
		return nil, entries, err
	}
	data, err := openai.EncodeRequest(out)
	return data, entries, err
}

func answer(data []byte, o *transform.Options) (*geminiapi.GenerateContentResponse, report.Report,
	error) {
	completion, decoded, err := openai.DecodeForeignResponse(data)
	if err != nil {
		return nil, decoded, err
	}
	out, entries, err := reverse.ToGemini(completion, options(o)...)
	return out, slices.Concat(decoded, entries), err
}

func options(o *transform.Options) []reverse.Option {
	opts := []reverse.Option{reverse.WithModelName(o.Model), reverse.WithID(o.ID)}
	if o.LossesOnly {
		opts = append(opts, reverse.WithLossesOnly())
	}
	return opts
}

// stream implements [transform.BackStream].
type stream struct {
	body   *openai.StreamReader
	events *reverse.Stream
}

func newStream(r io.Reader, o *transform.Options) transform.BackStream {
	return &stream{
		body:   openai.NewStreamReader(r, openai.WithForeignChunks()),
		events: reverse.NewStream(options(o)...),
	}
}

func (s *stream) Chunks() iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for chunk, err := range s.events.Chunks(s.body.All()) {
			if !yield(chunk, err) || err != nil {
				return
			}
		}
		if err := s.body.CheckEnd(); err != nil {
			yield(nil, err)
		}
	}
}

func (s *stream) Report() report.Report {
	return slices.Concat(s.body.Report(), s.events.Report())
}

func (s *stream) Lost() report.Report { return slices.Concat(s.body.Lost(), s.events.Lost()) }

func (*stream) ErrorBody(err error) *geminiapi.ErrorResponse {
	return reverse.ErrorBody(reverse.FromError(err))
}
