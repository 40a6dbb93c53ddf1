package request_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// resultOf is a conversation with one call and its result.
func resultOf(members string) string {
	return `{"contents":[{"role":"user","parts":[{"text":"?"}]},{"role":"model","parts":[{"functionCall":{"id":"1","name":"f","args":{}}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f",` + members + `}}]}]}`
}

// The text of a result is sent alone if it cannot be read as an object or a list.
func TestTheOnlyTextOfAResultIsItsContent(t *testing.T) {
	t.Parallel()
	for response, want := range map[string]string{
		`{"output":"noon"}`:                  `noon`,
		`{"output":"a {brace}"}`:             `a {brace}`,
		`{"output":"{\"a\":1}"}`:             `{"output":"{\"a\":1}"}`,
		`{"output":" \n[1]"}`:                `{"output":" \n[1]"}`,
		`{"output":""}`:                      `{"output":""}`,
		`{"output":"  "}`:                    `{"output":"  "}`,
		`{"output":7}`:                       `{"output":7}`,
		`{"output":null}`:                    `{"output":null}`,
		`{"output":"noon","zone":"UTC"}`:     `{"output":"noon","zone":"UTC"}`,
		`{"value":"the \"output\" is here"}`: `{"value":"the \"output\" is here"}`,
		`{"value":"output"}`:                 `{"value":"output"}`,
		`{}`:                                 `{}`,
	} {
		out, _ := mustConvert(t, resultOf(`"response":`+response), plain()...)
		if got := out["messages"].([]any)[2].(map[string]any)["content"]; got != want {
			t.Errorf("%s is sent as %v", response, got)
		}
	}
	out, _ := mustConvert(t, resultOf(`"scheduling":"SILENT"`), plain()...)
	if got := out["messages"].([]any)[2].(map[string]any)["content"]; got != "{}" {
		t.Errorf("a result without a response is sent as %v", got)
	}
}

func TestAllMediaOfAResultAreInItsExtension(t *testing.T) {
	t.Parallel()
	const image, text = `{"inlineData":{"mimeType":"image/png","data":"iVBORw=="}}`,
		`{"fileData":{"mimeType":"text/plain","fileUri":"gs://b/a.txt"}}`
	out, report := mustConvert(t, resultOf(`"response":{"a":1},"parts":[`+image+`,`+text+`]`))
	want := parsed(t, `{"google":{"parts":[{"part":`+image+`},{"part":`+text+`}]}}`)
	if diff := cmp.Diff(want,
		out["messages"].([]any)[2].(map[string]any)["extra_content"]); diff != "" ||
		len(report) > 0 {
		t.Error(diff, report)
	}
}

// A result belongs to the call of its id, else to the first call of its name without a result.
// Differences are reported.
func TestAResultOfAnotherIDOrNameIsReported(t *testing.T) {
	t.Parallel()
	const calls = `{"contents":[{"role":"user","parts":[{"text":"?"}]},{"role":"model","parts":[{"functionCall":{"id":"1","name":"f","args":{}}},
		{"functionCall":{"id":"2","name":"g","args":{}}}]},{"role":"user","parts":[`
	const at = "/contents/2/parts/0/functionResponse"
	for name, tt := range map[string]struct {
		results string
		ids     []any
		want    []string
	}{
		"as called":           {`{"functionResponse":{"id":"1","name":"f"}},{"functionResponse":{"id":"2","name":"g"}}`, []any{"1", "2"}, nil},
		"in another order":    {`{"functionResponse":{"id":"2","name":"g"}},{"functionResponse":{"id":"1","name":"f"}}`, []any{"2", "1"}, nil},
		"another name":        {`{"functionResponse":{"id":"2","name":"f"}},{"functionResponse":{"id":"1","name":"f"}}`, []any{"2", "1"}, []string{"approximated " + at + "/name"}},
		"no name":             {`{"functionResponse":{"id":"2"}},{"functionResponse":{"id":"1","name":"f"}}`, []any{"2", "1"}, []string{"approximated " + at + "/name"}},
		"another id":          {`{"functionResponse":{"id":"x","name":"g"}},{"functionResponse":{"id":"1","name":"f"}}`, []any{"2", "1"}, []string{"approximated " + at + "/id"}},
		"no id":               {`{"functionResponse":{"name":"g"}},{"functionResponse":{"id":"1","name":"f"}}`, []any{"2", "1"}, []string{"approximated " + at + "/id"}},
		"a member of its own": {`{"functionResponse":{"id":"1","name":"f","scheduling":"SILENT"}},{"functionResponse":{"id":"2","name":"g"}}`, []any{"1", "2"}, []string{"lost " + at + "/scheduling"}},
	} {
		out, report := mustConvert(t, calls+tt.results+`]}]}`, plain()...)
		var ids []any
		for _, m := range out["messages"].([]any)[2:] {
			ids = append(ids, m.(map[string]any)["tool_call_id"])
		}
		if diff := cmp.Diff(tt.ids, ids) + cmp.Diff(tt.want, entries(report)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
