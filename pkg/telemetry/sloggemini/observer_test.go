package sloggemini_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/telemetry/sloggemini"
	"github.com/google/go-cmp/cmp"
)

const answer = `{"candidates":[{"content":{"parts":[{"text":"p-answer"}]},"finishReason":"STOP"}],"modelVersion":"m-001","responseId":"r1",` +
	`"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,"totalTokenCount":5}}`

// logged calls a server that answers with bodies in turn, and returns the records as JSON without
// their time.
func logged(t *testing.T, stream bool, replies ...*http.Response) string {
	t.Helper()
	var out bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		logger := slog.New(slog.NewJSONHandler(&out,
			&slog.HandlerOptions{Level: slog.LevelDebug,
				ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
					if a.Key == slog.TimeKey {
						return slog.Attr{}
					}
					return a
				}}))
		next := 0
		server := gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
			next++
			return replies[next-1], nil
		})
		client, err := gemini.NewClient(gemini.WithAPIKey("k-secret"),
			gemini.WithHTTPClient(server),
			gemini.WithObserver(sloggemini.New(logger)), gemini.WithModel("gemini-x"))
		if err != nil {
			t.Fatal(err)
		}
		req := &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{gemini.UserText("p-prompt")}}
		if stream {
			for range client.StreamGenerateContent(t.Context(), req) {
				continue
			}
			return
		}
		_, _ = client.GenerateContent(t.Context(), req)
	})
	for _, secret := range []string{"k-secret", "p-prompt", "p-answer", "p-quoted"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("%s is logged: %s", secret, &out)
		}
	}
	return out.String()
}

func reply(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, ContentLength: -1,
		Body: io.NopCloser(strings.NewReader(body))}
}

func TestACallIsOneRecord(t *testing.T) {
	t.Parallel()
	const refused = `{"error":{"code":429,"message":"you said p-quoted","status":"RESOURCE_EXHAUSTED","details":[` +
		`{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"2s"}]}}`
	const called = `"operation":"generateContent","service":"gemini_api","server":"generativelanguage.googleapis.com","model":"gemini-x"`
	const answered = `"model_version":"m-001","response_id":"r1","finish_reasons":["STOP"],"tokens":{"prompt":3,"candidates":2,"total":5}`
	for name, tt := range map[string]struct {
		stream  bool
		replies []*http.Response
		want    []string
	}{
		"an answer": {false, []*http.Response{reply(200, answer)}, []string{
			`{"level":"INFO","msg":"gemini call",` + called + `,"duration_ms":0,"attempts":1,` +
				answered + `}`,
		}},
		"an answer at the second attempt": {false,
			[]*http.Response{reply(429, refused), reply(200, answer)}, []string{
				`{"level":"DEBUG","msg":"gemini attempt failed","operation":"generateContent","attempt":1,"duration_ms":0,"retry_after_ms":2000,"key":0,` +
					`"error":{"category":"rate_limit","http_status":429,"status":"RESOURCE_EXHAUSTED"}}`,
				`{"level":"INFO","msg":"gemini call",` + called +
					`,"duration_ms":2000,"attempts":2,` +
					answered + `}`,
			}},
		"a refusal": {false,
			[]*http.Response{reply(400,
				`{"error":{"code":400,"message":"p-quoted","status":"INVALID_ARGUMENT"}}`)},
			[]string{
				`{"level":"DEBUG","msg":"gemini attempt failed","operation":"generateContent","attempt":1,"duration_ms":0,"key":0,` +
					`"error":{"category":"invalid_arg","http_status":400,"status":"INVALID_ARGUMENT"}}`,
				`{"level":"WARN","msg":"gemini call failed",` + called +
					`,"duration_ms":0,"attempts":1,"error":{"category":"invalid_arg","http_status":400,"status":"INVALID_ARGUMENT"}}`,
			}},
		"a stream that is cut off": {true,
			[]*http.Response{reply(200,
				"data: "+`{"candidates":[{"content":{"parts":[{"text":"p-answer"}]}}]}`+"\n\n")},
			[]string{
				`{"level":"WARN","msg":"gemini call failed",` +
					strings.Replace(called, "generateContent", "streamGenerateContent", 1) +
					`,"duration_ms":0,"attempts":1,` +
					`"chunks":1,"time_to_first_chunk_ms":0,"left":false,"error":{"category":"network","http_status":200,"type":"*errors.errorString"}}`,
			}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := strings.Split(strings.TrimSpace(logged(t, tt.stream, tt.replies...)), "\n")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// all tests share the default logger, so the test runs alone
func TestNoLoggerIsTheDefaultOne(t *testing.T) {
	var out bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	server := gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK,
			Body: io.NopCloser(strings.NewReader(answer))}, nil
	})
	client, err := gemini.NewClient(gemini.WithAPIKey("k"), gemini.WithHTTPClient(server),
		gemini.WithObserver(sloggemini.New(nil)), gemini.WithModel("m"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.GenerateContent(t.Context(), nil); err != nil ||
		!strings.Contains(out.String(), "generateContent") {
		t.Errorf("%v, %s", err, out.String())
	}
}
