package request_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
)

// wholeRow is a request with its complete report, one entry per line.
type wholeRow struct {
	name, request string
	opts          []request.Option
	want          map[string]string // by pointers into Gemini's request; "" for nothing
	report        string
	refused       string // the pointer of an error
}

func checkWhole(t *testing.T, rows []wholeRow) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			if r.refused != "" {
				if err := refusal(t, r.request, r.opts...); err.Pointer != r.refused {
					t.Errorf("refused at %s, want %s", err.Pointer, r.refused)
				}
				return
			}
			data, report, err := geminiRequest([]byte(r.request), r.opts...)
			if err != nil {
				t.Fatal(err)
			}
			for pointer, want := range r.want {
				start, end := jsonx.Find(data, jsontext.Pointer(pointer))
				if got := string(data[start:end]); got != want {
					t.Errorf("%s: got %s, want %s\nin %s", pointer, got, want, data)
				}
			}
			var lines []string
			for _, e := range report {
				lines = append(lines, string(e.Kind)+" "+e.Pointer)
			}
			if diff := cmp.Diff(r.report, strings.Join(lines, "\n")); diff != "" {
				t.Errorf("report (-want +got):\n%s\n%v", diff, report)
			}
		})
	}
}

// asks returns a request with a question in parts.
func asks(parts string) string {
	return input("gemini-3.6-flash", `{"role":"user","content":[`+parts+`]}`)
}

// says returns a request with items of the model.
func says(items string) string {
	return input("gemini-3.6-flash",
		`{"role":"user","content":"Begin."},`+items+`,{"role":"user","content":"Continue."}`)
}

// sets returns a request with other members.
func sets(members string) string {
	return `{"model":"gemini-3.6-flash","input":"Hi.",` + members + `}`
}

func TestPartsWithoutATypeAreReadByTheirMembers(t *testing.T) {
	t.Parallel()
	const image = `{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}`
	const at, untyped = "/contents/0/parts/0", "approximated /input/0/content/0"
	checkWhole(t, []wholeRow{
		{name: "a text", request: asks(`{"text":"Hi."}`), want: map[string]string{at: `{"text":"Hi."}`}, report: untyped},
		{name: "a refusal", request: asks(`{"refusal":"No."}`), want: map[string]string{at: `{"text":"No."}`}, report: untyped + "\n" + untyped},
		{name: "an image", request: asks(`{"image_url":"data:image/png;base64,iVBORw0KGgo="}`), want: map[string]string{at: image}, report: untyped},
		{name: "a sound", request: asks(`{"input_audio":{"data":"UklGRgAAAABXQVZF","format":"wav"}}`), want: map[string]string{at: `{"inlineData":{"mimeType":"audio/wav","data":"UklGRgAAAABXQVZF"}}`}, report: untyped},
		{name: "a file", request: asks(`{"file_data":"data:application/pdf;base64,JVBERi0xLjQK"}`), want: map[string]string{at: `{"inlineData":{"mimeType":"application/pdf","data":"JVBERi0xLjQK"}}`}, report: untyped},
		{name: "nothing", request: asks(`{"text":"Hi."},{}`), want: map[string]string{"/contents/0/parts": `[{"text":"Hi."}]`}, report: untyped + "\nlost /input/0/content/1"},
		{name: "a text without its words", request: asks(`{"text":"Hi."},{"type":"input_text"}`), want: map[string]string{"/contents/0/parts": `[{"text":"Hi."}]`}, report: untyped + "\nlost /input/0/content/1"},
		{name: "a file and its address",
			request: asks(`{"type":"input_file","file_data":"data:application/pdf;base64,JVBERi0xLjQK","file_url":"https://a.example/a.pdf"}`),
			want:    map[string]string{at + "/inlineData/mimeType": `"application/pdf"`},
			report:  "lost /input/0/content/0/file_url"},
		{name: "the address of a file",
			request: asks(`{"type":"input_file","file_url":"https://a.example/a.pdf"}`),
			want:    map[string]string{at: `{"fileData":{"fileUri":"https://a.example/a.pdf","mimeType":"application/pdf"}}`}},
	})
}

