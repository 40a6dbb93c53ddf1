// Package back converts between Gemini's clients and Google's Interactions API: Gemini's requests
// to interactions, and interactions back to Gemini's API. With it a program that speaks
// generateContent, and every form that is converted to it, reaches models and agents that only the
// Interactions API has. Package forms offers it to the command.
package back

import (
	"io"
	"iter"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse/request"
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
	data, err := interactions.EncodeRequest(out)
	return data, entries, err
}

func answer(data []byte, o *transform.Options) (*geminiapi.GenerateContentResponse, report.Report,
	error) {
	in, err := interactions.DecodeResponse(data)
	if err != nil {
		return nil, nil, err
	}
	return reverse.ToGemini(in, options(o)...)
}

func options(o *transform.Options) []reverse.Option {
	opts := []reverse.Option{reverse.WithModelName(o.Model), reverse.WithID(o.ID)}
	if o.WithoutExtensions {
		opts = append(opts, reverse.WithoutExtensions())
	}
	if o.LossesOnly {
		opts = append(opts, reverse.WithLossesOnly())
	}
	return opts
}

// stream implements [transform.BackStream].
type stream struct {
	body   *interactions.StreamReader
	events *reverse.Stream
}

func newStream(r io.Reader, o *transform.Options) transform.BackStream {
	return &stream{
		body:   interactions.NewStreamReader(r),
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
