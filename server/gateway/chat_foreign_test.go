package gateway_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
)

func TestAServersKeyIsInNoErrorOfAStream(t *testing.T) {
	t.Parallel()
	s := &chatServer{answer: func(*http.Request, string) *http.Response {
		return chatReply(200,
			chatHead+`{"index":0,"delta":{"content":"Hi"}}]}`+"\n\n"+
				`data: {"error":{"message":"Incorrect API key provided: sk-secret","code":401}}`+
				"\n\n",
			"Content-Type", "text/event-stream")
	}}
	handler := gatewayOfChat(t, s)
	for path, body := range map[string]string{
		"/v1beta/models/gpt-5.1:streamGenerateContent?alt=sse": nativeHello,
		"/v1beta/models/gpt-5.1:streamGenerateContent":         nativeHello,
		"/v1/chat/completions":                                 `{"model":"gpt-5.1","stream":true,"messages":[{"role":"user","content":"x"}]}`,
		"/v1/messages":                                         `{"model":"gpt-5.1","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"x"}]}`,
	} {
		answer := post(handler, path, body)
		if told := answer.Body.String(); strings.Contains(told, "sk-secret") ||
			!strings.Contains(told, "Incorrect API key provided: REDACTED") {
			t.Errorf("%s: %s", path, told)
		}
	}
}

// OpenRouter's model names have slashes, and Ollama's have colons.
func TestNamesOfModelsOnOtherServersAreTakenAsTheyAre(t *testing.T) {
	t.Parallel()
	s := &chatServer{}
	handler := gatewayOfChat(t, s)
	asked := func(path, body string) string {
		t.Helper()
		answer := post(handler, path, body)
		var sent struct{ Model string }
		if _, last := s.last(); answer.Code != 200 || json.Unmarshal([]byte(last), &sent) != nil {
			t.Errorf("%s: HTTP %d: %s", path, answer.Code, answer.Body)
		}
		return sent.Model
	}
	for _, model := range []string{"gpt-5.1", "qwen2.5:7b", "meta-llama/Llama-3.1-70B",
		"google/gemini-2.5-flash", "a/models/b", "org/qwen:free"} {
		escaped := strings.NewReplacer("/", "%2F", ":", "%3A").Replace(model)
		for path, body := range map[string]string{
			"/v1beta/models/" + model + ":generateContent":               nativeHello,
			"/v1beta/models/" + escaped + ":generateContent":             nativeHello,
			"/v1beta/models/" + model + ":streamGenerateContent?alt=sse": nativeHello,
			"/v1/chat/completions": `{"model":"` + model +
				`","messages":[{"role":"user","content":"x"}]}`,
			"/v1/messages": `{"model":"` + model +
				`","max_tokens":9,"messages":[{"role":"user","content":"x"}]}`,
			"/v1/responses": `{"model":"` + model +
				`","input":"x"}`,
		} {
			if got := asked(path, body); got != model {
				t.Errorf("%s: %s instead of %s", path, got, model)
			}
		}
	}
}

func TestAKeyForSomeModelsReachesThoseWithSlashes(t *testing.T) {
	t.Parallel()
	s := &chatServer{}
	secret := clientkey.New()
	keys, err := clientkey.Read([]byte("keys:\n- name: ada\n  hash: " + clientkey.Hash(secret) +
		"\n  models: [meta-llama/Llama-3]\n"))
	if err != nil {
		t.Fatal(err)
	}
	handler := gatewayOfChat(t, s, gateway.WithClientKeys(keys))
	for model, want := range map[string]int{"meta-llama/Llama-3": 200, "meta-llama%2FLlama-3": 200,
		"meta-llama/Llama-4": 404, "gpt-5.1": 404} {
		if answer := post(handler, "/v1beta/models/"+model+":generateContent", nativeHello,
			"X-Goog-Api-Key", secret); answer.Code != want {
			t.Errorf("%s: HTTP %d: %s", model, answer.Code, answer.Body)
		}
	}
}