func TestReasoningOfARequest(t *testing.T) {
	t.Parallel()
	const at = "/generationConfig/thinkingConfig"
	const inBody = `"extra_body":{"google":{"thinking_config":{"thinking_budget":5}}},`
	checkWhole(t, []wholeRow{
		{name: "the usual mode", request: sets(`"reasoning":{"mode":"standard","context":"auto"}`), report: "approximated /reasoning/context\napproximated /reasoning/mode"},
		{name: "another mode", request: sets(`"reasoning":{"mode":"deep"}`), report: "lost /reasoning/mode"},
		{name: "no summary", request: sets(`"reasoning":{"summary":"none"}`), want: map[string]string{at: ``}},
		{name: "the older name of no summary", request: sets(`"reasoning":{"effort":"low","generate_summary":"off"}`), want: map[string]string{at: `{"thinkingLevel":"LOW"}`}},
		{name: "an unknown summary", request: sets(`"reasoning":{"summary":"long"}`), want: map[string]string{at: `{"includeThoughts":true}`}, report: "approximated /reasoning/summary"},
		{name: "both names of a summary, which differ", request: sets(`"reasoning":{"summary":"auto","generate_summary":"concise"}`), want: map[string]string{at: `{"includeThoughts":true}`}, report: "lost /reasoning/generate_summary"},
		{name: "both names of a summary", request: sets(`"reasoning":{"summary":"auto","generate_summary":"auto"}`), want: map[string]string{at: `{"includeThoughts":true}`}},
		{name: "extra_body replaces summaries", request: sets(inBody + `"reasoning":{"summary":"auto","generate_summary":"auto"}`), want: map[string]string{at: `{"thinkingBudget":5}`},
			report: "lost /reasoning/summary\nlost /reasoning/generate_summary"},
		{name: "extra_body replaces nothing", request: sets(inBody + `"reasoning":{}`), want: map[string]string{at: `{"thinkingBudget":5}`}},
		{name: "extra_body excludes an effort", request: sets(inBody + `"reasoning":{"effort":"low"}`), refused: "/reasoning/effort"},
	})
}

func TestFormsOfExtraBody(t *testing.T) {
	t.Parallel()
	checkWhole(t, []wholeRow{
		{name: "null", request: sets(`"extra_body":null,"google":null`)},
		{name: "google at the top", request: sets(`"google":{"cached_content":"cachedContents/c"}`), want: map[string]string{"/cachedContent": `"cachedContents/c"`}},
		{name: "google at the top is not an object", request: sets(`"google":1`), report: "lost /google"},
		{name: "a member at the top", request: sets(`"cached_content":"cachedContents/c"`), want: map[string]string{"/cachedContent": `"cachedContents/c"`}},
		{name: "an unknown member", request: sets(`"later":1`), report: "lost /later"},
	})
}

func TestAnsweredResponsesAreNamed(t *testing.T) {
	t.Parallel()
	checkWhole(t, []wholeRow{
		{name: "by an empty text", request: sets(`"previous_response_id":""`), report: "approximated /previous_response_id"},
		{name: "by an id", request: sets(`"previous_response_id":"resp_1"`), refused: "/previous_response_id"},
	})
}

func TestResultsOfCallsInACache(t *testing.T) {
	t.Parallel()
	cached := func(items string) string {
		return `{"model":"gemini-3.6-flash","google":{"cached_content":"cachedContents/c"},"input":[` +
			items + `]}`
	}
	const at = "/contents/0/parts/0/functionResponse"
	checkWhole(t, []wholeRow{
		{name: "by the id",
			request: cached(`{"type":"function_call_output","call_id":"f1","output":"x"}`),
			want:    map[string]string{at: `{"id":"f1","name":"f1","response":{"output":"x"}}`},
			report:  "approximated /input/0/call_id"},
		{name: "by the name",
			request: cached(`{"type":"function_call_output","call_id":"f1","name":"f","output":"x"}`),
			want:    map[string]string{at: `{"id":"f1","name":"f","response":{"output":"x"}}`},
			report:  "approximated /input/0/call_id"},
		{name: "by an id that was made",
			request: cached(`{"type":"function_call_output","call_id":"call_gemini_1","name":"f","output":"x"}`),
			want:    map[string]string{at: `{"name":"f","response":{"output":"x"}}`},
			report:  "approximated /input/0/call_id"},
	})
}

