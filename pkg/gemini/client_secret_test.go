package gemini_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	jsonv2 "github.com/go-json-experiment/json"
)

// secrets are in all arguments of a client.
var secrets = []string{"k-secret", "t-secret"}

// shown returns a value printed in every way that programs use.
func shown(value any) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%v %+v %#v %s %q %x %d", value, value, value, value, value, value, value)
	v1, err := json.Marshal(value)
	fmt.Fprintln(&out, string(v1), err)
	v2, err := jsonv2.Marshal(value)
	fmt.Fprintln(&out, string(v2), err)
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil),
		slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("value", "value", value)
	}
	return out.String()
}

// recorder is an observer that stores everything it gets.
type recorder struct{ told []any }

func (r *recorder) Begin(ctx context.Context, call gemini.CallInfo) (context.Context,
	gemini.Observation) {
	r.told = append(r.told, call)
	return ctx, r
}
func (r *recorder) Attempt(info gemini.AttemptInfo) { r.told = append(r.told, info) }
func (r *recorder) Chunk(info gemini.ChunkInfo)     { r.told = append(r.told, info) }
func (r *recorder) End(result gemini.CallResult)    { r.told = append(r.told, result) }

func TestNothingShowsACredential(t *testing.T) {
	t.Parallel()
	quoting := func(r *http.Request) (*http.Response, error) {
		return httpReply(403, "application/json",
				`{"error":{"code":403,"message":"Consumer 'api_key:AIzaSyk-secret' has been suspended.","status":"PERMISSION_DENIED"}}`),
			nil
	}
	quotingOurs := func(r *http.Request) (*http.Response, error) {
		return httpReply(401, "application/json",
			`{"error":{"code":401,"message":"no such key: `+
				strings.TrimPrefix(r.Header.Get("X-Goog-Api-Key")+r.Header.Get("Authorization"),
					"Bearer ")+`"}}`), nil
	}
	quotingLate := func(r *http.Request) (*http.Response, error) {
		key := strings.TrimPrefix(r.Header.Get("X-Goog-Api-Key")+r.Header.Get("Authorization"),
			"Bearer ")
		return httpReply(200, "text/event-stream",
				"data: {\"modelVersion\":\"m\"}\n\ndata: {\"error\":{\"code\":401,\"message\":\"no such key: "+
					key+"\"}}\n\n"),
			nil
	}
	redirect := func(*http.Request) (*http.Response, error) {
		out := httpReply(302, "text/html", "")
		out.Header.Set("Location", "https://elsewhere.example/?key=k-secret")
		return out, nil
	}
	replies := []func(*http.Request) (*http.Response,
		error){quoting, redirect, quotingOurs, quotingLate}
	for _, f := range faults {
		if f.name != "no reply" && !strings.Contains(f.name, "stall") &&
			!strings.Contains(f.name, "slow") {
			replies = append(replies, f.reply)
		}
	}
	for _, secret := range []gemini.ClientOption{gemini.WithAPIKeys("k-secret", "k-secret-2"),
		gemini.WithTokenSource(oneToken("t-secret"))} {
		for _, reply := range replies {
			watch := &recorder{}
			opts := []gemini.ClientOption{secret, gemini.WithHTTPClient(gemini.DoerFunc(reply)),
				gemini.WithObserver(watch), gemini.WithMaxAttempts(1)}
			client := newClient(t, opts...)
			values := []any{client, *client, opts, secret, gemini.WithAPIKey("k-secret")}
			_, err := client.GenerateContent(t.Context(), prompt("m"))
			values = append(values, err, errors.Unwrap(err))
			for chunk, err := range client.StreamGenerateContent(t.Context(), prompt("m")) {
				values = append(values, chunk, err)
			}
			for _, value := range append(values, watch.told...) {
				text := shown(value)
				for _, secret := range secrets {
					if strings.Contains(text, secret) {
						t.Fatalf("%T: %.500s", value, text)
					}
				}
			}
		}
	}
}

