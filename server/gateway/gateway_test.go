package gateway_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/server/gateway"
)

// gatewayOf returns a gateway in front of a fake server, closed at the end of the test.
func gatewayOf(t testing.TB, upstream *geminitest.Server, opts ...gateway.Option) *gateway.Handler {
	t.Helper()
	return newGateway(t,
		append([]gateway.Option{gateway.WithUpstream(upstreamOf(upstream))}, opts...)...)
}

func upstreamOf(server *geminitest.Server, accounts ...gateway.Account) gateway.Upstream {
	if accounts == nil {
		accounts = []gateway.Account{gateway.KeyAccount("one", "key-of-one")}
	}
	return gateway.Upstream{
		Service: gateway.GeminiAPI, Accounts: accounts, HTTPClient: server.HTTPClient(),
		BaseURL: "https://gemini.example",
	}
}

func newGateway(t testing.TB, opts ...gateway.Option) *gateway.Handler {
	t.Helper()
	// the default of httptest.NewRequest
	opts = append([]gateway.Option{gateway.WithAllowedHosts("example.com")}, opts...)
	handler, err := gateway.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	return handler
}

// post sends a body to the gateway without a network.
func post(handler http.Handler, path, body string, headers ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	request.Host = "localhost"
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	return answer
}

const chatPath = "/v1/chat/completions"

// completionOf returns the completion of an answer, which must be a completion.
func completionOf(t testing.TB,
	answer *httptest.ResponseRecorder) *openaiapi.CreateChatCompletionResponse {
	t.Helper()
	if answer.Code != http.StatusOK {
		t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
	}
	descriptiontest.OpenAI(t, "CreateChatCompletionResponse", answer.Body.Bytes())
	completion, err := openai.DecodeResponse(answer.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return completion
}

// chunksOf returns the chunks of a stream, which must be complete.
func chunksOf(t testing.TB, body []byte) []*openaiapi.CreateChatCompletionStreamResponse {
	t.Helper()
	events := descriptiontest.OpenAIStream(t, body)
	if len(events) == 0 || events[len(events)-1] != "[DONE]" {
		t.Fatalf("the stream does not end in [DONE]: %s", body)
	}
	var out []*openaiapi.CreateChatCompletionStreamResponse
	for _, event := range events[:len(events)-1] {
		chunk, err := openai.DecodeChunk([]byte(event))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, chunk)
	}
	return out
}

// textOf returns the text of the first choice.
func textOf(chunks []*openaiapi.CreateChatCompletionStreamResponse) string {
	var text strings.Builder
	for _, chunk := range chunks {
		for i := range chunk.Choices {
			if content := chunk.Choices[i].Delta.Content; content != nil &&
				chunk.Choices[i].Index == 0 {
				text.WriteString(*content)
			}
		}
	}
	return text.String()
}

// errorOf returns the error of an answer, which must be an error.
func errorOf(t testing.TB, answer *httptest.ResponseRecorder, status int) openaiapi.Error {
	t.Helper()
	if answer.Code != status {
		t.Errorf("HTTP %d, expected %d: %s", answer.Code, status, answer.Body)
	}
	if got := answer.Header().Get("Content-Type"); got != "application/json" {
		t.Errorf("the error is of the type %q", got)
	}
	descriptiontest.OpenAI(t, "ErrorResponse", answer.Body.Bytes())
	body, err := openai.DecodeErrorResponse(answer.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return body.Error
}

func TestEmbeddedUpstreamAnswersWithoutAKey(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	answer := post(handler, chatPath,
		`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"hello"}]}`)
	completion := completionOf(t, answer)
	if got := *completion.Choices[0].Message.Content; got != "You said: hello" {
		t.Errorf("answered %q", got)
	}
	if completion.Model != "gemini-2.5-flash" || completion.Usage == nil ||
		completion.Created == 0 {
		t.Errorf("not a whole completion: %s", answer.Body)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "X-Gemwire-Model": "gemini-2.5-flash",
		"X-Gemwire-Losses": "0",
	} {
		if got := answer.Header().Get(name); got != want {
			t.Errorf("%s is %q, expected %q", name, got, want)
		}
	}
	if id := answer.Header().Get("X-Request-Id"); !strings.HasPrefix(id, "req_") ||
		answer.Header().Get("Openai-Processing-Ms") == "" {
		t.Errorf("the header is %v", answer.Header())
	}
}

func TestEmbeddedUpstreamStreams(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newGateway(t))
	defer server.Close()
	reply, err := http.Post(server.URL+chatPath, "application/json", strings.NewReader(
		`{"model":"gemini-2.5-flash","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hello [words 50]"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	chunks := chunksOf(t, body)
	if words := len(strings.Fields(textOf(chunks))); words < 40 {
		t.Errorf("%d words came: %s", words, body)
	}
	if last := chunks[len(chunks)-1]; last.Usage == nil || len(last.Choices) != 0 {
		t.Errorf("the last chunk has no usage: %s", body)
	}
	for name, want := range map[string]string{
		"Content-Type":  "text/event-stream; charset=utf-8",
		"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no",
		"X-Gemwire-Model": "gemini-2.5-flash", "X-Gemwire-Losses": "0",
	} {
		if got := reply.Header.Get(name); got != want {
			t.Errorf("%s is %q, expected %q", name, got, want)
		}
	}
	if bytes.Contains(body, []byte("id: ")) || bytes.Contains(body, []byte("event:")) {
		t.Errorf("the stream has lines that crash clients: %s", body)
	}
}

func TestOtherPathsAreNotFoundInOpenAIsEnvelope(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for _, target := range []struct{ method, path string }{
		{"DELETE", "/v1/models/gemini-2.5-flash"}, {"GET", "/v1/chat/completions"},
		{"POST", "/v1/audio/speech"}, {"GET", "/"}, {"POST", "/v1/completions"},
	} {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(target.method, target.path, nil))
		if e := errorOf(t, answer, http.StatusNotFound); e.Code == nil ||
			*e.Code != "unknown_url" || !strings.Contains(e.Message, target.path) {
			t.Errorf("%s %s: %+v", target.method, target.path, e)
		}
	}
}

// A base URL with or without /v1 is the commonest mistake in the settings of a client.
func TestAPathOfAWrongBaseURLGetsAHint(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	for path, want := range map[string]string{
		"/chat/completions":                   "/v1/chat/completions: the base URL of this client must end in /v1",
		"/responses":                          "/v1/responses: the base URL of this client must end in /v1",
		"/messages":                           "/v1/messages: the base URL of this client must end in /v1",
		"/v1beta/chat/completions":            "/v1/chat/completions: the base URL of this client must end in /v1",
		"/v1beta/responses":                   "/v1/responses: the base URL of this client must end in /v1",
		"/v1beta/messages":                    "/v1/messages: the base URL of this client must end in /v1",
		"/openai/chat/completions":            "/v1/chat/completions: the base URL of this client must end in /v1",
		"/v1beta/openai/v1/chat/completions":  "/v1/chat/completions: the base URL of this client must not contain /v1beta/openai",
		"/v1/v1/messages":                     "/v1/messages: the base URL of this client must not end in /v1",
		"/v1/v1beta/models/m:generateContent": "/v1beta/models/m:generateContent: the base URL of this client must not end in /v1",
		"/v1/audio/speech":                    "",
		"/nothing":                            "",
	} {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer,
			httptest.NewRequest(http.MethodPost, path, strings.NewReader("{}")))
		_, hint, _ := strings.Cut(answer.Body.String(), "; use ")
		if hint, _, _ = strings.Cut(hint, `"`); answer.Code != http.StatusNotFound || hint != want {
			t.Errorf("%s: HTTP %d, hint %q, want %q", path, answer.Code, hint, want)
		}
	}
}