func TestItemsThatReasoningSigns(t *testing.T) {
	t.Parallel()
	const a = "CiQB+A/="
	reasoning := func(summary string, entries ...envelope.Entry) string {
		return `{"type":"reasoning","summary":[` + summary + `],"encrypted_content":"` +
			string(envelope.Append(nil, entries...)) + `"}`
	}
	const said = `{"role":"assistant","content":"So."}`
	const code = `{"type":"code_interpreter_call","code":"1","outputs":[{"type":"logs","logs":"1"}]}`
	const hm = `{"type":"summary_text","text":"Hm."}`
	call := `{"functionCall":{"id":"c","name":"f","args":{}}}`
	checkWhole(t, []wholeRow{
		{name: "a thought",
			request: says(reasoning(hm, envelope.Entry{Kind: envelope.Thought, Signature: a}) +
				`,` + said),
			want: map[string]string{"/contents/1/parts": `[{"text":"Hm.","thought":true,"thoughtSignature":"` +
				a + `"},{"text":"So."}]`}},
		{name: "a text after it",
			request: says(reasoning("", envelope.Entry{Kind: envelope.Text, Signature: a}) + `,` +
				said),
			want: map[string]string{"/contents/1/parts": `[{"text":"So.","thoughtSignature":"` + a +
				`"}]`}},
		{name: "a text before it",
			request: says(said + `,` +
				reasoning("", envelope.Entry{Kind: envelope.Text, Signature: a})),
			want: map[string]string{"/contents/1/parts": `[{"text":"So.","thoughtSignature":"` + a +
				`"}]`}},
		{name: "the output of code before it",
			request: says(code + `,` +
				reasoning("", envelope.Entry{Kind: envelope.Other, Ordinal: 1, Signature: a}) +
				`,` + said),
			want: map[string]string{"/contents/1/parts/1/thoughtSignature": `"` + a + `"`,
				"/contents/1/parts/0/thoughtSignature": ""}},
		{name: "nothing", request: says(said + `,` + reasoning("", envelope.Entry{Kind: envelope.None})), want: map[string]string{"/contents/1/parts": `[{"text":"So."}]`}},
		{name: "a thought before it is none of its own",
			request: says(said + `,` +
				reasoning("", envelope.Entry{Kind: envelope.Other, Signature: a})),
			want:   map[string]string{"/contents/1/parts": `[{"text":"So."}]`},
			report: "lost /input/2/encrypted_content"},
		{name: "a copy that cannot be read",
			request: says(reasoning("", envelope.Entry{Kind: envelope.Other, Part: "{"}) + `,` +
				said),
			want:   map[string]string{"/contents/1/parts": `[{"text":"So."}]`},
			report: "lost /input/1/encrypted_content"},
		{name: "a copy",
			request: says(reasoning("",
				envelope.Entry{Kind: envelope.Other, Signature: a,
					Part: `{"text":"","thought":true}`}) + `,` + said),
			want: map[string]string{"/contents/1/parts": `[{"text":"","thought":true,"thoughtSignature":"` +
				a + `"},{"text":"So."}]`}},
		{name: "a copy of a call without a result", request: says(reasoning("", envelope.Entry{Kind: envelope.Other, Part: call})), refused: "/input/1"},
		{name: "a copy of a call, with its result",
			request: says(reasoning("", envelope.Entry{Kind: envelope.Other, Part: call}) +
				`,{"type":"function_call_output","call_id":"c","output":"x"}`),
			want:   map[string]string{"/contents/2/parts/0/functionResponse": `{"id":"c","name":"f","response":{"output":"x"}}`},
			report: "added /input/1"},
		{name: "thoughts as one text",
			request: says(`{"type":"reasoning","summary":[],"content":"Hm."},` + said),
			want:    map[string]string{"/contents/1/parts": `[{"text":"Hm.","thought":true},{"text":"So."}]`}},
		{name: "a summary, and thoughts",
			request: says(`{"type":"reasoning","summary":[` + hm +
				`],"content":[{"type":"reasoning_text","text":"Long."}]},` + said),
			want:   map[string]string{"/contents/1/parts": `[{"text":"Hm.","thought":true},{"text":"So."}]`},
			report: "lost /input/1/content"},
		{name: "a summary without its words",
			request: says(`{"type":"reasoning","summary":[{"type":"summary_text"}]},` + said),
			want:    map[string]string{"/contents/1/parts": `[{"text":"So."}]`},
			report:  "lost /input/1/summary/0"},
	})
}

