package gateway_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/google/go-cmp/cmp"
)

// longConversation returns the items of a conversation of about 1 MB: of 250 messages, calls and
// results.
func longConversation() string {
	var out strings.Builder
	for i := range 250 {
		fmt.Fprintf(&out, `{"role":"user","content":"%s"},{"type":"function_call","call_id":"c%d",`+
			`"name":"get_weather","arguments":"{\"place\":\"Porto\"}"},`+
			`{"type":"function_call_output","call_id":"c%d","output":"%s"},`,
			strings.Repeat("some words ", 85), i, i, strings.Repeat("a line of a file\\n", 170))
	}
	return out.String() + `{"role":"user","content":"Go on."}`
}

// BenchmarkThreshold compares requests of 1 MB with a threshold that they do not reach, and without
// one.
func BenchmarkThreshold(b *testing.B) {
	upstream := httptest.NewServer(fixedUpstream(0))
	b.Cleanup(upstream.Close)
	for name, members := range map[string]string{"none": "",
		"below": `,"context_management":[{"type":"compaction","compact_threshold":900000}]`} {
		body := compactBody(longConversation(), `,"store":false,`+placeTool+members)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			benchmarkPosts(b, benchmarkedGateway(b, upstream).URL+responsesPath, body)
		})
	}
}

// Below the threshold each attempt gets its own request, as it does without a threshold.
func TestAttemptsBelowAThresholdAreThoseOfARequestWithoutOne(t *testing.T) {
	t.Parallel()
	attempts := func(members string) (bodies []string, losses string) {
		server := geminitest.NewServer(t, geminitest.WithScript(
			geminitest.On().Reply(geminitest.Chunk(malformedCall)).Times(2),
			geminitest.On(geminitest.Model("gemini-3.6-flash")).Reply(geminitest.Unavailable()).Times(9),
			geminitest.On().Reply(geminitest.Chunk(usableReply))))
		handler := gatewayOf(t, server, gateway.WithRetryMalformed(2), gateway.WithMaxAttempts(4),
			gateway.WithFallbacks(map[string][]string{"gemini-3.6-flash": {"gemini-2.5-flash"}}))
		answer := post(handler, responsesPath, compactBody(oldItems, members+
			`,"store":false,"truncation":"auto","reasoning":{"effort":"low"},`+placeTool))
		if answer.Code != http.StatusOK {
			t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
		}
		for _, r := range server.Requests() {
			bodies = append(bodies, r.URL.Path+" "+string(r.Body))
		}
		return bodies, answer.Header().Get("X-Gemwire-Losses")
	}
	want, lost := attempts("")
	got, lostToo := attempts(shortRule)
	if diff := cmp.Diff(want, got); diff != "" || lost != lostToo {
		t.Errorf("%s losses, want %s; -without +with a threshold:\n%s", lostToo, lost, diff)
	}
	if last := want[len(want)-1]; !strings.Contains(last, "gemini-2.5-flash") || len(want) < 4 {
		t.Errorf("%d attempts, the last is %s", len(want), last)
	}
}
