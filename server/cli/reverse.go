package cli

import (
	"cmp"
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
	reverserequest "github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
)

// back has the conversions from a form's answer and stream to Gemini's, and from Gemini's request
// to the form's. They are nil for a form without these conversions.
type back struct{ request, answer, stream converter }

// reverse returns the conversions back to Gemini's form. Only chat_completions has them, because
// its servers can replace Gemini.
func (t *tables) reverse(f *transform.Form) back {
	if f.Name != "chat_completions" {
		return back{}
	}
	return back{
		request: whole(exactly(gemini.DecodeRequest), fromGeminiRequest, openai.EncodeRequest),
		answer: whole(answers(t, f.Response.Mark, openai.DecodeForeignResponse), fromCompletion,
			gemini.EncodeResponse),
		stream: completionStreamToGemini,
	}
}

func fromGeminiRequest(r *geminiapi.GenerateContentRequest,
	s settings) (*openaiapi.CreateChatCompletionRequest, report.Report, error) {
	opts := []reverserequest.Option{reverserequest.ForModel(s.model)}
	if s.withoutExtensions {
		opts = append(opts, reverserequest.WithoutExtensions())
	}
	out, report, err := reverserequest.FromGemini(r, opts...)
	if refused, ok := errors.AsType[*reverserequest.Error](err); ok &&
		refused.Pointer == "/model" && s.model == "" {
		refused.Problem += "; --model does"
	}
	return out, report, err
}

func fromCompletion(r *openaiapi.CreateChatCompletionResponse,
	s settings) (*geminiapi.GenerateContentResponse, report.Report, error) {
	return reverse.ToGemini(r, reverseOptions(s)...)
}

func reverseOptions(s settings) []reverse.Option {
	opts := []reverse.Option{reverse.WithModelName(s.model), reverse.WithID(s.id)}
	if s.lossesOnly {
		opts = append(opts, reverse.WithLossesOnly())
	}
	return opts
}

// completionStreamToGemini writes server-sent events. A stream that fails ends with an error as its
// last event.
func completionStreamToGemini(in io.Reader, out io.Writer, s settings) (report.Report, error) {
	body := openai.NewStreamReader(in, openai.WithForeignChunks())
	c := completionStream{Stream: reverse.NewStream(reverseOptions(s)...), body: body, out: out,
		settings: s}
	err := c.run()
	report := joined(body.Report(), c.Report())
	if s.lossesOnly {
		report = joined(body.Lost(), c.Lost())
	}
	if err = s.refuseLosses(report, err); err != nil {
		c.fail(err)
	}
	return report, err
}

// completionStream is the conversion of one stream.
type completionStream struct {
	*reverse.Stream
	body     *openai.StreamReader
	out      io.Writer
	settings settings
}

func (c *completionStream) run() error {
	for chunk, err := range c.Chunks(c.body.All()) {
		if err == nil && c.settings.strict {
			err = cmp.Or(c.body.Lost().Strict(), c.Lost().Strict())
		}
		if err != nil {
			return err
		}
		data, err := gemini.EncodeResponse(chunk)
		if err == nil {
			err = writeServerSentEvent(c.out, data)
		}
		if err != nil {
			return err
		}
	}
	return c.body.CheckEnd()
}

// fail writes an error in the format's own form.
func (c *completionStream) fail(err error) {
	_ = gemini.NewStreamWriter(c.out).Fail(reverse.ErrorBody(reverse.FromError(err)))
}
