package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
)

// witness passes requests on to the gateway, and its answers back as they come.
type witness struct {
	proxy *httputil.ReverseProxy
	// ended is called for each answer after its end, with the errors in it.
	ended func(answer, []error)
}

// answer describes an answer without its body.
type answer struct {
	method, path string
	status       int
	isWhole      bool // the client read it to the end
	isResumed    bool // it begins in the middle of a stream
	// asksAnthropic is whether the client speaks Anthropic's API, which has some paths in common
	// with OpenAI's.
	asksAnthropic bool
}

func newWitness(gateway *url.URL, ended func(answer, []error)) *witness {
	w := &witness{ended: ended}
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
				ended(answer{method: r.Method, path: r.URL.Path}, []error{err})
			}
			rw.WriteHeader(http.StatusBadGateway)
		},
	}
	return w
}

// ServeHTTP implements [http.Handler]. It takes the whole request first: net/http closes the body
// of one whose answer begins, and with it the connection that still reads from there.
func (w *witness) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has left
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	w.proxy.ServeHTTP(rw, r)
}

// watch has the body of an answer read along. The frames of a WebSocket are not answers.
func (w *witness) watch(response *http.Response) error {
	if response.StatusCode == http.StatusSwitchingProtocols {
		return nil
	}
	ctx := response.Request.Context()
	response.Body = &watchedBody{ReadCloser: response.Body, ended: func(body []byte, err error) {
		asked := response.Request
		a := answer{
			method: asked.Method, path: asked.URL.Path, status: response.StatusCode,
			isWhole: err == io.EOF,
			isResumed: asked.URL.Query().Has("starting_after") ||
				asked.URL.Query().Has("last_event_id"),
			asksAnthropic: asked.Header.Get("Anthropic-Version") != "",
		}
		faults := check(a, response.Header, body)
		if !a.isWhole && err != nil && ctx.Err() == nil {
			faults = append(faults, fmt.Errorf("the answer is cut off: %w", err))
		}
		w.ended(a, faults)
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
