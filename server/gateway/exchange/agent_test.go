package exchange_test

import (
	"net/http"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/exchange"
)

func TestAgentsAreFoundByTheirHeaders(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		header map[string]string
		want   [3]string
	}{
		"Claude Code": {map[string]string{"x-claude-code-session-id": "s",
			"x-claude-code-agent-id": "a", "x-claude-code-parent-agent-id": "p"},
			[3]string{"s", "a", "p"}},
		"codex": {map[string]string{"session-id": "s", "thread-id": "t",
			"x-codex-parent-thread-id": "p"}, [3]string{"s", "t", "p"}},
		"an older codex": {map[string]string{"session_id": "s"}, [3]string{"s", "", ""}},
		"another client": {map[string]string{"x-request-id": "r"}, [3]string{}},
	} {
		header := http.Header{}
		for key, value := range test.header {
			header.Set(key, value)
		}
		if s, a, p := exchange.AgentOf(header); [3]string{s, a, p} != test.want {
			t.Errorf("%s: %q, %q, %q", name, s, a, p)
		}
	}
}
