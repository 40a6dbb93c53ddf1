package gemini

import (
	"io"
	"net/http"

	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
)

// RawResponse is a reply as received. The body may hold data that should not be logged.
type RawResponse struct {
	// HTTPStatus and Header are from the last attempt.
	HTTPStatus int
	Header     http.Header
	// Body is the part of the body that was read. For an answer it is the whole body, and for an
	// error at most 1 MiB. For a stream it is the delivered part or a little more.
	Body []byte
}

// WithRawResponse stores the reply of a call in a RawResponse. Do not read it before the call ends,
// and do not use it for two calls at once. If a call has several, each gets the reply; they share
// its memory.
func WithRawResponse(into *RawResponse) CallOption {
	return callOption(func(s *settings) {
		if into != nil {
			s.raw = appended(s.raw, into)
		}
	})
}

// rawResponses are the raw responses that a call fills.
type rawResponses []*RawResponse

// announced is a body that calls a function before each Read.
type announced struct {
	io.Reader
	before func()
}

func (a *announced) Read(p []byte) (int, error) {
	a.before()
	return a.Reader.Read(p)
}

// begin stores the status and headers of a reply.
func (r rawResponses) begin(reply *transport.Reply) {
	for _, into := range r {
		*into = RawResponse{HTTPStatus: reply.Status, Header: reply.Header}
	}
}

// keep stores a body.
func (r rawResponses) keep(body transport.Body) {
	if len(r) == 0 {
		return
	}
	data := body.Bytes()
	for _, into := range r {
		into.Body = data
	}
}

// record stores the body of a stream while it is read.
func (r rawResponses) record(reply *transport.Reply) io.Reader {
	if len(r) == 0 {
		return reply
	}
	return io.TeeReader(reply, r)
}

// Write stores a piece of a body.
func (r rawResponses) Write(piece []byte) (int, error) {
	body := append(r[0].Body, piece...)
	for _, into := range r {
		into.Body = body
	}
	return len(piece), nil
}
