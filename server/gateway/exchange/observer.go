package exchange

import (
	"net/http"
	"time"

	"github.com/gemwire/gemwire/pkg/report"
)

// Observer is told of every request that the gateway serves. It is safe for use by several
// goroutines.
type Observer interface {
	// Begin is told of a request when its head has been read. It returns who is told of the rest,
	// nil for nobody.
	Begin(start Start) Recorder
}

// Recorder is told what becomes of one request: by one goroutine at a time, in the order in which
// it happens, and at last of its end, once. What it does, the client waits for, so that slow work
// belongs elsewhere.
type Recorder interface {
	// WantsBodies reports whether Request, Response, Chunk and Signature are to be called, which
	// costs memory and time. It is asked once.
	WantsBodies() bool
	// Request is told of the head and the body of a request. The header holds no credential.
	// Neither may be changed, nor kept after the call.
	Request(side Side, request Request)
	// Response is told of the status and the header of a response, and of its body where it is no
	// stream. The head of a stream of the client is told as it was sent, once it was. It may not be
	// changed.
	Response(side Side, response Response)
	// Chunk is told of one event of a stream: its data, which is JSON or the mark [DONE], or the
	// comment with which the gateway keeps a silent connection alive. It may not be kept after the
	// call.
	Chunk(side Side, data []byte)
	// Signature is told where a thought signature went, or where it was found.
	Signature(signature Signature)
	// Attempt is told of one call of Gemini that has ended.
	Attempt(attempt Attempt)
	// Report is told what a conversion added, approximated or lost: of the request when side is
	// Client, of the response when it is Upstream. Pointers are those of what came in on that side,
	// or of the side Between for responses where there is one. What is lost on the way from there
	// to the upstream, or back, has no pointer and the place in its detail.
	Report(side Side, report report.Report)
	// End is told how the exchange ended. It is the last call.
	End(end End)
}

// Side is one of the two conversations of an exchange.
type Side string

// The sides of an exchange, of which the first two are always there.
const (
	// Client is what the client and the gateway say to each other.
	Client Side = "client"
	// Upstream is what the gateway says to Gemini, or to the server that takes its place, and what
	// comes back.
	Upstream Side = "upstream"
	// Between is what Gemini would be asked and would answer where a server of another API takes
	// its place: the form between the client's and the server's. It is told of once for each
	// attempt, before the upstream's side, and not where the client's form is Gemini's itself.
	Between Side = "between"
)

// Start is what is known of a request before its body is read.
type Start struct {
	// ID is that of the request, as the client finds it in x-request-id, such as "req_0f3c...".
	ID string
	// At is when the head of the request had been read.
	At time.Time
	// Form is the API that the client speaks: "chat_completions", "embeddings", "models" or
	// "native"; "" for a path that none has.
	Form string
	// Method and Path are those of the request, without its query.
	Method, Path string
	// ClientName is the name of the client's key, "" where no key is needed.
	ClientName string
	// UserAgent is the client's own, and RemoteAddr its address.
	UserAgent, RemoteAddr string
	// ClientRetry counts the tries of the client that failed before this one, as its SDK says in
	// x-stainless-retry-count; 0 where it does not.
	ClientRetry int
	// Traceparent and Tracestate are the client's headers of these names, by which a trace goes on
	// through the gateway; see W3C Trace Context.
	Traceparent, Tracestate string
}

// Request is a request of one side.
type Request struct {
	// Method and URL are those of the request; a URL of the client's side is only a path with a
	// query.
	Method, URL string
	// Header holds no credential.
	Header http.Header
	// Body is the whole body, nil for none.
	Body []byte
}

// Response is a response of one side, of which the body may still come in chunks.
type Response struct {
	// Status is the status code of HTTP.
	Status int
	// Header is that of the response.
	Header http.Header
	// Body is the whole body, nil for a stream and for none.
	Body []byte
}
