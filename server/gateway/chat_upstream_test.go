package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// chatServer is a server of OpenAI's API that records its requests.
type chatServer struct {
	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
	answer   func(r *http.Request, body string) *http.Response
}

func (s *chatServer) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.requests, s.bodies = append(s.requests, r), append(s.bodies, string(body))
	s.mu.Unlock()
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return s.answer(r, string(body)), nil
}

func (s *chatServer) last() (*http.Request, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[len(s.requests)-1], s.bodies[len(s.bodies)-1]
}

func chatReply(status int, body string, headers ...string) *http.Response {
	out := &http.Response{StatusCode: status,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(
			strings.NewReader(body))}
	for i := 0; i < len(headers); i += 2 {
		out.Header.Set(headers[i], headers[i+1])
	}
	return out
}

const (
	chatAnswer = `{"id":"c1","object":"chat.completion","created":1700000000,"model":"gpt-5.1","choices":[{"index":0,"message":{"role":"assistant","content":"Hi there","refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}}`
	chatHead   = `data: {"id":"c1","object":"chat.completion.chunk","created":1700000000,"model":"gpt-5.1","choices":[`
	chatStream = chatHead +
		`{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}` + "\n\n" +
		chatHead + `{"index":0,"delta":{"content":"Hi there"},"finish_reason":null}]}` + "\n\n" +
		chatHead + `{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n" +
		chatHead + `],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}}` +
		"\n\ndata: [DONE]\n\n"
)

// answers are the server's default answers.
func (s *chatServer) answers(r *http.Request, body string) *http.Response {
	switch {
	case r.URL.Path == "/v1/chat/completions" && strings.Contains(body, `"stream":true`):
		return chatReply(200, chatStream, "Content-Type", "text/event-stream")
	case r.URL.Path == "/v1/chat/completions":
		return chatReply(200, chatAnswer)
	case r.URL.Path == "/v1/models":
		return chatReply(200,
			`{"object":"list","data":[{"id":"gpt-5.1","object":"model","created":1,"owned_by":"o"},{"id":"meta/llama","object":"model","created":1,"owned_by":"m"}]}`)
	case r.URL.Path == "/v1/models/gpt-5.1":
		return chatReply(200, `{"id":"gpt-5.1","object":"model","created":1,"owned_by":"o"}`)
	case r.URL.Path == "/v1/embeddings" && strings.Contains(body, `"input":["a"]`):
		return chatReply(200,
			`{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.25]}],"model":"e","usage":{"prompt_tokens":3,"total_tokens":3}}`)
	case r.URL.Path == "/v1/embeddings":
		return chatReply(200,
			`{"object":"list","data":[{"object":"embedding","index":1,"embedding":[0.5]},{"object":"embedding","index":0,"embedding":[0.25]}],"model":"e","usage":{"prompt_tokens":3,"total_tokens":3}}`)
	default:
		return chatReply(404,
			`{"error":{"message":"no such path","type":"invalid_request_error","param":null,"code":null}}`)
	}
}

// gatewayOfChat returns a gateway in front of a server of OpenAI's API.
func gatewayOfChat(t testing.TB, s *chatServer, opts ...gateway.Option) *gateway.Handler {
	t.Helper()
	if s.answer == nil {
		s.answer = s.answers
	}
	return newGateway(t, append([]gateway.Option{gateway.WithUpstream(gateway.Upstream{
		Service: gateway.OpenAI, BaseURL: "https://chat.example/v1",
		Accounts: []gateway.Account{gateway.KeyAccount("p", "sk-secret")}, HTTPClient: s,
	})}, opts...)...)
}

const gptPath = "/v1beta/models/gpt-5.1:generateContent"

func TestAServerOfChatCompletionsAnswersGeminisClients(t *testing.T) {
	t.Parallel()
	s, d := &chatServer{}, &diary{wantsBodies: true}
	handler := gatewayOfChat(t, s, gateway.WithObserver(d))
	answer := post(handler, gptPath,
		`{"contents":[{"role":"user","parts":[{"text":"hello"}]}],"generationConfig":{"topK":3}}`,
		"X-Goog-Api-Key", "the-clients")
	const want = `{"candidates":[{"content":{"parts":[{"text":"Hi there"}],"role":"model"},"finishReason":"STOP","index":0}],"createTime":"2023-11-14T22:13:20Z","modelVersion":"gpt-5.1","responseId":"c1","usageMetadata":{"candidatesTokenCount":2,"promptTokenCount":5,"totalTokenCount":7}}`
	if answer.Code != 200 || strings.TrimSpace(answer.Body.String()) != want ||
		answer.Header().Get("X-Gemwire-Losses") != "1" ||
		answer.Header().Get("X-Gemwire-Model") != "gpt-5.1" {
		t.Errorf("HTTP %d, %v: %s", answer.Code, answer.Header(), answer.Body)
	}
	request, body := s.last()
	if request.URL.String() != "https://chat.example/v1/chat/completions" ||
		request.Header.Get("Authorization") != "Bearer sk-secret" ||
		len(request.Header.Values("X-Goog-Api-Key")) > 0 {
		t.Errorf("asked %s with %v", request.URL, request.Header)
	}
	if body != `{"model":"gpt-5.1","messages":[{"role":"user","content":"hello"}]}` {
		t.Errorf("sent %s", body)
	}
	if end := d.last().end; end.Service != "openai" || end.Lost != 1 || end.Usage.TotalTokens != 7 {
		t.Errorf("ended with %+v", end)
	}
	if all := strings.Join(d.last().lines, "\n"); strings.Contains(all, "sk-secret") {
		t.Errorf("the key is shown: %s", all)
	}
}

func TestStreamsOfChatCompletionsAreGeminisInBothForms(t *testing.T) {
	t.Parallel()
	s := &chatServer{}
	handler := gatewayOfChat(t, s)
	for alt, isEvents := range map[string]bool{"?alt=sse": true, "": false} {
		answer := post(handler, "/v1beta/models/gpt-5.1:streamGenerateContent"+alt, nativeHello)
		if answer.Code != 200 ||
			strings.HasPrefix(answer.Header().Get("Content-Type"),
				"text/event-stream") != isEvents || strings.Contains(answer.Body.String(), "DONE") {
			t.Errorf("%q: HTTP %d, %v: %s", alt, answer.Code, answer.Header(), answer.Body)
		}
		if !isEvents {
			var list []map[string]any
			if err := json.Unmarshal(answer.Body.Bytes(), &list); err != nil || len(list) != 2 {
				t.Errorf("%v: %s", err, answer.Body)
			}
		}
		var chunks int
		for chunk, err := range gemini.NewStreamReader(answer.Body).All() {
			if chunks++; err != nil {
				t.Fatal(err)
			}
			if last := chunk.Candidates[0].FinishReason != nil; last != (chunks == 2) ||
				last != (chunk.UsageMetadata != nil) {
				t.Errorf("%q: chunk %d: %+v", alt, chunks, chunk)
			}
		}
	}
	if _, body := s.last(); !strings.Contains(body, `"stream_options":{"include_usage":true}`) {
		t.Errorf("sent %s", body)
	}
}

func TestErrorsOfAServerOfChatCompletionsAreGoogles(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		400: "INVALID_ARGUMENT", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 409: "ABORTED",
		422: "INVALID_ARGUMENT",
		429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
	} {
		s := &chatServer{answer: func(*http.Request, string) *http.Response {
			return chatReply(status,
				`{"error":{"message":"It failed.","type":"a_type","param":"messages","code":"a_code"}}`,
				"Retry-After", "3")
		}}
		handler := gatewayOfChat(t, s, gateway.WithMaxAttempts(1))
		answer := post(handler, gptPath, nativeHello)
		if status == 403 { // about the key of the gateway, which is none of the client's business
			continue
		}
		body := answer.Body.String()
		if answer.Code != status || !strings.Contains(body, `"status":"`+want+`"`) ||
			!strings.Contains(body, "It failed") ||
			!strings.Contains(body, `"retryDelay":"3s"`) ||
			!strings.Contains(body, `"param":"messages"`) {
			t.Errorf("%d: HTTP %d: %s", status, answer.Code, body)
		}
		if answer.Header().Get("Retry-After") != "3" {
			t.Errorf("%d: %v", status, answer.Header())
		}
		stream := post(handler, "/v1beta/models/gpt-5.1:streamGenerateContent?alt=sse", nativeHello)
		if stream.Code != status && status != 429 { // whose account rests
			t.Errorf("%d, streamed: HTTP %d: %s", status, stream.Code, stream.Body)
		}
	}
}

func TestAFilteredPromptIsBlocked(t *testing.T) {
	t.Parallel()
	s := &chatServer{answer: func(*http.Request, string) *http.Response {
		return chatReply(400,
			`{"error":{"message":"The prompt was filtered.","type":null,"param":"prompt","code":"content_filter"}}`)
	}}
	handler := gatewayOfChat(t, s)
	for _, path := range []string{gptPath, "/v1beta/models/gpt-5.1:streamGenerateContent?alt=sse"} {
		if answer := post(handler, path, nativeHello); answer.Code != 200 ||
			!strings.Contains(answer.Body.String(), `"blockReason":"SAFETY"`) {
			t.Errorf("%s: HTTP %d: %s", path, answer.Code, answer.Body)
		}
	}
}

// Gemini CLI ignores an error in an event, so the error stands between events, as Google sends it.
func TestAnErrorWithinAStreamOfChatCompletionsIsOneOfGoogles(t *testing.T) {
	t.Parallel()
	s := &chatServer{answer: func(*http.Request, string) *http.Response {
		return chatReply(200,
			chatHead+`{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}`+"\n\n"+
				`data: {"error":{"message":"Overloaded","type":"overloaded_error","param":null,"code":null}}`+
				"\n\n", "Content-Type", "text/event-stream")
	}}
	answer := post(gatewayOfChat(t, s), "/v1beta/models/gpt-5.1:streamGenerateContent?alt=sse",
		nativeHello)
	if body := answer.Body.String(); answer.Code != 200 ||
		!strings.Contains(body, `"status":"UNAVAILABLE"`) ||
		!strings.Contains(body, "\r\n\r\n"+`{"error":`) || strings.Contains(body, "finishReason") {
		t.Errorf("HTTP %d: %s", answer.Code, body)
	}
}

func TestUnsupportedRequestsAreRefusedWithTheirLocations(t *testing.T) {
	t.Parallel()
	s := &chatServer{}
	handler := gatewayOfChat(t, s)
	const lossy = `{"contents":[{"role":"user","parts":[{"text":"hello"}]}],"generationConfig":{"topK":3}}`
	for name, tc := range map[string]struct{ body, want, strict string }{
		"a cache":        {`{"contents":[{"role":"user","parts":[{"text":"?"}]}],"cachedContent":"cachedContents/c"}`, "/cachedContent", "false"},
		"a file":         {`{"contents":[{"role":"user","parts":[{"fileData":{"fileUri":"gs://b/o"}}]}]}`, "/contents/0/parts/0/fileData/fileUri", "false"},
		"a loss, strict": {lossy, "/generationConfig/topK", "true"},
	} {
		answer := post(handler, gptPath, tc.body, "X-Gemwire-Strict", tc.strict)
		if body := answer.Body.String(); answer.Code != 400 || !strings.Contains(body, tc.want) ||
			!strings.Contains(body, "INVALID_ARGUMENT") {
			t.Errorf("%s: HTTP %d: %s", name, answer.Code, body)
		}
	}
	if len(s.requests) > 0 {
		t.Errorf("%d requests were sent", len(s.requests))
	}
	for _, path := range []string{"/v1beta/cachedContents", "/v1beta/models/gpt-5.1:predict",
		"/v1beta/models/gpt-5.1:batchGenerateContent"} {
		answer := post(handler, path, `{}`)
		if body := answer.Body.String(); answer.Code != 501 ||
			!strings.Contains(body, "UNIMPLEMENTED") ||
			!strings.Contains(body, "does not support POST "+path) {
			t.Errorf("%s: HTTP %d: %s", path, answer.Code, body)
		}
	}
}

// An invalid body is the client's fault for every operation. A client that sends no body has none.
func TestInvalidRequestsAreTheClientsMistake(t *testing.T) {
	t.Parallel()
	s := &chatServer{}
	handler := gatewayOfChat(t, s, gateway.WithTokenCount(gateway.CountByEstimate))
	for _, verb := range []string{"generateContent", "streamGenerateContent", "countTokens",
		"embedContent", "batchEmbedContents"} {
		for _, body := range []string{"", "{", `{"contents":`, "null", "[]", `"x"`, "5"} {
			answer := post(handler, "/v1beta/models/gpt-5.1:"+verb, body)
			if answer.Code != 400 || !strings.Contains(answer.Body.String(), "INVALID_ARGUMENT") {
				t.Errorf("%s of %q: HTTP %d: %s", verb, body, answer.Code, answer.Body)
			}
		}
	}
	answer := post(handler, gptPath, nativeHello, "Content-Type", "text/plain")
	if body := answer.Body.String(); answer.Code != 415 ||
		!strings.Contains(body, "INVALID_ARGUMENT") || !strings.Contains(body, "Content-Type") {
		t.Errorf("HTTP %d: %s", answer.Code, body)
	}
	if len(s.requests) > 0 {
		t.Errorf("%d requests were sent", len(s.requests))
	}
}

func TestTokensAreGuessedOrNotCounted(t *testing.T) {
	t.Parallel()
	s := &chatServer{}
	const path = "/v1beta/models/gpt-5.1:countTokens"
	if answer := post(gatewayOfChat(t, s), path, nativeHello); answer.Code != 501 ||
		!strings.Contains(answer.Body.String(), "UNIMPLEMENTED") {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
	answer := post(gatewayOfChat(t, s, gateway.WithTokenCount(gateway.CountByEstimate)), path,
		nativeHello)
	if answer.Code != 200 || !strings.Contains(answer.Body.String(), `"totalTokens":`) ||
		answer.Header().Get("X-Gemwire-Estimated") != "true" {
		t.Errorf("HTTP %d, %v: %s", answer.Code, answer.Header(), answer.Body)
	}
}

func TestModelsAndEmbeddingsOfAServerOfOpenAI(t *testing.T) {
	t.Parallel()
	s := &chatServer{}
	handler := gatewayOfChat(t, s)
	for path, want := range map[string]string{
		"/v1beta/models":         `"name":"models/gpt-5.1"`,
		"/v1beta/models/gpt-5.1": `"supportedGenerationMethods":["generateContent","streamGenerateContent","embedContent"]`,
	} {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		if answer.Code != 200 || !strings.Contains(answer.Body.String(), want) {
			t.Errorf("%s: HTTP %d: %s", path, answer.Code, answer.Body)
		}
	}
	one := post(handler, "/v1beta/models/e:embedContent",
		`{"content":{"parts":[{"text":"a"}]},"outputDimensionality":1}`)
	if one.Code != 200 || !strings.Contains(one.Body.String(), `"values":[0.25]`) {
		t.Errorf("HTTP %d: %s", one.Code, one.Body)
	}
	if _, body := s.last(); body != `{"model":"e","input":["a"],"dimensions":1,"encoding_format":"float"}` {
		t.Errorf("sent %s", body)
	}
	two := post(handler, "/v1beta/models/e:batchEmbedContents",
		`{"requests":[{"content":{"parts":[{"text":"a"}]}},{"content":{"parts":[{"text":"b"}]}}]}`)
	if two.Code != 200 ||
		!strings.Contains(two.Body.String(), `[{"values":[0.25]},{"values":[0.5]}]`) {
		t.Errorf("HTTP %d: %s", two.Code, two.Body)
	}
	image := post(handler, "/v1beta/models/e:embedContent",
		`{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}`)
	if image.Code != 400 || !strings.Contains(image.Body.String(), "only texts") {
		t.Errorf("HTTP %d: %s", image.Code, image.Body)
	}
}

// An alias can be listed and retrieved, also if the server has no endpoint for a single model.
func TestAliasesAreAmongTheModelsForGeminisClients(t *testing.T) {
	t.Parallel()
	aliases := gateway.WithAliases(map[string]string{"gemini-3.6-flash": "gpt-5.1",
		"gemini-2.5-pro": "meta/llama", "tuned": "tunedModels/mine", "small": "gemini-2.5-flash-image"})
	keys := gateway.WithClientKeys(keysOf(t, `bob,"models":["gemini-3.6-flash"]`))
	chats, server := &chatServer{},
		geminitest.NewServer(t, geminitest.WithModels("tunedModels/mine"))
	for name, tc := range map[string]struct {
		handler *gateway.Handler
		path    string
		headers []string
		want    []string
		not     string
	}{
		"listed":                       {gatewayOfChat(t, chats, aliases), "/v1beta/models", nil, []string{`{"models":[{"name":"models/gemini-2.5-pro","displayName":"meta/llama"`, `{"name":"models/gemini-3.6-flash","displayName":"gpt-5.1"`, `"models/small"`, `"name":"models/gpt-5.1"`}, ""},
		"listed, on a later page":      {gatewayOf(t, server, aliases), "/v1beta/models?pageToken=x", nil, nil, `"models/small"`},
		"listed by Gemini":             {gatewayOf(t, server, aliases), "/v1beta/models?pageSize=1000", nil, []string{`{"name":"models/small",`, `"outputTokenLimit":32768`}, ""},
		"listed, for some models":      {gatewayOfChat(t, chats, aliases, keys), "/v1beta/models", []string{"X-Goog-Api-Key", "key-of-bob"}, []string{`"name":"models/gemini-3.6-flash"`}, "llama"},
		"alone":                        {gatewayOfChat(t, chats, aliases), "/v1beta/models/gemini-3.6-flash", nil, []string{`{"name":"models/gemini-3.6-flash","displayName":"gpt-5.1"`}, ""},
		"alone, not described":         {gatewayOfChat(t, chats, aliases), "/v1beta/models/gemini-2.5-pro", nil, []string{`"name":"models/gemini-2.5-pro"`, `"generateContent"`}, "TokenLimit"},
		"alone, of Gemini":             {gatewayOf(t, server, aliases), "/v1beta/models/small", nil, []string{`"name":"models/small"`, `"outputTokenLimit":32768`, `"version":"2.0"`}, ""},
		"alone, a resource of its own": {gatewayOf(t, server, aliases), "/v1beta/models/tuned", nil, []string{`"name":"models/tuned"`}, ""},
	} {
		answer := get(tc.handler, tc.path, tc.headers...)
		body := answer.Body.String()
		if len(tc.want) > 0 && answer.Code != 200 {
			t.Errorf("%s: HTTP %d: %s", name, answer.Code, body)
		}
		for _, want := range tc.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %s in %s", name, want, body)
			}
		}
		if tc.not != "" && strings.Contains(body, tc.not) {
			t.Errorf("%s: %s in %s", name, tc.not, body)
		}
	}
	if answer := get(gatewayOfChat(t, chats, aliases, keys), "/v1beta/models/gemini-2.5-pro",
		"X-Goog-Api-Key", "key-of-bob"); answer.Code != 404 {
		t.Errorf("a model that the key is not for: HTTP %d: %s", answer.Code, answer.Body)
	}
	if answer := get(gatewayOfChat(t, chats, aliases), "/v1beta/models/gpt-9"); answer.Code != 404 {
		t.Errorf("what is no alias: HTTP %d: %s", answer.Code, answer.Body)
	}
}

func TestOtherFormsReachAServerOfChatCompletionsToo(t *testing.T) {
	t.Parallel()
	handler := gatewayOfChat(t, &chatServer{})
	for _, stream := range []string{"", `,"stream":true`} {
		answer := post(handler, "/v1/chat/completions",
			`{"model":"gpt-5.1","messages":[{"role":"user","content":"hello"}]`+stream+`}`)
		if answer.Code != 200 || !strings.Contains(answer.Body.String(), "Hi there") {
			t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
		}
	}
}

func TestAServerOfChatCompletionsNeedsAnAddressAndPerhapsNoKey(t *testing.T) {
	t.Parallel()
	if _, err := gateway.New(gateway.WithUpstream(gateway.Upstream{Service: gateway.OpenAI})); err == nil {
		t.Error("without an address")
	}
	s := &chatServer{}
	s.answer = s.answers
	handler := newGateway(t,
		gateway.WithUpstream(gateway.Upstream{Service: gateway.OpenAI,
			BaseURL: "http://127.0.0.1:11434/v1", HTTPClient: s}))
	if answer := post(handler, gptPath, nativeHello); answer.Code != 200 {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
	if request, _ := s.last(); request.Header.Get("Authorization") != "" {
		t.Errorf("sent %v", request.Header)
	}
}

// stalled is a body that blocks until it is closed.
type stalledBody struct {
	io.Reader
	closed chan struct{}
	once   sync.Once
	ctx    context.Context
}

func (s *stalledBody) Read(p []byte) (int, error) {
	if n, _ := s.Reader.Read(p); n > 0 {
		return n, nil
	}
	select {
	case <-s.closed:
		return 0, errors.New("closed")
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	}
}

func (s *stalledBody) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}

func TestAClientThatLeavesEndsTheRequestToAServerOfChatCompletions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		body := &stalledBody{Reader: strings.NewReader(chatHead +
			`{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}` + "\n\n"),
			closed: make(chan struct{})}
		s := &chatServer{answer: func(r *http.Request, _ string) *http.Response {
			body.ctx = r.Context()
			return &http.Response{StatusCode: 200,
				Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body}
		}}
		handler := gatewayOfChat(t, s)
		ctx, leave := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { _ = recover() }() // the connection is cut
			r := httptest.NewRequest(http.MethodPost,
				"/v1beta/models/gpt-5.1:streamGenerateContent?alt=sse",
				strings.NewReader(nativeHello)).WithContext(ctx)
			handler.ServeHTTP(httptest.NewRecorder(), r)
		}()
		time.Sleep(time.Second)
		left := time.Now()
		leave()
		<-body.closed
		<-done
		if after := time.Since(left); after > 100*time.Millisecond {
			t.Errorf("the request ended %s later", after)
		}
	})
}

// waitingServer answers late.
type waitingServer struct {
	chatServer
	after time.Duration
}

func (s *waitingServer) Do(r *http.Request) (*http.Response, error) {
	select {
	case <-time.After(s.after):
		return s.chatServer.Do(r)
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

func TestASilentStreamOfAServerOfChatCompletionsIsKeptAlive(t *testing.T) {
	inTime(t, func(t *testing.T) {
		for name, tc := range map[string]struct {
			answer *http.Response
			want   string
		}{
			"an answer": {chatReply(200, chatStream, "Content-Type", "text/event-stream"), `"finishReason":"STOP"`},
			"an error":  {chatReply(400, `{"error":{"message":"No.","type":"invalid_request_error","param":null,"code":null}}`), "\r\n\r\n" + `{"error":{"code":400`},
		} {
			s := &waitingServer{after: 35 * time.Second}
			s.answer = func(*http.Request, string) *http.Response { return tc.answer }
			handler := newGateway(t,
				gateway.WithUpstream(gateway.Upstream{Service: gateway.OpenAI,
					BaseURL: "https://chat.example/v1", HTTPClient: s}))
			answer := post(handler, "/v1beta/models/gpt-5.1:streamGenerateContent?alt=sse",
				nativeHello)
			body := answer.Body.String()
			if answer.Code != 200 || !strings.HasPrefix(body, "\r\n\r\n\r\n\r\n") ||
				!strings.Contains(body, tc.want) {
				t.Errorf("%s: HTTP %d: %q", name, answer.Code, body)
			}
			var failed error
			for _, err := range gemini.NewStreamReader(answer.Body).All() {
				failed = err
			}
			if (failed != nil) != (name == "an error") {
				t.Errorf("%s: %v", name, failed)
			}
		}
	})
}

// A request is converted twice on its way to a server of OpenAI's API. The client gets the notes of
// both.
func TestTheReportHasWhatTheSecondConversionApproximates(t *testing.T) {
	t.Parallel()
	s := &chatServer{}
	s.answer = s.answers
	handler := newGateway(t,
		gateway.WithUpstream(gateway.Upstream{Service: gateway.OpenAI,
			BaseURL: "https://chat.example/v1", HTTPClient: s}))
	for path, body := range map[string]string{
		"/v1/messages":  `{"model":"gpt-5.1","max_tokens":4000,"thinking":{"type":"enabled","budget_tokens":2000},"messages":[{"role":"user","content":"hi"}]`,
		"/v1/responses": `{"model":"gpt-5.1","input":"hi","extra_body":{"google":{"thinking_config":{"thinking_budget":2000}}}`,
	} {
		for _, stream := range []string{"}", `,"stream":true}`} {
			answer := post(handler, path, body+stream, "X-Gemwire-Report", "true")
			const want = "/generationConfig/thinkingConfig/thinkingBudget of Gemini's form: converted to the nearest effort"
			if answer.Code != 200 || !strings.Contains(answer.Body.String(), want) {
				t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
			}
		}
	}
}
