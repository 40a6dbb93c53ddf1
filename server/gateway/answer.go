package gateway

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/native"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/go-json-experiment/json/jsontext"
)

// Request is a request of the program that embeds the gateway, see [Handler.Answer].
type Request struct {
	// Path names the operation: a path of a form, such as "/v1/messages/count_tokens" or
	// "/v1/embeddings", or a model's method in Google's API, for example
	// "/v1beta/models/gemini-3.6-flash:generateContent".
	Path string
	Body []byte
	// Client is the name of the client key whose models, limits and stored responses apply. The
	// request itself needs no key. With "" it is the program's own request, and no limits apply.
	Client string
	// SingleAttempt calls each model once, regardless of [WithMaxAttempts]. It is for callers that
	// retry themselves and count each attempt before they make it.
	SingleAttempt bool
	// Job is the bulk job whose line the request answers. Line is the number of the line from 1.
	// Observers receive them. "" is for other requests.
	Job  string
	Line int
}

// Answer is the answer to a [Request].
type Answer struct {
	// RequestID is the id of the request in logs.
	RequestID string
	// Body is the JSON of the answer, in the form of the path. It is empty if there is an error.
	Body []byte
	// Attempts is the number of upstream calls.
	Attempts int
	// Usage has the token counts. Cost is their price, or nil if it is unknown.
	Usage normalize.Usage
	Cost  *ratecard.Cost
}

// Error is the reason why a [Request] has no answer.
type Error struct {
	// Status is the HTTP status that a client of the gateway would get, for example 429.
	Status int
	// Code is gemwire's error code, the same in every form, for example "insufficient_quota". It
	// may be empty.
	Code    string
	Message string
	// RetryAfter is how long to wait before a retry, or 0 if that is unknown.
	RetryAfter time.Duration
	// IsBudget reports that a budget of the gateway is used up, and not a quota of the upstream.
	// Resets is when the budget resets. It is zero for other errors, and for a budget in total.
	IsBudget bool
	Resets   time.Time
	// Unreached reports that the last attempt could not connect to the upstream.
	Unreached bool
	// Body is the error body in the form of the path.
	Body []byte

	cause error // nil unless the caller's context ended
}

// Error implements error.
func (e *Error) Error() string { return "gateway: " + e.Message }

// Unwrap returns why the caller's context ended, such as [context.Canceled]. It returns nil for
// other errors.
func (e *Error) Unwrap() error { return e.cause }

// Error codes about the gateway's accounts rather than the request.
const (
	// CodeQuota is the error code of an exhausted daily quota, or of a budget that is used up.
	CodeQuota = problem.TypeQuota
	// CodeKeyRefused is the error code of an upstream key that the upstream refuses.
	CodeKeyRefused = problem.CodeKeyRefused
)

// Answer answers a request with one body, in the same way as [Handler.ServeHTTP] answers a client.
// It refuses streams and background responses, and all requests of a gateway with [WithCallersKey].
// The answer is never nil. With an error it still has the id, the attempts and the token counts.
// The error is an *[Error].
func (h *Handler) Answer(ctx context.Context, in *Request) (*Answer, error) {
	return h.answer(ctx, in, nil)
}

// answer answers a request. With a conversion it calls no model.
func (h *Handler) answer(ctx context.Context, in *Request, conv *conversion) (*Answer, error) {
	if in == nil {
		in = &Request{}
	}
	s := h.acquire()
	defer s.release()
	ctx, cancel := h.withEnding(ctx)
	defer cancel()
	request := in.asHTTP(ctx)
	op := s.operationOf(in.Path, request)
	if h.closing.Load() {
		op.answer = func(*call) *problem.Problem { return problem.Closing() }
	}
	out := &bodyWriter{header: http.Header{}}
	c := s.newCall(out, request, &op.form)
	c.inProcess, c.conversion = in, conv
	failure := c.serveInProcess(op.answer)
	answer := &Answer{RequestID: c.id, Attempts: c.tries.count, Usage: c.end.Usage,
		Cost: c.end.Cost}
	switch {
	case failure != nil:
		return answer, c.errorOf(failure)
	case out.status >= http.StatusBadRequest:
		err := &Error{Status: out.status, Unreached: c.tries.isUnreached, Body: out.body}
		if c.refusal != nil {
			err.Code, err.Message, err.RetryAfter = c.end.ErrorCode, c.end.ErrorMessage,
				c.refusal.RetryAfter
			err.IsBudget, err.Resets = c.refusal.IsBudget, c.refusal.Resets
		}
		if out.status == problem.StatusClientLeft {
			err.cause = context.Cause(request.Context())
		}
		return answer, err
	case conv != nil && !conv.hasReplies():
		return answer, nil
	case !jsontext.Value(out.body).IsValid():
		return answer, c.errorOf(&problem.Problem{Status: http.StatusBadGateway,
			Type: problem.TypeServer, Message: "the answer is not JSON"})
	}
	answer.Body = out.body
	return answer, nil
}

