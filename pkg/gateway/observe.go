package gateway

import (
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/transform"
)

// observe tells the observers that a request has come.
func (c *call) observe() *problem.Problem {
	c.recorders.begin(c)
	return nil
}

// recorders are those that the observers of a request have given. The zero value tells nobody.
type recorders struct {
	hasBegun   bool
	wantBodies bool
	mu         sync.Mutex // heartbeats come by another goroutine
	all        []exchange.Recorder
	bodies     []exchange.Recorder // those that want bodies
}

// begin asks the observers who is told, once. So is who the request itself names.
func (r *recorders) begin(c *call) {
	if r.hasBegun {
		return
	}
	if own := exchange.RecorderOf(c.request.Context()); own != nil {
		r.hasBegun = true
		r.add(own)
	}
	if len(c.observers) == 0 {
		return
	}
	r.hasBegun = true
	start := exchange.Start{
		ID: c.id, At: c.start, Form: c.form.name, Method: c.request.Method, Path: c.request.URL.Path,
		ClientName: c.clientName, UserAgent: c.request.UserAgent(), RemoteAddr: c.request.RemoteAddr,
	}
	start.ClientRetry, _ = strconv.Atoi(c.request.Header.Get("X-Stainless-Retry-Count"))
	for _, observer := range c.observers {
		if recorder := observer.Begin(start); recorder != nil {
			r.add(recorder)
		}
	}
}

func (r *recorders) add(recorder exchange.Recorder) {
	r.all = append(r.all, recorder)
	if recorder.WantsBodies() {
		r.bodies, r.wantBodies = append(r.bodies, recorder), true
	}
}

// Request tells those that want bodies. So do Response, Chunk and Signature.
func (r *recorders) Request(side exchange.Side, request exchange.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.bodies {
		recorder.Request(side, request)
	}
}

func (r *recorders) Response(side exchange.Side, response exchange.Response) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.bodies {
		recorder.Response(side, response)
	}
}

func (r *recorders) Chunk(side exchange.Side, data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.bodies {
		recorder.Chunk(side, data)
	}
}

func (r *recorders) Signature(signature exchange.Signature) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.bodies {
		recorder.Signature(signature)
	}
}

func (r *recorders) Attempt(attempt exchange.Attempt) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.all {
		recorder.Attempt(attempt)
	}
}

func (r *recorders) Report(side exchange.Side, report transform.Report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.all {
		recorder.Report(side, report)
	}
}

func (r *recorders) End(end exchange.End) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, recorder := range r.all {
		recorder.End(end)
	}
}

// tellRequest tells those that want bodies of the client's request.
func (c *call) tellRequest() {
	if !c.recorders.wantBodies {
		return
	}
	c.recorders.Request(exchange.Client, exchange.Request{
		Method: c.request.Method, URL: withoutKey(c.request.URL), Header: withoutSecrets(c.request.Header), Body: c.body,
	})
}

// withoutKey returns path and query of an address. A key may stand in the query, as in Google's own addresses.
func withoutKey(address *url.URL) string {
	query := address.Query()
	if !query.Has("key") && !query.Has("access_token") {
		return address.RequestURI()
	}
	query.Del("key")
	query.Del("access_token")
	own := *address
	own.RawQuery = query.Encode()
	return own.RequestURI()
}

// secretHeaders are those of a client's request that nobody is shown.
var secretHeaders = []string{"Authorization", "Proxy-Authorization", "X-Goog-Api-Key", "Api-Key", "X-Api-Key", "Cookie"}

// withoutSecrets returns a copy of a header without credentials.
func withoutSecrets(header http.Header) http.Header {
	out := header.Clone()
	for _, name := range secretHeaders {
		out.Del(name)
	}
	return out
}
