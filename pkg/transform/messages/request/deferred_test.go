package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/messages/request"
)

func TestTheReportSaysWhyADeferredToolIsDeclared(t *testing.T) {
	t.Parallel()
	const (
		later  = `"tools":[{"name":"later","defer_loading":true},{"name":"f"}],`
		asks   = `"messages":[{"role":"user","content":"Hi."}]}`
		chosen = `"tool_choice":{"type":"tool","name":"later"},`
	)
	found := `"messages":[` + question +
		`{"role":"assistant","content":[{"type":"tool_search_tool_result","tool_use_id":"s","content":` +
		`{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"later"}]}}]},{"role":"user","content":"Go on."}]}`
	for name, tc := range map[string]struct{ members, pointer, want string }{
		"not found":             {later + asks, "/tools/0", "omitted, because it was not found yet"},
		"another is chosen":     {later + `"tool_choice":{"type":"tool","name":"f"},` + asks, "/tools/0", "omitted, because it was not found yet"},
		"chosen":                {later + chosen + asks, "/tools/0/defer_loading", "the tool is declared, because tool_choice names it"},
		"found":                 {later + found, "/tools/0/defer_loading", "the tool is declared, because it was found"},
		"found, and chosen":     {later + chosen + found, "/tools/0/defer_loading", "the tool is declared, because it was found"},
		"the server searches":   {`"tools":[{"name":"later","defer_loading":true},{"type":"tool_search_tool_bm25_20251119","name":"s"}],` + asks, "/tools/0/defer_loading", "the tool is declared at the start, because Gemini does not search for tools"},
		"any function is asked": {later + `"tool_choice":{"type":"any"},` + asks, "/tools/0", "omitted, because it was not found yet"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, report, err := request.ToGemini(mustDecode(t, start+tc.members))
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range report {
				if e.Pointer == tc.pointer && e.Detail == tc.want {
					return
				}
			}
			t.Errorf("%s is not told as %q in %v", tc.pointer, tc.want, report)
		})
	}
}

// Claude Code's tool ToolSearch answers with references alone.
func TestAResultOfToolSearchNamesTheToolsThatItFound(t *testing.T) {
	t.Parallel()
	const history = `"tools":[{"name":"ToolSearch"},{"name":"later","defer_loading":true},{"name":"last","defer_loading":true}],` +
		`"messages":[{"role":"user","content":"Hi."},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"s","name":"ToolSearch","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"s","content":[` +
		`{"type":"tool_reference","tool_name":"later"},{"type":"tool_reference","tool_name":"last"}]}]}]}`
	out, _, err := request.ToGemini(mustDecode(t, start+history))
	if err != nil {
		t.Fatal(err)
	}
	response := string(out.Contents[2].Parts[0].FunctionResponse.Response)
	if want := `{"output":"Found tools, which are declared now: later, last"}`; response != want {
		t.Errorf("the result is %s, want %s", response, want)
	}
}
