package gemini_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
	"go.uber.org/goleak"
)

// fault is a failure that is the same at each attempt.
type fault struct {
	name string
	// reply answers a request; an error may replace it.
	reply func(*http.Request) (*http.Response, error)
	opts  []gemini.ClientOption
	// unary and stream are the outcomes of the two kinds of calls.
	unary, stream outcome
}

// outcome is the documented result of a call.
type outcome struct {
	status   int // of the error, whichever it is
	category gemini.Category
	attempts int
	fromAPI  bool  // an *Error, else a *CallError
	is       error // in the chain
	chunks   int   // before the error
}

// retried is an API error that is retried until no attempts are left.
func retried(status int, category gemini.Category) outcome {
	return outcome{status: status, category: category, attempts: 3, fromAPI: true}
}

// final is an API error that is not retried.
func final(status int, category gemini.Category) outcome {
	return outcome{status: status, category: category, attempts: 1, fromAPI: true}
}

// local is a failure that the API did not report.
func local(status int, category gemini.Category, attempts int, is error) outcome {
	return outcome{status: status, category: category, attempts: attempts, is: is}
}

// firstEvent is a valid chunk of an answer that continues.
const firstEvent = "data: " + `{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\r\n\r\n"

// after returns the outcome of a stream whose first chunk is delivered before the fault.
func (o outcome) after(chunks int) outcome {
	o.chunks, o.attempts = chunks, 1
	return o
}

func body(status int, contentType, text string) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response,
		error) {
		return httpReply(status, contentType, text), nil
	}
}

func apiError(status int, canonical, more string) func(*http.Request) (*http.Response, error) {
	return body(status, "application/json",
		fmt.Sprintf(`{"error":{"code":%d,"message":"no","status":%q%s}}`, status, canonical, more))
}

func fails(err error) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		return nil, &url.Error{Op: "Post", URL: r.URL.String(), Err: err}
	}
}

// reading answers with the data of a reader; for unary calls that is not an answer.
func reading(read func(ctx context.Context) io.Reader) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		out := httpReply(200, "text/event-stream", "")
		body := read(r.Context())
		closer, ok := body.(io.ReadCloser)
		if !ok {
			closer = io.NopCloser(body)
		}
		out.Body = closer
		return out, nil
	}
}

// stall is a reader that returns nothing until the context ends.
type stall struct{ ctx context.Context }

func (s stall) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

// drip is a reader that returns a space every second.
type drip struct{ ctx context.Context }

func (d drip) Read(p []byte) (int, error) {
	select {
	case <-time.After(time.Second):
		p[0] = ' '
		return 1, nil
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	}
}

const (
	retryInfo  = `,"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"%s"}]`
	quota      = `,"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"RequestsPerDayPerProject"}]}]`
	blockedKey = `,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_SERVICE_BLOCKED"}]`
	badKey     = `,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]`
)