func TestCallsAndResults(t *testing.T) {
	t.Parallel()
	with := func(call, result string) string { return says(call + `,` + result) }
	const f = `{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}`
	const response = "/contents/2/parts/0/functionResponse/response"
	unsigned := "added /input/1"
	checkWhole(t, []wholeRow{
		{name: "arguments that are an object",
			request: with(strings.Replace(f, `"{}"`, `{"n":1}`, 1),
				`{"type":"function_call_output","call_id":"c","output":"x"}`),
			want:   map[string]string{"/contents/1/parts/0/functionCall/args": `{"n":1}`},
			report: unsigned},
		{name: "no arguments",
			request: with(strings.Replace(f, `,"arguments":"{}"`, ``, 1),
				`{"type":"function_call_output","call_id":"c","output":"x"}`),
			want:   map[string]string{"/contents/1/parts/0/functionCall/args": `{}`},
			report: unsigned},
		{name: "arguments that are not an object",
			request: with(strings.Replace(f, `"{}"`, `"[1]"`, 1),
				`{"type":"function_call_output","call_id":"c","output":"x"}`),
			want:   map[string]string{"/contents/1/parts/0/functionCall/args": `{"arguments":[1]}`},
			report: "approximated /input/1/arguments\n" + unsigned},
		{name: "arguments that are not JSON", request: with(strings.Replace(f, `"{}"`, `"{"`, 1), `{"type":"function_call_output","call_id":"c","output":"x"}`), refused: "/input/1/arguments"},
		{name: "a call without a name", request: with(strings.Replace(f, `"name":"f",`, ``, 1), `{"type":"function_call_output","call_id":"c","output":"x"}`), refused: "/input/1/name"},
		{name: "a part without its words in a result",
			request: with(f,
				`{"type":"function_call_output","call_id":"c","output":[{"type":"input_text"},{"type":"input_text","text":"x"}]}`),
			want:   map[string]string{response: `{"output":"x"}`},
			report: "lost /input/2/output/0\n" + unsigned},
		{name: "a result whose name is another's",
			request: with(f,
				`{"type":"function_call_output","call_id":"c","name":"g","output":"x"}`),
			report: "approximated /input/2/name\n" + unsigned},
		{name: "a result whose name is the same", request: with(f, `{"type":"function_call_output","call_id":"c","name":"f","output":"x"}`), report: unsigned},
		{name: "a search of a server", request: says(`{"type":"tool_search_call","execution":"server","arguments":{}},{"role":"assistant","content":"So."}`), report: "approximated /input/1"},
		{name: "a search of an unknown place",
			request: with(`{"type":"tool_search_call","call_id":"c","execution":"moon","arguments":{}}`,
				`{"type":"tool_search_output","call_id":"c","execution":"client","tools":[]}`),
			want:   map[string]string{response: `{"tools":[]}`},
			report: "approximated /input/1/execution\n" + unsigned},
		{name: "an image that is not base64",
			request: says(`{"type":"image_generation_call","result":"%"},{"role":"assistant","content":"So."}`),
			want:    map[string]string{"/contents/1/parts": `[{"text":"So."}]`},
			report:  "lost /input/1/result"},
		{name: "an item without a type", request: says(`{"name":"x"}`), refused: "/input/1/type"},
		{name: "an item of an unknown type", request: says(`{"type":"later"}`), report: "lost /input/1"},
	})
}

func TestChoicesOfATool(t *testing.T) {
	t.Parallel()
	const two = `"tools":[{"type":"function","name":"f"},{"type":"function","name":"g"}],`
	const at = "/toolConfig/functionCallingConfig"
	const onlyF = `{"allowedFunctionNames":["f"],"mode":"ANY"}`
	checkWhole(t, []wholeRow{
		{name: "nested", request: sets(two + `"tool_choice":{"type":"function","function":{"name":"f"}}`), want: map[string]string{at: onlyF}},
		{name: "nested and next to the type", request: sets(two + `"tool_choice":{"type":"function","name":"f","function":{"name":"g"}}`), want: map[string]string{at: onlyF}, report: "lost /tool_choice/function"},
		{name: "unknown members", request: sets(two + `"tool_choice":{"type":"function","name":"f","later":1}`), want: map[string]string{at: onlyF}, report: "lost /tool_choice/later"},
		{name: "without a name", request: sets(two + `"tool_choice":{"type":"function"}`), refused: "/tool_choice/name"},
		{name: "a mode with members", request: sets(two + `"tool_choice":{"type":"auto","name":"f"}`), report: "lost /tool_choice/name"},
		{name: "a tool of the server", request: sets(two + `"tool_choice":{"type":"web_search"}`), want: map[string]string{at: ``}, report: "lost /tool_choice"},
		{name: "allowed, nested", request: sets(two + `"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","function":{"name":"f"}}]}`), want: map[string]string{at: onlyF}},
		{name: "allowed, nested, with a description",
			request: sets(two +
				`"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","function":{"name":"f","description":"d"}}]}`),
			want: map[string]string{at: onlyF}, report: "lost /tool_choice/tools/0/function"},
		{name: "allowed, nested, with parameters",
			request: sets(two +
				`"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","function":{"name":"f","parameters":{}}}]}`),
			want: map[string]string{at: onlyF}, report: "lost /tool_choice/tools/0/function"},
		{name: "allowed, nested, strict",
			request: sets(two +
				`"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","function":{"name":"f","strict":true}}]}`),
			want: map[string]string{at: onlyF}, report: "lost /tool_choice/tools/0/function"},
		{name: "allowed, nested and next to the type",
			request: sets(two +
				`"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"f","function":{"name":"g","strict":true}}]}`),
			want: map[string]string{at: onlyF}, report: "lost /tool_choice/tools/0/function"},
		{name: "allowed, a name that is not declared", request: sets(two + `"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"h"}]}`), refused: "/tool_choice/tools/0/name"},
		{name: "allowed, a nested name that is not declared", request: sets(two + `"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","function":{"name":"h"}}]}`), refused: "/tool_choice/tools/0/function/name"},
		{name: "allowed, none", request: sets(two + `"tool_choice":{"type":"allowed_tools","mode":"required","tools":[]}`), refused: "/tool_choice/tools"},
	})
}