func TestUpstreamIsCalledByItsKeyAndAnswersUnderTheAlias(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler := gatewayOf(t, server,
		gateway.WithAliases(map[string]string{"gpt-4o": "gemini-2.5-flash"}),
		gateway.WithDefaultModel("gpt-4o"))
	for _, body := range []string{
		`{"model":"gpt-4o","messages":[{"role":"user","content":"hello"}]}`,
		`{"messages":[{"role":"user","content":"hello"}]}`,
	} {
		answer := post(handler, chatPath, body)
		if got := answer.Header().Get("X-Gemwire-Model"); got != "gemini-2.5-flash" {
			t.Errorf("the model is %q", got)
		}
		if got := completionOf(t, answer).Model; strings.Contains(body, "gpt-4o") &&
			got != "gpt-4o" {
			t.Errorf("the answer names %q", got)
		}
	}
	for _, request := range server.Requests() {
		if request.Header.Get("X-Goog-Api-Key") != "REDACTED" ||
			strings.Contains(request.URL.String(), "key") {
			t.Errorf("called %s with %v", request.URL, request.Header)
		}
	}
}

// fixedToken is a source of one access token.
type fixedToken string

func (f fixedToken) Token(context.Context) (string, error) { return string(f), nil }

func TestTheProgramChoosesTheIDsOfRequests(t *testing.T) {
	t.Parallel()
	handler := gatewayOf(t, geminitest.NewServer(t),
		gateway.WithRequestIDs(func() string { return "req_own" }))
	if answer := post(handler, chatPath,
		`{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"Hello"}]}`); answer.Header().Get("X-Request-Id") != "req_own" {
		t.Errorf("HTTP %d, %v", answer.Code, answer.Header())
	}
}

func TestAnAnswerHasTheIDThatGeminiGaveOrTheRequestsID(t *testing.T) {
	t.Parallel()
	for member, want := range map[string]string{
		`,"responseId":"given"`: "given", `,"responseId":""`: "req_own", "": "req_own",
	} {
		upstream := gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			body, kind := `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hello."}]},`+
				`"finishReason":"STOP"}]`+member+`}`, "application/json"
			if strings.Contains(r.URL.Path, "stream") {
				body, kind = "data: "+body+"\n\n", "text/event-stream"
			}
			return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}},
				Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
		})
		handler := gatewayOfDoer(t, gateway.GeminiAPI, upstream,
			gateway.WithRequestIDs(func() string { return "req_own" }))
		for _, stream := range []string{"false", "true"} {
			answer := post(handler, chatPath, `{"model":"gemini-3.6-flash","stream":`+stream+
				`,"messages":[{"role":"user","content":"Hello"}]}`)
			if !strings.Contains(answer.Body.String(), `"id":"`+want+`"`) {
				t.Errorf("stream %s, %q: HTTP %d: %s", stream, member, answer.Code, answer.Body)
			}
		}
	}
}
