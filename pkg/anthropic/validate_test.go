package anthropic_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func violations(err error) (out []string) {
	if all, ok := errors.AsType[*validation.Error](err); ok {
		for _, v := range all.Violations {
			out = append(out, v.Pointer+" "+v.Rule)
		}
	}
	return out
}

func TestRequiredMembersOfARequest(t *testing.T) {
	t.Parallel()
	const called = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}]}`
	for members, want := range map[string][]string{
		`"messages":[{"role":"user","content":"a"}]`: nil,
		`"messages":[]`: {"/messages length"},
		`"messages":[{"role":"robot","content":"a"},{"role":"user"}]`: {"/messages/0/role oneof",
			"/messages/1/content required"},
		`"messages":[{"role":"system","output_config":{"effort":"low"}}]`: nil,
		`"messages":[{"role":"user","content":[{"type":"text","text":""},{"type":"image"}]}]`: {"/messages/0/content/0/text length",
			"/messages/0/content/1/source required"},
		`"messages":[{"role":"user","content":[{"type":"tool_use","id":"a+","input":"x"}]}]`: {"/messages/0/content/0/id id",
			"/messages/0/content/0/name required", "/messages/0/content/0/input object",
			"/messages/0/content/0/type role"},
		`"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":""},{"type":"unheard_of"}]}]`: {"/messages/0/content/0/signature required"},
		`"messages":[` + called +
			`,{"role":"user","content":[{"type":"tool_result","tool_use_id":"b"},{"type":"tool_result","tool_use_id":"a"}]}]`: nil,
		`"messages":[` + called +
			`,{"role":"user","content":[{"type":"tool_result","tool_use_id":"b"}]}]`: {"/messages/1/content tool_result"},
		`"messages":[` + called +
			`,{"role":"user","content":[{"type":"text","text":"x"},{"type":"tool_result","tool_use_id":"b"},{"type":"tool_result","tool_use_id":"a"}]}]`: {"/messages/1/content/1/type order",
			"/messages/1/content/2/type order"},
		`"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"b"}]}]`:              {"/messages/0/content/0/tool_use_id tool_use"},
		`"messages":[{"role":"user","content":"a"}],"system":[{"type":"image","source":{"type":"url"}}]`: {"/system/0/type oneof"},
		`"messages":[{"role":"user","content":"a"}],"tools":[{"name":"a b"},{"type":"web_search_20250305","name":"web_search"}]`: {"/tools/0/name name",
			"/tools/0/input_schema object"},
		`"messages":[{"role":"user","content":"a"}],"temperature":1.5,"top_p":-1,"top_k":-1`: {"/temperature range",
			"/top_p range", "/top_k range"},
		`"messages":[{"role":"user","content":"a"}],"thinking":{"type":"enabled","budget_tokens":100},"tool_choice":{"type":"tool"}`: {"/tool_choice/name required",
			"/thinking/budget_tokens range", "/thinking/budget_tokens range"},
		`"messages":[{"role":"user","content":"a"}],"output_config":{"effort":"huge","format":{"type":"json_schema"}},"output_format":{"type":"json_schema"}`: {"/output_format excluded",
			"/output_config/effort oneof"},
	} {
		in, err := anthropic.DecodeRequest([]byte(`{"model":"m","max_tokens":16,` + members + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want,
			violations(anthropic.ValidateRequest(in, anthropic.Version20230601))); diff != "" {
			t.Errorf("%s: %s", members, diff)
		}
	}
}

