package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// thinker is an upstream that shows its thoughts if it is asked to.
func thinker(t *testing.T, opts ...gateway.Option) *gateway.Handler {
	return newGateway(t, append([]gateway.Option{gateway.WithUpstream(gateway.Upstream{
		Service:  gateway.GeminiAPI,
		Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
		HTTPClient: gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			var body struct {
				GenerationConfig struct {
					ThinkingConfig struct {
						IncludeThoughts bool `json:"includeThoughts"`
					} `json:"thinkingConfig"`
				} `json:"generationConfig"`
			}
			if err := json.UnmarshalRead(r.Body, &body); err != nil {
				t.Error(err)
			}
			thought := ""
			if body.GenerationConfig.ThinkingConfig.IncludeThoughts {
				thought = `{"thought":true,"text":"Hm."},`
			}
			answer := `{"candidates":[{"index":0,"content":{"role":"model","parts":[` + thought +
				`{"text":"Hi."}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1}}`
			if strings.Contains(r.URL.Path, ":stream") {
				reply := replyOf(200, "data: "+answer+"\n\n")
				reply.Header.Set("Content-Type", "text/event-stream")
				return reply, nil
			}
			return replyOf(200, answer), nil
		}),
	})}, opts...)...)
}

func TestChatClientsThatDisplayThoughtsGetThemIfTheyRequestAnEffort(t *testing.T) {
	t.Parallel()
	const (
		effort    = `,"reasoning_effort":"high"`
		extension = `,"extra_body":{"google":{"thinking_config":{"thinking_level":"low"}}}`
		opencode  = "ai-sdk/openai-compatible/1.0.30 ai-sdk/provider-utils/3.0.20 runtime/bun/1.3"
		qwen      = "QwenCode/0.24.4 (linux; x64)"
	)
	for name, test := range map[string]struct {
		mode      gateway.ChatReasoning
		userAgent string
		more      string
		isShown   bool
	}{
		"opencode with an effort":         {"", opencode, effort, true},
		"qwen-code with an effort":        {"auto", qwen, effort, true},
		"qwen-code with the extension":    {"auto", qwen, extension, true},
		"qwen-code without an effort":     {"auto", qwen, "", false},
		"qwen-code without thinking":      {"auto", qwen, `,"reasoning_effort":"none"`, false},
		"opencode that excludes thoughts": {"always", opencode, `,"reasoning":{"effort":"high","exclude":true}`, false},
		"another client with an effort":   {"auto", "OpenAI/JS 6.49.0", effort, false},
		"another client that asks for thoughts": {"never", "OpenAI/JS 6.49.0",
			`,"extra_body":{"google":{"thinking_config":{"include_thoughts":true}}}`, true},
		"a client that wants no thoughts": {"always", qwen,
			`,"extra_body":{"google":{"thinking_config":{"include_thoughts":false}}}`, false},
		"any client, always":                    {"always", "OpenAI/JS 6.49.0", "", true},
		"any client without thinking, always":   {"always", "OpenAI/JS 6.49.0", `,"enable_thinking":false`, false},
		"opencode with an effort, but never":    {"never", opencode, effort, false},
		"opencode that asks twice for thoughts": {"auto", opencode, `,"enable_thinking":true` + effort, true},
	} {
		handler := thinker(t, gateway.WithChatReasoning(test.mode))
		body := strings.Replace(hello, "gemini-2.5-flash", "gemini-3.6-flash", 1)
		body = strings.TrimSuffix(strings.TrimSpace(body), "}") + test.more + "}"
		whole := post(handler, chatPath, body, "User-Agent", test.userAgent)
		if whole.Code != http.StatusOK {
			t.Errorf("%s: HTTP %d: %s", name, whole.Code, whole.Body)
		}
		for form, answer := range map[string]string{"whole": whole.Body.String(),
			"streamed": post(handler, chatPath, streamed(body), "User-Agent",
				test.userAgent).Body.String()} {
			want := 0
			if test.isShown {
				want = 1
			}
			if got := strings.Count(answer, `"reasoning_content":"Hm."`); got != want {
				t.Errorf("%s, %s: %d times: %s", name, form, got, answer)
			}
		}
		if losses := whole.Header().Get("X-Gemwire-Losses"); losses != "0" {
			t.Errorf("%s: %s losses", name, losses)
		}
	}
}

// A model that does not think refuses a thinkingConfig.
func TestThoughtsAreNotRequestedFromAModelThatDoesNotThink(t *testing.T) {
	t.Parallel()
	var sent jsontext.Value
	handler := gatewayAnswering(t, func(r *http.Request) *http.Response {
		_ = json.UnmarshalRead(r.Body, &sent)
		return replyOf(200, wholeAnswer)
	}, gateway.WithChatReasoning(gateway.ChatReasoningAlways))
	post(handler, chatPath, strings.Replace(hello, "gemini-2.5-flash", "gemini-2.0-flash", 1))
	if sent == nil || strings.Contains(string(sent), "thinkingConfig") {
		t.Errorf("sent %s", sent)
	}
}

func TestAnUnknownChatReasoningIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := gateway.New(gateway.WithChatReasoning("sometimes")); err == nil ||
		!strings.Contains(err.Error(), "auto, always or never") {
		t.Errorf("got %v", err)
	}
}