func TestMiddlewareDoesNotSeeTheCredentialInTheResponse(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Goog-Api-Key") != "k-secret" {
			t.Error("the server does not see it either")
		}
	}))
	defer server.Close()
	seen := 0
	watch := func(next gemini.Doer) gemini.Doer {
		return gemini.DoerFunc(func(request *http.Request) (*http.Response, error) {
			response, err := next.Do(request)
			if err != nil {
				return nil, err
			}
			seen++
			if response.Request != request ||
				strings.Contains(shown(response.Request.Header), "k-secret") {
				t.Errorf("%+v", response.Request.Header)
			}
			return response, nil
		})
	}
	client := newClient(t, gemini.WithBaseURL(server.URL), gemini.WithMiddleware(watch),
		gemini.WithMaxAttempts(1))
	if _, err := client.GenerateContent(t.Context(), prompt("m")); err == nil || seen != 1 {
		t.Error(seen, err)
	}
}

func TestALocationIsOneLabelOfAHost(t *testing.T) {
	t.Parallel()
	token := gemini.WithTokenSource(oneToken("t-secret"))
	for _, location := range []string{"a b", "x@y", "elsewhere.example/", "%zz", "Europe"} {
		if client, err := gemini.NewClient(gemini.WithVertexAI("p", location), token); err == nil {
			t.Errorf("%q makes %v", location, client)
		}
		server := &recordingDoer{}
		client := newClient(t, gemini.WithVertexAI("p", ""), token, gemini.WithHTTPClient(server))
		_, err := client.GenerateContent(t.Context(),
			prompt("projects/p/locations/"+strings.TrimSuffix(location, "/")+"/endpoints/1"))
		if !strings.Contains(fmt.Sprint(err), "location") {
			t.Errorf("%q: %v", location, err)
		}
	}
}

func TestErrorsOfTheConnectionQuoteNoAddress(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	client := newClient(t, gemini.WithBaseURL(server.URL), gemini.WithMaxAttempts(1),
		gemini.WithQuery("q", "k-secret"))
	_, err := client.GenerateContent(t.Context(), prompt("m"))
	if _, ok := errors.AsType[*url.Error](err); !ok {
		t.Error("the cause is not at hand")
	}
	if text := shown(err); strings.Contains(text, "127.0.0.1") ||
		strings.Contains(text, "k-secret") {
		t.Error(text)
	}
}

func TestPlainHTTPIsForThisMachineOnly(t *testing.T) {
	t.Parallel()
	for address, ok := range map[string]bool{
		"http://gateway.example": false, "http://10.0.0.1:8080": false,
		"http://127.0.0.1.example": false, "http://[::1]:9/x": true,
		"http://localhost:1": true, "http://api.localhost": true, "http://localhost.:1": true,
		"http://127.8.9.1": true, "https://gateway.example": true,
		"ftp://gateway.example": false, "gateway.example": false,
		"https://u:p-secret@gateway.example": false, "https://gateway.example?key=p-secret": false,
		"http:///x": false, "https://gateway.example/x#y": false, "": false, "https://[::1": false,
	} {
		_, err := gemini.NewClient(gemini.WithAPIKey("k-secret"), gemini.WithBaseURL(address))
		if (err == nil) != ok || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", address, err)
		}
	}
	if _, err := gemini.NewClient(gemini.WithoutCredentials(),
		gemini.WithBaseURL("http://gateway.example")); err != nil {
		t.Error(err)
	}
	if _, err := newClient(t).With(gemini.WithBaseURL("http://gateway.example")); err == nil {
		t.Error("a client made of another gets around the rule")
	}
}

