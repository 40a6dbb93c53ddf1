package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
)

// A client that asks for more tokens than the model returns gets the model's limit, because Vertex
// AI would refuse the request.
func TestMoreTokensThanTheModelGivesAreAsManyAsItGives(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		model, in, want string
		report          []string
	}{
		"the older limit":         {"gemini-2.0-flash", `"max_tokens":32000`, `"generationConfig":{"maxOutputTokens":8192}`, []string{"approximated /max_tokens"}},
		"the newer limit":         {"gemini-2.5-pro", `"max_completion_tokens":128000`, `"generationConfig":{"maxOutputTokens":65536}`, []string{"approximated /max_completion_tokens"}},
		"extra_body":              {"gemini-2.0-flash", `"extra_body":{"google":{"max_output_tokens":9000}},"max_tokens":9000`, `"generationConfig":{"maxOutputTokens":8192}`, []string{"approximated /extra_body/google/max_output_tokens", "lost /max_tokens"}},
		"just as many":            {"gemini-2.0-flash", `"max_tokens":8192`, `"generationConfig":{"maxOutputTokens":8192}`, nil},
		"a model that is unknown": {"gemini-9-ultra", `"max_tokens":10000000`, `"generationConfig":{"maxOutputTokens":10000000}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, report := ask(t, tc.model, tc.in)
			settings(t, got, tc.model, tc.want)
			openaitest.Reports(t, report, tc.report...)
		})
	}
}
