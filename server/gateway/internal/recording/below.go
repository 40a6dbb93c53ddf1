package recording

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/internal/eventtext"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

type upstreamKey struct{}

// WithUpstream returns a context for requests that [Below] reports to recorders.
func WithUpstream(ctx context.Context, r *Recorders) context.Context {
	return context.WithValue(ctx, upstreamKey{}, r)
}

// Below returns a Doer that sends requests by another Doer. It reports the requests and answers of
// the Interactions API on the side of the upstream. An interaction in the background has one
// request and one answer: polls, a cancellation and a deletion are not reported.
func Below(doer gemini.Doer) gemini.Doer {
	return gemini.DoerFunc(func(request *http.Request) (*http.Response, error) {
		r, _ := request.Context().Value(upstreamKey{}).(*Recorders)
		if r == nil || !r.WantsBodies() {
			return doer.Do(request)
		}
		isCreation := request.Method == http.MethodPost &&
			strings.HasSuffix(request.URL.Path, "/interactions")
		if isCreation {
			r.Request(exchange.Upstream, exchange.Request{Method: request.Method,
				URL: request.URL.String(), Header: request.Header, Body: bodyOf(request)})
		}
		reply, err := doer.Do(request)
		if err == nil && (isCreation || request.Method == http.MethodGet) {
			r.watchReply(reply, isCreation)
		}
		return reply, err
	})
}

// watchReply reports a reply while it is read.
func (r *Recorders) watchReply(reply *http.Response, isCreation bool) {
	head := exchange.Response{Status: reply.StatusCode, Header: reply.Header}
	if !strings.HasPrefix(reply.Header.Get("Content-Type"), "text/event-stream") {
		reply.Body = &wholeBody{ReadCloser: reply.Body, recorders: r, head: head}
		return
	}
	if isCreation {
		r.Response(exchange.Upstream, head)
	}
	reply.Body = &eventBody{ReadCloser: reply.Body, recorders: r}
}

// wholeBody reports a body when it is closed, unless it is an interaction that still runs.
type wholeBody struct {
	io.ReadCloser
	recorders *Recorders
	head      exchange.Response
	isClosed  bool
}

func (b *wholeBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.head.Body = append(b.head.Body, p[:n]...)
	return n, err
}

func (b *wholeBody) Close() error {
	if !b.isClosed {
		b.isClosed = true
		switch string(jsonx.Member(b.head.Body, "status")) {
		case `"in_progress"`, `"queued"`:
		default:
			b.recorders.Response(exchange.Upstream, b.head)
		}
	}
	return b.ReadCloser.Close()
}

// eventBody reports the events of a stream.
type eventBody struct {
	io.ReadCloser
	recorders *Recorders
	rest      []byte // of an event that is not complete
}

func (b *eventBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.rest = append(b.rest, p[:n]...)
	for {
		event, rest, ok := bytes.Cut(b.rest, []byte(eventtext.End))
		if !ok {
			return n, err
		}
		if data := eventtext.Data(event); len(data) > 0 {
			b.recorders.Chunk(exchange.Upstream, data)
		}
		b.rest = append(b.rest[:0], rest...)
	}
}