var faults = []fault{
	same("400", apiError(400, "INVALID_ARGUMENT", ""), final(400, gemini.CategoryInvalidArg)),
	same("400 for a bad key", apiError(400, "INVALID_ARGUMENT", badKey),
		final(400, gemini.CategoryAuth)),
	same("401", apiError(401, "UNAUTHENTICATED", ""), final(401, gemini.CategoryAuth)),
	same("403", apiError(403, "PERMISSION_DENIED", ""), final(403, gemini.CategoryAuth)),
	same("404", apiError(404, "NOT_FOUND", ""), final(404, gemini.CategoryNotFound)),
	same("429", apiError(429, "RESOURCE_EXHAUSTED", ""), retried(429, gemini.CategoryRateLimit)),
	same("429 with RetryInfo", apiError(429, "RESOURCE_EXHAUSTED", fmt.Sprintf(retryInfo, "7.5s")),
		retried(429, gemini.CategoryRateLimit)),
	same("429 that asks for an hour",
		apiError(429, "RESOURCE_EXHAUSTED", fmt.Sprintf(retryInfo, "3600s")),
		final(429, gemini.CategoryRateLimit)),
	same("429 for the day", apiError(429, "RESOURCE_EXHAUSTED", quota),
		final(429, gemini.CategoryRateLimit)),
	same("500", apiError(500, "INTERNAL", ""), retried(500, gemini.CategoryServer)),
	same("502 of a proxy", body(502, "text/html", "<title>Bad gateway</title>"),
		retried(502, gemini.CategoryServer)),
	same("503", apiError(503, "UNAVAILABLE", ""), retried(503, gemini.CategoryServer)),
	same("504", apiError(504, "DEADLINE_EXCEEDED", ""), retried(504, gemini.CategoryTimeout)),
	same("an error in a list",
		body(429, "application/json",
			`[{"error":{"code":429,"message":"no","status":"RESOURCE_EXHAUSTED"}}]`),
		retried(429, gemini.CategoryRateLimit)),
	same("an empty error", body(503, "", ""), retried(503, gemini.CategoryServer)),
	same("200 with an error",
		body(200, "application/json",
			`{"error":{"code":503,"message":"no","status":"UNAVAILABLE"}}`),
		retried(503, gemini.CategoryServer)),
	same("200 with an error that names no code",
		body(200, "application/json", `{"error":{"message":"no"}}`),
		final(200, gemini.CategoryUnknown)),
	same("200 with an error in a list",
		body(200, "application/json",
			`[{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}]`),
		final(400, gemini.CategoryInvalidArg)),
	same("200 with a page", body(200, "text/html", "<html><title>Sign in</title></html>"),
		final(200, gemini.CategoryUnknown)),
	same("a page that claims to be JSON",
		body(200, "application/json", "<html><title>Sign in</title></html>"),
		final(200, gemini.CategoryUnknown)),
	same("200 with a text", body(200, "text/plain", "upstream is away"),
		final(200, gemini.CategoryUnknown)),
	same("200 without a body", body(200, "application/json", ""),
		local(200, gemini.CategoryNetwork, 3, wire.ErrTruncated)),
	same("204", body(204, "", ""), local(204, gemini.CategoryNetwork, 3, wire.ErrTruncated)),
	same("302", body(302, "text/html", ""), final(302, gemini.CategoryUnknown)),
	same("304", body(304, "", ""), final(304, gemini.CategoryUnknown)),
	same("101", body(101, "", ""), final(101, gemini.CategoryUnknown)),
	same("refused connection",
		fails(&net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}),
		local(0, gemini.CategoryNetwork, 3, syscall.ECONNREFUSED)),
	same("reset connection", fails(&net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}),
		local(0, gemini.CategoryNetwork, 3, syscall.ECONNRESET)),
	same("connection closed", fails(io.EOF), local(0, gemini.CategoryNetwork, 3, io.EOF)),
	same("bad certificate",
		fails(&tls.CertificateVerificationError{Err: errors.New("unknown authority")}),
		local(0, gemini.CategoryUnknown, 1, nil)),
	same("an error of a middleware",
		func(*http.Request) (*http.Response, error) { return nil, errOfMiddleware },
		local(0, gemini.CategoryUnknown, 1, errOfMiddleware)),
	same("neither response nor error",
		func(*http.Request) (*http.Response, error) { return nil, nil },
		local(0, gemini.CategoryUnknown, 1, nil)),
	{
		name: "no reply",
		reply: func(r *http.Request) (*http.Response,
			error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		},
		unary:  local(0, gemini.CategoryTimeout, 3, context.DeadlineExceeded),
		stream: local(0, gemini.CategoryTimeout, 3, context.DeadlineExceeded),
	},
	{
		name:   "a stall before the first byte",
		reply:  reading(func(ctx context.Context) io.Reader { return stall{ctx} }),
		unary:  local(200, gemini.CategoryTimeout, 3, context.DeadlineExceeded),
		stream: local(200, gemini.CategoryTimeout, 3, context.DeadlineExceeded),
	},
	{
		name:   "a stall that heeds no context",
		reply:  reading(func(context.Context) io.Reader { r, _ := io.Pipe(); return r }),
		unary:  local(200, gemini.CategoryTimeout, 3, context.DeadlineExceeded),
		stream: local(200, gemini.CategoryTimeout, 3, context.DeadlineExceeded),
	},
	{
		name:   "slow bytes",
		reply:  reading(func(ctx context.Context) io.Reader { return drip{ctx} }),
		unary:  local(200, gemini.CategoryTimeout, 3, context.DeadlineExceeded),
		stream: local(200, gemini.CategoryTimeout, 3, context.DeadlineExceeded),
	},
	{
		name: "a stall after the first chunk",
		reply: reading(func(ctx context.Context) io.Reader {
			return io.MultiReader(strings.NewReader(firstEvent), stall{ctx})
		}),
		unary:  local(200, gemini.CategoryTimeout, 3, context.DeadlineExceeded),
		stream: local(200, gemini.CategoryTimeout, 1, context.DeadlineExceeded).after(1),
	},
	{
		name: "a cut within the first event",
		reply: reading(func(context.Context) io.Reader {
			return io.MultiReader(strings.NewReader(firstEvent[:30]),
				iotest.ErrReader(io.ErrUnexpectedEOF))
		}),
		unary:  local(200, gemini.CategoryNetwork, 3, io.ErrUnexpectedEOF),
		stream: local(200, gemini.CategoryNetwork, 3, io.ErrUnexpectedEOF),
	},
	{
		name:   "an end within the first event",
		reply:  body(200, "application/json", `{"candidates":[{"content":`),
		unary:  local(200, gemini.CategoryNetwork, 3, io.ErrUnexpectedEOF),
		stream: local(200, gemini.CategoryNetwork, 3, wire.ErrTruncated),
	},
	{
		name:   "a cut after the first event",
		reply:  body(200, "text/event-stream", firstEvent+firstEvent[:20]),
		unary:  final(200, gemini.CategoryUnknown),
		stream: local(200, gemini.CategoryNetwork, 1, wire.ErrTruncated).after(1),
	},
	{
		name: "an end without a finish reason", reply: body(200, "text/event-stream", firstEvent),
		unary:  final(200, gemini.CategoryUnknown),
		stream: local(200, gemini.CategoryNetwork, 1, wire.ErrTruncated).after(1),
	},
	{
		name: "an error after the first event",
		reply: body(200, "text/event-stream",
			firstEvent+"{\n\"error\": {\"code\": 503, \"message\": \"no\", \"status\": \"UNAVAILABLE\"}}\n"),
		unary:  final(200, gemini.CategoryUnknown),
		stream: retried(503, gemini.CategoryServer).after(1),
	},
	{
		name:   "garbage after the first event",
		reply:  body(200, "text/event-stream", firstEvent+"data: {\"candidates\": 7x}\r\n\r\n"),
		unary:  final(200, gemini.CategoryUnknown),
		stream: local(200, gemini.CategoryUnknown, 1, nil).after(1),
	},
	{
		name: "JSON that is no answer", reply: body(200, "application/json", `[1]`),
		unary:  local(200, gemini.CategoryUnknown, 1, nil),
		stream: local(200, gemini.CategoryUnknown, 1, nil),
	},
	{
		name: "more than the limit", reply: body(200, "application/json", answer),
		opts: []gemini.ClientOption{gemini.WithMaxBodySize(20),
			gemini.WithStreamOptions(gemini.WithMaxEventSize(20))},
		unary:  local(200, gemini.CategoryUnknown, 1, gemini.ErrBodyTooLarge),
		stream: local(200, gemini.CategoryUnknown, 1, wire.ErrEventTooLarge),
	},
	{
		name: "an endless error", reply: func(r *http.Request) (*http.Response, error) {
			out := httpReply(503, "text/plain", "")
			out.Body = io.NopCloser(endless{})
			return out, nil
		},
		unary: retried(503, gemini.CategoryServer), stream: retried(503, gemini.CategoryServer),
	},
}

