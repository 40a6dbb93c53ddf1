package serve_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// usageOf is 1,000 tokens of prompt, of which 400 came from a cache, 10 of answer and 20 of
// thinking. By the card of examples that is (600×0.30 + 400×0.03 + 30×2.50) / 1,000,000 = 0.000076
// dollars.
const usageOf = `"usageMetadata":{"promptTokenCount":1000,"cachedContentTokenCount":400,"candidatesTokenCount":10,"thoughtsTokenCount":20,"totalTokenCount":1030}`

// TestTheCostIsInTheUsageTheLogAndTheMetrics is of BerriAI/litellm#13264, #12689 and #39069:
// headers cannot be read in the midst of a stream.
func TestTheCostIsInTheUsageTheLogAndTheMetrics(t *testing.T) {
	t.Parallel()
	priced := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		version := "gemini-2.5-flash-lite"
		if strings.Contains(r.URL.Path, "gemini-9") {
			version = "gemini-9"
		}
		answer := `{"candidates":[{"content":{"role":"model","parts":[{"text":"ok"}]},"finishReason":"STOP"}],"modelVersion":"` +
			version + `",` + usageOf + `}`
		if strings.Contains(r.URL.Path, "stream") {
			w.Header().Set("Content-Type", "text/event-stream")
			answer = "data: " + answer + "\n\n"
		}
		io.WriteString(w, answer)
	}))
	defer priced.Close()
	folder := t.TempDir()
	key, card := filepath.Join(folder, "key"), filepath.Join(folder, "prices.yaml")
	if err := os.WriteFile(key, []byte("key-of-a-test"), 0o600); err != nil {
		t.Fatal(err)
	}
	own := `{currency: USD, sources: {contract: {title: ours, date: 2026-11-01}}, prices: [{models: [mine], surface: gemini_api, tier: standard,
		source: contract, rates: {input: 1000, cached_input: 100, output: 1000, thinking: 1000}}]}`
	if err := os.WriteFile(card, []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	r := serve(t, "--base-url", priced.URL, "--api-key-file", key, "--cost-in-usage", "--rate-card",
		card)
	for path, request := range map[string]string{
		"/v1/chat/completions": `{"model":"gemini-2.5-flash-lite","messages":[{"role":"user","content":"hello"}]`,
		"/v1/responses":        `{"model":"gemini-2.5-flash-lite","input":"hello"`,
		"/v1/messages":         `{"model":"gemini-2.5-flash-lite","max_tokens":100,"messages":[{"role":"user","content":"hello"}]`,
	} {
		for _, rest := range []string{`}`,
			`,"stream":true,"stream_options":{"include_usage":true}}`} {
			reply, err := http.Post(r.URL+path, "application/json", strings.NewReader(request+rest))
			if err != nil {
				t.Fatal(err)
			}
			if got := text(t, reply); !strings.Contains(got,
				`"cost":0.000076,"cost_currency":"USD"`) {
				t.Errorf("%s %s: %s", path, rest, got)
			}
			reply.Body.Close()
		}
	}
	r.Stderr.WaitFor(t, `msg=request .*cost=7.6e-05 currency=USD rate="gemini-2.5-flash-lite, Gemini API, 2026-06-02"`)
	// by the own card
	if got := text(t, r.ask(t, "mine", false)); !strings.Contains(got, `"cost":0.67`) {
		t.Error(got)
	}
	if got := text(t, r.ask(t, "gemini-9", false)); strings.Contains(got, `"cost"`) {
		t.Errorf("a model without a price costs something: %s", got)
	}
	_, metrics := r.Get(t, "/metrics")
	if !strings.Contains(metrics,
		`gemwire_cost_total{client="",currency="USD",model="gemini-2.5-flash-lite"} 0.67`) {
		t.Error(metrics)
	}
}
