package recording

import (
	"errors"
	"io"
	"net/http"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// capture reports the requests and responses of one attempt, between the gateway and Gemini, to
// recorders that want bodies.
type capture struct {
	recorders *Recorders
	isStream  bool
	raw       gemini.RawResponse
}

// Captured adds options that capture a call to its options. It also returns a function to call
// after the call ends.
func (r *Recorders) Captured(isStream bool, opts []gemini.CallOption) ([]gemini.CallOption,
	func(error)) {
	if !r.WantsBodies() {
		return opts, func(error) {}
	}
	r.broken = nil // of an earlier attempt
	own := &capture{recorders: r, isStream: isStream}
	opts = append(opts, gemini.WithMiddleware(own.recorders.Requests, own.heads))
	if !isStream {
		opts = append(opts, gemini.WithRawResponse(&own.raw))
	}
	return opts, own.ended
}

// ChunkHook returns the function that records the chunks of a stream as Gemini sent them. It is nil
// if no recorder wants bodies.
func (r *Recorders) ChunkHook() func(chunk []byte) {
	if !r.WantsBodies() {
		return nil
	}
	return func(chunk []byte) {
		if r.tail != nil {
			r.tail.passed(chunk)
		}
		r.Chunk(r.geminiSide(), chunk)
	}
}

// Requests is a middleware that reports requests. At this point they have no credential.
func (r *Recorders) Requests(next gemini.Doer) gemini.Doer {
	return gemini.DoerFunc(func(request *http.Request) (*http.Response, error) {
		r.Request(r.geminiSide(), exchange.Request{
			Method: request.Method, URL: request.URL.String(), Header: request.Header,
			Body: bodyOf(request),
		})
		return next.Do(request)
	})
}

// heads is a middleware that records the headers of replies, and reports the header of a stream.
func (c *capture) heads(next gemini.Doer) gemini.Doer {
	return gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
		response, err := next.Do(r)
		if err != nil {
			return response, err
		}
		c.raw.HTTPStatus, c.raw.Header = response.StatusCode, response.Header
		if c.isStream && response.StatusCode == http.StatusOK {
			c.recorders.Response(c.recorders.geminiSide(),
				exchange.Response{Status: response.StatusCode, Header: response.Header})
			c.recorders.tail = &tail{ReadCloser: response.Body}
			response.Body = c.recorders.tail
		}
		return response, nil
	})
}

// bodyOf returns the body of a request whose body can be read again.
func bodyOf(r *http.Request) []byte {
	if r.GetBody == nil {
		return nil
	}
	reader, err := r.GetBody()
	if err != nil {
		return nil
	}
	body, _ := io.ReadAll(reader) // of memory
	return body
}

// ended reports a response that is not a stream, or the bytes that broke a stream.
func (c *capture) ended(err error) {
	c.recorders.broken = c.recorders.tail.broken(err)
	if c.raw.HTTPStatus == 0 || c.isStream && c.raw.HTTPStatus == http.StatusOK {
		return
	}
	body := c.raw.Body
	if reported, ok := errors.AsType[*gemini.Error](err); ok {
		body = reported.RawBody()
	}
	c.recorders.Response(c.recorders.geminiSide(),
		exchange.Response{Status: c.raw.HTTPStatus, Header: c.raw.Header, Body: body})
}
