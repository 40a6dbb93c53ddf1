package gemini_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const quotaBody = `{
  "error": {
    "code": 429,
    "message": "Daily limit reached.\nPlease retry in 99s.",
    "status": "RESOURCE_EXHAUSTED",
    "details": [
      {"@type": "type.googleapis.com/google.rpc.Help", "links": [{"description": "Limits", "url": "https://limits.example"}]},
      {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [
        {"quotaMetric": "requests", "quotaId": "RequestsPerDayPerProject-FreeTier", "quotaDimensions": {"model": "m"}, "quotaValue": "250"},
        {"description": "a limit without an id"},
        {"quotaId": "TokensPerMinute"}]},
      {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.074824224s"}
    ]
  }
}`

func TestErrorBodiesOfEveryShape(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		http    int
		body    string
		want    gemini.Error
		fromAPI bool
		reason  string
		text    string
	}{
		{
			name: "the envelope", http: 400,
			body: `{"error":{"code":400,"message":"bad key","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]}}`,
			want: gemini.Error{HTTPStatus: 400, Status: "INVALID_ARGUMENT", Message: "bad key",
				Details: []geminiapi.ErrorDetail{
					{Type: new("type.googleapis.com/google.rpc.ErrorInfo"), Reason: new("API_KEY_INVALID"), Domain: new("googleapis.com")}}},
			fromAPI: true, reason: "API_KEY_INVALID", text: "gemini: 400 INVALID_ARGUMENT: bad key",
		},
		{
			name: "a list, with the older list of errors", http: 403,
			body: "[{\n\"error\":{\"code\":403,\"message\":\"no access\",\"errors\":[{\"message\":\"no access\",\"domain\":\"global\",\"reason\":\"forbidden\"}],\"status\":\"PERMISSION_DENIED\"}}\n]\n",
			want: gemini.Error{HTTPStatus: 403, Status: "PERMISSION_DENIED",
				Message: "no access"},
			fromAPI: true, reason: "forbidden", text: "gemini: 403 PERMISSION_DENIED: no access",
		},
		{
			name: "only the older list of errors", http: 403,
			body:   `{"error":{"errors":[{"message":"no access","reason":"forbidden"}],"code":403}}`,
			want:   gemini.Error{HTTPStatus: 403, Message: "no access"},
			reason: "forbidden", text: "gemini: 403: no access",
		},
		{
			name: "within a stream, by the code of the object", http: 0,
			body:    `{"error":{"code":499,"message":"stopped","status":"CANCELLED"}}`,
			want:    gemini.Error{HTTPStatus: 499, Status: "CANCELLED", Message: "stopped"},
			fromAPI: true, text: "gemini: 499 CANCELLED: stopped",
		},
		{
			name: "within a stream that began with 200, by the status", http: 200,
			body: `{"error":{"message":"too many","status":"RESOURCE_EXHAUSTED"}}`,
			want: gemini.Error{HTTPStatus: 429, Status: "RESOURCE_EXHAUSTED",
				Message: "too many"},
			fromAPI: true, text: "gemini: 429 RESOURCE_EXHAUSTED: too many",
		},
		{
			name: "a code of google.rpc", http: 0,
			body: `{"error":{"code":8,"message":"too many"}}`,
			want: gemini.Error{HTTPStatus: 429, Status: "RESOURCE_EXHAUSTED",
				Message: "too many"},
			fromAPI: true, text: "gemini: 429 RESOURCE_EXHAUSTED: too many",
		},
		{
			name: "the reply's status beats the object's code", http: 503,
			body:    `{"error":{"code":500,"message":"overloaded","status":"UNAVAILABLE"}}`,
			want:    gemini.Error{HTTPStatus: 503, Status: "UNAVAILABLE", Message: "overloaded"},
			fromAPI: true, text: "gemini: 503 UNAVAILABLE: overloaded",
		},
		{
			name: "a code in quotes", http: 0, body: `{"error":{"code":"404","message":""}}`,
			want: gemini.Error{HTTPStatus: 404}, fromAPI: true, text: "gemini: 404 not found",
		},
		{
			name: "an unknown status", http: 0,
			body: `{"error":{"status":"TEAPOT","message":"short"}}`,
			want: gemini.Error{Status: "TEAPOT", Message: "short"}, fromAPI: true,
			text: "gemini: TEAPOT: short",
		},
		{
			name: "HTML", http: 404,
			body: "<!DOCTYPE html>\n<html><TITLE lang=en>\n Error 404 &amp; more\n</TITLE><body>secret</body></html>",
			want: gemini.Error{HTTPStatus: 404, Message: "Error 404 & more"},
			text: "gemini: 404: Error 404 & more",
		},
		{
			name: "HTML without a title", http: 502, body: "<html><body>secret</body></html>",
			want: gemini.Error{HTTPStatus: 502}, text: "gemini: 502 bad gateway",
		},
		{
			name: "plain text", http: 500, body: " upload failed\n",
			want: gemini.Error{HTTPStatus: 500, Message: "upload failed"},
			text: "gemini: 500: upload failed",
		},
		{
			name: "long text is cut between characters", http: 500, body: strings.Repeat("é", 400),
			want: gemini.Error{HTTPStatus: 500, Message: strings.Repeat("é", 150) + "..."},
			text: "gemini: 500: " + strings.Repeat("é", 150) + "...",
		},
		{
			name: "nothing", http: 503, body: "",
			want: gemini.Error{HTTPStatus: 503}, text: "gemini: 503 service unavailable",
		},
		{
			name: "nothing at all", http: 0, body: "",
			want: gemini.Error{}, text: "gemini: error without a message",
		},
		{
			name: "a code without a name", http: 499, body: "",
			want: gemini.Error{HTTPStatus: 499}, text: "gemini: 499 error without a message",
		},
		{
			name: "JSON cut short", http: 500, body: `{"error":{"message":"sec`,
			want: gemini.Error{HTTPStatus: 500}, text: "gemini: 500 internal server error",
		},
		{
			name: "OAuth", http: 401,
			body: `{"error":"invalid_grant","error_description":"expired"}`,
			want: gemini.Error{HTTPStatus: 401, Message: "expired"}, text: "gemini: 401: expired",
		},
		{
			name: "a proxy", http: 502, body: `{"message":"no upstream"}`,
			want: gemini.Error{HTTPStatus: 502, Message: "no upstream"},
			text: "gemini: 502: no upstream",
		},
		{
			name: "the error object without an envelope", http: 0,
			body: `{"code":503,"message":"busy","status":"UNAVAILABLE","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"2s"}]}`,
			want: gemini.Error{HTTPStatus: 503, Status: "UNAVAILABLE", Message: "busy",
				RetryAfter: 2 * time.Second, Details: []geminiapi.ErrorDetail{
					{Type: new("type.googleapis.com/google.rpc.RetryInfo"), RetryDelay: new("2s")}}},
			fromAPI: true, text: "gemini: 503 UNAVAILABLE: busy",
		},
		{
			name: "the error object without an envelope, by its status", http: 0,
			body: `[{"status":"RESOURCE_EXHAUSTED"}]`,
			want: gemini.Error{HTTPStatus: 429, Status: "RESOURCE_EXHAUSTED"},
			text: "gemini: 429 RESOURCE_EXHAUSTED",
		},
		{
			name: "a status with an envelope", http: 0,
			body: `{"error":{"message":"m"},"status":"UNAVAILABLE","code":503}`,
			want: gemini.Error{Message: "m"}, fromAPI: true, text: "gemini: m",
		},
		{
			name: "a proxy with a code of HTTP", http: 0,
			body: `{"code":502,"message":"no upstream"}`,
			want: gemini.Error{HTTPStatus: 502, Message: "no upstream"},
			text: "gemini: 502: no upstream",
		},
		{
			name: "a proxy with a code of its own", http: 502,
			body: `{"code":7,"message":"no upstream","status":"error","details":[{}]}`,
			want: gemini.Error{HTTPStatus: 502, Message: "no upstream"},
			text: "gemini: 502: no upstream",
		},
		{
			name: "members of the wrong type hide nothing else", http: 429,
			body: `{"error":{"code":{},"message":"m","status":7,"errors":3,"details":[5,{"@type":["x"],"a":1},{"retryDelay":"2s"},null]}}`,
			want: gemini.Error{HTTPStatus: 429, Message: "m", RetryAfter: 2 * time.Second,
				Details: []geminiapi.ErrorDetail{
					{Unknown: []byte(`{"@type":["x"],"a":1}`)}, {RetryDelay: new("2s")}, {}}},
			fromAPI: true, text: "gemini: 429: m",
		},
		{
			name: "details and a member twice, invalid UTF-8", http: 400,
			body:    "{\"error\":{\"message\":\"a\xffb\",\"message\":\"c\xffd\",\"details\":{}}}",
			want:    gemini.Error{HTTPStatus: 400, Message: "c\ufffdd"},
			fromAPI: true, text: "gemini: 400: c\ufffdd",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := gemini.DecodeError(tt.http, nil, []byte(tt.body))
			if diff := cmp.Diff(&tt.want, got,
				cmpopts.IgnoreUnexported(gemini.Error{})); diff != "" {
				t.Error(diff)
			}
			if got.FromAPI() != tt.fromAPI || got.Reason() != tt.reason || got.Error() != tt.text {
				t.Errorf("FromAPI %v, reason %q, text %q", got.FromAPI(), got.Reason(), got)
			}
			if string(got.RawBody()) != tt.body {
				t.Errorf("raw body %q", got.RawBody())
			}
		})
	}
}

