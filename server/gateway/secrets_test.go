package gateway_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/accesslog"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/metrics"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/inspector"
)

// witness is an observer that stores all reports.
type witness struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *witness) note(values ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = fmt.Fprintf(&w.text, "%s\n", fmt.Sprintf("%+v", values))
}

func (w *witness) Begin(start exchange.Start) exchange.Recorder { w.note(start); return w }
func (w *witness) WantsBodies() bool                            { return true }
func (w *witness) Request(_ exchange.Side, r exchange.Request) {
	w.note(r.Method, r.URL, r.Header, string(r.Body))
}
func (w *witness) Response(_ exchange.Side, r exchange.Response) {
	w.note(r.Status, r.Header, string(r.Body))
}
func (w *witness) Chunk(_ exchange.Side, data []byte)           { w.note(string(data)) }
func (w *witness) Signature(s exchange.Signature)               { w.note(s) }
func (w *witness) Attempt(a exchange.Attempt)                   { w.note(a) }
func (w *witness) Report(_ exchange.Side, report report.Report) { w.note(report) }
func (w *witness) End(end exchange.End)                         { w.note(end) }

// The secrets of these tests.
const (
	gatewaysKey = "gk-0123456789-gateway"
	callersKey  = "ck-0123456789-caller"
	mcpKey      = "mk-0123456789-server"
	mcpHeader   = "mh-0123456789-header"
)

var allSecrets = []string{gatewaysKey, callersKey, mcpKey, mcpHeader}

// spellings are the ways of servers to spell a text that they quote.
var spellings = map[string]func(string) string{
	"plain":                 func(text string) string { return text },
	"in percent-encoding":   func(text string) string { return url.QueryEscape("?key=" + text) },
	"in base64":             func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) },
	"in hexadecimal digits": func(text string) string { return fmt.Sprintf("%x", text) },
}

// quoting are the ways in which an upstream quotes a text: in an error, in the error of a stream,
// and in headers.
var quoting = map[string]func(r *http.Request, text string) *http.Response{
	"an error": func(_ *http.Request, text string) *http.Response {
		return replyOf(400,
			`{"error":{"code":400,"message":"`+text+`","status":"INVALID_ARGUMENT"}}`)
	},
	"a refused key": func(_ *http.Request, text string) *http.Response {
		return replyOf(403,
			`{"error":{"code":403,"message":"API key not valid: `+text+
				`","status":"PERMISSION_DENIED","details":[{"reason":"API_KEY_INVALID"}]}}`)
	},
	"a page": func(_ *http.Request, text string) *http.Response {
		return replyOf(502, "<html><title>"+text+"</title></html>")
	},
	"the error of a stream": func(r *http.Request, text string) *http.Response {
		if !strings.Contains(r.URL.Path, "stream") {
			return replyOf(500, `{"error":{"code":500,"message":"`+text+`","status":"INTERNAL"}}`)
		}
		reply := replyOf(200, "")
		failure := `data: {"error":{"code":500,"message":"` + text + `","status":"INTERNAL"}}` +
			"\r\n\r\n"
		reply.Body = io.NopCloser(io.MultiReader(strings.NewReader(firstChunk),
			strings.NewReader(failure[:70]), strings.NewReader(failure[70:])))
		return reply
	},
	"headers": func(r *http.Request, text string) *http.Response {
		body := wholeAnswer
		if strings.Contains(r.URL.Path, "stream") {
			body = firstChunk + secondChunk
		}
		reply := replyOf(200, body)
		reply.Header.Set("X-Goog-Quote", text)
		reply.Header.Set("Etag", allSecrets[0])
		reply.Header.Set("Location", "https://gemini.example/v1beta/files/f?key="+allSecrets[0])
		return reply
	},
}

