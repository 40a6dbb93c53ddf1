package fakegemini

import (
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// Request is one request as the server received it, with its keys and tokens replaced by
// "REDACTED". It must not be changed: requests share memory.
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
	// Backend is the service to which the form of the path belongs.
	Backend models.Backends
	// Version is the first segment of the path: v1beta, v1, v1beta1.
	Version string
	// Resource is the path between the version and the operation, unescaped:
	// "models/gemini-3.6-flash",
	// "projects/p/locations/global/publishers/google/models/gemini-3.6-flash", "cachedContents/x",
	// "files".
	Resource string
	// Operation is the text after the colon of the last segment, such as "generateContent", or "".
	Operation string
	// Model is the id of the model in Resource, such as "gemini-3.6-flash", or the name of a tuned
	// one, "tunedModels/x". It is "" for a request without a model.
	Model string
	// Stream is true for streamGenerateContent.
	Stream bool
	// Content is the body of generateContent, streamGenerateContent or countTokens in the type of
	// the first. It is nil for other operations, and if the body cannot be decoded.
	Content *geminiapi.GenerateContentRequest
	// ContentPointer is the JSON pointer of Content in the body: "", except in some countTokens
	// requests.
	ContentPointer string
	// Malformed is the error of a body that cannot be decoded, or nil.
	Malformed *wire.MalformedError
}

func newRequest(r *received.Request) Request {
	return Request{
		Method: r.Method, URL: r.URL, Header: r.Header, Body: r.Body, Time: r.Time,
		Backend: r.Backend, Version: r.Version, Resource: r.Resource, Operation: r.Operation,
		Model:  r.Model,
		Stream: r.Stream, Content: r.Content, ContentPointer: r.ContentPointer,
		Malformed: r.Malformed,
	}
}

// requestLog stores the requests of a server.
type requestLog struct {
	mu       sync.Mutex
	requests []received.Request
}

func (l *requestLog) add(r *received.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, *r)
}

func (l *requestLog) all() []received.Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.requests)
}
