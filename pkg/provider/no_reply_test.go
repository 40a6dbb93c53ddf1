package provider_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
)

func TestADoerThatReturnsNothingEndsTheCall(t *testing.T) {
	t.Parallel()
	nothing := gemini.DoerFunc(func(*http.Request) (*http.Response, error) { return nil, nil })
	for how, got := range map[string][]string{
		"streamed":  streamed(t, overHTTP(t, nothing)),
		"completed": {completed(t, overHTTP(t, nothing))},
	} {
		if text := strings.Join(got, "\n"); !strings.Contains(text,
			"neither a response nor an error") || strings.Contains(text, "callback") {
			t.Errorf("%s: %s", how, text)
		}
	}
}
