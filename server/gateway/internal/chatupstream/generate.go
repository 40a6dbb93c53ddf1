package chatupstream

import (
	"io"
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
)

// generate answers with the answer of the server's model.
func (c *call) generate() (*http.Response, error) {
	in, err := decode(c, gemini.DecodeRequest)
	if err != nil {
		return nil, err
	}
	g := generation{call: c, in: in, isStream: c.op.verb == "streamGenerateContent"}
	sent, err := g.encode()
	if err != nil {
		return nil, err
	}
	reply, err := c.send(http.MethodPost, "/chat/completions", sent)
	if err != nil {
		return g.blocked(err)
	}
	if g.isStream {
		return g.stream(reply), nil
	}
	return g.whole(reply)
}

// generation is a request for a model's answer.
type generation struct {
	*call
	in       *geminiapi.GenerateContentRequest
	isStream bool
	report   report.Report // of the request
}

// encode returns the request for the server. A loss is an error if the client forbids losses.
func (g *generation) encode() ([]byte, error) {
	opts := []request.Option{request.ForModel(g.op.model)}
	if !g.Extensions {
		opts = append(opts, request.WithoutExtensions())
	}
	if g.isStream {
		opts = append(opts, request.WithStream())
	}
	if g.Older {
		opts = append(opts, request.WithMaxTokens(), request.WithoutAllowedTools())
	}
	if g.EffortWithTools {
		opts = append(opts, request.WithEffortDespiteTools())
	}
	out, report, err := request.FromGemini(g.in, opts...)
	g.report = report
	if err == nil && g.watch.Strict {
		err = report.Strict()
	}
	g.watch.asked(report)
	if err != nil {
		return nil, invalid(err)
	}
	data, err := openai.EncodeRequest(out)
	if err != nil {
		return nil, invalid(err)
	}
	return data, nil
}

// options returns the options of the answer. Gemini sends thoughts only to clients that ask for
// them.
func (g *generation) options() []reverse.Option {
	var opts []reverse.Option
	if !g.Extensions {
		opts = append(opts, reverse.WithOriginalNames(request.OriginalNames(g.in)))
	}
	if g.Accumulated {
		opts = append(opts, reverse.WithAccumulatedDeltas())
	}
	config := jsonx.Deref(g.in.GenerationConfig)
	if !jsonx.Deref(jsonx.Deref(config.ThinkingConfig).IncludeThoughts) {
		opts = append(opts, reverse.WithoutThoughts())
	}
	if jsonx.Deref(config.ResponseMIMEType) == "text/x.enum" {
		opts = append(opts, reverse.WithWrappedValue(request.WrappedMember))
	}
	return opts
}

// blocked returns Gemini's answer for a prompt that a filter of the server refused. Otherwise it
// returns the error.
func (g *generation) blocked(err error) (*http.Response, error) {
	refusal, ok := err.(*refusalError)
	if !ok || !reverse.IsBlockedPrompt(refusal.reply) {
		return nil, err
	}
	answer := reverse.BlockedAnswer(refusal.reply)
	if !g.isStream {
		return answerWith(g.request, answer)
	}
	body := &streamBody{out: g.writerOptions()}
	body.begin()
	_ = body.writer.Write(answer)
	body.finish(io.EOF)
	return g.head(newReply(g.request, http.StatusOK, g.contentType(), body, -1)), nil
}

// head sets the headers of an answer.
func (g *generation) head(reply *http.Response) *http.Response {
	reply.Header.Set(HeaderLosses, strconv.Itoa(len(g.report.Of(report.Lost))))
	return reply
}

func (g *generation) whole(reply *http.Response) (*http.Response, error) {
	body, err := g.read(reply)
	if err != nil {
		return nil, err
	}
	completion, ignored, err := openai.DecodeForeignResponse(body)
	if err != nil {
		return nil, &refusalError{newError(http.StatusBadGateway, geminiapi.ErrorStatusUnavailable,
			"the upstream's answer is not a completion: "+err.Error())}
	}
	answer, report, err := reverse.ToGemini(completion, g.options()...)
	g.watch.answered(append(ignored, report...))
	if err != nil {
		return nil, &refusalError{reverse.FromError(err)}
	}
	data, err := gemini.EncodeResponse(answer)
	if err != nil {
		return nil, err
	}
	return g.head(jsonReply(g.request, http.StatusOK, data)), nil
}
