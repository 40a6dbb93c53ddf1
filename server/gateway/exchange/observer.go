package exchange

import (
	"context"
	"net/http"
	"time"

	"github.com/gemwire/gemwire/pkg/report"
)

// Observer observes every request that the gateway serves. It must be safe for concurrent use.
type Observer interface {
	// Begin is called when the header of a request has been read. It returns the recorder of the
	// request, or nil to ignore the request.
	Begin(start Start) Recorder
}

// Recorder observes one request. One goroutine at a time calls its methods, in the order of events,
// and End once at the end. The client waits for these calls, so slow work belongs elsewhere.
type Recorder interface {
	// WantsBodies reports whether the gateway calls Request, Response, Chunk and Signature, which
	// costs memory and time. It is called once.
	WantsBodies() bool
	// Request reports the header and the body of a request. The header holds no credential. The
	// recorder must not change either of them, or keep them after the call.
	Request(side Side, request Request)
	// Response reports the status and the header of a response, and its body unless it is a stream.
	// For a stream to the client, the gateway calls it after the header was sent. The recorder must
	// not change the response.
	Response(side Side, response Response)
	// Chunk reports one event of a stream: its data, which is JSON or [DONE], or a comment that
	// keeps a silent connection alive. The recorder must not keep the data after the call.
	Chunk(side Side, data []byte)
	// Signature reports where a thought signature was put, or where it was found.
	Signature(signature Signature)
	// Attempt reports one Gemini call that has ended.
	Attempt(attempt Attempt)
	// Report reports what a conversion added, approximated or lost: of the request if side is
	// Client, of the response if it is Upstream. Pointers refer to the incoming JSON of that side.
	// For responses they refer to the side Between if there is one. A loss between that side and
	// the upstream has no pointer; its detail names the location.
	Report(side Side, report report.Report)
	// End reports how the exchange ended. It is the last call.
	End(end End)
}

// Side is one of the conversations of an exchange.
type Side string

// The sides of an exchange. The first two always exist.
const (
	// Client is the conversation between the client and the gateway.
	Client Side = "client"
	// Upstream is the conversation between the gateway and Gemini, or the server that takes
	// Gemini's place.
	Upstream Side = "upstream"
	// Between is the intermediate Gemini form if a server of another API answers: the request and
	// the response between the two conversions. The gateway reports it once for each attempt,
	// before the upstream's side. It does not exist if the client's form is Gemini's own.
	Between Side = "between"
)

// Start has the known facts about a request before its body is read.
type Start struct {
	// ID is the request's id, which the client finds in x-request-id, such as "req_0f3c...".
	ID string
	// At is the time when the header of the request had been read.
	At time.Time
	// Form is the API that the client speaks: "chat_completions", "embeddings", "models" or
	// "native". It is "" for a path that no form has.
	Form string
	// Method and Path are the request's, without its query.
	Method, Path string
	// ClientName is the name of the client's key. It is "" if no key is required.
	ClientName string
	// UserAgent is the client's User-Agent header. RemoteAddr is its address.
	UserAgent, RemoteAddr string
	// Session, Agent and ParentAgent are ids that a coding agent sends: of its session, of the
	// agent within the session, and of the agent that started it. They are "" for other clients;
	// see [AgentOf].
	Session, Agent, ParentAgent string
	// ClientRetry is the number of failed tries of the client before this one, from the header
	// x-stainless-retry-count of its SDK. It is 0 without that header.
	ClientRetry int
	// Job is the bulk job whose line the request answers. Line is the number of the line from 1.
	// Job is "" for other requests.
	Job  string
	Line int
	// Mark is the value of [WithMark], or nil.
	Mark any
	// Traceparent and Tracestate are the client's headers of these names. They continue a trace
	// through the gateway; see W3C Trace Context.
	Traceparent, Tracestate string
}

// Request is a request of one side.
type Request struct {
	// Method and URL are the request's. On the client's side the URL is only a path with a query.
	Method, URL string
	// Header holds no credential.
	Header http.Header
	// Body is the whole body, or nil for none.
	Body []byte
}

// Response is a response of one side. The body of a stream follows in chunks.
type Response struct {
	// Status is the HTTP status code.
	Status int
	// Header is the header of the response.
	Header http.Header
	// Body is the whole body. It is nil for a stream and for no body.
	Body []byte
}

type markKey struct{}

// WithMark returns a context for a request of the program that embeds the gateway. The [Start] of
// the request has the mark, so that an observer of the same program recognizes the request.
func WithMark(ctx context.Context, mark any) context.Context {
	return context.WithValue(ctx, markKey{}, mark)
}

// MarkOf returns the mark of a context, or nil.
func MarkOf(ctx context.Context) any { return ctx.Value(markKey{}) }

type accountKey struct{}

// WithAccount returns a context for a request of the program that embeds the gateway. The gateway
// then calls only the account with that name, as in an [Attempt], and remembers nothing about it.
// "" selects any account.
func WithAccount(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, accountKey{}, name)
}

// AccountOf returns the account of a context, or "".
func AccountOf(ctx context.Context) string {
	name, _ := ctx.Value(accountKey{}).(string)
	return name
}