// errorOf converts a problem that the call has not written to an error.
func (c *call) errorOf(p *problem.Problem) *Error {
	return &Error{
		Status: c.form.statusOf(p), Code: c.end.ErrorCode, Message: p.Message,
		Unreached: c.tries.isUnreached,
		Body:      c.form.appendProblem(nil, p, c.id),
	}
}

// serveInProcess serves the call. It returns a problem if a panic ended the call early, for example
// a panic of an observer.
func (c *call) serveInProcess(answer func(*call) *problem.Problem) (p *problem.Problem) {
	defer func() {
		switch reason := recover(); reason {
		case nil:
		case http.ErrAbortHandler:
			p = &problem.Problem{Status: http.StatusBadGateway, Type: problem.TypeServer,
				Message: "the answer broke off"}
		default: // its text may quote the request
			message := fmt.Sprintf("the gateway panicked: %T", reason)
			p = &problem.Problem{Status: http.StatusInternalServerError, Type: problem.TypeServer,
				Message: message}
		}
	}()
	c.serve(answer)
	return nil
}

// asHTTP returns the request as a client would send it. It does not check the path;
// [setup.operationOf] does.
func (in *Request) asHTTP(ctx context.Context) *http.Request {
	at, err := url.ParseRequestURI(in.Path)
	if err != nil {
		at = &url.URL{Path: in.Path}
	}
	request := &http.Request{
		Method: http.MethodPost, URL: at, Host: "localhost", Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     http.Header{"Content-Type": contentTypeJSON},
		Body:       io.NopCloser(bytes.NewReader(in.Body)), ContentLength: int64(len(in.Body)),
	}
	return request.WithContext(ctx)
}

// operationOf returns the operation of a path.
func (s *setup) operationOf(path string, request *http.Request) operation {
	if op, ok := s.operations[path]; ok {
		return op
	}
	if op, err := native.OperationOf(request.URL.EscapedPath()); err == nil && op.Model != "" {
		return operation{nativeForm, func(c *call) *problem.Problem { return c.passToModel(op) }}
	}
	if _, err := url.ParseRequestURI(path); err != nil {
		return operation{openAIForm,
			func(*call) *problem.Problem { return problem.Invalid("invalid_path", "", "the path is malformed") }}
	}
	return operation{*formOfClient(request),
		func(*call) *problem.Problem { return problem.NotServed(request) }}
}

// notWhole refuses a request of the program that asks for a stream or a background response,
// before the request costs anything.
func notWhole(member string) *problem.Problem {
	return problem.Invalid("unsupported_value", member,
		member+": the gateway's Go API answers with one complete body; omit this member")
}

// tries counts the upstream calls of a request.
type tries struct {
	count       int
	isUnreached bool // the last one had no connection
}

// onAttempt returns the function that is called after each attempt. It is nil without observers.
func (c *call) onAttempt() func(exchange.Attempt) {
	if c.inProcess == nil && c.recorders.IsEmpty() {
		return nil
	}
	return func(attempt exchange.Attempt) {
		if c.spending.refusal != nil { // by the gateway, before it called the upstream
			return
		}
		c.tries.count++
		c.tries.isUnreached = attempt.IsUnreached
		c.recorders.Attempt(attempt)
	}
}

// bodyWriter collects a response body. It implements [http.ResponseWriter].
type bodyWriter struct {
	header http.Header
	status int
	body   []byte
}

func (w *bodyWriter) Header() http.Header { return w.header }

func (w *bodyWriter) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
}

func (w *bodyWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.body = append(w.body, p...)
	return len(p), nil
}