// The bodies are from the error mapping that this project started from. Without a message in an
// error object, FromAPI is false.
func TestBodiesWithoutAMessageAreNotFromTheAPI(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"", "not json", `["not an object"]`, `{"different_field":"value"}`,
		`{"error":{"code":123}}`,
		`{"error":{"message":123}}`, `{"error":{"message":null}}`,
		`{"error":"string instead of object"}`, `[]`, `null`, `[null]`,
	} {
		if e := gemini.DecodeError(500, nil, []byte(body)); e.FromAPI() || e.HTTPStatus != 500 {
			t.Errorf("%s: %#v", body, e)
		}
	}
}

func TestDetailsOfAQuotaError(t *testing.T) {
	t.Parallel()
	e := gemini.DecodeError(429, nil, []byte(quotaBody))
	if diff := cmp.Diff([]string{"RequestsPerDayPerProject-FreeTier", "TokensPerMinute"},
		e.QuotaIDs()); diff != "" {
		t.Error(diff)
	}
	if len(e.QuotaViolations()) != 3 || e.QuotaViolations()[0].QuotaValue.Int64() != 250 {
		t.Errorf("violations %v", e.QuotaViolations())
	}
	if e.RetryAfter != 34074824224 {
		t.Errorf("retry after %v", e.RetryAfter)
	}
	if help := e.Detail("Help"); help == nil || *help.Links[0].URL != "https://limits.example" {
		t.Errorf("help %v", help)
	}
	if e.Detail("ErrorInfo") != nil || e.Detail("") != nil || e.Reason() != "" ||
		e.FieldViolations() != nil {
		t.Error("details that are not there")
	}
}

