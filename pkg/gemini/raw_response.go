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
	// Body is what was read of the body: all of it for an answer, for a stream as much as was delivered
	// or a little more, of an error up to 1 MiB.
	Body []byte
}

// WithRawResponse has a call keep its reply, besides what it returns. It must not be read before the call has ended,
// nor be used by two calls at once.
func WithRawResponse(into *RawResponse) Option {
	return func(s *settings) { s.raw = into }
}

// WithRawChunks has a stream tell the JSON of each chunk as it came, before the chunk is yielded. The function may neither
// change it nor keep it.
func WithRawChunks(tell func(chunk []byte)) Option {
	return func(s *settings) { s.rawChunk = tell }
}

// begin keeps the head of a reply.
func (r *RawResponse) begin(reply *transport.Reply) {
	if r != nil {
		*r = RawResponse{HTTPStatus: reply.Status, Header: reply.Header}
	}
}

// keep keeps a body.
func (r *RawResponse) keep(body transport.Body) {
	if r != nil {
		r.Body = body.Bytes()
	}
}

// record keeps the body of a stream while it is read.
func (r *RawResponse) record(reply *transport.Reply) io.Reader {
	if r == nil {
		return reply
	}
	return io.TeeReader(reply, (*recorder)(r))
}

type recorder RawResponse

func (r *recorder) Write(piece []byte) (int, error) {
	r.Body = append(r.Body, piece...)
	return len(piece), nil
}