// requestsWithMCP are requests of all forms that name an MCP server and its credentials.
func requestsWithMCP() []formRequest {
	const (
		responsesTool = `{"type":"mcp","server_label":"d","server_url":"https://mcp.example/","require_approval":"never","authorization":"` +
			mcpKey + `","headers":{"x-key":"` + mcpHeader + `"}}`
		googleTool = `{"mcpServers":[{"name":"d","streamableHttpTransport":{"url":"https://mcp.example/","headers":{"Authorization":"Bearer ` +
			mcpKey + `","x":"` + mcpHeader + `"}}}]}`
		anthropicTool = `{"type":"url","name":"d","url":"https://mcp.example/?token=` + mcpHeader +
			`","authorization_token":"` + mcpKey + `"}`
		contents = `"contents":[{"role":"user","parts":[{"text":"x"}]}]`
		model    = `"model":"gemini-2.5-flash"`
		messages = `"messages":[{"role":"user","content":"x"}]`
	)
	var out []formRequest
	for _, stream := range []string{"", `,"stream":true`} {
		out = append(out,
			formRequest{"a response", "POST", responsesPath,
				`{` + model + `,"input":"x","tools":[` + responsesTool + `]` + stream + `}`, nil,
				nil},
			formRequest{"a message", "POST", messagesPath,
				`{` + model + `,"max_tokens":9,` + messages + `,"mcp_servers":[` + anthropicTool +
					`]` + stream + `}`, []string{"Anthropic-Version", "2023-06-01"}, nil},
			formRequest{"a completion", "POST", chatPath,
				`{` + model + `,` + messages + `,"tools":[` + responsesTool + `]` + stream + `}`,
				nil, nil},
		)
	}
	return append(out,
		formRequest{"Google's method", "POST", nativeWhole,
			`{` + contents + `,"tools":[` + googleTool + `]}`, nil, nil},
		formRequest{"Google's stream", "POST", nativeSSE,
			`{` + contents + `,"tools":[` + googleTool + `]}`, nil, nil},
		formRequest{"Google's array", "POST", strings.TrimSuffix(nativeSSE, "?alt=sse"),
			`{` + contents + `,"tools":[` + googleTool + `]}`, nil, nil},
		formRequest{"Google's count", "POST", "/v1beta/models/gemini-2.5-flash:countTokens",
			`{"generateContentRequest":{` + contents + `,"tools":[` + googleTool + `]}}`, nil, nil},
		formRequest{"Google's file", "GET", "/v1beta/files/f", "", nil, nil},
		formRequest{"the tokens of a message", "POST", countPath,
			`{` + model + `,` + messages + `,"mcp_servers":[` + anthropicTool + `]}`,
			[]string{"Anthropic-Version", "2023-06-01"}, nil},
		formRequest{"the tokens of a response", "POST", responsesPath + "/input_tokens",
			`{` + model + `,"input":"x","tools":[` + responsesTool + `]}`, nil, nil},
		formRequest{"embeddings", "POST", embeddingsPath,
			`{` + model + `,"input":"x","mcp":{"type":"mcp","authorization":"` + mcpKey +
				`","headers":{"x":"` + mcpHeader + `"}}}`, nil, nil},
	)
}

// watched is a gateway that records everything that it sends or stores.
type watched struct {
	handler   http.Handler
	witness   *witness
	inspector *inspector.Inspector
	metrics   *metrics.Metrics
	log       *bytes.Buffer
	store     *watchedStore
}

func newWatched(t testing.TB, answer func(*http.Request) *http.Response) *watched {
	t.Helper()
	ins, err := inspector.New(inspector.WithBodies())
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{
		witness: &witness{}, inspector: ins, metrics: metrics.New(), log: &bytes.Buffer{},
		store: &watchedStore{Memory: responsestore.NewMemory(responsestore.Bounds{})},
	}
	t.Cleanup(w.inspector.Close)
	logger := slog.New(slog.NewTextHandler(w.log, nil))
	w.handler = newGateway(t, gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, BaseURL: "https://proxy.example",
		Accounts: []gateway.Account{gateway.KeyAccount("one", gatewaysKey)},
		HTTPClient: gemini.DoerFunc(func(r *http.Request) (*http.Response,
			error) {
			return answer(r), nil
		}),
	}), gateway.WithResponseStore(w.store), gateway.WithMaxAttempts(1), gateway.WithLogger(logger),
		gateway.WithObserver(w.witness), gateway.WithObserver(w.inspector),
		gateway.WithObserver(accesslog.New(logger)), gateway.WithObserver(w.metrics))
	return w
}