func TestFieldViolationsOfABadRequest(t *testing.T) {
	t.Parallel()
	e := gemini.DecodeError(400, nil,
		[]byte(`{"error":{"message":"m","details":[{"@type":"type.googleapis.com/google.rpc.BadRequest",`+
			`"fieldViolations":[{"field":"contents[0].parts","description":"empty"},{"description":"no field"}]}]}}`))
	want := []geminiapi.FieldViolation{{Field: new("contents[0].parts"), Description: new("empty")},
		{Description: new("no field")}}
	if diff := cmp.Diff(want, e.FieldViolations()); diff != "" {
		t.Error(diff)
	}
	if e.QuotaViolations() != nil || e.QuotaIDs() != nil {
		t.Error("quota violations in a bad request")
	}
}

func TestRetryAfterTakesTheMostExactSource(t *testing.T) {
	t.Parallel()
	const date = "Sat, 14 Mar 2026 08:00:00 GMT"
	tests := []struct {
		name   string
		body   string
		header http.Header
		want   time.Duration
	}{
		{"nine digits", `{"error":{"details":[{"retryDelay":"34.074824224s"}]}}`, nil, 34074824224},
		{"a detail anywhere", `{"error":{"details":[{},{"@type":"x","retryDelay":"0.5s"}]}}`, nil, time.Second / 2},
		{"a detail before everything else", `{"retryDelay":"4s","error":{"message":"Please retry in 5s.","retryDelay":"3s","details":[{"retryDelay":"2s"}]}}`, http.Header{"Retry-After": {"6"}}, 2 * time.Second},
		{"next to the message", `{"retryDelay":"4s","error":{"message":"Please retry in 5s.","retryDelay":"3s"}}`, http.Header{"Retry-After": {"6"}}, 3 * time.Second},
		{"at the top", `{"retryDelay":"60s","error":{"message":"Please retry in 5s."}}`, http.Header{"Retry-After": {"6"}}, time.Minute},
		{"at the top, alone", `{"retryDelay":"30s"}`, nil, 30 * time.Second},
		{"seconds without a unit", `{"retryDelay":"30"}`, nil, 30 * time.Second},
		{"the header before the message", `{"error":{"message":"Please retry in 5s."}}`, http.Header{"Retry-After": {"6"}}, 6 * time.Second},
		{"the header with a fraction", ``, http.Header{"Retry-After": {" 1.5 "}}, 1500 * time.Millisecond},
		{"the header as a date", ``, http.Header{"Retry-After": {"Sat, 14 Mar 2026 08:00:42 GMT"}, "Date": {date}}, 42 * time.Second},
		{"the header as a date gone by", ``, http.Header{"Retry-After": {date}, "Date": {"Sat, 14 Mar 2026 09:00:00 GMT"}}, 0},
		{"the message", `{"error":{"message":"Limit reached.\nPlease retry in 23.472316927s."}}`, nil, 23472316927},
		{"the message in milliseconds", `{"error":{"message":"Please retry in 847.65501ms."}}`, nil, 847655010},
		{"the message in hours", `{"error":{"message":"Please retry in 5h2m3s, or pay."}}`, nil, 5*time.Hour + 2*time.Minute + 3*time.Second},
		{"the message without a time", `{"error":{"message":"Please retry in a while."}}`, nil, 0},
		{"no source", `{"error":{"message":"no"}}`, http.Header{}, 0},
		{"a number", `{"retryDelay":123}`, nil, 0},
		{"a word", `{"retryDelay":"abc"}`, http.Header{"Retry-After": {"soon"}}, 0},
		{"negative", `{"retryDelay":"-10s"}`, http.Header{"Retry-After": {"-10"}}, 0},
		{"zero", `{"retryDelay":"0s"}`, nil, 0},
		{"zero, then the header", `{"retryDelay":"0s"}`, http.Header{"Retry-After": {"1"}}, time.Second},
		{"beyond all time", `{"retryDelay":"315576000000s"}`, nil, 365 * 24 * time.Hour},
		{"of years", `{"retryDelay":"99999999s"}`, nil, 365 * 24 * time.Hour},
		{"a date of another century", ``, http.Header{"Retry-After": {"Fri, 01 Jan 2100 00:00:00 GMT"}}, 365 * 24 * time.Hour},
		{"the message of years", `{"error":{"message":"Please retry in 99999h."}}`, nil, 365 * 24 * time.Hour},
		{"the header beyond all time", ``, http.Header{"Retry-After": {"99999999999999999999"}}, 365 * 24 * time.Hour},
		{"the header without an end", ``, http.Header{"Retry-After": {"Inf"}}, 0},
		{"the header without a number", ``, http.Header{"Retry-After": {"NaN"}}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := gemini.DecodeError(429, tt.header,
				[]byte(tt.body)).RetryAfter; got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
	t.Run("a date is compared with the clock if the reply has none of its own", func(t *testing.T) {
		t.Parallel()
		header := http.Header{"Retry-After": {time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)}}
		if got := gemini.DecodeError(429, header, nil).RetryAfter; got < 58*time.Minute ||
			got > time.Hour {
			t.Errorf("%v, want about an hour", got)
		}
	})
}

func TestRequestIDComesFromTheDetailsOrTheHeader(t *testing.T) {
	t.Parallel()
	header := http.Header{"X-Request-Id": {"from-header"}}
	body := []byte(`{"error":{"message":"m","details":[{"@type":"type.googleapis.com/google.rpc.RequestInfo","requestId":"from-body"}]}}`)
	if id := gemini.DecodeError(500, header, body).RequestID; id != "from-body" {
		t.Errorf("with both: %q", id)
	}
	if id := gemini.DecodeError(500, header, nil).RequestID; id != "from-header" {
		t.Errorf("with the header: %q", id)
	}
	if id := gemini.DecodeError(500, nil, nil).RequestID; id != "" {
		t.Errorf("with neither: %q", id)
	}
}

func TestNoFormOfAnErrorShowsAKeyOrTheBody(t *testing.T) {
	t.Parallel()
	const key = "AIzaSyD-0123456789abcdefghijklmnopqrstu"
	bodies := []string{
		`{"error":{"code":403,"message":"Consumer 'api_key:` + key +
			`' has been suspended. hidden","status":"PERMISSION_DENIED","unknown":"body-only",` +
			`"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","metadata":{"consumer":"api_key:` +
			key + `"}}]}}`,
		"GET /v1beta/models/m:generateContent?key=" + key + " was not found",
		`{"error":{"message":"GET /v1beta?alt=sse\u0026key=` + key + `"}, "unknown":"body-only"}`,
		"<html><title>Not found: /v1beta?key=" + key + "</title>body-only</html>",
		`{"error":{"message":"key AQ.Ab8RN6_0123456789-abcdef"}, "unknown":"body-only"}`,
		`{"error":{"message":"Consumer 'api_key:Ab8RN6_0123456789' has been suspended."}, "unknown":"body-only"}`,
		`{"error":{"message":"GET /v1beta?key=Ab8RN6_0123456789"}, "unknown":"body-only"}`,
	}
	for _, body := range bodies {
		e := gemini.DecodeError(403, nil, []byte(body))
		logged := &strings.Builder{}
		slog.New(slog.NewTextHandler(logged, nil)).Error("call failed", "error", e)
		encoded, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		forms := []string{
			e.Error(), e.Message, fmt.Sprintf("%v %+v %#v %s %q", e, e, e, e, e),
			fmt.Sprintf("%v %+v %#v", *e, *e, *e),
			fmt.Sprint(fmt.Errorf("wrapped: %w", e)), logged.String(), string(encoded),
		}
		for _, form := range forms {
			for _, secret := range []string{key[5:], "Ab8RN6", "body-only"} {
				if strings.Contains(form, secret) {
					t.Errorf("%q holds %q", form, secret)
				}
			}
		}
		if !strings.Contains(e.Message, "REDACTED") {
			t.Errorf("message %q does not say that something was taken out", e.Message)
		}
		if string(e.RawBody()) != body {
			t.Errorf("raw body %q", e.RawBody())
		}
	}
}

func TestErrorsAreLoggedByField(t *testing.T) {
	t.Parallel()
	e := gemini.DecodeError(429, http.Header{"X-Request-Id": {"r1"}}, []byte(quotaBody))
	logged := &strings.Builder{}
	slog.New(slog.NewTextHandler(logged, nil)).Error("call failed", "error", e)
	for _, want := range []string{"error.http_status=429", "error.status=RESOURCE_EXHAUSTED",
		"error.retry_after=34.074824224s", "error.request_id=r1", "error.reason="} {
		if !strings.Contains(logged.String(), want) {
			t.Errorf("%q is not in %s", want, logged)
		}
	}
}

func TestIsComparesWhatIsSet(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("call: %w", gemini.DecodeError(429, nil, []byte(quotaBody)))
	for _, match := range []*gemini.Error{{HTTPStatus: 429},
		{Status: geminiapi.ErrorStatusResourceExhausted}, {HTTPStatus: 429,
			Status: "RESOURCE_EXHAUSTED", Message: "other"}} {
		if !errors.Is(err, match) {
			t.Errorf("is not %#v", match)
		}
	}
	for _, other := range []error{&gemini.Error{}, &gemini.Error{HTTPStatus: 500},
		&gemini.Error{HTTPStatus: 429, Status: "UNAVAILABLE"}, errors.New("429")} {
		if errors.Is(err, other) {
			t.Errorf("is %#v", other)
		}
	}
}

func TestEveryCanonicalStatusHasACodeAndAnHTTPStatus(t *testing.T) {
	t.Parallel()
	statuses := 0
	inspect(t, "../../gen/geminiapi/gemini.gen.go", func(node ast.Node) {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, "ErrorStatus") {
			return
		}
		statuses++
		status, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		e := gemini.DecodeError(0, nil, []byte(`{"error":{"message":"m","status":"`+status+`"}}`))
		if e.HTTPStatus < 400 {
			t.Errorf("%s has the HTTP status %d", status, e.HTTPStatus)
		}
	})
	seen := map[geminiapi.ErrorStatus]bool{}
	for code := 1; code <= statuses; code++ {
		e := gemini.DecodeError(0, nil,
			fmt.Appendf(nil, `{"error":{"message":"m","code":%d}}`, code))
		if !e.Status.Valid() || seen[e.Status] {
			t.Errorf("code %d is %q", code, e.Status)
		}
		seen[e.Status] = true
	}
	if statuses == 0 {
		t.Error("no statuses found")
	}
}

