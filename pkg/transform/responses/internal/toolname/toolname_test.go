package toolname_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/toolname"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func requestOf(t *testing.T, body string) *openaiapi.CreateResponseRequest {
	t.Helper()
	var in openaiapi.CreateResponseRequest
	if err := json.Unmarshal([]byte(body), &in); err != nil {
		t.Fatal(err)
	}
	return &in
}

func TestPlainFunctionsNeedNoNames(t *testing.T) {
	t.Parallel()
	in := requestOf(t, `{"tools":[{"type":"function","name":"get_time"},{"type":"web_search"}],"input":"hello"}`)
	if names := toolname.Of(in); names != nil {
		t.Errorf("%+v", names)
	}
	var none *toolname.Names
	if got := none.Function(toolname.Tool{Namespace: "mail", Name: "send"}); got != "mail__send" {
		t.Errorf("a tool of the history is %q", got)
	}
	if got, want := none.Tool("send"), (toolname.Tool{Name: "send"}); got != want {
		t.Errorf("the function is %+v", got)
	}
}

func TestNamesAreUniqueShortAndComeBack(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 100)
	in := requestOf(t, `{"tools":[
		{"type":"function","name":"a__b"},
		{"type":"namespace","name":"a","tools":[{"type":"function","name":"b"},{"name":"c"},{"type":"custom","name":"d"}]},
		{"type":"namespace","name":"`+long+`","tools":[{"type":"function","name":"`+long+`x"},{"type":"function","name":"`+long+`y"}]},
		{"type":"custom","name":"b"},{"type":"function","name":"b"},
		{"type":"function","name":"3d"},
		{"type":"function","function":{"name":"nested"}},
		{"type":"tool_search","execution":"client"}
	],"input":[
		{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"more"},{"type":"function","name":"3d"}]},
		{"type":"tool_search_output","call_id":"s","tools":[{"type":"namespace","name":"found","tools":[{"type":"function","name":"more"}]}]}
	]}`)
	tools := []toolname.Tool{
		{Name: "a__b"}, {Namespace: "a", Name: "b"}, {Namespace: "a", Name: "c"}, {Namespace: "a", Name: "d", Kind: toolname.Custom},
		{Namespace: long, Name: long + "x"}, {Namespace: long, Name: long + "y"},
		{Name: "b", Kind: toolname.Custom}, {Name: "b"}, {Name: "3d"}, {Name: "nested"},
		toolname.SearchTool(),
		{Name: "more"}, {Namespace: "found", Name: "more"},
	}
	names := toolname.Of(in)
	seen := map[string]toolname.Tool{}
	for _, tool := range tools {
		function := names.Function(tool)
		if other, again := seen[function]; again {
			t.Errorf("%+v and %+v are both %q", tool, other, function)
		}
		seen[function] = tool
		if len(function) > 128 || function[0] == '3' {
			t.Errorf("%q is no name of a function", function)
		}
		if got := names.Tool(function); got != tool {
			t.Errorf("%q comes back as %+v, want %+v", function, got, tool)
		}
	}
	if diff := cmp.Diff([]string{"a__b", "a__b_2", "a__c", "b_2", "_3d", "tool_search",
		"found__more"}, []string{
		names.Function(tools[0]), names.Function(tools[1]), names.Function(tools[2]),
		names.Function(tools[7]), names.Function(tools[8]),
		names.Function(tools[10]), names.Function(tools[12]),
	}); diff != "" {
		t.Error(diff)
	}
}