func TestMissingValuesAreNamed(t *testing.T) {
	for _, name := range []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT",
		"GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "GOOGLE_BASE_URL"} {
		t.Setenv(name, "")
	}
	for want, opts := range map[string][]gemini.ClientOption{
		"set GEMINI_API_KEY or GOOGLE_API_KEY": nil,
		"use WithTokenSource":                  {gemini.WithVertexAI("p", "")},
		"set GOOGLE_CLOUD_PROJECT":             {gemini.WithVertexAI("", ""), gemini.WithTokenSource(oneToken("t"))},
	} {
		if _, err := gemini.NewClient(opts...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

func TestTheEnvironmentFillsInForAClientMadeOfAnotherToo(t *testing.T) {
	for name, value := range map[string]string{
		"GOOGLE_CLOUD_PROJECT": "p", "GOOGLE_GEMINI_BASE_URL": "https://g.example",
		"GOOGLE_VERTEX_BASE_URL": "https://v.example", "GOOGLE_BASE_URL": "",
	} {
		t.Setenv(name, value)
	}
	const ofVertex = "https://v.example/v1/projects/p/locations/eu/publishers/google/models/m:generateContent"
	vertex := []gemini.ClientOption{gemini.WithVertexAI("", "eu"),
		gemini.WithTokenSource(oneToken("t"))}
	own := gemini.WithBaseURL("https://own.example")
	for name, tt := range map[string]struct {
		client, more []gemini.ClientOption
		want         string
	}{
		"the other service":       {nil, vertex, ofVertex},
		"the same service":        {[]gemini.ClientOption{gemini.WithVertexAI("q", ""), vertex[1]}, vertex[:1], ofVertex},
		"the caller's own URL":    {[]gemini.ClientOption{own}, vertex, strings.Replace(ofVertex, "v.example", "own.example", 1)},
		"a URL of its own":        {nil, append(vertex, own), strings.Replace(ofVertex, "v.example", "own.example", 1)},
		"a version":               {nil, []gemini.ClientOption{gemini.WithAPIVersion("v1")}, "https://g.example/v1/models/m:generateContent"},
		"nothing about addresses": {nil, []gemini.ClientOption{gemini.WithMaxAttempts(1)}, "https://g.example/v1beta/models/m:generateContent"},
	} {
		server := &recordingDoer{answers: []string{answer, answer}}
		client := newClient(t, append(tt.client, gemini.WithHTTPClient(server))...)
		with, err := client.With(tt.more...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_, withErr := with.GenerateContent(t.Context(), prompt("m"))
		if withErr != nil {
			t.Errorf("%s: %v", name, withErr)
			continue
		}
		for _, request := range server.requests {
			if got := request.URL.String(); got != tt.want {
				t.Errorf("%s: got %s, want %s", name, got, tt.want)
			}
		}
	}
}

func TestTheEnvironmentFillsInWhatIsMissing(t *testing.T) {
	for _, tt := range []struct {
		env  map[string]string
		opts []gemini.ClientOption
		url  string
		key  string
	}{
		{map[string]string{"GEMINI_API_KEY": "a", "GOOGLE_API_KEY": "b"}, nil, "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent", "a"},
		{map[string]string{"GOOGLE_API_KEY": "b", "GOOGLE_BASE_URL": "https://one.example"}, nil, "https://one.example/v1beta/models/m:generateContent", "b"},
		{map[string]string{"GOOGLE_API_KEY": "b", "GOOGLE_BASE_URL": "https://one.example", "GOOGLE_GEMINI_BASE_URL": "https://two.example/x/"}, nil, "https://two.example/x/v1beta/models/m:generateContent", "b"},
		{map[string]string{"GEMINI_API_KEY": "a"}, []gemini.ClientOption{gemini.WithAPIKey("own")}, "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent", "own"},
		{map[string]string{"GEMINI_API_KEY": "a", "GOOGLE_CLOUD_PROJECT": "p", "GOOGLE_VERTEX_BASE_URL": "https://v.example"}, []gemini.ClientOption{gemini.WithVertexAI("", ""), gemini.WithTokenSource(oneToken("t"))},
			"https://v.example/v1/projects/p/locations/global/publishers/google/models/m:generateContent",
			""},
	} {
		for _, name := range []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT",
			"GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "GOOGLE_BASE_URL"} {
			t.Setenv(name, tt.env[name])
		}
		server := &recordingDoer{answers: []string{answer}}
		client, err := gemini.NewClient(append(tt.opts, gemini.WithHTTPClient(server))...)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := client.GenerateContent(t.Context(), prompt("m")); err != nil {
			t.Error(err)
		}
		got := server.requests[0]
		if got.URL.String() != tt.url || got.Header.Get("X-Goog-Api-Key") != tt.key {
			t.Errorf("%v: %s with %q", tt.env, got.URL, got.Header.Get("X-Goog-Api-Key"))
		}
		if tt.key == "" &&
			!bytes.Equal([]byte(got.Header.Get("Authorization")), []byte("Bearer t")) {
			t.Error(got.Header)
		}
	}
}
