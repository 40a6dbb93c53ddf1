package request_test

import "testing"

// A client that asks for more tokens than the model returns gets the model's limit, because Vertex
// AI would refuse the request.
func TestMoreTokensThanTheModelGivesAreAsManyAsItGives(t *testing.T) {
	t.Parallel()
	checkSettings(t, []setting{
		{"gemini-2.0-flash", `"max_output_tokens":32000`, `{"generationConfig":{"maxOutputTokens":8192}}`, []string{"approximated /max_output_tokens"}},
		{"gemini-2.0-flash", `"max_output_tokens":8192`, `{"generationConfig":{"maxOutputTokens":8192}}`, nil},
		{"gemini-9-ultra", `"max_output_tokens":10000000`, `{"generationConfig":{"maxOutputTokens":10000000}}`, nil},
	})
}
