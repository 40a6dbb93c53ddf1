package cli_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
)

// Media in a tool's result reach the model, for every form of request, model and kind of URL.
func TestMediaInResultsOfToolsReachTheModelInEveryForm(t *testing.T) {
	t.Parallel()
	const data = "data:image/png;base64,iVBORw0KGgo="
	forms := map[string]string{
		"openai-request": `{"model":"MODEL","messages":[{"role":"user","content":"Look."},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"a","content":[{"type":"image_url","image_url":{"url":"URL"}}]}]}`,
		"responses-request": `{"model":"MODEL","input":[{"role":"user","content":"Look."},{"type":"function_call","call_id":"a","name":"look","arguments":"{}"},
			{"type":"function_call_output","call_id":"a","output":[{"type":"input_image","image_url":"URL"}]}]}`,
		"messages-request": `{"model":"MODEL","max_tokens":9,"messages":[{"role":"user","content":"Look."},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"look","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"image","source":{"type":"url","url":"URL"}}]}]}]}`,
	}
	const (
		inResult = `{},{},{"parts":[{"functionResponse":{"response":{},"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}]}}]}`
		shown    = `{},{},{"parts":[{"functionResponse":{"response":{"output":"The next message of the user shows what the function returned."}}}]},{"role":"user","parts":[MEDIA]}`
		inline   = `{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}`
		remote   = `{"fileData":{"fileUri":"https://example.com/a.png","mimeType":"image/png"}}`
	)
	for name, test := range map[string]struct{ model, url, want string }{
		"a data URL, where results have media":    {"gemini-3.5-flash", data, inResult},
		"a data URL, where results have no media": {"gemini-2.5-flash", data, strings.Replace(shown, "MEDIA", inline, 1)},
		"an address, where results have media":    {"gemini-3.5-flash", "https://example.com/a.png", strings.Replace(shown, "MEDIA", remote, 1)},
		"an address, where results have no media": {"gemini-2.5-flash", "https://example.com/a.png", strings.Replace(shown, "MEDIA", remote, 1)},
	} {
		for form, request := range forms {
			got := convert(t,
				strings.NewReplacer("MODEL", test.model, "URL", test.url).Replace(request), form,
				"gemini-request", "--report", "/dev/stderr")
			if got.code != 0 || strings.Contains(got.stderr, `"lost"`) ||
				strings.Contains(got.stderr, "moved to a user turn") != (test.want != inResult) {
				t.Errorf("%s, %s: %+v", name, form, got)
			}
			openaitest.Subset(t, got.stdout, `{"contents":[`+test.want+`]}`)
		}
	}
}
