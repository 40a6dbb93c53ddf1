package normalize_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestCategoryOfHTTP(t *testing.T) {
	t.Parallel()
	named := map[int]normalize.Category{
		400: normalize.CategoryInvalidArg, 401: normalize.CategoryAuth, 403: normalize.CategoryAuth,
		404: normalize.CategoryNotFound, 429: normalize.CategoryRateLimit,
		500: normalize.CategoryServer,
		502: normalize.CategoryServer, 503: normalize.CategoryServer,
		504: normalize.CategoryTimeout,
	}
	for status := range 1000 {
		want, ok := named[status]
		if !ok {
			want = normalize.CategoryUnknown
		}
		if got := normalize.CategoryOfHTTP(status); got != want {
			t.Errorf("%d is %s, want %s", status, got, want)
		}
	}
}

// Google answers with one HTTP status for each canonical one, so the two tables must agree.
func TestCategoryOfStatusIsThatOfItsHTTPStatus(t *testing.T) {
	t.Parallel()
	for status, http := range map[geminiapi.ErrorStatus]int{
		"INVALID_ARGUMENT": 400, "FAILED_PRECONDITION": 400, "OUT_OF_RANGE": 400,
		"UNAUTHENTICATED":   401,
		"PERMISSION_DENIED": 403, "NOT_FOUND": 404, "ABORTED": 409, "ALREADY_EXISTS": 409,
		"RESOURCE_EXHAUSTED": 429, "CANCELLED": 499, "INTERNAL": 500, "UNKNOWN": 500,
		"DATA_LOSS":     500,
		"UNIMPLEMENTED": 501, "UNAVAILABLE": 503, "DEADLINE_EXCEEDED": 504,
	} {
		if got, want := normalize.CategoryOfStatus(status),
			normalize.CategoryOfHTTP(http); got != want {
			t.Errorf("%s is %s, %d is %s", status, got, http, want)
		}
	}
	for _, status := range []geminiapi.ErrorStatus{"", "internal", "TIRED"} {
		if got := normalize.CategoryOfStatus(status); got != normalize.CategoryUnknown {
			t.Errorf("%q is %s", status, got)
		}
	}
}

func TestRetryable(t *testing.T) {
	t.Parallel()
	for category, want := range map[normalize.Category]bool{
		normalize.CategoryRateLimit: true, normalize.CategoryServer: true,
		normalize.CategoryTimeout: true,
		normalize.CategoryNetwork: true, normalize.CategoryAuth: false,
		normalize.CategoryInvalidArg: false,
		normalize.CategoryNotFound:   false, normalize.CategoryContentFilter: false,
		normalize.CategoryUnknown: false,
	} {
		if category.Retryable() != want ||
			(&normalize.Error{Category: category}).Retryable() != want {
			t.Errorf("%s: retryable is not %v", category, want)
		}
	}
}

func TestTheQuotaOfADayIsNotRetryable(t *testing.T) {
	t.Parallel()
	const violation = `{"error":{"code":429,"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"RequestsPerDay"}]}]}}`
	e := normalize.FromError(gemini.DecodeError(429, nil, []byte(violation)))
	if e.Category != normalize.CategoryRateLimit || e.Retryable() {
		t.Errorf("%v is retryable", e)
	}
}

