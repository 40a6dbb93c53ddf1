package chatupstream

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/recording"
)

// Doer sends requests of Gemini's API to a server of OpenAI's. Its members are not changed when it
// is in use, by any number of goroutines.
type Doer struct {
	// Address is that of the server, in front of /chat/completions: "https://server.example/v1".
	Address string
	// Below sends the requests. Its answers have the status 200 or one of an error, and their sizes
	// are limited.
	Below gemini.Doer
	// Extensions sends what OpenAI's API has no place for as members that only gemwire and Google
	// know.
	Extensions bool
	// Accumulated says that each delta of a stream has all of the text so far.
	Accumulated bool
	// Older says that the server takes max_tokens in place of max_completion_tokens, and no
	// allowed_tools.
	Older bool
	// EffortWithTools says that the server takes functions with any reasoning effort.
	EffortWithTools bool
	// Estimates counts tokens by a guess; otherwise they are not counted.
	Estimates bool
}

// The headers of answers.
const (
	// HeaderLosses counts what was lost of a request.
	HeaderLosses = "X-Gemwire-Losses"
	// HeaderEstimated says that tokens were not counted but guessed.
	HeaderEstimated = "X-Gemwire-Estimated"
)

// Watch is what a request asks for besides its answer.
type Watch struct {
	// Strict refuses a request of which anything would be lost.
	Strict bool
	// Asked is told what became of a request before it is sent, and Answered of an answer at its
	// end. They may be nil.
	Asked, Answered func(report.Report)
	// Recorders are told what the server is asked and answers. They may be nil.
	Recorders *recording.Recorders
}

type watchKey struct{}

// WithWatch returns a context for a request that is watched.
func WithWatch(ctx context.Context, w *Watch) context.Context {
	return context.WithValue(ctx, watchKey{}, w)
}

// watchOf returns what a request asks for.
func watchOf(ctx context.Context) *Watch {
	w, _ := ctx.Value(watchKey{}).(*Watch)
	if w == nil {
		w = &Watch{}
	}
	return w
}

func (w *Watch) asked(report report.Report) {
	if w.Asked != nil {
		w.Asked(report)
	}
}

func (w *Watch) answered(report report.Report) {
	if w.Answered != nil {
		w.Answered(report)
	}
}

// wantsBodies reports whether somebody is told what passes.
func (w *Watch) wantsBodies() bool { return w.Recorders != nil && w.Recorders.WantsBodies() }

// sent tells what the server is asked.
func (w *Watch) sent(r *http.Request, body []byte) {
	if w.wantsBodies() {
		w.Recorders.Request(exchange.Upstream, exchange.Request{
			Method: r.Method, URL: r.URL.String(), Header: r.Header, Body: body,
		})
	}
}

// came tells what the server answers, with its body where it is no stream.
func (w *Watch) came(reply *http.Response, body []byte) {
	if w.wantsBodies() {
		w.Recorders.Response(exchange.Upstream,
			exchange.Response{Status: reply.StatusCode, Header: reply.Header, Body: body})
	}
}

// chunk tells of an event of a stream.
func (w *Watch) chunk(data []byte) {
	if w.wantsBodies() && len(data) > 0 {
		w.Recorders.Chunk(exchange.Upstream, data)
	}
}

// Do answers a request of Gemini's API.
func (d *Doer) Do(r *http.Request) (*http.Response, error) {
	op := d.operationOf(r)
	serve, known := operations[operationKey{r.Method, op.verb}]
	if !known || op.model == "" && op.verb != verbModels {
		return failed(r, unimplemented(r.Method, op.path)), nil
	}
	c := &call{Doer: d, request: r, op: op, watch: watchOf(r.Context())}
	reply, err := serve(c)
	if refusal, ok := err.(*refusalError); ok {
		return failed(r, refusal.reply), nil
	}
	return reply, err
}

// askedPath returns the path that the client asked for, which the address of the server was put in
// front of.
func (d *Doer) askedPath(path string) string {
	if address, err := url.Parse(d.Address); err == nil {
		path = strings.TrimPrefix(path, strings.TrimSuffix(address.EscapedPath(), "/"))
	}
	return path
}

// operation is what a path of Gemini's API asks for.
type operation struct {
	path, model, verb string // The path is that which the client asked for.
}

