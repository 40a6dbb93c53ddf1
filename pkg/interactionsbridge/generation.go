package interactionsbridge

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse/request"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// sleeper waits, or returns the error of the context if that ends first.
type sleeper = func(ctx context.Context, wait time.Duration) error

// generation is a request to generate content while it is answered.
type generation struct {
	*doer
	http    *http.Request
	target  target
	client  *gemini.Client
	request report.Report // of the conversion of the request
	thinks  bool          // the client wants thoughts
}

// answer sends the request and returns the reply. A failure that the server reports is a
// *[gemini.Error].
func (g *generation) answer(body []byte) (*http.Response, error) {
	in, err := gemini.DecodeRequest(body)
	if err != nil {
		return nil, invalid(err)
	}
	out, err := g.convert(in)
	if err != nil {
		return nil, err
	}
	if g.target.isStream {
		return g.stream(out)
	}
	return g.whole(out)
}

// convert converts the request.
func (g *generation) convert(in *geminiapi.GenerateContentRequest) (
	*interactionsapi.CreateInteractionRequest, error) {
	opts := []request.Option{request.ForModel(g.target.model), request.ForTime(g.now())}
	if interactions.IsAgent(g.target.model) {
		opts = []request.Option{request.ForAgent(g.target.model), request.ForTime(g.now()),
			request.WithBackground(), request.WithStore()}
	}
	if jsonx.Deref(in.Store) {
		opts = append(opts, request.WithStore())
	}
	if g.target.project != "" {
		opts = append(opts, request.ForVertexAI())
	}
	if config := in.GenerationConfig; config != nil && config.ThinkingConfig != nil {
		g.thinks = jsonx.Deref(config.ThinkingConfig.IncludeThoughts)
	}
	out, entries, err := request.FromGemini(in, opts...)
	g.request = entries
	watch := watchOf(g.http.Context())
	if watch.Request != nil {
		watch.Request(entries)
	}
	if err == nil && (g.strict || watch.Strict) {
		err = entries.Strict()
	}
	if err != nil {
		return nil, invalid(err)
	}
	return out, nil
}

// options are the options of the conversion of the answer. Gemini sends thoughts only to clients
// that ask for them.
func (g *generation) options() []reverse.Option {
	if g.thinks {
		return nil
	}
	return []reverse.Option{reverse.WithoutThoughts()}
}

// whole answers with a whole response.
func (g *generation) whole(out *interactionsapi.CreateInteractionRequest) (*http.Response, error) {
	interaction, err := g.create(out)
	if failed, ok := errors.AsType[*gemini.Error](err); ok && isBlocked(failed) {
		return g.wholeReply(reverse.BlockedAnswer(failed))
	}
	if err != nil {
		return nil, err
	}
	answer, entries, err := reverse.ToGemini(interaction, g.options()...)
	g.reported(entries)
	if err != nil {
		return nil, reverse.FromError(err)
	}
	return g.wholeReply(answer)
}

// isBlocked reports whether a filter refused the prompt. Gemini answers this with a response.
func isBlocked(e *gemini.Error) bool { return e.Reason() == interactions.CodeContentBlocked }

// wholeReply returns the reply with a whole answer.
func (g *generation) wholeReply(answer *geminiapi.GenerateContentResponse) (*http.Response, error) {
	body, err := gemini.EncodeResponse(answer)
	if err != nil {
		return nil, err
	}
	return newReply(g.http, http.StatusOK, contentTypeJSON, io.NopCloser(bytes.NewReader(body)),
		int64(len(body))), nil
}

// create returns the interaction after its end.
func (g *generation) create(out *interactionsapi.CreateInteractionRequest) (
	*interactionsapi.Interaction, error) {
	ctx := g.http.Context()
	interaction, err := g.client.Interactions.Create(ctx, out)
	if err != nil || !jsonx.Deref(out.Background) {
		return interaction, err
	}
	id := jsonx.Deref(interaction.ID)
	defer g.clean(id, func() bool { return err != nil })
	interaction, err = g.client.Interactions.Wait(ctx, id)
	return interaction, err
}

// cleanTime is how long cancelling and deleting an interaction may take.
const cleanTime = 10 * time.Second

// clean cancels a background interaction that is still running, and deletes it.
func (g *generation) clean(id string, isRunning func() bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(g.http.Context()), cleanTime)
	defer cancel()
	if isRunning() {
		_, _ = g.client.Interactions.Cancel(ctx, id) // it may have ended in the meantime
	}
	_ = g.client.Interactions.Delete(ctx, id) // Google deletes it later
}

// reported reports what the conversions lost.
func (g *generation) reported(answer report.Report) {
	if g.report != nil {
		g.report(g.request, answer)
	}
	if watch := watchOf(g.http.Context()); watch.Answer != nil {
		watch.Answer(answer)
	}
}

// invalid returns the error of a request that cannot be converted.
func invalid(err error) *gemini.Error {
	return &gemini.Error{HTTPStatus: http.StatusBadRequest,
		Status: geminiapi.ErrorStatusInvalidArgument, Message: err.Error()}
}

const contentTypeJSON = "application/json; charset=UTF-8"

// errorReply returns an error as a reply of Gemini's API.
func errorReply(r *http.Request, e *gemini.Error) *http.Response {
	body, err := json.Marshal(reverse.ErrorBody(e), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		body = []byte(`{"error":{"code":500,"status":"INTERNAL"}}`)
	}
	status := e.HTTPStatus
	if status < http.StatusBadRequest {
		status = http.StatusInternalServerError
	}
	reply := newReply(r, status, contentTypeJSON, io.NopCloser(bytes.NewReader(body)),
		int64(len(body)))
	if e.RetryAfter > 0 {
		seconds := int(math.Ceil(e.RetryAfter.Seconds()))
		reply.Header.Set("Retry-After", strconv.Itoa(seconds))
	}
	return reply
}

func newReply(r *http.Request, status int, contentType string, body io.ReadCloser,
	size int64) *http.Response {
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor: 1, Header: http.Header{"Content-Type": {contentType}}, Body: body,
		ContentLength: size, Request: r,
	}
}

var errClosed = errors.New("interactionsbridge: the body is closed")