func TestEmbeddingsThatDoNotFitAreNoAnswer(t *testing.T) {
	t.Parallel()
	s := &chatServer{}
	handler := gatewayOfChat(t, s)
	const body = `{"requests":[{"content":{"parts":[{"text":"a"}]}},{"content":{"parts":[{"text":"b"}]}}]}`
	for reply, want := range map[string]string{
		`{"data":[{"index":1,"embedding":[2]},{"index":0,"embedding":[1]}]}`:                   `"embeddings":[{"values":[1]},{"values":[2]}]`,
		`{"data":[{"embedding":[1]},{"embedding":[2]}]}`:                                       `"embeddings":[{"values":[1]},{"values":[2]}]`,
		`{"data":[{"index":0,"embedding":"AACAPw=="},{"index":1,"embedding":"AAAAQAAAgD8="}]}`: `"embeddings":[{"values":[1]},{"values":[2,1]}]`,
		`{"data":[{"index":1,"embedding":[2]}]}`:                                               "1 embeddings for 2 contents",
		`{"data":[]}`:                                                                          "0 embeddings for 2 contents",
		`{"data":[{"index":1,"embedding":[2]},{"index":1,"embedding":[1]}]}`:                   "or its content already has one",
		`{"data":[{"index":0,"embedding":[2]},{"index":9,"embedding":[1]}]}`:                   "belongs to no content",
		`{"data":[{"index":0,"embedding":[2]},{"index":2,"embedding":[1]}]}`:                   "belongs to no content",
		`{"data":[{"index":0,"embedding":[2]},{"index":-1,"embedding":[1]}]}`:                  "belongs to no content",
		`{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[1]}]}`:                    "has no numbers",
		`{"data":[{"index":0,"embedding":""},{"index":1,"embedding":[1]}]}`:                    "has no numbers",
		`{"data":[{"index":0,"embedding":"#"},{"index":1,"embedding":[1]}]}`:                   "has no numbers",
		`{"error":{"message":"no such model","code":404}}`:                                     "no such model",
	} {
		s.answer = func(*http.Request, string) *http.Response { return chatReply(200, reply) }
		answer := post(handler, "/v1beta/models/e:batchEmbedContents", body)
		if isGood := strings.HasPrefix(want, `"embeddings"`); (answer.Code == 200) != isGood ||
			!strings.Contains(answer.Body.String(), want) {
			t.Errorf("%s: HTTP %d: %s", reply, answer.Code, answer.Body)
		}
	}
}

func TestAPromptTooLongForAServerOfOpenAIIsReportedToClaudeCode(t *testing.T) {
	t.Parallel()
	s := &chatServer{answer: func(*http.Request, string) *http.Response {
		return chatReply(400,
			`{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 130007 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`)
	}}
	answer := post(gatewayOfChat(t, s), "/v1/messages",
		`{"model":"gpt-5.1","max_tokens":9,"messages":[{"role":"user","content":"x"}]}`)
	if answer.Code != 400 ||
		!strings.Contains(answer.Body.String(),
			"prompt is too long: 130007 tokens > 128000 maximum") {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
}

// Servers of OpenAI's API count tokens at the end of a stream. Claude Code shows the count of the
// first event.
func TestAMessageFromAServerOfOpenAIBeginsWithAGuessOfItsPrompt(t *testing.T) {
	t.Parallel()
	answer := post(gatewayOfChat(t, &chatServer{}), "/v1/messages",
		`{"model":"gpt-5.1","stream":true,"max_tokens":9,"messages":[{"role":"user","content":"`+
			strings.Repeat("word ", 40)+`"}]}`)
	begin, rest, _ := strings.Cut(answer.Body.String(), "\n\n")
	if strings.Contains(begin, `"input_tokens":0`) ||
		!strings.Contains(rest, `"usage":{"input_tokens":5`) {
		t.Errorf("%s\n%s", begin, rest)
	}
}

func TestAnAnswerThatCannotBeUsedIsTheUpstreamsFault(t *testing.T) {
	t.Parallel()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const answer = `{"candidates":[{"content":{"parts":[{"functionCall":{"args":{}}}]},"finishReason":"STOP"}],"responseId":"r"}`
		if strings.Contains(r.URL.Path, "stream") {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte("data: " + answer + "\n\n"))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(answer))
	}))
	t.Cleanup(upstream.Close)
	handler := newGateway(t,
		gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI, BaseURL: upstream.URL,
			Accounts: []gateway.Account{gateway.KeyAccount("p", "k")}}))
	for _, stream := range []string{"false", "true"} {
		for path, body := range map[string]string{
			"/v1/messages": `{"model":"gemini-3.6-flash","max_tokens":9,"messages":[{"role":"user","content":"x"}],"stream":` +
				stream + `}`,
			"/v1/chat/completions": `{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"x"}],"stream":` +
				stream + `}`,
		} {
			answer := post(handler, path, body)
			if answer.Code != 502 ||
				!strings.Contains(answer.Body.String(), "the model's answer cannot be used") ||
				strings.Contains(answer.Body.String(), "normalize") {
				t.Errorf("%s: HTTP %d: %s", path, answer.Code, answer.Body)
			}
		}
	}
}

// The gateway forwards only a model's name, so that no other member can break the list.
func TestListsOfModelsOfOtherServersAreRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body, want string
		status     int
	}{
		"Together's":    {`[{"id":"a/b","created":0,"type":"chat"}]`, `"name":"models/a/b"`, 200},
		"times":         {`{"data":[{"id":"a","created":"2024-01-01"},{"id":"b","created":1.5}]}`, `"name":"models/b"`, 200},
		"none":          {`{"object":"list","data":null}`, `{}`, 200},
		"no name":       {`{"data":[{"name":"a"},{"id":"b"},5]}`, `{"models":[{"displayName":"b"`, 200},
		"no list":       {`{"error":{"message":"no"}}`, `"status":"UNAVAILABLE"`, 502},
		"nothing":       {``, `"status":"UNAVAILABLE"`, 502},
		"a page":        {`<html>`, `"status":"UNAVAILABLE"`, 502},
		"more than one": {`{"data":[]}{"data":[]}`, `"status":"UNAVAILABLE"`, 502},
	} {
		s := &chatServer{answer: func(*http.Request,
			string) *http.Response {
			return chatReply(200, tt.body)
		}}
		answer := httptest.NewRecorder()
		gatewayOfChat(t, s).ServeHTTP(answer,
			httptest.NewRequest(http.MethodGet, "/v1beta/models", nil))
		if answer.Code != tt.status || !strings.Contains(answer.Body.String(), tt.want) {
			t.Errorf("%s: HTTP %d: %s", name, answer.Code, answer.Body)
		}
	}
}

