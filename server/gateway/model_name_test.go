package gateway_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/metrics"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// envelope checks the body of an error in the form of an API.
type envelope func(t testing.TB, body []byte)

func openAIEnvelope(t testing.TB, body []byte) { descriptiontest.OpenAI(t, "ErrorResponse", body) }
func anthropicEnvelope(t testing.TB, body []byte) {
	descriptiontest.Anthropic(t, "ErrorResponse", body)
}

func googleEnvelope(t testing.TB, body []byte) {
	var e struct {
		Error struct {
			Code            int
			Message, Status string
		}
	}
	if err := json.Unmarshal(body, &e); err != nil || e.Error.Code == 0 || e.Error.Message == "" ||
		e.Error.Status == "" {
		t.Errorf("not an error of Google's (%v): %.300s", err, body)
	}
}

func interactionsEnvelope(t testing.TB, body []byte) {
	e, err := interactions.DecodeErrorResponse(body)
	if err != nil {
		t.Errorf("not an error of the Interactions API (%v): %.300s", err, body)
		return
	}
	if code, _ := e.Error.Code.AsString(); code == "" || jsonx.Deref(e.Error.Message) == "" {
		t.Errorf("not an error of the Interactions API: %.300s", body)
	}
}

// formRequest is a request of a form for a model.
type formRequest struct {
	name, method, path, body string
	headers                  []string
	isError                  envelope
}