func TestParseError(t *testing.T) {
	t.Parallel()
	const second = time.Second
	tests := []struct {
		name   string
		status int
		body   string
		want   normalize.Error
	}{
		{"bad request", 400, `{"error":{"code":400,"message":"no such field","status":"INVALID_ARGUMENT"}}`, normalize.Error{Category: "invalid_arg", Message: "400: no such field", ProviderCode: "INVALID_ARGUMENT"}},
		{"unauthorized", 401, `{"error":{"message":"who?"}}`, normalize.Error{Category: "auth", Message: "401: who?"}},
		{"forbidden", 403, `{"error":{"message":"API key invalid"}}`, normalize.Error{Category: "auth", Message: "403: API key invalid"}},
		{"not found", 404, `{"error":{"message":"no model"}}`, normalize.Error{Category: "not_found", Message: "404: no model"}},
		{"quota", 429, `{"error":{"message":"too much","status":"RESOURCE_EXHAUSTED"}}`, normalize.Error{Category: "rate_limit", Message: "429: too much", ProviderCode: "RESOURCE_EXHAUSTED"}},
		{"internal", 500, `{"error":{"message":"oops"}}`, normalize.Error{Category: "server", Message: "500: oops"}},
		{"bad gateway", 502, ``, normalize.Error{Category: "server", Message: "HTTP 502"}},
		{"unavailable", 503, `{"error":{"message":"overloaded"}}`, normalize.Error{Category: "server", Message: "503: overloaded"}},
		{"gateway timeout", 504, `<html>`, normalize.Error{Category: "timeout", Message: "HTTP 504"}},
		{"teapot", 418, `{"error":{"message":"short and stout"}}`, normalize.Error{Category: "unknown", Message: "418: short and stout"}},
		{"the HTTP status decides, not the canonical one", 403, `{"error":{"message":"Quota exceeded for this project","status":"RESOURCE_EXHAUSTED"}}`, normalize.Error{Category: "auth", Message: "403: Quota exceeded for this project", ProviderCode: "RESOURCE_EXHAUSTED"}},
		{
			"a bad key is an invalid argument to Google", 400,
			`{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]}}`,
			normalize.Error{Category: "auth", Message: "400: API key not valid.",
				ProviderCode: "INVALID_ARGUMENT"},
		},
		{"empty message", 500, `{"error":{"message":""}}`, normalize.Error{Category: "server", Message: "500: "}},
		{"in a list", 404, `[{"error":{"message":"no model"}}]`, normalize.Error{Category: "not_found", Message: "404: no model"}},

		{"no body", 500, ``, normalize.Error{Category: "server", Message: "HTTP 500"}},
		{"prose", 500, `not json`, normalize.Error{Category: "server", Message: "HTTP 500"}},
		{"list of something else", 500, `["not an object"]`, normalize.Error{Category: "server", Message: "HTTP 500"}},
		{"object of something else", 500, `{"different_field":"value"}`, normalize.Error{Category: "server", Message: "HTTP 500"}},
		{"no message", 500, `{"error":{"code":123}}`, normalize.Error{Category: "server", Message: "HTTP 500"}},
		{"message is a number", 500, `{"error":{"message":123}}`, normalize.Error{Category: "server", Message: "HTTP 500"}},
		{"message is null", 500, `{"error":{"message":null}}`, normalize.Error{Category: "server", Message: "HTTP 500"}},
		{"error is a string", 500, `{"error":"string instead of object"}`, normalize.Error{Category: "server", Message: "HTTP 500"}},

		{"retry at the root", 429, `{"retryDelay":"60s"}`, normalize.Error{Category: "rate_limit", Message: "HTTP 429", RetryAfter: 60 * second}},
		{"retry in the error", 429, `{"error":{"message":"m","retryDelay":"30s"}}`, normalize.Error{Category: "rate_limit", Message: "429: m", RetryAfter: 30 * second}},
		{
			"retry in the details", 429,
			`{"error":{"message":"m","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.074824224s"}]}}`,
			normalize.Error{Category: "rate_limit", Message: "429: m", RetryAfter: 34074824224},
		},
		{"retry is a number", 429, `{"retryDelay":123}`, normalize.Error{Category: "rate_limit", Message: "HTTP 429"}},
		{"retry is a word", 429, `{"retryDelay":"abc"}`, normalize.Error{Category: "rate_limit", Message: "HTTP 429"}},
		{"retry is negative", 429, `{"retryDelay":"-10s"}`, normalize.Error{Category: "rate_limit", Message: "HTTP 429"}},
		{"retry is zero", 429, `{"retryDelay":"0s"}`, normalize.Error{Category: "rate_limit", Message: "HTTP 429"}},

		{"in a stream", 0, `{"error":{"message":"API key invalid","status":"UNAUTHENTICATED"}}`, normalize.Error{Category: "auth", Message: "API key invalid", ProviderCode: "UNAUTHENTICATED", HTTPStatus: 401}},
		{"in a stream, the canonical status decides", 200, `{"error":{"code":400,"message":"m","status":"RESOURCE_EXHAUSTED"}}`, normalize.Error{Category: "rate_limit", Message: "m", ProviderCode: "RESOURCE_EXHAUSTED", HTTPStatus: 400}},
		{"in a stream, only a code", 0, `{"error":{"code":503,"message":"m"}}`, normalize.Error{Category: "server", Message: "m", HTTPStatus: 503}},
		{"moved", 302, `<html>`, normalize.Error{Category: "unknown", Message: "HTTP 302"}},
		{"not modified", 304, ``, normalize.Error{Category: "unknown", Message: "HTTP 304"}},
		{"a redirect that explains itself", 307, `{"error":{"code":500,"message":"elsewhere"}}`, normalize.Error{Category: "unknown", Message: "307: elsewhere"}},
		{"in a stream, only a message", 0, `{"error":{"message":"M"}}`, normalize.Error{Category: "unknown", Message: "M"}},
		{"in a stream, nothing", 0, `{"error":{}}`, normalize.Error{Category: "unknown", Message: "Unknown error"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.status >= 300 {
				tt.want.HTTPStatus = tt.status
			}
			got := normalize.ParseError(tt.status, nil, []byte(tt.body))
			if diff := cmp.Diff(tt.want, *got,
				cmpopts.IgnoreFields(normalize.Error{}, "Err")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if _, ok := errors.AsType[*gemini.Error](got); !ok {
				t.Error("the provider's error is not in the chain")
			}
			if want := "normalize: " + string(tt.want.Category) + ": " +
				tt.want.Message; got.Error() != want {
				t.Errorf("the text is %q, want %q", got.Error(), want)
			}
		})
	}
}

func TestParseErrorReadsTheHeader(t *testing.T) {
	t.Parallel()
	header := http.Header{"Retry-After": {"7"}, "X-Request-Id": {"r"}}
	e := normalize.ParseError(503, header,
		[]byte(`{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}`))
	cause, ok := errors.AsType[*gemini.Error](e)
	if e.RetryAfter != 7*time.Second || !ok || cause.RequestID != "r" {
		t.Errorf("got %+v, %+v", e, cause)
	}
}

func TestAnEnvelopeWithoutACodeIsItsMessageAlone(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"error":{"message":"M"}}`: "M", `{"error":{}}`: "Unknown error", `{"error":"M"}`: "M",
		`{"error":{"message":""}}`: "Unknown error",
	} {
		_, parsed := normalize.Parse([]byte(body))
		_, streamed := normalize.Accumulate(
			normalize.Events(gemini.NewStreamReader(strings.NewReader("data: " + body +
				"\n\n")).All()))
		for how, err := range map[string]error{"whole": parsed, "streamed": streamed,
			"decoded": gemini.DecodeError(0, nil, []byte(body))} {
			if e := normalize.FromError(err); e.Message != want || e.HTTPStatus != 0 {
				t.Errorf("%s, %s: %d %q", body, how, e.HTTPStatus, e.Message)
			}
		}
	}
}

func TestTheMessageOfANetworkFailureQuotesNoAddress(t *testing.T) {
	t.Parallel()
	reset := &net.OpError{Op: "read", Net: "tcp",
		Addr: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 443}, Err: syscall.ECONNRESET}
	body := io.MultiReader(strings.NewReader("data: {}\n\n"), iotest.ErrReader(reset))
	_, streamed := normalize.Accumulate(normalize.Events(gemini.NewStreamReader(body).All()))
	for _, err := range []error{&url.Error{Op: "Post", URL: "https://192.0.2.1/?key=k", Err: reset},
		streamed} {
		e := normalize.FromError(err)
		if e.Category != normalize.CategoryNetwork || strings.Contains(e.Error(), "192.0.2.1") ||
			!strings.Contains(e.Message, "connection reset") {
			t.Errorf("got %s", e)
		}
	}
}

// tooSlow is a [net.Error] that reports a timeout.
type tooSlow struct{}

func (tooSlow) Error() string   { return "too slow" }
func (tooSlow) Timeout() bool   { return true }
func (tooSlow) Temporary() bool { return true }

func TestFromError(t *testing.T) {
	t.Parallel()
	_, envelope := normalize.Parse([]byte(`{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}`))
	_, blocked := normalize.Parse([]byte(`{"promptFeedback":{"blockReason":"SAFETY"}}`))
	_, malformed := normalize.Parse([]byte(`<html>`))
	_, truncated := normalize.Parse([]byte(`{"candidates":[`))
	_, missing := os.Open("no/such/file")
	_, unwritten := gemini.EncodeResponse(
		&geminiapi.GenerateContentResponse{Unknown: jsontext.Value(`{"x":{`)})
	tests := []struct {
		name string
		err  error
		want normalize.Error
	}{
		{"of the API", &gemini.Error{HTTPStatus: 429, Status: "RESOURCE_EXHAUSTED", RetryAfter: time.Minute}, normalize.Error{Category: "rate_limit", HTTPStatus: 429, Message: "HTTP 429", ProviderCode: "RESOURCE_EXHAUSTED", RetryAfter: time.Minute}},
		{"of the API, wrapped", fmt.Errorf("calling: %w", gemini.DecodeError(404, nil, []byte(`{"error":{"message":"no model"}}`))), normalize.Error{Category: "not_found", HTTPStatus: 404, Message: "404: no model"}},
		{"in place of a response", envelope, normalize.Error{Category: "server", HTTPStatus: 503, Message: "503: overloaded", ProviderCode: "UNAVAILABLE"}},
		{"refused prompt", blocked, normalize.Error{Category: "content_filter", Message: "Prompt blocked: SAFETY", ProviderCode: "SAFETY"}},
		{"deadline", fmt.Errorf("x: %w", context.DeadlineExceeded), normalize.Error{Category: "timeout", Message: "x: context deadline exceeded"}},
		{"deadline under a network error", &url.Error{Op: "Post", URL: "https://example.org", Err: context.DeadlineExceeded}, normalize.Error{Category: "timeout", Message: "Post: context deadline exceeded"}},
		{"canceled", &url.Error{Op: "Post", URL: "https://example.org", Err: context.Canceled}, normalize.Error{Category: "unknown", Message: "Post: context canceled"}},
		{"network timeout", &net.OpError{Op: "dial", Err: tooSlow{}}, normalize.Error{Category: "timeout", Message: "dial: too slow"}},
		{"refused connection", &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, normalize.Error{Category: "network", Message: "dial: connect: connection refused"}},
		{"no such host", &net.DNSError{Err: "no such host", Name: "example.org", IsNotFound: true}, normalize.Error{Category: "network", Message: "lookup: no such host"}},
		{"cut off", fmt.Errorf("reading: %w", io.ErrUnexpectedEOF), normalize.Error{Category: "network", Message: "reading: unexpected EOF"}},
		{"file", missing, normalize.Error{Category: "unknown", Message: missing.Error()}},
		{"response cut off", truncated, normalize.Error{Category: "network", Message: "Invalid JSON response: /candidates: offset 15: the input ends too early"}},
		{"malformed response", malformed, normalize.Error{Category: "unknown", Message: "Invalid JSON response: offset 0: not JSON"}},
		{"request with half a value", unencodable("{"), normalize.Error{Category: "invalid_arg", Message: "request: /tools/0/functionDeclarations/0/parametersJsonSchema: not JSON"}},
		{"request with no value", unencodable("x"), normalize.Error{Category: "invalid_arg", Message: "request: /tools/0/functionDeclarations/0/parametersJsonSchema: not JSON"}},
		{"response with half a value", unwritten, normalize.Error{Category: "unknown", Message: "response: /x: not JSON"}},
		{"anything else", fs.ErrInvalid, normalize.Error{Category: "unknown", Message: "invalid argument"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := normalize.FromError(tt.err)
			if diff := cmp.Diff(tt.want, *got,
				cmpopts.IgnoreFields(normalize.Error{}, "Err")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if !errors.Is(got, tt.err) {
				t.Error("the error is not in the chain")
			}
			if again := normalize.FromError(fmt.Errorf("wrapped: %w", got)); again != got {
				t.Errorf("an error that has a category got another one: %v", again)
			}
		})
	}
}

func TestEveryRecordedErrorHasACategory(t *testing.T) {
	t.Parallel()
	count := map[normalize.Category]int{}
	for _, p := range corpustest.Payloads(t, corpustest.Error) {
		e := normalize.ParseError(statusOf(p), nil, p.Read(t))
		count[e.Category]++
		if e.Category == normalize.CategoryUnknown && !strings.HasPrefix(e.Message, "HTTP") &&
			e.HTTPStatus < 600 &&
			normalize.CategoryOfStatus(geminiapi.ErrorStatus(e.ProviderCode)) != normalize.CategoryUnknown {
			t.Errorf("%s: %d %s has no category", p.Name, e.HTTPStatus, e.ProviderCode)
		}
	}
	if len(count) < 4 {
		t.Errorf("the recorded errors have only the categories %v", count)
	}
	t.Log(count)
}

// statusOf returns the recorded HTTP status, 0 if the recording does not contain it.
func statusOf(p corpustest.Payload) int {
	var status int
	_, _ = fmt.Sscan(p.HTTPStatus, &status)
	return status
}

// unencodable returns the error of a request with a schema that is not JSON.
func unencodable(schema string) error {
	_, err := gemini.EncodeRequest(&geminiapi.GenerateContentRequest{
		Tools: []geminiapi.Tool{{FunctionDeclarations: []geminiapi.FunctionDeclaration{{ParametersJSONSchema: jsontext.Value(schema)}}}},
	})
	return err
}
