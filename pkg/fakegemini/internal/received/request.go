// Package received parses a request to the fake server once, for all packages that use it.
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

// Request is one request as the server received it, with its keys and tokens replaced by
// [Redacted]. It never changes and must not be changed.
type Request struct {
	// Method is the HTTP method.
	Method string
	// URL is the path and the query.
	URL *url.URL
	// Header are the HTTP headers.
	Header http.Header
	// Body is the body as received.
	Body jsontext.Value
	// Time is when the request arrived.
	Time time.Time
	// Route is the parsed path.
	Route
	// Stream is true for streamGenerateContent.
	Stream bool
	// Content is the body of generateContent, streamGenerateContent or countTokens in the type of
	// the first. It is nil for other operations, and if the body cannot be decoded.
	Content *geminiapi.GenerateContentRequest
	// ContentPointer is the JSON pointer of Content in the body: "", except in some countTokens
	// requests.
	ContentPointer string
	// IsInteraction is true for a request to generate content that the server makes for an
	// interaction.
	IsInteraction bool
	// Malformed is the error of a body that cannot be decoded, or nil.
	Malformed *wire.MalformedError
}

// MaxBodySize is the maximum size of a body: 128 MiB.
const MaxBodySize = 128 << 20

// ErrTooLarge is returned by [Read] for a body above [MaxBodySize].
var ErrTooLarge = errors.New("the body is larger than 128 MiB")

// Read reads an HTTP request to its end. It returns an HTTP request with the same body, which can
// be read again. Its context holds the parsed request for [From].
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

// From returns the request that [Read] parsed, or nil.
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

// decode sets Content or Malformed. For the servers an empty body is an empty message.
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

// countedContent returns the counted part of a countTokens request: the generateContentRequest in
// it, or its own members. These are contents, and on Vertex AI also instruction, tools and
// configuration.
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