// send sends the request without a network.
func (r *formRequest) send(handler http.Handler) *httptest.ResponseRecorder {
	path, query, _ := strings.Cut(r.path, "?")
	request := httptest.NewRequest(r.method, "http://localhost/", strings.NewReader(r.body))
	request.URL.Path, request.URL.RawPath, request.URL.RawQuery = path, path, query
	if meant, err := url.PathUnescape(path); err == nil {
		request.URL.Path = meant
	}
	request.RequestURI = r.path
	if r.body == "" {
		request.Body, request.ContentLength = http.NoBody, 0
	} else {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(r.headers); i += 2 {
		request.Header.Set(r.headers[i], r.headers[i+1])
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	return answer
}

// requestsForModel returns requests for a model in every form. A form has the model in the body or
// in the path.
func requestsForModel(model string) (inBody, inPath []formRequest) {
	quoted, _ := json.Marshal(model)
	body := func(rest string) string { return `{"model":` + string(quoted) + rest + `}` }
	escaped := url.PathEscape(model)
	const (
		messages  = `,"messages":[{"role":"user","content":"hello"}]`
		streaming = `,"stream":true`
		input     = `,"input":"hello"`
	)
	anthropic := []string{"Anthropic-Version", "2023-06-01"}
	inBody = []formRequest{
		{"a completion", "POST", chatPath, body(messages), nil, openAIEnvelope},
		{"a streamed completion", "POST", chatPath, body(messages + streaming), nil, openAIEnvelope},
		{"a response", "POST", responsesPath, body(input), nil, openAIEnvelope},
		{"a streamed response", "POST", responsesPath, body(input + streaming), nil, openAIEnvelope},
		{"a response in the background", "POST", responsesPath, body(input + `,"background":true`), nil, openAIEnvelope},
		{"the tokens of a response", "POST", responsesPath + "/input_tokens", body(input), nil, openAIEnvelope},
		{"a message", "POST", messagesPath, body(messages + `,"max_tokens":5`), anthropic, anthropicEnvelope},
		{"a streamed message", "POST", messagesPath, body(messages + streaming + `,"max_tokens":5`), anthropic, anthropicEnvelope},
		{"the tokens of a message", "POST", countPath, body(messages), anthropic, anthropicEnvelope},
		{"embeddings", "POST", embeddingsPath, body(input), nil, openAIEnvelope},
	}
	inPath = []formRequest{
		{"a model", "GET", "/v1/models/" + escaped, "", nil, openAIEnvelope},
		{"a model for Anthropic's clients", "GET", "/v1/models/" + escaped, "", anthropic, anthropicEnvelope},
		{"a model in Google's form", "GET", "/v1beta/models/" + escaped, "", nil, googleEnvelope},
		{"Google's method", "POST", "/v1beta/models/" + escaped + ":generateContent", nativeHello, nil, googleEnvelope},
		{"Google's stream", "POST", "/v1beta/models/" + escaped + ":streamGenerateContent?alt=sse", nativeHello, nil, googleEnvelope},
		{"Google's count", "POST", "/v1beta/models/" + escaped + ":countTokens", nativeHello, nil, googleEnvelope},
		{"Google's embedding", "POST", "/v1beta/models/" + escaped + ":embedContent", `{"content":{"parts":[{"text":"x"}]}}`, nil, googleEnvelope},
		{"Google's batch", "POST", "/v1beta/models/" + escaped + ":batchGenerateContent", `{"batch":{}}`, nil, googleEnvelope},
	}
	return inBody, inPath
}

// refusing is an upstream without any model.
func refusing(t testing.TB, opts ...gateway.Option) *gateway.Handler {
	return gatewayAnswering(t, func(*http.Request) *http.Response {
		return replyOf(404, `{"error":{"code":404,"message":"no such model","status":"NOT_FOUND"}}`)
	}, opts...)
}

// gatewayAnswering returns a gateway with a store. A function is the upstream.
func gatewayAnswering(t testing.TB, answer func(*http.Request) *http.Response,
	opts ...gateway.Option) *gateway.Handler {
	t.Helper()
	return newGateway(t, append([]gateway.Option{
		gateway.WithUpstream(gateway.Upstream{
			Service: gateway.GeminiAPI, BaseURL: "https://gemini.example",
			Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
			HTTPClient: gemini.DoerFunc(func(r *http.Request) (*http.Response,
				error) {
				return answer(r), nil
			}),
		}),
		gateway.WithResponseStore(responsestore.NewMemory(responsestore.Bounds{Count: 20})),
	}, opts...)...)
}

func replyOf(status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1,
	}
}

func TestANameThatNoModelCanHaveIsRefusedInEveryForm(t *testing.T) {
	t.Parallel()
	handler := gatewayAnswering(t, func(r *http.Request) *http.Response {
		t.Errorf("sent %.200s", r.URL)
		return replyOf(200, wholeAnswer)
	})
	for name, model := range map[string]string{
		"too long": strings.Repeat("m", 257), "much too long": strings.Repeat("m", 2<<20),
		"a control character": "gemini\x01", "an end of a line": "gemini\r\nSet-Cookie: a",
		"an invisible character": "gemini\u200b", "a character that turns the text": "gemini\u202e",
	} {
		inBody, inPath := requestsForModel(model)
		for _, request := range append(inBody, inPath...) {
			answer := request.send(handler)
			if answer.Code != http.StatusBadRequest ||
				answer.Header().Get("X-Gemwire-Model") != "" || answer.Body.Len() > 1000 {
				t.Errorf("%s in %s: HTTP %d, %.300v: %.300s", name, request.name, answer.Code,
					answer.Header(), answer.Body)
				continue
			}
			request.isError(t, answer.Body.Bytes())
		}
	}
}

func TestModelsThatAreRefusedDoNotFillTheMetrics(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	handler := refusing(t, gateway.WithObserver(m), gateway.WithTokenCount(gateway.CountByEstimate))
	for i := range 30 {
		inBody, inPath := requestsForModel("misspelt" + strings.Repeat("x", i))
		for _, request := range append(inBody, inPath...) {
			request.send(handler)
		}
	}
	long, _ := requestsForModel(strings.Repeat("m", 20<<20))
	for _, request := range long {
		request.send(handler)
	}
	answer := httptest.NewRecorder()
	m.Handler().ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	if text := answer.Body.String(); strings.Contains(text, "misspelt") || len(text) > 100<<10 {
		t.Errorf("%d bytes of metrics", len(text))
	}
}

// isValidHead reports whether a client can read the headers of an answer.
func isValidHead(header http.Header) bool {
	size := 0
	for name, values := range header {
		for _, value := range values {
			size += len(name) + len(value)
			if strings.ContainsFunc(value,
				func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
				return false
			}
		}
	}
	return size < 64<<10
}

func TestTextsOfTheUpstreamDoNotBreakHeaders(t *testing.T) {
	t.Parallel()
	for name, version := range map[string]string{"a control character": `m\u0001`,
		"too long": strings.Repeat("m", 1<<20), "lines": `m\r\nSet-Cookie: a`} {
		handler := gatewayAnswering(t, func(r *http.Request) *http.Response {
			body := strings.Replace(wholeAnswer, `"modelVersion":"m"`,
				`"modelVersion":"`+version+`"`, 1)
			if strings.Contains(r.URL.Path, "stream") {
				body = "data: " + body + "\r\n\r\n"
			}
			reply := replyOf(200, body)
			for i := range 40 {
				reply.Header["X-Goog-"+strings.Repeat("A", i+1)] = []string{"a\x01b",
					strings.Repeat("v", 1<<20)}
			}
			reply.Header["Etag"] = []string{"e\x00"}
			return reply
		})
		inBody, inPath := requestsForModel("gemini-2.5-flash")
		for _, request := range append(inBody, inPath...) {
			if answer := request.send(handler); !isValidHead(answer.Header()) {
				t.Errorf("%s in %s: HTTP %d: %.300v", name, request.name, answer.Code,
					answer.Header())
			}
		}
	}
}

// FuzzAnyNameOfAModelMakesAValidHead requests arbitrary model names in every form. The upstream
// answers for all of them.
func FuzzAnyNameOfAModelMakesAValidHead(f *testing.F) {
	handler := gatewayAnswering(f, func(r *http.Request) *http.Response {
		body := strings.Replace(wholeAnswer, `,"modelVersion":"m"`, "", 1)
		if strings.Contains(r.URL.Path, "stream") {
			body = "data: " + body + "\r\n\r\n"
		}
		if strings.Contains(r.URL.Path, "mbed") {
			body = `{"embedding":{"values":[1]},"embeddings":[{"values":[1]}]}`
		}
		return replyOf(200, body)
	})
	for _, name := range []string{"gemini-2.5-flash", "a\r\nb", strings.Repeat("é", 128), "\x00",
		"models/m", "tunedModels/m", "a/b", "..", "%2e", "\u202e"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		inBody, inPath := requestsForModel(name)
		for _, request := range append(inBody, inPath...) {
			// this request may still run when the test has ended
			if strings.Contains(request.body, "background") {
				continue
			}
			answer := request.send(handler)
			if !isValidHead(answer.Header()) || len(answer.Header().Get("X-Gemwire-Model")) > 256 {
				t.Errorf("%s: %.300v", request.name, answer.Header())
			}
			if answer.Code >= 500 {
				t.Errorf("%s: HTTP %d: %.300s", request.name, answer.Code, answer.Body)
			} else if answer.Code >= 400 {
				request.isError(t, answer.Body.Bytes())
			}
		}
	})
}