// kept returns everything that the gateway has stored.
func (w *watched) kept(t testing.TB) map[string]string {
	t.Helper()
	server := httptest.NewServer(w.inspector.Handler())
	defer server.Close()
	jar, _ := cookiejar.New(nil) // which never fails
	client := &http.Client{Jar: jar}
	page := func(address string) string {
		reply, err := client.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		defer reply.Body.Close()
		text, err := io.ReadAll(reply.Body)
		if err != nil || reply.StatusCode != http.StatusOK {
			t.Fatalf("HTTP %d, %v: %s", reply.StatusCode, err, text)
		}
		return string(text)
	}
	page(w.inspector.URL(server.Listener.Addr().String()))
	scraped := httptest.NewRecorder()
	w.metrics.Handler().ServeHTTP(scraped, httptest.NewRequest("GET", "/metrics", nil))
	out := map[string]string{
		"what observers get": w.witness.text.String(), "the log": w.log.String(),
		"the metrics":        scraped.Body.String(),
		"the archive":        page(server.URL + "/api/har"),
		"the first exchange": page(server.URL + "/api/exchanges/1"),
		"its command":        page(server.URL + "/api/exchanges/1/curl/client"),
	}
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	out["the store"] = w.store.written.String()
	return out
}

// leakIn returns a secret that a text contains in any spelling of these tests.
func leakIn(text string) string {
	for _, secret := range allSecrets {
		inBase64 := base64.StdEncoding.EncodeToString([]byte(secret + "++"))[:20]
		for _, form := range []string{secret, url.QueryEscape(secret), inBase64,
			fmt.Sprintf("%x", secret)} {
			if strings.Contains(text, form) {
				return form
			}
		}
	}
	return ""
}

func TestNoSecretLeavesTheGatewayOrIsKept(t *testing.T) {
	t.Parallel()
	for way, quote := range quoting {
		for spelling, spell := range spellings {
			w := newWatched(t, func(r *http.Request) *http.Response {
				if r.Method == "GET" { // which has no body with the secrets of an MCP server
					return quote(r, spell(strings.Join(allSecrets[:2], " ")))
				}
				return quote(r, spell(strings.Join(allSecrets, " ")))
			})
			for i, request := range requestsWithMCP() {
				places := [][]string{{"Authorization", "Bearer " + callersKey},
					{"X-Api-Key", callersKey}, {"X-Goog-Api-Key", callersKey}}
				request.headers = append(request.headers, places[i%len(places)]...)
				if i%4 == 3 {
					path, query, _ := strings.Cut(request.path, "?")
					request.path = path + "?key=" + callersKey + "&" + query
				}
				answer := request.send(w.handler)
				if leak := leakIn(fmt.Sprint(answer.Header(), answer.Body)); leak != "" {
					t.Errorf("%s: %s in %s: %s leaves: %v %s", request.name, spelling, way, leak,
						answer.Header(), answer.Body)
				}
			}
			for place, kept := range w.kept(t) {
				if leak := leakIn(kept); leak != "" {
					at := strings.Index(kept, leak)
					t.Errorf("%s in %s: %s is in %s: %s", spelling, way, leak, place,
						kept[max(0, at-200):min(len(kept), at+100)])
				}
			}
		}
	}
}

// Local model servers use ordinary words as keys, and models say these words.
func TestAKeyThatIsAWordIsNoSecretOfAnAnswer(t *testing.T) {
	t.Parallel()
	const word = "ollama"
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, BaseURL: "https://proxy.example",
		Accounts: []gateway.Account{gateway.KeyAccount("one", word)},
		HTTPClient: gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
			return replyOf(200, strings.Replace(wholeAnswer, "one two", word, 1)), nil
		}),
	}))
	for path, body := range map[string]string{chatPath: hello, nativeWhole: nativeHello} {
		if answer := post(handler, path, body, "Authorization",
			"Bearer "+word); answer.Code != 200 || !strings.Contains(answer.Body.String(), word) {
			t.Errorf("%s: HTTP %d: %s", path, answer.Code, answer.Body)
		}
	}
}

// A token is known after it was sent.
func TestAnAccessTokenThatAServerQuotesIsBlanked(t *testing.T) {
	t.Parallel()
	token := "token-0123456789-of-vertex"
	handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
		Service: gateway.VertexAI, BaseURL: "https://proxy.example",
		Accounts: []gateway.Account{gateway.VertexAccount("p", "l", fixedToken(token))},
		HTTPClient: gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			reply := quoting["the error of a stream"](r, r.Header.Get("Authorization"))
			reply.Header.Set("X-Goog-Quote", url.QueryEscape("a "+token))
			return reply, nil
		}),
	}))
	for path, body := range map[string]string{nativeSSE: nativeHello, nativeWhole: nativeHello,
		chatPath: streamed(hello)} {
		if answer := post(handler, path,
			body); strings.Contains(fmt.Sprint(answer.Header(), answer.Body), token) {
			t.Errorf("%s: %v %s", path, answer.Header(), answer.Body)
		}
	}
}
