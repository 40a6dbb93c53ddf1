package request_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
	"github.com/go-json-experiment/json/jsontext"
)

func mustDecode(t testing.TB, document string) *anthropicapi.CreateMessageRequest {
	t.Helper()
	in, err := anthropic.DecodeRequest([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func encoded(in *anthropicapi.CreateMessageRequest, opts ...request.Option) []byte {
	out, _, err := request.ToGemini(in, opts...)
	if err != nil {
		return []byte(err.Error())
	}
	data, err := gemini.EncodeRequest(out)
	if err != nil {
		return []byte(err.Error())
	}
	return data
}

// value returns the value at a pointer of a converted request, or "".
func value(document []byte, pointer string) string {
	start, end := jsonx.Find(document, jsontext.Pointer(pointer))
	return string(document[start:end])
}

// row is a request with its expected result.
type row struct {
	name, request string
	opts          []request.Option
	want          map[string]string      // by pointers into Gemini's request; "" for nothing
	reported      map[string]report.Kind // by pointers into the request
	refused       string                 // the pointer of an error
}

const start = `{"model":"gemini-3.6-flash","max_tokens":100,`

func TestRows(t *testing.T) {
	t.Parallel()
	for _, r := range rows() {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			checkRow(t, &r)
		})
	}
}

// checkRow checks the result for the request of a row.
func checkRow(t *testing.T, r *row) {
	t.Helper()
	data, report, err := geminiRequest([]byte(r.request), r.opts...)
	if r.refused != "" {
		refusal, ok := errors.AsType[*request.Error](err)
		if !ok || refusal.Pointer != r.refused {
			t.Fatalf("%s: got %v, want a refusal at %s", r.name, err, r.refused)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	for pointer, want := range r.want {
		if got := value(data, pointer); got != want {
			t.Errorf("%s: %s: got %s, want %s\nin %s", r.name, pointer, got, want, data)
		}
	}
	for pointer, kind := range r.reported {
		if !report.Of(kind).Covers(pointer) {
			t.Errorf("%s: %s is not %s in %v", r.name, pointer, kind, report)
		}
	}
}

const (
	callDone = `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_a","name":"f","input":{"n":1}}]},`
	twoCalls = `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_a","name":"f","input":{}},{"type":"tool_use","id":"toolu_b","name":"g","input":{}}]},`
	question = `{"role":"user","content":"Begin."},`
	twoTools = `"tools":[{"name":"f","input_schema":{"type":"object","properties":{"n":{"type":"integer"}}}},{"name":"g"}],`
	addsF    = `{"role":"system","content":[{"type":"tool_addition","tool":{"name":"f","input_schema":{"type":"object"}}}]},`
	onFlash  = `{"model":"gemini-2.5-flash","max_tokens":100,`
)

func rows() []row {
	return []row{
		{name: "MR1 role system in messages",
			request: start +
				`"messages":[{"role":"system","content":"Be kind."},{"role":"user","content":"Hi."}]}`,
			want: map[string]string{"/contents/0/role": `"user"`,
				"/contents/0/parts/0/text": `"<system>\nBe kind.\n</system>"`,
				"/contents/0/parts/1/text": `"Hi."`, "/systemInstruction": ""},
			reported: map[string]report.Kind{"/messages/0/role": report.Approximated}},
		{name: "MR1 a system message that counts no more",
			request: start +
				`"messages":[{"role":"user","content":"Hi."},{"role":"system","content":"Be kind.","clear_at":"next_user_message"},{"role":"assistant","content":"Hi."},{"role":"user","content":"Go on."}]}`,
			want: map[string]string{"/contents/0/parts/1": "",
				"/contents/2/parts/0/text": `"Go on."`},
			reported: map[string]report.Kind{"/messages/1": report.Approximated}},
		{name: "MR2 tool_addition is applied",
			request: start +
				`"tools":[{"name":"later","defer_loading":true}],"messages":[{"role":"user","content":"Hi."},{"role":"system","content":[{"type":"tool_addition","tool":{"type":"tool_reference","name":"later"}}]}]}`,
			want: map[string]string{"/tools/0/functionDeclarations/0/name": `"later"`}},
		{name: "a tool of the client's that Anthropic knows waits until it is found",
			request: start +
				`"tools":[{"type":"bash_20250124","name":"bash","defer_loading":true},{"name":"f"}],"messages":[{"role":"user","content":"Hi."}]}`,
			want: map[string]string{"/tools/0/functionDeclarations/0/name": `"f"`,
				"/tools/0/functionDeclarations/1": ""},
			reported: map[string]report.Kind{"/tools/0": report.Approximated}},
		{name: "tools that the server is to search for are declared at once",
			request: start +
				`"tools":[{"type":"tool_search_tool_regex_20251119","name":"tool_search_tool_regex"},{"name":"later","defer_loading":true}],"messages":[{"role":"user","content":"Hi."}]}`,
			want: map[string]string{"/tools/0/functionDeclarations/0/name": `"later"`},
			reported: map[string]report.Kind{"/tools/0": report.Approximated,
				"/tools/1/defer_loading": report.Approximated}},
		{name: "a tool that must be called is declared",
			request: start +
				`"tools":[{"name":"later","defer_loading":true}],"tool_choice":{"type":"tool","name":"later"},"messages":[{"role":"user","content":"Hi."}]}`,
			want: map[string]string{"/toolConfig/functionCallingConfig/allowedFunctionNames/0": `"later"`,
				"/tools/0/functionDeclarations/0/name": `"later"`},
			reported: map[string]report.Kind{"/tools/0/defer_loading": report.Approximated}},
		{name: "a call that no function can be",
			request: start +
				`"tools":[{"type":"web_search_20250305","name":"web_search"}],"tool_choice":{"type":"any"},"messages":[{"role":"user","content":"Hi."}]}`,
			want:     map[string]string{"/tools/0/googleSearch": "{}", "/toolConfig": ""},
			reported: map[string]report.Kind{"/tool_choice/type": report.Lost}},
		{name: "a tool that is added, removed and added again is declared once",
			request: start + `"tools":[{"name":"g"}],"messages":[` + question + addsF + question +
				`{"role":"system","content":[{"type":"tool_removal","tool":{"name":"f"}}]},` +
				question + addsF + `{"role":"user","content":"Go on."}]}`,
			want:     map[string]string{"/tools/0/functionDeclarations": `[{"name":"g"},{"name":"f"}]`},
			reported: map[string]report.Kind{"/messages/5/content/0/tool": report.Approximated}},
		{name: "a tool of the request's that is added again counts as it was",
			request: start + `"tools":[{"name":"f","description":"As it was."}],"messages":[` +
				question + addsF + `{"role":"user","content":"Go on."}]}`,
			want:     map[string]string{"/tools/0/functionDeclarations": `[{"description":"As it was.","name":"f"}]`},
			reported: map[string]report.Kind{"/messages/1/content/0/tool": report.Lost}},
		{name: "entries about an added tool are at the place where it is added",
			request: start + `"messages":[` + question +
				`{"role":"system","content":[{"type":"text","text":"Be kind."},{"type":"tool_addition","tool":{"name":"f","input_schema":{"type":"object"},"input_examples":[{}],"later":1}}]},{"role":"user","content":"Go on."}]}`,
			reported: map[string]report.Kind{"/messages/1/content/1/tool/input_examples": report.Lost,
				"/messages/1/content/1/tool/later": report.Lost}},
		{name: "the name of an added tool is not a function name",
			refused: "/messages/1/content/0/tool",
			request: start + `"messages":[` + question +
				strings.Replace(addsF, `"f"`, `"two words"`, 1) +
				`{"role":"user","content":"Go on."}]}`},
		{name: "a tool that waits, and is added with its schema",
			request: start + `"tools":[{"name":"f","defer_loading":true}],"messages":[` + question +
				addsF + `{"role":"user","content":"Go on."}]}`,
			want: map[string]string{"/tools/0/functionDeclarations": `[{"name":"f"}]`}},
		{name: "the content of a search result in every form",
			request: start +
				`"messages":[{"role":"user","content":[{"type":"search_result","source":"s","title":"t","content":"plain"},` +
				`{"type":"search_result","source":{"type":"url","url":"u"},"title":"t","content":[{"text":"untyped"},{"type":"image"}]},{"type":"search_result","source":"s","title":"t","content":{"type":"text","text":"alone","later":1}}]}]}`,
			want: map[string]string{"/contents/0/parts": `[{"text":"t (s)\nplain"},{"text":"t\nuntyped\n"},{"text":"t (s)\nalone"}]`},
			reported: map[string]report.Kind{"/messages/0/content/1/source": report.Lost,
				"/messages/0/content/1/content/1":     report.Lost,
				"/messages/0/content/2/content/later": report.Lost}},
		{name: "entries about one block in a result are in its content",
			request: start + twoTools + `"messages":[` + question + callDone +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_a","content":{"type":"text","text":"x","later":1}}]}]}`,
			want:     map[string]string{"/contents/2/parts/0/functionResponse/response/output": `"x"`},
			reported: map[string]report.Kind{"/messages/2/content/0/content/later": report.Lost}},
		{name: "documents without a content",
			request: start +
				`"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text"}},{"type":"document","source":{"type":"content","content":[]}},{"type":"text","text":"Hi."}]}]}`,
			want: map[string]string{"/contents/0/parts": `[{"text":"Hi."}]`},
			reported: map[string]report.Kind{"/messages/0/content/0/source": report.Approximated,
				"/messages/0/content/1/source": report.Approximated}},
		{name: "citations that are not wanted",
			request: start +
				`"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","data":"Hi."},"citations":{"enabled":false}}]}]}`,
			reported: map[string]report.Kind{"/messages/0/content/0/citations": report.Approximated}},
		{name: "citations that are wanted",
			request: start +
				`"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","data":"Hi."},"citations":{"enabled":true}}]}]}`,
			reported: map[string]report.Kind{"/messages/0/content/0/citations": report.Lost}},
		{name: "a sum of the conversation in blocks",
			request: start + `"messages":[` + question +
				`{"role":"assistant","content":[{"type":"compaction","content":[{"type":"text","text":"So far."}]},{"type":"text","text":"Yes."}]},{"role":"user","content":[{"type":"compaction","content":[]},{"type":"text","text":"Hi."}]}]}`,
			want: map[string]string{"/contents/0/parts/1/text": `"So far."`,
				"/contents/1/parts/0/text": `"Yes."`, "/contents/2/parts": `[{"text":"Hi."}]`},
			reported: map[string]report.Kind{"/messages/1/content/0": report.Approximated,
				"/messages/2/content/0": report.Approximated}},
		{name: "a choice that names no tool, next to tools of the server",
			refused: "/tool_choice/name",
			request: start +
				`"tools":[{"type":"web_search_20250305","name":"web_search"}],"tool_choice":{"type":"tool","name":"later"},"messages":[{"role":"user","content":"Hi."}]}`},
		{name: "a choice that names no tool, next to functions", refused: "/tool_choice/name",
			request: start + twoTools +
				`"tool_choice":{"type":"tool","name":"later"},"messages":[{"role":"user","content":"Hi."}]}`},
		{name: "a choice without a type", request: start + twoTools + `"tool_choice":{"name":"f"},"messages":[{"role":"user","content":"Hi."}]}`, refused: "/tool_choice/type"},
		{name: "a choice of an unknown type", request: start + twoTools + `"tool_choice":{"type":"bogus"},"messages":[{"role":"user","content":"Hi."}]}`, refused: "/tool_choice/type"},
		{name: "a system alone", request: start + `"system":"Be kind."}`,
			want:     map[string]string{"/contents/0/parts/0/text": `"Be kind."`},
			reported: map[string]report.Kind{"/system": report.Approximated}},
		{name: "output of code with a text for files",
			request: start + `"messages":[` + question +
				`{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"code_execution","input":{"code":"1"}},{"type":"code_execution_tool_result","tool_use_id":"s","content":{"stdout":"o","content":"x"}}]},{"role":"user","content":"Hi."}]}`,
			want:     map[string]string{"/contents/1/parts/1/codeExecutionResult/output": `"o"`},
			reported: map[string]report.Kind{"/messages/1/content/1/content/content": report.Lost}},
		{name: "a choice without a name", request: start + twoTools + `"tool_choice":{"type":"tool"},"messages":[{"role":"user","content":"Hi."}]}`, refused: "/tool_choice/name"},
		{name: "a call where all tools are left out",
			request: start +
				`"tools":[{"type":"advisor_20260301","name":"advisor","model":"m"}],"tool_choice":{"type":"any"},"messages":[{"role":"user","content":"Hi."}]}`,
			want: map[string]string{"/toolConfig": ""},
			reported: map[string]report.Kind{"/tools/0": report.Lost,
				"/tool_choice/type": report.Lost}},
		{name: "a call of a tool that is left out",
			request: start +
				`"tools":[{"type":"advisor_20260301","name":"advisor","model":"m"}],"tool_choice":{"type":"tool","name":"advisor"},"messages":[{"role":"user","content":"Hi."}]}`,
			want:     map[string]string{"/toolConfig": ""},
			reported: map[string]report.Kind{"/tool_choice": report.Lost}},
		{name: "a call without any tool", request: start + `"tools":[],"tool_choice":{"type":"any"},"messages":[{"role":"user","content":"Hi."}]}`, refused: "/tool_choice/type"},
		{name: "the older name of the answer's form is reported under that",
			request: onFlash +
				`"tools":[{"name":"f"}],"output_format":{"type":"json_schema","schema":{"type":"object"}},"messages":[{"role":"user","content":"Hi."}]}`,
			want:     map[string]string{"/generationConfig/responseJsonSchema": ""},
			reported: map[string]report.Kind{"/output_format": report.Approximated}},
		{name: "media of another type than they are said to be",
			request: start +
				`"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"iVBORw0KGgo="}}]}]}`,
			want:     map[string]string{"/contents/0/parts/0/inlineData/mimeType": `"image/png"`},
			reported: map[string]report.Kind{"/messages/0/content/0/source/media_type": report.Approximated}},
		{name: "MR2 a block that is unknown",
			request: start +
				`"messages":[{"role":"user","content":[{"type":"text","text":"Hi."},{"type":"hologram","depth":3}]}]}`,
			want: map[string]string{"/contents/0/parts/0/text": `"Hi."`,
				"/contents/0/parts/1": ""},
			reported: map[string]report.Kind{"/messages/0/content/1": report.Lost}},
		{name: "MR3 images in a result, Gemini 3",
			request: start + twoTools + `"messages":[` + question + callDone +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_a","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}]}]}`,
			want: map[string]string{"/contents/2/parts/0/functionResponse/parts/0/inlineData/mimeType": `"image/png"`,
				"/contents/2/parts/0/functionResponse/response": "{}"}},
		{name: "MR3 images in a result, Gemini 2.5",
			request: onFlash + twoTools + `"messages":[` + question + callDone +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_a","content":[{"type":"text","text":"see"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}]}]}`,
			want: map[string]string{"/contents/2/parts/0/functionResponse/response/output": `"see"`,
				"/contents/3/parts/0/inlineData/mimeType": `"image/png"`},
			reported: map[string]report.Kind{"/messages/2/content/0/content/1": report.Approximated}},
		{name: "MR4 schemas stay as they are",
			request: start +
				`"tools":[{"name":"f","input_schema":{"$schema":"x","type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}],"exclusiveMinimum":0}},"propertyNames":{"pattern":"a"}}}],"messages":[{"role":"user","content":"Hi."}]}`,
			want: map[string]string{"/tools/0/functionDeclarations/0/parametersJsonSchema": `{"$schema":"x","type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}],"exclusiveMinimum":0}},"propertyNames":{"pattern":"a"}}`}},
		{name: "MR5 effort and thinking are one setting",
			request: start +
				`"thinking":{"type":"enabled","budget_tokens":2000},"output_config":{"effort":"low"},"messages":[{"role":"user","content":"Hi."}]}`,
			want:     map[string]string{"/generationConfig/thinkingConfig": `{"includeThoughts":true,"thinkingLevel":"LOW"}`},
			reported: map[string]report.Kind{"/thinking/budget_tokens": report.Lost}},
		{name: "A6 effort xhigh is the highest level",
			request: start +
				`"output_config":{"effort":"xhigh"},"messages":[{"role":"user","content":"Hi."}]}`,
			want:     map[string]string{"/generationConfig/thinkingConfig": `{"thinkingLevel":"HIGH"}`},
			reported: map[string]report.Kind{"/output_config/effort": report.Approximated}},
		{name: "A6 effort max is the highest level",
			request: start +
				`"output_config":{"effort":"max"},"messages":[{"role":"user","content":"Hi."}]}`,
			want:     map[string]string{"/generationConfig/thinkingConfig": `{"thinkingLevel":"HIGH"}`},
			reported: map[string]report.Kind{"/output_config/effort": report.Approximated}},
		{name: "MR6 adaptive thinking on a model of budgets",
			request: onFlash +
				`"thinking":{"type":"adaptive"},"messages":[{"role":"user","content":"Hi."}]}`,
			want: map[string]string{"/generationConfig/thinkingConfig": `{"includeThoughts":true,"thinkingBudget":-1}`}},
		{name: "MR6 adaptive thinking on a model of levels",
			request: start +
				`"thinking":{"type":"adaptive","display":"omitted"},"messages":[{"role":"user","content":"Hi."}]}`,
			want: map[string]string{"/generationConfig/thinkingConfig": ""}},
		{name: "MR7 new members are not refused",
			request:  start + `"reasoning_spice":4,"messages":[{"role":"user","content":"Hi."}]}`,
			reported: map[string]report.Kind{"/reasoning_spice": report.Lost}},
		{name: "MR8 a helper with thinking on a model that does not think",
			request:  `{"model":"gemini-2.0-flash","max_tokens":100,"thinking":{"type":"enabled","budget_tokens":1024},"messages":[{"role":"user","content":"Hi."}]}`,
			want:     map[string]string{"/generationConfig/thinkingConfig": ""},
			reported: map[string]report.Kind{"/thinking/budget_tokens": report.Lost}},
		{name: "MR9 an empty text is dropped",
			request: start +
				`"messages":[{"role":"user","content":[{"type":"text","text":""},{"type":"text","text":"Hi."}]}]}`,
			want:     map[string]string{"/contents/0/parts": `[{"text":"Hi."}]`},
			reported: map[string]report.Kind{"/messages/0/content/0": report.Approximated}},
		{name: "MR10 results in the order of the calls",
			request: start + twoTools + `"messages":[` + question + twoCalls +
				`{"role":"user","content":[{"type":"text","text":"Note."},{"type":"tool_result","tool_use_id":"toolu_b","content":"2"},{"type":"tool_result","tool_use_id":"toolu_a","content":"1"}]}]}`,
			want: map[string]string{"/contents/2/parts/0/functionResponse/response/output": `"1"`,
				"/contents/2/parts/1/functionResponse/response/output": `"2"`,
				"/contents/3/parts/0/text":                             `"Note."`}},
		{name: "MR10 a missing result", refused: "/messages/1", request: start + twoTools + `"messages":[` + question + twoCalls + `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_b","content":"2"}]}]}`},
		{name: "MR11 input that is a text",
			request: start + twoTools + `"messages":[` + question +
				`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_a","name":"f","input":"{\"n\":9007199254740993}"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_a"}]}]}`,
			want: map[string]string{"/contents/1/parts/0/functionCall/args": `{"n":9007199254740993}`,
				"/contents/2/parts/0/functionResponse/response": `{"output":""}`}},
		{name: "MR11 input that is not an object",
			request: start + twoTools + `"messages":[` + question +
				`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_a","name":"f","input":"left"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_a","content":"x"}]}]}`,
			want:     map[string]string{"/contents/1/parts/0/functionCall/args": `{"input":"left"}`},
			reported: map[string]report.Kind{"/messages/1/content/0/input": report.Approximated}},
		{name: "MR12 tools without and with odd schemas",
			request: start +
				`"tools":[{"name":"f"},{"name":"g","input_schema":true}],"messages":[{"role":"user","content":"Hi."}]}`,
			want:     map[string]string{"/tools/0/functionDeclarations": `[{"name":"f"},{"name":"g"}]`},
			reported: map[string]report.Kind{"/tools/1/input_schema": report.Lost}},
		{name: "MR13 web_search is Google's",
			request: start +
				`"tools":[{"type":"web_search_20250305","name":"web_search","max_uses":8}],"messages":[{"role":"user","content":"Hi."}]}`,
			want:     map[string]string{"/tools/0/googleSearch": "{}"},
			reported: map[string]report.Kind{"/tools/0/max_uses": report.Lost}},
		{name: "MR13 blocked domains on Vertex AI", opts: []request.Option{request.ForVertexAI()},
			request: start +
				`"tools":[{"type":"web_search_20250305","name":"web_search","blocked_domains":["a.example"]}],"messages":[{"role":"user","content":"Hi."}]}`,
			want: map[string]string{"/tools/0/googleSearch/excludeDomains": `["a.example"]`}},
		{name: "MR14 a result has the name of its call",
			request: start + twoTools + `"messages":[` + question + callDone +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_a","content":"x"}]}]}`,
			want: map[string]string{"/contents/2/parts/0/functionResponse/name": `"f"`}},
		{name: "tools that are invalid",
			request: start +
				`"tools":[],"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}},"messages":[{"role":"user","content":"Hi."}]}`,
			want: map[string]string{"/generationConfig/responseMimeType": `"application/json"`,
				"/generationConfig/responseJsonSchema": `{"type":"object"}`, "/tools": ""}},
		{name: "thinking of another model",
			request: start + `"messages":[` + question +
				`{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"EqQBCkYIBxgC"},{"type":"text","text":"Yes."}]},{"role":"user","content":"Go on."}]}`,
			want:     map[string]string{"/contents/1/parts": `[{"text":"Yes."}]`},
			reported: map[string]report.Kind{"/messages/1/content/0": report.Lost}},
		{name: "redacted thinking of another model",
			request: start + `"messages":[` + question +
				`{"role":"assistant","content":[{"type":"redacted_thinking","data":"Em0K"},{"type":"text","text":"Yes."}]},{"role":"user","content":"Go on."}]}`,
			want:     map[string]string{"/contents/1/parts": `[{"text":"Yes."}]`},
			reported: map[string]report.Kind{"/messages/1/content/0": report.Lost}},
		{name: "a message of nothing but foreign thinking",
			request: start + `"messages":[` + question +
				`{"role":"assistant","content":[{"type":"redacted_thinking","data":"Em0K"}]},{"role":"user","content":"Go on."}]}`,
			want: map[string]string{"/contents/0/parts": `[{"text":"Begin."},{"text":"Go on."}]`,
				"/contents/1": ""},
			reported: map[string]report.Kind{"/messages/1": report.Approximated}},
		{name: "a call without a signature",
			request: start + twoTools + `"messages":[` + question + callDone +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_a","content":"x"}]}]}`,
			want:     map[string]string{"/contents/1/parts/0/thoughtSignature": `"skip_thought_signature_validator"`},
			reported: map[string]report.Kind{"/messages/1/content/0": report.Added}},
		{name: "an error of a tool",
			request: start + twoTools + `"messages":[` + question + callDone +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_a","content":"{\"a\":1}","is_error":true}]}]}`,
			want: map[string]string{"/contents/2/parts/0/functionResponse/response": `{"error":"{\"a\":1}"}`}},
		{name: "a result whose call was cut off",
			request: start +
				`"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_z","content":"x"}]}]}`,
			want: map[string]string{"/contents/0/parts/0/text": `"Result of the function call \"toolu_z\":"`,
				"/contents/0/parts/1/text": `"x"`},
			reported: map[string]report.Kind{"/messages/0/content/0": report.Approximated}},
		{name: "a result that is there twice", refused: "/messages/2/content/1", request: start + twoTools + `"messages":[` + question + callDone + `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_a","content":"x"},{"type":"tool_result","tool_use_id":"toolu_a","content":"y"}]}]}`},
		{name: "max_tokens 0", request: `{"model":"gemini-3.6-flash","max_tokens":0,"messages":[{"role":"user","content":"Hi."}]}`, refused: "/max_tokens"},
		{name: "max_tokens below 0", request: `{"model":"gemini-3.6-flash","max_tokens":-1,"messages":[{"role":"user","content":"Hi."}]}`, refused: "/max_tokens"},
		{name: "max_tokens 0 in a count of tokens",
			request:  `{"model":"gemini-3.6-flash","max_tokens":0,"messages":[{"role":"user","content":"Hi."}]}`,
			opts:     []request.Option{request.ForTokenCount()},
			want:     map[string]string{"/generationConfig/maxOutputTokens": ""},
			reported: map[string]report.Kind{"/max_tokens": report.Approximated}},
		{name: "a tool that is declared twice",
			request: start +
				`"tools":[{"type":"web_search_20250305","name":"web_search"},{"name":"f","input_schema":{"type":"object"}},{"name":"g","input_schema":{"type":"object"}},{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"Hi."}]}`,
			refused: "/tools/3"},
		{name: "a tool without a name",
			request: start +
				`"tools":[{"name":"f","input_schema":{"type":"object"}},{"input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"Hi."}]}`,
			refused: "/tools/1/name"},
		{name: "a call of an MCP server", request: start + `"messages":[` + question + `{"role":"assistant","content":[{"type":"text","text":"I look."},
			{"type":"mcp_tool_use","id":"mcptoolu_1","name":"search","server_name":"docs","input":{"q":"tides"}},
			{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","is_error":false,"content":[{"type":"text","text":"High at 6."},{"type":"text","text":"Low at 12."}]},
			{"type":"mcp_tool_result","tool_use_id":"mcptoolu_2","is_error":true,"content":"Busy."},
			{"type":"text","text":"At 6."}]},{"role":"user","content":"And low?"}]}`,
			want: map[string]string{
				"/contents/1/parts/0/text": `"I look."`,
				"/contents/1/parts/1/text": `"Call of the tool \"search\" of the MCP server \"docs\" with the input:\n{\"q\":\"tides\"}"`,
				"/contents/1/parts/2/text": `"Result of the tool \"search\" of the MCP server \"docs\":\nHigh at 6.\nLow at 12."`,
				"/contents/1/parts/3/text": `"Error of a tool of an MCP server:\nBusy."`,
				"/contents/1/parts/4/text": `"At 6."`,
			},
			reported: map[string]report.Kind{"/messages/1/content/1/type": report.Approximated,
				"/messages/1/content/2/type": report.Approximated,
				"/messages/1/content/3/type": report.Approximated,
				"/messages/1/content/1/id":   report.Approximated}},
		{name: "a question without content", request: start + `"messages":[{"role":"user"}]}`, refused: "/messages/0/content"},
		{name: "a question of null", request: start + `"messages":[{"role":"user","content":null},{"role":"user","content":"Hi."}]}`, refused: "/messages/0/content"},
		{name: "a question without content in a count of tokens",
			request: start + `"messages":[{"role":"user"}]}`,
			opts:    []request.Option{request.ForTokenCount()}, refused: "/messages/0/content"},
		{name: "a question of no blocks", request: start + `"messages":[{"role":"user","content":[]}]}`, refused: "/messages/0/content"},
		{name: "a question of a block that is not known", request: start + `"messages":[{"role":"user","content":[{"type":"bogus","text":"Hi."}]}]}`, refused: "/messages/0/content"},
		{name: "such a question after an answer",
			request: start + `"messages":[` + question +
				`{"role":"assistant","content":"Hi."},{"role":"user","content":[{"type":"bogus"}]}]}`,
			refused: "/messages/2/content"},
		{name: "a question of a text without its words", request: start + `"messages":[{"role":"user","content":[{"type":"text"}]}]}`, refused: "/messages/0/content"},
		{name: "an empty question", request: start + `"messages":[{"role":"user","content":""}]}`, want: map[string]string{"/contents/0/parts": `[{"text":""}]`}},
		{name: "a block that is not known before a question",
			request: start +
				`"messages":[{"role":"user","content":[{"type":"bogus"}]},{"role":"user","content":"Hi."}]}`,
			want: map[string]string{"/contents/0/parts": `[{"text":"Hi."}]`},
			reported: map[string]report.Kind{"/messages/0/content/0": report.Lost,
				"/messages/0": report.Approximated}},
		{name: "a text of no type",
			request:  start + `"messages":[{"role":"user","content":[{"type":"","text":"Hi."}]}]}`,
			want:     map[string]string{"/contents/0/parts/0/text": `"Hi."`},
			reported: map[string]report.Kind{"/messages/0/content/0": report.Approximated}},
		{name: "a text of no type that the system says later",
			request: start + `"messages":[` + question +
				`{"role":"system","content":[{"text":"Be kind."}]}]}`,
			want:     map[string]string{"/contents/0/parts/1/text": `"<system>\nBe kind.\n</system>"`},
			reported: map[string]report.Kind{"/messages/1/content/0": report.Approximated}},
		{name: "more than five stop sequences",
			request: start +
				`"stop_sequences":["a","b","c","d","e","f"],"messages":[{"role":"user","content":"Hi."}]}`,
			want:     map[string]string{"/generationConfig/stopSequences": `["a","b","c","d","e"]`},
			reported: map[string]report.Kind{"/stop_sequences/5": report.Lost}},
		{name: "a schema that is invalid", refused: "/output_config/format/schema", request: start + `"output_config":{"format":{"type":"json_schema","schema":[]}},"messages":[{"role":"user","content":"Hi."}]}`},
		{name: "a schema that is invalid, under the older name", refused: "/output_format/schema", request: start + `"output_format":{"type":"json_schema","schema":[]},"messages":[{"role":"user","content":"Hi."}]}`},
		{name: "both names of the format, which differ", refused: "/output_format", request: start + `"output_format":{"type":"json_schema","schema":{"type":"array"}},"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}},"messages":[{"role":"user","content":"Hi."}]}`},
		{name: "a prefill on a model that continues",
			request: onFlash +
				`"messages":[{"role":"user","content":"Hi."},{"role":"assistant","content":"{"}]}`,
			want: map[string]string{"/contents/1/role": `"model"`}},
		{name: "a prefill on a model that does not", refused: "/messages/1", request: `{"model":"gemini-3.6-flash","max_tokens":100,"messages":[{"role":"user","content":"Hi."},{"role":"assistant","content":"{"}]}`},
		{name: "a count of tokens needs no max_tokens",
			request: `{"model":"gemini-3.6-flash","tools":[{"name":"f"}],"messages":[{"role":"user","content":"."}]}`,
			want:    map[string]string{"/generationConfig": "", "/contents/0/parts/0/text": `"."`}},
		{name: "the window after a model",
			request:  `{"model":"gemini-3.6-flash[1m]","max_tokens":10,"messages":[{"role":"user","content":"Hi."}]}`,
			want:     map[string]string{"/model": `"models/gemini-3.6-flash"`},
			reported: map[string]report.Kind{"/model": report.Approximated}},
		{name: "statistics of Claude Code for Anthropic's servers",
			request: start +
				`"system":[{"type":"text","text":"x-anthropic-billing-header: cc_version=2"},{"type":"text","text":"Be kind."}],"messages":[{"role":"user","content":"Hi."}]}`,
			want:     map[string]string{"/systemInstruction/parts": `[{"text":"Be kind."}]`},
			reported: map[string]report.Kind{"/system/0/text": report.Approximated}},
		{name: "a conversation that Anthropic keeps", refused: "/thread", request: start + `"thread":{"type":"continue","previous_message_id":"msg_1"},"messages":[{"role":"user","content":"Hi."}]}`},
		{name: "a conversation that Anthropic is to keep",
			request: start +
				`"thread":{"type":"create"},"messages":[{"role":"user","content":"Hi."}]}`,
			reported: map[string]report.Kind{"/thread": report.Approximated}},
		{name: "MCP servers on Vertex AI", refused: "/mcp_servers", opts: []request.Option{request.ForVertexAI()}, request: start + `"mcp_servers":[{"type":"url","url":"https://m.example","name":"m"}],"messages":[{"role":"user","content":"Hi."}]}`},
		{name: "an unknown role", refused: "/messages/0/role", request: start + `"messages":[{"role":"tool","content":"Hi."}]}`},
		{name: "no messages", refused: "/messages", request: start + `"messages":[]}`},
		{name: "a choice of a tool that Gemini runs",
			request: start +
				`"tools":[{"type":"web_search_20250305","name":"web_search"}],"tool_choice":{"type":"tool","name":"web_search"},"messages":[{"role":"user","content":"Hi."}]}`,
			want:     map[string]string{"/toolConfig": ""},
			reported: map[string]report.Kind{"/tool_choice": report.Lost}},
	}
}