// Google's SDKs send their timeout in a header. After that time the request ends with Google's
// error for it.
func TestXServerTimeoutEndsARequestToAServerOfChatCompletions(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]struct {
		status int
		took   time.Duration
	}{
		"2.5":  {504, 2500 * time.Millisecond},
		"60":   {200, time.Minute / 2},
		"":     {200, time.Minute / 2},
		"soon": {200, time.Minute / 2},
		"NaN":  {200, time.Minute / 2},
		"-1":   {200, time.Minute / 2},
		"0":    {200, time.Minute / 2},
		"1e12": {200, time.Minute / 2}, // longer than a time.Duration
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			answer := post(gatewayOfSlowChat(t), gptPath, nativeHello, "X-Server-Timeout", header)
			if took := time.Since(start); answer.Code != want.status || took != want.took {
				t.Errorf("%q: HTTP %d after %v: %s", header, answer.Code, took, answer.Body)
			}
			if want.status != 200 &&
				!strings.Contains(answer.Body.String(), `"status":"DEADLINE_EXCEEDED"`) {
				t.Errorf("%q: %s", header, answer.Body)
			}
		})
	}
}

// gatewayOfSlowChat returns a gateway in front of a server that answers after half a minute.
func gatewayOfSlowChat(t *testing.T) *gateway.Handler {
	t.Helper()
	return newGateway(t, gateway.WithUpstream(gateway.Upstream{
		Service: gateway.OpenAI, BaseURL: "https://chat.example/v1",
		Accounts: []gateway.Account{gateway.KeyAccount("p", "sk-secret")}, HTTPClient: slowChat{},
	}))
}

// slowChat answers after half a minute, unless the request ends before.
type slowChat struct{}

func (slowChat) Do(r *http.Request) (*http.Response, error) {
	select {
	case <-time.After(30 * time.Second):
		return chatReply(200, chatAnswer), nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

func TestGPT56IsAskedWithoutReasoningWhereThereAreFunctions(t *testing.T) {
	t.Parallel()
	const asked = `{"contents":[{"role":"user","parts":[{"text":"hello"}]}],"tools":[{"functionDeclarations":[{"name":"f"}]}],
		"generationConfig":{"thinkingConfig":{"thinkingLevel":"HIGH"}}}`
	for takesBoth, want := range map[bool]struct{ sent, losses string }{
		false: {`"reasoning_effort":"none"`, "1"}, true: {`"reasoning_effort":"high"`, "0"},
	} {
		s := &chatServer{}
		s.answer = s.answers
		handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
			Service: gateway.OpenAI, BaseURL: "https://chat.example/v1", HTTPClient: s,
			EffortWithTools: takesBoth,
			Accounts:        []gateway.Account{gateway.KeyAccount("p", "sk-secret")},
		}))
		answer := post(handler, "/v1beta/models/gpt-5.6:generateContent", asked)
		losses := answer.Header().Get("X-Gemwire-Losses")
		if _, sent := s.last(); answer.Code != 200 || !strings.Contains(sent, want.sent) ||
			losses != want.losses {
			t.Errorf("HTTP %d, %s losses: %s", answer.Code, losses, sent)
		}
	}
}

// Older servers know neither max_completion_tokens nor allowed_tools.
func TestOlderServersAreAskedInTheirTerms(t *testing.T) {
	t.Parallel()
	const asked = `{"contents":[{"role":"user","parts":[{"text":"hello"}]}],"generationConfig":{"maxOutputTokens":9},"tools":[{"functionDeclarations":[{"name":"f"},{"name":"g"},{"name":"h"}]}],
		"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f","g"]}}}`
	for isOlder, want := range map[bool][]string{
		false: {`"max_completion_tokens":9`, `"allowed_tools"`, `"name":"h"`}, true: {`"max_tokens":9`, `"tool_choice":"required"`, `"name":"g"`},
	} {
		s := &chatServer{}
		s.answer = s.answers
		handler := newGateway(t, gateway.WithUpstream(gateway.Upstream{
			Service: gateway.OpenAI, BaseURL: "https://chat.example/v1",
			Accounts: []gateway.Account{gateway.KeyAccount("p", "sk-secret")}, HTTPClient: s,
			OlderServer: isOlder,
		}))
		if answer := post(handler, gptPath, asked); answer.Code != 200 {
			t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
		}
		_, body := s.last()
		for _, member := range want {
			if !strings.Contains(body, member) {
				t.Errorf("%v: %s is not in %s", isOlder, member, body)
			}
		}
		if isOlder == strings.Contains(body, `"name":"h"`) {
			t.Errorf("%v: %s", isOlder, body)
		}
	}
}