func TestDeclaredTools(t *testing.T) {
	t.Parallel()
	declared := "/tools/0/functionDeclarations"
	checkWhole(t, []wholeRow{
		{name: "a namespace in another",
			request: sets(`"tools":[{"type":"namespace","name":"n","tools":[{"type":"function","name":"f"},{"type":"namespace","name":"m","tools":[{"type":"function","name":"g"}]}]}]`),
			want:    map[string]string{declared + "/0/name": `"n__f"`, declared + "/1": ``},
			report:  "lost /tools/0/tools/1"},
		{name: "a tool that waits",
			request: sets(`"tools":[{"type":"function","name":"f","defer_loading":true},{"type":"function","name":"g","defer_loading":false}]`),
			report:  "approximated /tools/0/defer_loading"},
		{name: "the result of a function",
			request: sets(`"tools":[{"type":"function","name":"f","output_schema":{"type":"object"}}]`),
			want:    map[string]string{declared: `[{"name":"f","responseJsonSchema":{"type":"object"}}]`}},
		{name: "a grammar",
			request: sets(`"tools":[{"type":"custom","name":"f","format":{"type":"grammar","syntax":"lark","definition":"x","later":1}}]`),
			want: map[string]string{declared +
				"/0/parametersJsonSchema/properties/input/description": `"The input of the tool. It must follow this grammar (lark):\nx"`},
			report: "lost /tools/0/format/later\napproximated /tools/0/format"},
		{name: "a grammar without a syntax",
			request: sets(`"tools":[{"type":"custom","name":"f","format":{"type":"grammar","definition":"x"}}]`),
			want: map[string]string{declared +
				"/0/parametersJsonSchema/properties/input/description": `"The input of the tool. It must follow this grammar:\nx"`},
			report: "approximated /tools/0/format"},
		{name: "a text",
			request: sets(`"tools":[{"type":"custom","name":"f","format":{"type":"text"}}]`),
			want: map[string]string{declared +
				"/0/parametersJsonSchema/properties/input/description": `"The input of the tool, in its own format."`},
			report: "approximated /tools/0/format"},
		{name: "a search of the server's", request: sets(`"tools":[{"type":"tool_search"}]`), report: "approximated /tools/0"},
		{name: "a search of the client's", request: sets(`"tools":[{"type":"tool_search","execution":"client"}]`), want: map[string]string{declared + "/0/name": `"tool_search"`}},
	})
}

func TestAToolThatGeminiRefusesIsNamedByItsPlace(t *testing.T) {
	t.Parallel()
	const long = "two words"
	bad := `{"type":"function","name":"` + long + `"}`
	inItem := func(tools string) string {
		return input("gemini-3.6-flash",
			`{"role":"user","content":"Hi."},{"type":"additional_tools","role":"developer","tools":[`+
				tools+`]}`)
	}
	checkWhole(t, []wholeRow{
		{name: "in the list", request: sets(`"tools":[{"type":"function","name":"g"},` + bad + `]`), refused: "/tools/1"},
		{name: "in a namespace", request: sets(`"tools":[{"type":"namespace","name":"m","tools":[{"type":"function","name":"` + long + `"}]},{"type":"namespace","name":"n","tools":[{"type":"function","name":"g"}]}]`), refused: "/tools/0/tools/0"},
		{name: "in an item", request: inItem(`{"type":"function","name":"g"},` + bad), refused: "/input/1/tools/1"},
		{name: "in a namespace of an item", request: inItem(`{"type":"namespace","name":"n","tools":[{"type":"function","name":"g"},` + bad + `]}`), refused: "/input/1/tools/0/tools/1"},
	})
}
