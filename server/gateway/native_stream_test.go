package gateway_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway"
)

// silentGoogle answers after a silence.
type silentGoogle struct {
	after  time.Duration
	answer func() *http.Response
}

func (s *silentGoogle) Do(r *http.Request) (*http.Response, error) {
	select {
	case <-time.After(s.after):
		return s.answer(), nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// Gemini CLI gives up a stream whose header does not arrive within 60 seconds.
func TestAStreamOfGoogleThatIsSilentForMinutesBeginsAndIsKeptAlive(t *testing.T) {
	const event = `data: {"candidates":[{"content":{"parts":[{"text":"Hello"}]},"finishReason":"STOP"}]}`
	inTime(t, func(t *testing.T) {
		for name, tt := range map[string]struct {
			answer *http.Response
			want   string // after the blank lines
			fails  bool
		}{
			"an answer": {chatReply(200, event+"\r\n\r\n", "Content-Type", "text/event-stream"),
				event, false},
			"an error": {chatReply(broken.status, broken.body), `{"error":{`, true},
		} {
			google := &silentGoogle{150 * time.Second, func() *http.Response { return tt.answer }}
			handler := newGateway(t, gateway.WithMaxAttempts(1),
				gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI,
					Accounts: accounts("one"), HTTPClient: google}))
			answer := post(handler, nativeSSE, nativeHello)
			body := answer.Body.String()
			rest := strings.TrimLeft(body, "\r\n")
			if answer.Code != http.StatusOK || len(body)-len(rest) < 4*14 ||
				!strings.HasPrefix(rest, tt.want) {
				t.Errorf("%s: HTTP %d: %q", name, answer.Code, body)
			}
			var failed error
			for _, err := range gemini.NewStreamReader(strings.NewReader(body)).All() {
				failed = err
			}
			if (failed != nil) != tt.fails {
				t.Errorf("%s: a client reads %v", name, failed)
			}
		}
	})
}

func TestAnErrorInAStreamOfGoogleIsPassedOnOnce(t *testing.T) {
	t.Parallel()
	const event = `data: {"candidates":[{"content":{"parts":[{"text":"Half"}]}}]}` + "\r\n\r\n"
	google := &silentGoogle{0, func() *http.Response {
		return chatReply(200, event+broken.body+"\r\n\r\n", "Content-Type", "text/event-stream")
	}}
	answer := post(newGateway(t, gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI,
		Accounts: accounts("one"), HTTPClient: google})), nativeSSE, nativeHello)
	body := answer.Body.String()
	if answer.Code != http.StatusOK || !strings.HasPrefix(body, event) ||
		strings.Count(body, "error") != 1 {
		t.Errorf("HTTP %d: %q", answer.Code, body)
	}
}
