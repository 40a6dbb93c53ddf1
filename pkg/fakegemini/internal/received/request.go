// Package received is a request as the fake server got it, read once for all rooms that look at it.
package received

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// Request is one request as the server received it. Keys and tokens are replaced by [Redacted]
// wherever they stood. It is not changed after it was made, and must not be.
type Request struct {
	// Method is that of HTTP.
	Method string
	// URL is what was asked for: path and query.
	URL *url.URL
	// Header is what came with it.
	Header http.Header
	// Body is the body as it came.
	Body jsontext.Value
	// Time is when it came.
	Time time.Time
	// Route is what the path says.
	Route
	// Stream is true for streamGenerateContent.
	Stream bool
	// Content is the body of generateContent, streamGenerateContent or countTokens in the type of
	// the former; nil for another operation, and for a body that cannot be decoded.
	Content *geminiapi.GenerateContentRequest
	// ContentPointer is where in the body Content stands, a JSON pointer: "" but in some
	// countTokens requests.
	ContentPointer string
	// Malformed says why such a body cannot be decoded, nil when it can.
	Malformed *wire.MalformedError
}

// MaxBodySize is the largest body that is read: 128 MiB.
const MaxBodySize = 128 << 20

// ErrTooLarge is what [Read] returns for a body above [MaxBodySize].
var ErrTooLarge = errors.New("the body is larger than 128 MiB")

// Read reads a request of HTTP to its end. It returns a request of HTTP with the same body to read
// again, and with what was read in its context, where [From] finds it.
func Read(r *http.Request) (*http.Request, *Request, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxBodySize+1))
	if err != nil {
		return nil, nil, err
	}
	if len(body) > MaxBodySize {
		return nil, nil, ErrTooLarge
	}
	request := &Request{
		Method: r.Method,
		URL:    redactedURL(r.URL),
		Header: redactedHeader(r.Header),
		Body:   body,
		Time:   time.Now(),
		Route:  RouteOf(r.URL),
	}
	request.Stream = request.Operation == "streamGenerateContent"
	request.decode()
	r = r.WithContext(context.WithValue(r.Context(), contextKey{}, request))
	r.Body = io.NopCloser(bytes.NewReader(body))
	return r, request, nil
}

type contextKey struct{}

// From returns what [Read] read of a request, nil when it did not.
func From(r *http.Request) *Request {
	request, _ := r.Context().Value(contextKey{}).(*Request)
	return request
}

// With returns the request with another body.
func (r *Request) With(body jsontext.Value) *Request {
	own := *r
	own.Body, own.Content, own.ContentPointer, own.Malformed = body, nil, "", nil
	own.decode()
	return &own
}

// decode sets Content or Malformed. An empty body is an empty message to the servers.
func (r *Request) decode() {
	body, err := r.Body, error(nil)
	if len(body) == 0 {
		body = jsontext.Value("{}")
	}
	switch r.Operation {
	case "generateContent", "streamGenerateContent":
		r.Content, err = gemini.DecodeRequest(body)
	case "countTokens":
		r.Content, r.ContentPointer, err = countedContent(body)
	}
	r.Malformed, _ = errors.AsType[*wire.MalformedError](err)
}

// countedContent returns what a countTokens request counts: the generateContentRequest in it, or
// its own members, which are contents, and on Vertex AI instruction, tools and configuration beside
// them.
func countedContent(body []byte) (content *geminiapi.GenerateContentRequest, pointer string,
	err error) {
	count, err := gemini.DecodeCountTokensRequest(body)
	if err != nil {
		return nil, "", err
	}
	if count.GenerateContentRequest != nil {
		return count.GenerateContentRequest, "/generateContentRequest", nil
	}
	return &geminiapi.GenerateContentRequest{
		Contents:          count.Contents,
		GenerationConfig:  count.GenerationConfig,
		SystemInstruction: count.SystemInstruction,
		Tools:             count.Tools,
		Unknown:           count.Unknown,
	}, "", nil
}