var errOfMiddleware = errors.New("refused by a middleware")

// same is a fault that ends whole answers and streams alike.
func same(name string, reply func(*http.Request) (*http.Response, error), result outcome) fault {
	return fault{name: name, reply: reply, unary: result, stream: result}
}

func TestEveryFaultHasItsResult(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		for _, kind := range []string{"unary", "stream"} {
			t.Run(f.name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { checkFault(t, f, kind == "stream") })
			})
		}
	}
}

func checkFault(t *testing.T, f fault, isStream bool) {
	attempts := 0
	server := gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
		attempts++
		if sent, err := io.ReadAll(r.Body); err != nil || len(sent) == 0 {
			t.Errorf("attempt %d has the body %q, %v", attempts, sent, err)
		}
		return f.reply(r)
	})
	client := newClient(t, append(f.opts, gemini.WithHTTPClient(server))...)
	want, chunks := f.unary, 0
	began := time.Now()
	var err error
	if isStream {
		want = f.stream
		for chunk, failure := range client.StreamGenerateContent(t.Context(), prompt("m")) {
			if chunk != nil {
				chunks++
			}
			err = failure
		}
	} else {
		_, err = client.GenerateContent(t.Context(), prompt("m"))
	}
	if err == nil {
		t.Fatal("no error")
	}
	got := outcome{category: gemini.CategoryOf(err), attempts: attempts, is: want.is,
		chunks: chunks}
	switch e := err.(type) {
	case *gemini.Error:
		got.status, got.fromAPI = e.HTTPStatus, true
	case *gemini.CallError:
		got.status = e.HTTPStatus
	}
	if got != want || want.is != nil && !errors.Is(err, want.is) {
		t.Errorf("got %+v\nwant %+v\n%v", got, want, err)
	}
	if took := time.Since(began); took > 45*time.Minute {
		t.Errorf("it took %v", took)
	}
	if text := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(text, "k-secret") ||
		strings.Contains(text, "googleapis.com/v1") {
		t.Error(text)
	}
}

// not in parallel with other tests, whose goroutines it would find
func TestNoFaultLeaksAGoroutine(t *testing.T) {
	for _, f := range faults {
		client := newClient(t, append(f.opts, gemini.WithHTTPClient(gemini.DoerFunc(f.reply)),
			gemini.WithAttemptTimeout(20*time.Millisecond),
			gemini.WithStreamIdleTimeout(20*time.Millisecond), gemini.WithMaxAttempts(1))...)
		_, _ = client.GenerateContent(t.Context(), prompt("m"))
		for range client.StreamGenerateContent(t.Context(), prompt("m")) {
			continue
		}
	}
	goleak.VerifyNone(t)
}