// The signatures of a turn return to their parts, whatever carried them.
func TestSignaturesComeBackByteForByte(t *testing.T) {
	t.Parallel()
	const callSignature, textSignature = "CiQB+A/=", "EhABAgMEBQYHCAkKCwwNDg8Q"
	thinking := func(entries ...envelope.Entry) string {
		return `{"type":"thinking","thinking":"","signature":"` +
			string(envelope.Append(nil, entries...)) + `"},`
	}
	id, _ := envelope.AppendToID("toolu_a",
		envelope.Entry{Kind: envelope.Call, Signature: callSignature})
	const after = `]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"ID","content":"x"},{"type":"tool_result","tool_use_id":"toolu_b","content":"y"}]}]}`
	secondCall := `,{"type":"tool_use","id":"toolu_b","name":"g","input":{}}`
	for name, content := range map[string]string{
		"in thinking": thinking(envelope.Entry{Kind: envelope.Text,
			Signature: textSignature}) + `{"type":"text","text":"So."},` +
			thinking(envelope.Entry{Kind: envelope.Call, Ordinal: 1, Signature: callSignature}) +
			`{"type":"tool_use","id":"toolu_a","name":"f","input":{}}` + secondCall,
		"in one block before": thinking(envelope.Entry{Kind: envelope.Text,
			Signature: textSignature},
			envelope.Entry{Kind: envelope.Call, Ordinal: 1, Signature: callSignature}) +
			`{"type":"text","text":"So."},{"type":"tool_use","id":"toolu_a","name":"f","input":{}}` +
			secondCall,
		"in the id": thinking(envelope.Entry{Kind: envelope.Text,
			Signature: textSignature}) + `{"type":"text","text":"So."},{"type":"tool_use","id":"` +
			id + `","name":"f","input":{}}` + secondCall,
	} {
		document := start + twoTools + `"messages":[` + question +
			`{"role":"assistant","content":[` + content + strings.ReplaceAll(after, "ID", "toolu_a")
		if name == "in the id" {
			document = strings.Replace(document, `"tool_use_id":"toolu_a"`,
				`"tool_use_id":"`+id+`"`, 1)
		}
		data, _, err := geminiRequest([]byte(document))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for pointer, want := range map[string]string{
			"/contents/1/parts/0/thoughtSignature":  `"` + textSignature + `"`,
			"/contents/1/parts/1/thoughtSignature":  `"` + callSignature + `"`,
			"/contents/1/parts/2/thoughtSignature":  "",
			"/contents/1/parts/2/functionCall/name": `"g"`,
		} {
			if got := value(data, pointer); got != want {
				t.Errorf("%s: %s: got %s, want %s\n%s", name, pointer, got, want, data)
			}
		}
	}
}
