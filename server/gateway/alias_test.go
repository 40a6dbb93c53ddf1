package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway"
)

// Gemini CLI asks for gemini-3.8-flash, whichever model its user names.
func TestAnAliasWithAPatternAnswersInEveryForm(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithAliases(map[string]string{
		"gemini-9*": "gemini-2.5-flash", "*": "gemini-2.5-pro", "gemini-2.5-flash": "gemini-2.5-flash",
	}))
	for name, want := range map[string]string{
		"gemini-9-flash": "gemini-2.5-flash", "other": "gemini-2.5-pro",
		"models/gemini-9-flash": "gemini-2.5-flash",
	} {
		for path, body := range map[string]string{
			chatPath: strings.Replace(hello, "gemini-2.5-flash", name, 1),
			strings.Replace(nativeSSE, "gemini-2.5-flash", strings.TrimPrefix(name, "models/"),
				1): nativeHello,
		} {
			answer := post(handler, path, body)
			if got := answer.Header().Get("X-Gemwire-Model"); answer.Code != http.StatusOK ||
				got != want {
				t.Errorf("%s of %s: HTTP %d of %q, want %q", path, name, answer.Code, got, want)
			}
		}
	}
	refused := post(handler, chatPath, strings.Replace(hello, "gemini-2.5-flash", "a?b", 1))
	if refused.Code != http.StatusBadRequest {
		t.Errorf("an invalid name: HTTP %d", refused.Code)
	}
}
