package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
)

// Claude Code asks for 32,000 tokens from any model that it does not know. Some models return less,
// and Vertex AI would refuse the request.
func TestMoreTokensThanTheModelGivesAreAsManyAsItGives(t *testing.T) {
	t.Parallel()
	const hi = `"messages":[{"role":"user","content":"Hi."}]}`
	for _, r := range []row{
		{name: "more", request: `{"model":"gemini-2.0-flash","max_tokens":32000,` + hi, want: map[string]string{"/generationConfig/maxOutputTokens": "8192"},
			reported: map[string]report.Kind{"/max_tokens": report.Approximated}},
		{name: "more than another model's", request: `{"model":"claude-opus-5","max_tokens":32000,` + hi, opts: []request.Option{request.ForModel("gemini-2.0-flash")},
			want:     map[string]string{"/generationConfig/maxOutputTokens": "8192"},
			reported: map[string]report.Kind{"/max_tokens": report.Approximated}},
		{name: "as many", request: `{"model":"gemini-3.6-flash","max_tokens":65536,` + hi, want: map[string]string{"/generationConfig/maxOutputTokens": "65536"}},
		{name: "of a model that is unknown", request: `{"model":"gemini-9-ultra","max_tokens":128000,` + hi, want: map[string]string{"/generationConfig/maxOutputTokens": "128000"}},
	} {
		checkRow(t, &r)
	}
}