func TestEveryRecordedErrorIsUnderstood(t *testing.T) {
	t.Parallel()
	for _, payload := range corpustest.Payloads(t, corpustest.Error) {
		t.Run(payload.Name, func(t *testing.T) {
			t.Parallel()
			body := payload.Read(t)
			recorded, _ := strconv.Atoi(payload.HTTPStatus)
			e := gemini.DecodeError(recorded, nil, body)
			if !json.Valid(body) {
				if e.FromAPI() || e.Message == "" {
					t.Errorf("not JSON: %#v", e)
				}
				return
			}
			want := recordedError(t, body)
			if e.HTTPStatus != want.Code || string(e.Status) != want.Status ||
				e.Message != want.Message || !e.FromAPI() {
				t.Errorf("%#v, want %+v", e, want)
			}
			if len(e.Details) != len(want.Details) {
				t.Errorf("%d details, want %d", len(e.Details), len(want.Details))
			}
			for _, detail := range want.Details {
				if kind := detail.Type[strings.LastIndexByte(detail.Type, '.')+
					1:]; e.Detail(kind) == nil {
					t.Errorf("no detail %s", kind)
				}
				if delay, err := time.ParseDuration(detail.RetryDelay); err == nil &&
					e.RetryAfter != delay {
					t.Errorf("retry after %v, want %v", e.RetryAfter, delay)
				}
				if detail.Reason != "" && e.Reason() != detail.Reason {
					t.Errorf("reason %q, want %q", e.Reason(), detail.Reason)
				}
			}
		})
	}
}

type recordedErrorObject struct {
	Code            int
	Message, Status string
	Details         []struct {
		Type               string `json:"@type"`
		RetryDelay, Reason string
	}
}

// recordedError reads the envelope, alone or in a list, in the simplest way.
func recordedError(t *testing.T, body []byte) recordedErrorObject {
	t.Helper()
	type envelope struct{ Error recordedErrorObject }
	var list []envelope
	if err := json.Unmarshal(body, &list); err != nil {
		list = make([]envelope, 1)
		if err := json.Unmarshal(body, &list[0]); err != nil {
			t.Fatal(err)
		}
	}
	return list[0].Error
}