// The operations without a verb in their path.
const (
	verbModels = "models"
	verbModel  = "model"
)

type operationKey struct{ method, verb string }

// operations answer. It is never written to.
var operations = map[operationKey]func(*call) (*http.Response, error){
	{http.MethodPost, "generateContent"}:       (*call).generate,
	{http.MethodPost, "streamGenerateContent"}: (*call).generate,
	{http.MethodPost, "countTokens"}:           (*call).countTokens,
	{http.MethodPost, "embedContent"}:          (*call).embed,
	{http.MethodPost, "batchEmbedContents"}:    (*call).embedBatch,
	{http.MethodGet, verbModels}:               (*call).listModels,
	{http.MethodGet, verbModel}:                (*call).model,
}

// operationOf reads a path, whose last segments are models/NAME:VERB. Names may have slashes and
// colons, as those of OpenRouter and of Ollama do.
func (d *Doer) operationOf(r *http.Request) operation {
	op := operation{path: d.askedPath(r.URL.EscapedPath())}
	_, rest, isOfModels := strings.Cut(op.path, "/models")
	if !isOfModels {
		return op
	}
	if rest == "" || rest == "/" {
		op.verb = verbModels
		return op
	}
	name, verb := strings.TrimPrefix(rest, "/"), verbModel
	if at := strings.LastIndexByte(name, ':'); r.Method != http.MethodGet && at >= 0 {
		name, verb = name[:at], name[at+1:]
	}
	if model, err := url.PathUnescape(name); err == nil {
		op.model, op.verb = model, verb
	}
	return op
}

// call is one request on its way.
type call struct {
	*Doer
	request *http.Request
	op      operation
	watch   *Watch
}

// asked reads the body of the request, which is not there where the client sent none.
func (c *call) asked() ([]byte, error) {
	if c.request.Body == nil {
		return nil, nil
	}
	return readAll(c.request.Body)
}

// readAll reads a body whole.
func readAll(body io.ReadCloser) ([]byte, error) {
	defer func() { _ = body.Close() }()
	return io.ReadAll(body)
}

// send sends a request to the server. An answer that is none of success is a *refusalError.
func (c *call) send(method, path string, body []byte) (*http.Response, error) {
	ctx, cancel := c.context()
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.Address, "/")+path,
		bytes.NewReader(body))
	if err != nil {
		cancel()
		return nil, fmt.Errorf("chatupstream: %w", err)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("User-Agent", "gemwire")
	if key := keyOf(c.request.Header); key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	c.watch.sent(request, body)
	reply, err := c.Below.Do(request)
	if err != nil {
		cancel()
		return nil, err
	}
	reply.Body = &cancelBody{reply.Body, cancel}
	if reply.StatusCode == http.StatusOK {
		return reply, nil
	}
	said := c.readError(reply)
	return nil, &refusalError{reverse.DecodeError(reply.StatusCode, reply.Header, said)}
}

// maxErrorSize is how much of the body of an error is read.
const maxErrorSize = 1 << 20

// readError reads an error, as much of it as comes.
func (c *call) readError(reply *http.Response) []byte {
	defer func() { _ = reply.Body.Close() }()
	body, _ := io.ReadAll(io.LimitReader(reply.Body, maxErrorSize))
	c.watch.came(reply, body)
	return body
}

// read reads an answer whole.
func (c *call) read(reply *http.Response) ([]byte, error) {
	body, err := readAll(reply.Body)
	c.watch.came(reply, body)
	return body, err
}

// keyOf returns the key of a request.
func keyOf(header http.Header) string {
	bearer, _ := strings.CutPrefix(header.Get("Authorization"), "Bearer ")
	return cmp.Or(header.Get("X-Goog-Api-Key"), bearer)
}

// context returns the context of a request, which ends at the time that Google's SDKs ask for.
func (c *call) context() (context.Context, context.CancelFunc) {
	seconds, err := strconv.ParseFloat(c.request.Header.Get("X-Server-Timeout"), 64)
	if err != nil || seconds <= 0 || seconds > 86400 {
		return context.WithCancel(c.request.Context())
	}
	return context.WithTimeout(c.request.Context(), time.Duration(seconds*float64(time.Second)))
}

// cancelBody ends the request when its answer is closed.
type cancelBody struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b *cancelBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}
