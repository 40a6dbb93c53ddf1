package main

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/gemwire/gemwire/internal/descriptiontest"
)

// witness passes requests on to the gateway, and its answers back as they come.
type witness struct {
	proxy *httputil.ReverseProxy
	// tell is called for each answer when it has ended, with what is wrong with it.
	tell func(answer, []error)
}

// answer is what is told of an answer.
type answer struct {
	method, path string
	status       int
	isWhole      bool // the client read it to the end
}

func newWitness(gateway *url.URL, tell func(answer, []error)) *witness {
	w := &witness{tell: tell}
	w.proxy = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(gateway)
			r.Out.Host = gateway.Host
		},
		FlushInterval:  -1,
		Transport:      &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64},
		ModifyResponse: w.watch,
		ErrorHandler: func(rw http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() == nil { // or the client has left before the answer
				tell(answer{method: r.Method, path: r.URL.Path}, []error{err})
			}
			rw.WriteHeader(http.StatusBadGateway)
		},
	}
	return w
}

// ServeHTTP implements [http.Handler]. It takes the whole request first: net/http closes the body of one whose answer
// begins, and with it the connection that still reads from there.
func (w *witness) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has left
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	w.proxy.ServeHTTP(rw, r)
}

// watch has the body of an answer read along.
func (w *witness) watch(response *http.Response) error {
	ctx := response.Request.Context()
	response.Body = &watchedBody{ReadCloser: response.Body, ended: func(body []byte, err error) {
		a := answer{response.Request.Method, response.Request.URL.Path, response.StatusCode, err == io.EOF}
		faults := check(a, response.Header, body)
		if !a.isWhole && err != nil && ctx.Err() == nil {
			faults = append(faults, fmt.Errorf("the answer is cut off: %w", err))
		}
		w.tell(a, faults)
	}}
	return nil
}

// watchedBody keeps what is read of a body.
type watchedBody struct {
	io.ReadCloser
	read  bytes.Buffer
	err   error // which ended it
	once  sync.Once
	ended func(body []byte, err error)
}

// Read implements [io.Reader].
func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read.Write(p[:n])
	if b.err == nil {
		b.err = err
	}
	return n, err
}

// Close implements [io.Closer].
func (b *watchedBody) Close() error {
	b.once.Do(func() { b.ended(b.read.Bytes(), b.err) })
	return b.ReadCloser.Close()
}

// schemas are what OpenAI's description calls the bodies of answers.
var schemas = []struct{ method, path, schema string }{
	{http.MethodPost, "/v1/chat/completions", "CreateChatCompletionResponse"},
	{http.MethodPost, "/v1/embeddings", "CreateEmbeddingResponse"},
	{http.MethodGet, "/v1/models", "ListModelsResponse"},
	{http.MethodGet, "/v1/models/*", "Model"},
}

// check says what is wrong with an answer. Google's own paths are not in OpenAI's description.
func check(a answer, header http.Header, body []byte) []error {
	if !strings.HasPrefix(a.path, "/v1/") || strings.HasPrefix(a.path, "/v1/projects/") {
		return nil
	}
	var faults []error
	if !strings.HasPrefix(header.Get("X-Request-Id"), "req_") {
		faults = append(faults, fmt.Errorf("the request has no id: %q", header.Get("X-Request-Id")))
	}
	mediaType, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
	switch {
	case mediaType == "text/event-stream" && a.isWhole:
		_, more := descriptiontest.CheckOpenAIStream(body)
		return append(faults, more...)
	case mediaType == "text/event-stream":
		_, more := descriptiontest.CheckOpenAIEvents(body)
		return append(faults, more...)
	case mediaType != "application/json": // of which openai-node makes a text
		return append(faults, fmt.Errorf("the answer is of the type %q", mediaType))
	case a.isWhole:
		if err := descriptiontest.CheckOpenAI(a.schema(), body); err != nil {
			faults = append(faults, err)
		}
	}
	return faults
}

// schema returns what the description calls the body of an answer.
func (a answer) schema() string {
	if a.status < http.StatusBadRequest {
		for _, s := range schemas {
			if matches, _ := path.Match(s.path, a.path); matches && s.method == a.method {
				return s.schema
			}
		}
	}
	return "ErrorResponse"
}
