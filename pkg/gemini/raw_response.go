package gemini

import (
	"io"
	"net/http"

	"github.com/gemwire/gemwire/pkg/gemini/internal/transport"
)

// RawResponse is a reply as it came. The body may hold what should not be logged.
type RawResponse struct {
	// HTTPStatus and Header are those of the last attempt.
	HTTPStatus int
	Header     http.Header
	// Body is what was read of the body: all of it for an answer, for a stream as much as was
	// delivered or a little more, of an error up to 1 MiB.
	Body []byte
}

// WithRawResponse has a call keep its reply, besides what it returns. It must not be read before
// the call has ended, nor be used by two calls at once. Each of several gets the reply; they share
// its memory.
func WithRawResponse(into *RawResponse) CallOption {
	return callOption(func(s *settings) {
		if into != nil {
			s.raw = appended(s.raw, into)
		}
	})
}

// rawResponses are those that a call fills.
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

// begin keeps the head of a reply.
func (r rawResponses) begin(reply *transport.Reply) {
	for _, into := range r {
		*into = RawResponse{HTTPStatus: reply.Status, Header: reply.Header}
	}
}

// keep keeps a body.
func (r rawResponses) keep(body transport.Body) {
	if len(r) == 0 {
		return
	}
	data := body.Bytes()
	for _, into := range r {
		into.Body = data
	}
}

// record keeps the body of a stream while it is read.
func (r rawResponses) record(reply *transport.Reply) io.Reader {
	if len(r) == 0 {
		return reply
	}
	return io.TeeReader(reply, r)
}

// Write keeps a piece of a body.
func (r rawResponses) Write(piece []byte) (int, error) {
	body := append(r[0].Body, piece...)
	for _, into := range r {
		into.Body = body
	}
	return len(piece), nil
}