func TestMembersThatTheNewVersionRemoved(t *testing.T) {
	t.Parallel()
	in, err := anthropic.DecodeRequest([]byte(`{"model":"m","temperature":1,"messages":[` +
		`{"role":"user","content":[{"type":"text","text":"a","citations":[{"type":"char_location"}]}]},` +
		`{"role":"assistant","content":[{"type":"document","source":{"type":"text","data":"x"}}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"/temperature removed", "/messages/0/content/0/citations removed",
		"/messages/1/content/0/type role"}
	if diff := cmp.Diff(want,
		violations(anthropic.ValidateCountRequest(in, anthropic.Version20261021))); diff != "" {
		t.Error(diff)
	}
	if err := anthropic.ValidateCountRequest(in, anthropic.Version20230601); err != nil {
		t.Error(err)
	}
	if got := violations(anthropic.ValidateRequest(in, anthropic.Version20230601)); len(got) != 1 ||
		got[0] != "/max_tokens required" {
		t.Errorf("got %q", got)
	}
	if !errors.Is(anthropic.ValidateRequest(nil, ""), validation.ErrNotStruct) {
		t.Error("nil is valid")
	}
}

func TestRequiredMembersOfAMessage(t *testing.T) {
	t.Parallel()
	const begun = `"id":"msg_1","type":"message","role":"assistant","model":"m"`
	const ended = `,"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}`
	for members, want := range map[string][]string{
		begun + `,"content":[]` + ended: nil,
		begun + `,"content":[{"type":"text"},{"type":"thinking"},{"type":"redacted_thinking"},{"type":"tool_use"},{"type":"unheard_of"},{}]` +
			ended: {
			"/content/0/text required", "/content/1/signature required",
			"/content/1/thinking required", "/content/2/data required",
			"/content/3/name required", "/content/3/input required", "/content/3/id id",
			"/content/5/type required"},
		begun + `,"content":[],"stop_reason":null,"usage":{"output_tokens":1}`: {"/stop_reason required",
			"/usage/input_tokens required"},
		begun + `,"content":[],"stop_reason":"tool_use","usage":{"input_tokens":-1,"output_tokens":-1}`: {"/stop_reason tool_use",
			"/usage/input_tokens gte", "/usage/output_tokens gte"},
		`"content":[]` + ended: {"/id required", "/type eq", "/role eq", "/model required"},
		begun + `,"content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"a","name":"f","input":{}}]` +
			ended: {"/content/1/id unique"},
	} {
		m, err := anthropic.DecodeResponse([]byte(`{` + members + `}`))
		if err != nil {
			t.Fatal(err)
		}
		got := violations(anthropic.ValidateResponse(m))
		if diff := cmp.Diff(want, got, cmpSorted); diff != "" {
			t.Errorf("%s: %s", members, diff)
		}
		if quick, slow := anthropic.IsValidMessage(m),
			anthropic.ByValidator(m) == nil; quick != slow {
			t.Errorf("%s: quick check %v, validator %v", members, quick, slow)
		}
	}
}

func TestWhatAnEventMustHave(t *testing.T) {
	t.Parallel()
	for event, want := range map[string][]string{
		`{}`:                             {"/type required"},
		`{"type":"message_start"}`:       {"/message required"},
		`{"type":"content_block_start"}`: {"/index required", "/content_block required"},
		`{"type":"content_block_delta","index":0}`: {"/delta required"},
		`{"type":"content_block_stop"}`:            {"/index required"},
		`{"type":"message_delta"}`:                 {"/delta required", "/usage required"},
		`{"type":"error"}`:                         {"/error required"},
		`{"type":"error","error":{}}`: {"/error/type required",
			"/error/message required"},
		`{"type":"unheard_of"}`: nil,
	} {
		e, err := anthropic.DecodeEvent([]byte(event))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, violations(anthropic.ValidateEvent(e)), cmpSorted); diff != "" {
			t.Errorf("%s: %s", event, diff)
		}
		if quick, slow := anthropic.IsValidEvent(e),
			anthropic.ByValidator(e) == nil; quick != slow {
			t.Errorf("%s: quick check %v, validator %v", event, quick, slow)
		}
	}
}

func TestAConversationOfConstructorsIsValid(t *testing.T) {
	t.Parallel()
	answer := &anthropicapi.Message{Content: []anthropicapi.ContentBlock{anthropic.TextBlock("Let me see. "),
		anthropic.TextBlock("Wait."),
		{Type: anthropicapi.BlockTypeToolUse, ID: new("a"), Name: new("f"), Input: jsontext.Value(`{}`)},
		{Type: anthropicapi.BlockTypeToolUse, ID: new("b"), Name: new("f"),
			Input: jsontext.Value(`{}`)}}}
	if text := anthropic.Text(answer); text != "Let me see. Wait." {
		t.Errorf("text %q", text)
	}
	in := &anthropicapi.CreateMessageRequest{
		Model: "m", MaxTokens: new(16), System: anthropic.System("Be brief."),
		Messages: []anthropicapi.InputMessage{
			anthropic.UserText("Hi"), anthropic.AssistantText("Hello"),
			anthropic.UserBlocks(anthropic.ImageBlock("image/png", []byte("x")),
				anthropic.ImageURLBlock("https://example.com/a.png"),
				anthropic.DocumentBlock("", []byte("x"))),
			anthropic.AssistantTurn(answer),
			anthropic.UserBlocks(anthropic.ToolResult("a", "1"), anthropic.ToolFailure("b", "no")),
		},
		Tools:        []anthropicapi.Tool{anthropic.FunctionTool("f", "Does it.", nil)},
		OutputConfig: anthropic.JSONSchema(jsontext.Value(`{"type":"object"}`)),
	}
	for _, version := range []anthropic.Version{anthropic.Version20230601,
		anthropic.Version20261021} {
		if err := anthropic.ValidateRequest(in, version); err != nil {
			t.Error(err)
		}
	}
}

var cmpSorted = cmpopts.SortSlices(func(a, b string) bool { return a < b })
