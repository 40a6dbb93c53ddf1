package gateway_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// A request of each form is made for the model that answers on the day of the gateway's clock.
func TestAGatewayAsksTheModelThatAnswersOnTheDay(t *testing.T) {
	t.Parallel()
	requests := map[string]string{
		"/v1/chat/completions": `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"Hi."}],"reasoning_effort":"medium"}`,
		"/v1/responses":        `{"model":"gemini-2.5-flash","input":"Hi.","reasoning":{"effort":"medium"}}`,
		"/v1/messages":         `{"model":"gemini-2.5-flash","max_tokens":10000,"messages":[{"role":"user","content":"Hi."}],"output_config":{"effort":"medium"}}`,
	}
	for day, want := range map[string]string{"2026-11-30": "thinkingBudget",
		"2026-12-01": "thinkingLevel"} {
		when, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		clock := func() time.Time { return when }
		for path, body := range requests {
			upstream := geminitest.NewServer(t, geminitest.WithClock(clock))
			handler := gatewayOf(t, upstream, gateway.WithClock(clock))
			w := httptest.NewRecorder()
			handler.ServeHTTP(w,
				httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
			sent := upstream.Requests()
			if w.Code != http.StatusOK || len(sent) != 1 ||
				!strings.Contains(string(sent[0].Body), want) {
				t.Errorf("%s on %s: got %d %s, sent %+v", path, day, w.Code, w.Body, sent)
			}
		}
	}
}
