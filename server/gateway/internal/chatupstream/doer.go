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

// Doer sends requests of Gemini's API to a server of OpenAI's API. It is safe for concurrent use.
// Its fields must not change while it is in use.
type Doer struct {
	// Address is the server's URL before /chat/completions: "https://server.example/v1".
	Address string
	// Below sends the requests. Its answers must have the status 200 or an error status, and
	// limited sizes.
	Below gemini.Doer
	// Extensions sends values that OpenAI's API has no member for, as members that only gemwire and
	// Google know.
	Extensions bool
	// Accumulated says that each stream delta contains the whole text so far.
	Accumulated bool
	// Older says that the server expects max_tokens instead of max_completion_tokens, and does not
	// accept allowed_tools.
	Older bool
	// EffortWithTools says that the server accepts functions with any reasoning effort.
	EffortWithTools bool
	// Estimates answers countTokens with an estimate. Otherwise countTokens is an error.
	Estimates bool
}

// The headers of answers.
const (
	// HeaderLosses is the number of losses of a request.
	HeaderLosses = "X-Gemwire-Losses"
	// HeaderEstimated says that tokens were estimated and not counted.
	HeaderEstimated = "X-Gemwire-Estimated"
)

// Watch has the options of a request and its observers.
type Watch struct {
	// Strict refuses a request that would lose anything.
	Strict bool
	// Asked is called with the report of the request before it is sent. Answered is called with the
	// report of the answer at its end. Both may be nil.
	Asked, Answered func(report.Report)
	// Recorders receive the server's requests and responses. They may be nil.
	Recorders *recording.Recorders
}

type watchKey struct{}

// WithWatch returns a context for a request that is watched.
func WithWatch(ctx context.Context, w *Watch) context.Context {
	return context.WithValue(ctx, watchKey{}, w)
}

// watchOf returns the Watch of a request.
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

// wantsBodies reports whether any recorder wants bodies.
func (w *Watch) wantsBodies() bool { return w.Recorders != nil && w.Recorders.WantsBodies() }

// sent reports the request to the server.
func (w *Watch) sent(r *http.Request, body []byte) {
	if w.wantsBodies() {
		w.Recorders.Request(exchange.Upstream, exchange.Request{
			Method: r.Method, URL: r.URL.String(), Header: r.Header, Body: body,
		})
	}
}

// came reports the server's answer, with its body unless it is a stream.
func (w *Watch) came(reply *http.Response, body []byte) {
	if w.wantsBodies() {
		w.Recorders.Response(exchange.Upstream,
			exchange.Response{Status: reply.StatusCode, Header: reply.Header, Body: body})
	}
}

// chunk reports an event of a stream.
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

// askedPath returns the path that the client requested, without the path of the server's URL before
// it.
func (d *Doer) askedPath(path string) string {
	if address, err := url.Parse(d.Address); err == nil {
		path = strings.TrimPrefix(path, strings.TrimSuffix(address.EscapedPath(), "/"))
	}
	return path
}

// operation is the operation of a path in Gemini's API.
type operation struct {
	path, model, verb string // The path is that which the client asked for.
}

// Operations whose paths have no verb.
const (
	verbModels = "models"
	verbModel  = "model"
)

type operationKey struct{ method, verb string }

// operations answer the verbs. It is read-only.
var operations = map[operationKey]func(*call) (*http.Response, error){
	{http.MethodPost, "generateContent"}:       (*call).generate,
	{http.MethodPost, "streamGenerateContent"}: (*call).generate,
	{http.MethodPost, "countTokens"}:           (*call).countTokens,
	{http.MethodPost, "embedContent"}:          (*call).embed,
	{http.MethodPost, "batchEmbedContents"}:    (*call).embedBatch,
	{http.MethodGet, verbModels}:               (*call).listModels,
	{http.MethodGet, verbModel}:                (*call).model,
}

// operationOf parses a path whose last segments are models/NAME:VERB. Names may contain slashes and
// colons, as names of OpenRouter and Ollama do.
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

// call is one request while it is answered.
type call struct {
	*Doer
	request *http.Request
	op      operation
	watch   *Watch
}

// asked reads the body of the request. It is empty if the client sent none.
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

// send sends a request to the server. An answer without a success status is a *refusalError.
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

// maxErrorSize is the number of bytes of an error body that are read.
const maxErrorSize = 1 << 20

// readError reads an error body, up to an error of the connection.
func (c *call) readError(reply *http.Response) []byte {
	defer func() { _ = reply.Body.Close() }()
	body, _ := io.ReadAll(io.LimitReader(reply.Body, maxErrorSize))
	c.watch.came(reply, body)
	return body
}

// read reads an answer to its end.
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

// longestTimeout is the longest timeout of a request, in seconds. A [time.Duration] cannot hold a
// much longer one.
const longestTimeout = 86400

// context returns the context of a request. It ends at the timeout that Google's SDKs send.
func (c *call) context() (context.Context, context.CancelFunc) {
	seconds, err := strconv.ParseFloat(c.request.Header.Get("X-Server-Timeout"), 64)
	if err != nil || !(seconds > 0) { // NaN is not a timeout
		return context.WithCancel(c.request.Context())
	}
	seconds = min(seconds, longestTimeout)
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
