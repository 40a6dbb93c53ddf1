package request_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
)

// wholeRow is a request with its complete report, one entry per line.
type wholeRow struct {
	name, request string
	opts          []request.Option
	want          map[string]string // by pointers into Gemini's request; "" for nothing
	report        string
}

func checkWhole(t *testing.T, rows []wholeRow) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			data, report, err := geminiRequest([]byte(r.request), r.opts...)
			if err != nil {
				t.Fatal(err)
			}
			for pointer, want := range r.want {
				if got := value(data, pointer); got != want {
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

const saysHi = `"messages":[{"role":"user","content":"Hi."}]}`

// says returns a request with blocks of the model.
func says(blocks string) string {
	return start + `"messages":[` + question + `{"role":"assistant","content":[` + blocks +
		`]},{"role":"user","content":"Continue."}]}`
}

// asks returns a request with blocks of the user.
func asks(blocks string) string {
	return start + `"messages":[{"role":"user","content":[` + blocks + `]}]}`
}

func TestThinkingAndEffortAreOneSetting(t *testing.T) {
	t.Parallel()
	const at = "/generationConfig/thinkingConfig"
	const inBody = `"google":{"thinking_config":{"thinking_budget":5}},`
	checkWhole(t, []wholeRow{
		{name: "extra_body replaces thinking",
			request: onFlash + inBody + `"thinking":{"type":"disabled"},` + saysHi,
			want:    map[string]string{at: `{"thinkingBudget":5}`}, report: "lost /thinking"},
		{name: "extra_body replaces the effort",
			request: onFlash + inBody + `"output_config":{"effort":"low"},` + saysHi,
			want:    map[string]string{at: `{"thinkingBudget":5}`},
			report:  "lost /output_config/effort"},
		{name: "extra_body replaces nothing", request: onFlash + inBody + saysHi, want: map[string]string{at: `{"thinkingBudget":5}`}},
		{name: "thinking between calls",
			request: onFlash + `"thinking":{"type":"between_tools"},` + saysHi,
			want:    map[string]string{at: `{"thinkingBudget":0}`},
			report:  "approximated /thinking/type"},
		{name: "an adaptive model with levels",
			request: start + `"thinking":{"type":"adaptive"},` + saysHi,
			want:    map[string]string{at: `{"includeThoughts":true}`}},
		{name: "an adaptive model with levels, and a budget",
			request: start + `"thinking":{"type":"adaptive","budget_tokens":100},` + saysHi,
			want:    map[string]string{at: `{"includeThoughts":true,"thinkingBudget":100}`}},
		{name: "an adaptive model shows a summary",
			request: start + `"thinking":{"type":"adaptive","display":"summarized"},` + saysHi,
			want:    map[string]string{at: `{"includeThoughts":true}`}},
		{name: "an adaptive model shows updates only",
			request: start + `"thinking":{"type":"adaptive","display":"updates"},` + saysHi,
			want:    map[string]string{at: ``}, report: "approximated /thinking/display"},
		{name: "an unknown display",
			request: start + `"thinking":{"type":"adaptive","display":"loud"},` + saysHi,
			want:    map[string]string{at: ``}, report: "lost /thinking/display"},
		{name: "enabled thoughts that are not displayed",
			request: onFlash +
				`"thinking":{"type":"enabled","budget_tokens":2000,"display":"omitted"},` + saysHi,
			want: map[string]string{at: `{"thinkingBudget":2000}`}},
		{name: "enabled thoughts that are displayed",
			request: onFlash +
				`"thinking":{"type":"enabled","budget_tokens":2000,"display":"summarized"},` +
				saysHi,
			want: map[string]string{at: `{"includeThoughts":true,"thinkingBudget":2000}`}},
		{name: "enabled thoughts without a display",
			request: onFlash + `"thinking":{"type":"enabled","budget_tokens":2000},` + saysHi,
			want:    map[string]string{at: `{"includeThoughts":true,"thinkingBudget":2000}`}},
		{name: "no thoughts, but a display for them",
			request: onFlash + `"thinking":{"type":"disabled","display":"omitted"},` + saysHi,
			want:    map[string]string{at: `{"thinkingBudget":0}`},
			report:  "approximated /thinking/display"},
		{name: "adaptive with a display on a model of budgets",
			request: onFlash + `"thinking":{"type":"adaptive","display":"omitted"},` + saysHi,
			want:    map[string]string{at: `{"thinkingBudget":-1}`}},
		{name: "adaptive with a display and an effort on a model of budgets",
			request: onFlash +
				`"thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"low"},` +
				saysHi,
			want: map[string]string{at: `{"includeThoughts":true,"thinkingBudget":1024}`}},
		{name: "a budget counts more than an effort on a model of budgets",
			request: onFlash +
				`"thinking":{"type":"enabled","budget_tokens":2000},"output_config":{"effort":"high"},` +
				saysHi,
			want:   map[string]string{at: `{"includeThoughts":true,"thinkingBudget":2000}`},
			report: "lost /output_config/effort"},
		{name: "no thoughts count more than an effort",
			request: onFlash + `"thinking":{"type":"disabled"},"output_config":{"effort":"high"},` +
				saysHi,
			want:   map[string]string{at: `{"thinkingBudget":0}`},
			report: "lost /output_config/effort"},
	})
}

func TestSignaturesThatThinkingBrings(t *testing.T) {
	t.Parallel()
	const a, b = "CiQB+A/=", "EhABAgMEBQYHCAkKCwwNDg8Q"
	thinking := func(text string, entries ...envelope.Entry) string {
		return `{"type":"thinking","thinking":"` + text + `","signature":"` + sealed(entries...) +
			`"}`
	}
	copied := `{"executableCode":{"language":"PYTHON","code":"1"}}`
	const output = `,{"type":"code_execution_tool_result","content":{"type":"code_execution_result","stdout":"1","return_code":0}}`
	const said = `,{"type":"text","text":"So."}`
	checkWhole(t, []wholeRow{
		{name: "of the thought itself",
			request: says(thinking("Hm.", envelope.Entry{Kind: envelope.Thought, Signature: a}) +
				said),
			want: map[string]string{"/contents/1/parts": `[{"text":"Hm.","thought":true,"thoughtSignature":"` +
				a + `"},{"text":"So."}]`}},
		{name: "of a thought that is a copy",
			request: says(thinking("Hm.",
				envelope.Entry{Kind: envelope.Thought, Signature: a,
					Part: `{"text":"","thought":true}`}) + said),
			want: map[string]string{"/contents/1/parts": `[{"text":"Hm.","thought":true},{"text":"","thought":true,"thoughtSignature":"` +
				a + `"},{"text":"So."}]`}},
		{name: "of a text after the thought",
			request: says(thinking("Hm.", envelope.Entry{Kind: envelope.Text, Signature: a}) +
				said),
			want: map[string]string{"/contents/1/parts": `[{"text":"Hm.","thought":true},{"text":"So.","thoughtSignature":"` +
				a + `"}]`}},
		{name: "of a copy",
			request: says(thinking("",
				envelope.Entry{Kind: envelope.Other, Signature: a, Part: copied}) + output + said),
			want: map[string]string{"/contents/1/parts/0/thoughtSignature": `"` + a + `"`,
				"/contents/1/parts/0/executableCode/code":        `"1"`,
				"/contents/1/parts/1/codeExecutionResult/output": `"1"`}},
		{name: "a copy has none",
			request: says(thinking("", envelope.Entry{Kind: envelope.Other, Part: copied}) + said),
			want:    map[string]string{"/contents/1/parts/0": `{"executableCode":{"code":"1","language":"PYTHON"}}`}},
		{name: "a copy that cannot be read",
			request: says(thinking("", envelope.Entry{Kind: envelope.Other, Part: `{`}) + said),
			want:    map[string]string{"/contents/1/parts": `[{"text":"So."}]`},
			report:  "lost /messages/1/content/0/signature"},
		{name: "a copy in place of redacted thoughts",
			request: says(`{"type":"redacted_thinking","data":"` +
				sealed(envelope.Entry{Kind: envelope.Other, Part: copied}) + `"}` + said),
			want: map[string]string{"/contents/1/parts/0": `{"executableCode":{"code":"1","language":"PYTHON"}}`}},
		{name: "a damaged token",
			request: says(`{"type":"thinking","thinking":"Hm.","signature":"` + envelope.Prefix +
				`x"}` + said),
			want:   map[string]string{"/contents/1/parts": `[{"text":"So."}]`},
			report: "lost /messages/1/content/0"},
		{name: "the same one again",
			request: says(thinking("", envelope.Entry{Kind: envelope.Text, Signature: a}) + "," +
				thinking("", envelope.Entry{Kind: envelope.Text, Signature: a}) + said),
			want: map[string]string{"/contents/1/parts": `[{"text":"So.","thoughtSignature":"` + a +
				`"}]`}, report: "approximated /messages/1/content/1/signature"},
		{name: "another one again",
			request: says(thinking("", envelope.Entry{Kind: envelope.Text, Signature: a}) + "," +
				thinking("", envelope.Entry{Kind: envelope.Text, Signature: b}) + said),
			want: map[string]string{"/contents/1/parts": `[{"text":"So.","thoughtSignature":"` + a +
				`"},{"text":"","thoughtSignature":"` + b + `"}]`}},
		{name: "of a call that is missing",
			request: says(thinking("", envelope.Entry{Kind: envelope.Call, Signature: a}) + said),
			want:    map[string]string{"/contents/1/parts": `[{"text":"So."}]`},
			report:  "lost /messages/1/content/0/signature"},
		{name: "of an image",
			request: says(thinking("", envelope.Entry{Kind: envelope.Other, Signature: a}) +
				`,{"type":"document","title":"T","source":{"type":"base64","media_type":"image/png","data":"` +
				pixel + `"}}`),
			want: map[string]string{"/contents/1/parts/0": `{"text":"T"}`,
				"/contents/1/parts/1/thoughtSignature": `"` + a + `"`},
			report: "approximated /messages/1/content/1/title"},
		{name: "of a document without content",
			request: says(thinking("", envelope.Entry{Kind: envelope.Other, Signature: a}) +
				`,{"type":"document","source":{"type":"text"}}` + said),
			want:   map[string]string{"/contents/1/parts": `[{"text":"So."}]`},
			report: "approximated /messages/1/content/1/source"},
	})
}

func TestCodeThatTheServerHasRun(t *testing.T) {
	t.Parallel()
	const code = `{"type":"server_tool_use","id":"s","name":"code_execution","input":{"code":"1"}}`
	output := func(content string) string {
		return code + `,{"type":"code_execution_tool_result","tool_use_id":"s","content":` +
			content + `},{"type":"text","text":"So."}`
	}
	const byPlace = "approximated /messages/1/content/0/id\napproximated /messages/1/content/1/tool_use_id"
	const result = "/contents/1/parts/1/codeExecutionResult"
	checkWhole(t, []wholeRow{
		{name: "with other input",
			request: says(`{"type":"server_tool_use","name":"code_execution","input":{"code":"1","command":"ls","later":2}},{"type":"text","text":"So."}`),
			want:    map[string]string{"/contents/1/parts/0": `{"executableCode":{"code":"1","language":"PYTHON"}}`},
			report:  "lost /messages/1/content/0/input/later"},
		{name: "by a shell",
			request: says(`{"type":"server_tool_use","name":"bash_code_execution","input":{"command":"ls"}},{"type":"bash_code_execution_tool_result","content":{"type":"bash_code_execution_result","stdout":"a","return_code":0}}`),
			want: map[string]string{"/contents/1/parts/0": `{"executableCode":{"code":"ls","language":"PYTHON"}}`,
				result: `{"outcome":"OUTCOME_OK","output":"a"}`}},
		{name: "that is not a text",
			request: says(`{"type":"server_tool_use","name":"code_execution","input":{"code":1}},{"type":"text","text":"So."}`),
			want:    map[string]string{"/contents/1/parts": `[{"text":"So."}]`},
			report:  "approximated /messages/1/content/0"},
		{name: "of another tool",
			request: says(`{"type":"server_tool_use","name":"web_search","input":{"code":"1","query":"q"}},{"type":"text","text":"So."}`),
			want:    map[string]string{"/contents/1/parts": `[{"text":"So."}]`},
			report:  "approximated /messages/1/content/0"},
		{name: "with a text for errors though it ran well",
			request: says(output(`{"type":"code_execution_result","stdout":"a","stderr":"b","return_code":0}`)),
			want:    map[string]string{result: `{"outcome":"OUTCOME_OK","output":"a"}`},
			report:  byPlace + "\nlost /messages/1/content/1/content/stderr"},
		{name: "that failed",
			request: says(output(`{"type":"code_execution_result","stdout":"a","stderr":"b","return_code":1}`)),
			want:    map[string]string{result: `{"outcome":"OUTCOME_FAILED","output":"ab"}`},
			report:  byPlace},
		{name: "that ran too long",
			request: says(output(`{"type":"code_execution_tool_result_error","error_code":"execution_time_exceeded"}`)),
			want:    map[string]string{result: `{"outcome":"OUTCOME_FAILED","output":"execution_time_exceeded"}`},
			report:  byPlace},
		{name: "with output of no type", request: says(output(`{"stdout":"a"}`)),
			want:   map[string]string{result: `{"outcome":"OUTCOME_OK","output":"a"}`},
			report: byPlace},
		{name: "with output of another type", request: says(output(`{"type":"text","stdout":"a"}`)),
			want:   map[string]string{result: `{"outcome":"OUTCOME_OK","output":"a"}`},
			report: byPlace + "\napproximated /messages/1/content/1/content/type"},
		{name: "with files",
			request: says(output(`{"type":"code_execution_result","stdout":"a","content":[{"type":"code_execution_output","file_id":"f"}]}`)),
			want:    map[string]string{result: `{"outcome":"OUTCOME_OK","output":"a"}`},
			report:  byPlace + "\nlost /messages/1/content/1/content/content"},
		{name: "with no files",
			request: says(output(`{"type":"code_execution_result","stdout":"a","content":[]}`)),
			want:    map[string]string{result: `{"outcome":"OUTCOME_OK","output":"a"}`},
			report:  byPlace},
		{name: "whose code is missing",
			request: says(`{"type":"code_execution_tool_result","content":{"type":"code_execution_result","stdout":"a"}},{"type":"text","text":"So."}`),
			want:    map[string]string{"/contents/1/parts": `[{"text":"So."}]`},
			report:  "lost /messages/1/content/0"},
		{name: "whose output is missing",
			request: says(code +
				`,{"type":"code_execution_tool_result"},{"type":"text","text":"So."}`),
			want:   map[string]string{"/contents/1/parts/1": `{"text":"So."}`},
			report: "approximated /messages/1/content/0/id\nlost /messages/1/content/1"},
	})
}

func TestBlocksOfTheModel(t *testing.T) {
	t.Parallel()
	const said = `,{"type":"text","text":"So."}`
	checkWhole(t, []wholeRow{
		{name: "the model that answered", request: says(`{"type":"fallback"}` + said), want: map[string]string{"/contents/1/parts": `[{"text":"So."}]`},
			report: "approximated /messages/1/content/0"},
		{name: "a text without its words", request: says(`{"type":"text"}` + said), want: map[string]string{"/contents/1/parts": `[{"text":"So."}]`},
			report: "lost /messages/1/content/0"},
		{name: "an empty text", request: says(`{"type":"text","text":""}` + said), want: map[string]string{"/contents/1/parts": `[{"text":"So."}]`},
			report: "approximated /messages/1/content/0"},
		{name: "a summary after a text",
			request: says(`{"type":"text","text":"So."},{"type":"compaction","content":"Far."},{"type":"text","text":"On."}`),
			want: map[string]string{"/contents/1/parts": `[{"text":"So."}]`,
				"/contents/2": `{"parts":[{"text":"Far."}],"role":"user"}`,
				"/contents/3": `{"parts":[{"text":"On."}],"role":"model"}`},
			report: "approximated /messages/1/content/1"},
		{name: "a summary alone", request: says(`{"type":"compaction","content":"Far."}`),
			want:   map[string]string{"/contents/0/parts": `[{"text":"Begin."},{"text":"Far."},{"text":"Continue."}]`},
			report: "approximated /messages/1/content/0"},
		{name: "an empty summary alone", request: says(`{"type":"compaction","content":""}`),
			want:   map[string]string{"/contents/0/parts": `[{"text":"Begin."},{"text":"Continue."}]`},
			report: "approximated /messages/1/content/0\napproximated /messages/1"},
		{name: "texts among results",
			request: start + twoTools + `"messages":[` + question +
				`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}]},` +
				`{"role":"user","content":[{"type":"text","text":"One:"},{"type":"tool_result","tool_use_id":"a","content":"x"},{"type":"text","text":"Two:"},{"type":"tool_result","tool_use_id":"b","content":"y"},{"type":"text","text":"Done."}]}]}`,
			want: map[string]string{"/contents/2/parts/1/functionResponse/id": `"b"`,
				"/contents/3/parts/2/text": `"Done."`},
			report: "approximated /messages/2/content/0\napproximated /messages/2/content/2\nadded /messages/1/content/0"},
		{name: "a call without input",
			request: start + twoTools + `"messages":[` + question +
				`{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}]}`,
			want:   map[string]string{"/contents/1/parts/0/functionCall/args": `{}`},
			report: "added /messages/1/content/0"},
		{name: "a call with a text of an object",
			request: start + twoTools + `"messages":[` + question +
				`{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":"{\"n\":1}"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}]}`,
			want:   map[string]string{"/contents/1/parts/0/functionCall/args": `{"n":1}`},
			report: "added /messages/1/content/0"},
		{name: "a call with a list",
			request: start + twoTools + `"messages":[` + question +
				`{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":[1]}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}]}`,
			want:   map[string]string{"/contents/1/parts/0/functionCall/args": `{"input":[1]}`},
			report: "approximated /messages/1/content/0/input\nadded /messages/1/content/0"},
	})
}

func TestBlocksOfTheUser(t *testing.T) {
	t.Parallel()
	checkWhole(t, []wholeRow{
		{name: "a document with a context",
			request: asks(`{"type":"document","context":"C","source":{"type":"text","media_type":"text/plain","data":"D"}}`),
			want:    map[string]string{"/contents/0/parts": `[{"text":"C"},{"text":"D"}]`},
			report:  "approximated /messages/0/content/0/context\napproximated /messages/0/content/0/source/media_type"},
		{name: "a document with a title and a context",
			request: asks(`{"type":"document","title":"T","context":"C","source":{"type":"text","data":"D"}}`),
			want:    map[string]string{"/contents/0/parts": `[{"text":"T\nC"},{"text":"D"}]`},
			report:  "approximated /messages/0/content/0/title\napproximated /messages/0/content/0/context"},
		{name: "a document with a title",
			request: asks(`{"type":"document","title":"T","source":{"type":"text","data":"D"}}`),
			want:    map[string]string{"/contents/0/parts": `[{"text":"T"},{"text":"D"}]`},
			report:  "approximated /messages/0/content/0/title"},
		{name: "a document of one text",
			request: asks(`{"type":"document","source":{"type":"content","content":"D"}}`),
			want:    map[string]string{"/contents/0/parts": `[{"text":"D"}]`}},
		{name: "members that a source does not use",
			request: asks(`{"type":"document","source":{"type":"text","data":"D","url":"u","later":1}}`),
			want:    map[string]string{"/contents/0/parts": `[{"text":"D"}]`},
			report:  "lost /messages/0/content/0/source/later\nlost /messages/0/content/0/source/url"},
		{name: "a tool that is referred to",
			request: start +
				`"tools":[{"name":"later","defer_loading":true}],"messages":[{"role":"user","content":[{"type":"tool_reference","tool_name":"later"},{"type":"text","text":"Hi."}]}]}`,
			want: map[string]string{"/tools/0/functionDeclarations": `[{"name":"later"}]`,
				"/contents/0/parts": `[{"text":"Hi."}]`},
			report: "approximated /messages/0/content/0\napproximated /tools/0/defer_loading"},
		{name: "a search result without a title",
			request: asks(`{"type":"search_result","content":[{"type":"text"}]}`),
			want:    map[string]string{"/contents/0/parts": `[{"text":"Search result\n"}]`},
			report:  "lost /messages/0/content/0/content/0\napproximated /messages/0/content/0/type"},
		{name: "an upload to a container",
			request: asks(`{"type":"container_upload","file_id":"f"},{"type":"text","text":"Hi."}`),
			want:    map[string]string{"/contents/0/parts": `[{"text":"Hi."}]`},
			report:  "lost /messages/0/content/0"},
	})
}

func TestTheSystem(t *testing.T) {
	t.Parallel()
	const billing = "x-anthropic-billing-header: cc_version=2"
	later := func(block string) string {
		return start + `"messages":[` + question + `{"role":"system","content":[` + block +
			`]},{"role":"user","content":"Continue."}]}`
	}
	checkWhole(t, []wholeRow{
		{name: "a text of Claude Code's alone",
			request: start + `"system":"` + billing + `",` + saysHi,
			want:    map[string]string{"/systemInstruction": ""}, report: "approximated /system"},
		{name: "a text of Claude Code's that is wanted", request: start + `"system":"` + billing + `",` + saysHi, opts: []request.Option{request.WithAttribution()},
			want: map[string]string{"/systemInstruction/parts": `[{"text":"` + billing + `"}]`}},
		{name: "an empty text", request: start + `"system":"",` + saysHi, want: map[string]string{"/systemInstruction": ""}},
		{name: "an image",
			request: start + `"system":[{"type":"image"},{"type":"text","text":"Be kind."}],` +
				saysHi,
			want:   map[string]string{"/systemInstruction/parts": `[{"text":"Be kind."}]`},
			report: "lost /system/0"},
		{name: "later, a text without its words", request: later(`{"type":"text"}`),
			want:   map[string]string{"/contents/0/parts": `[{"text":"Begin."},{"text":"Continue."}]`},
			report: "lost /messages/1/content/0"},
		{name: "later, an image", request: later(`{"type":"image"}`),
			want:   map[string]string{"/contents/0/parts": `[{"text":"Begin."},{"text":"Continue."}]`},
			report: "lost /messages/1/content/0"},
		{name: "a tool that is added without a name", request: later(`{"type":"tool_addition","tool":{"type":"tool_reference"}}`), report: "lost /messages/1/content/0"},
		{name: "a tool that is added as a text", request: later(`{"type":"tool_addition","tool":"f"}`), report: "lost /messages/1/content/0"},
		{name: "a text that counts up to a message that has not come",
			request: start + `"messages":[` + question +
				`{"role":"system","content":"Be kind.","clear_at":"next_user_message"}]}`,
			want:   map[string]string{"/contents/0/parts/1/text": `"<system>\nBe kind.\n</system>"`},
			report: "approximated /messages/1/clear_at\napproximated /messages/1/role"},
		{name: "a text that counts to another end",
			request: start + `"messages":[` + question +
				`{"role":"system","content":"Be kind.","clear_at":"never"},{"role":"user","content":"Continue."}]}`,
			want:   map[string]string{"/contents/0/parts/1/text": `"<system>\nBe kind.\n</system>"`},
			report: "approximated /messages/1/clear_at\napproximated /messages/1/role"},
	})
}

func TestTheReasonOfALostSpeedIsTheTier(t *testing.T) {
	t.Parallel()
	_, report, err := geminiRequest([]byte(onFlash +
		`"service_tier":"standard_only","speed":"fast",` + saysHi))
	if err != nil || len(report) != 1 || !strings.Contains(report[0].Detail, "service_tier") {
		t.Errorf("%v, %v", report, err)
	}
}

func TestSettingsOfARequest(t *testing.T) {
	t.Parallel()
	checkWhole(t, []wholeRow{
		{name: "stops that extra_body cannot have",
			request: onFlash +
				`"google":{"generationConfig":{"stopSequences":["x"]}},"stop_sequences":["a"],` +
				saysHi,
			want:   map[string]string{"/generationConfig/stopSequences": `["a"]`},
			report: "lost /google/generationConfig"},
		{name: "an empty stop", request: onFlash + `"stop_sequences":["","a"],` + saysHi,
			want:   map[string]string{"/generationConfig/stopSequences": `["a"]`},
			report: "approximated /stop_sequences/0"},
		{name: "only empty stops", request: onFlash + `"stop_sequences":[""],` + saysHi,
			want:   map[string]string{"/generationConfig/stopSequences": ``},
			report: "approximated /stop_sequences/0"},
		{name: "the same form under both names",
			request: onFlash +
				`"output_format":{"type":"json_schema","schema":{"type":"object"}},"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}},` +
				saysHi,
			want: map[string]string{"/generationConfig/responseJsonSchema": `{"type":"object"}`}},
		{name: "the usual speed", request: onFlash + `"speed":"standard",` + saysHi, report: "approximated /speed"},
		{name: "a speed next to a tier",
			request: onFlash + `"service_tier":"standard_only","speed":"fast",` + saysHi,
			want:    map[string]string{"/serviceTier": `"standard"`}, report: "lost /speed"},
		{name: "a speed next to a tier that is the service's own",
			request: onFlash + `"service_tier":"auto","speed":"fast",` + saysHi,
			want:    map[string]string{"/serviceTier": `"priority"`},
			report:  "approximated /service_tier\napproximated /speed"},
		{name: "no google", request: onFlash + `"google":null,` + saysHi},
		{name: "a google that is not an object", request: onFlash + `"google":1,` + saysHi, report: "lost /google"},
		{name: "an extra_body that is not an object", request: onFlash + `"extra_body":1,` + saysHi, report: "lost /extra_body"},
		{name: "no google in extra_body", request: onFlash + `"extra_body":{"google":null},` + saysHi},
		{name: "an extra_body whose google is not an object", request: onFlash + `"extra_body":{"google":1},` + saysHi, report: "lost /extra_body/google"},
		{name: "a setting of Gemini's at the top",
			request: onFlash + `"cached_content":"cachedContents/c",` + saysHi,
			want:    map[string]string{"/cachedContent": `"cachedContents/c"`}},
		{name: "a name with a choice of any tool",
			request: start + twoTools + `"tool_choice":{"type":"any","name":"f"},` + saysHi,
			want:    map[string]string{"/toolConfig/functionCallingConfig": `{"mode":"ANY"}`},
			report:  "lost /tool_choice/name"},
		{name: "a choice of a function of a later position",
			request: start + twoTools +
				`"tool_choice":{"type":"tool","name":"g","disable_parallel_tool_use":true},` +
				saysHi,
			want:   map[string]string{"/toolConfig/functionCallingConfig/allowedFunctionNames": `["g"]`},
			report: "lost /tool_choice/disable_parallel_tool_use"},
		{name: "schemas in Gemini's own form", request: start + `"tools":[{"name":"f","input_schema":{"type":"object","properties":{"n":{"type":"integer"}}}}],` + saysHi, opts: []request.Option{request.WithSchemaForm()},
			want: map[string]string{"/tools/0/functionDeclarations/0/parameters": `{"properties":{"n":{"type":"INTEGER"}},"type":"OBJECT"}`}},
	})
}

func TestToolsOfARequest(t *testing.T) {
	t.Parallel()
	const pages, code, versions = `{"type":"web_fetch_20250910","name":"web_fetch"}`,
		`{"type":"code_execution_20250825","name":"code_execution"}`, "approximated /tools/0/type\napproximated /tools/1/type"
	checkWhole(t, []wholeRow{
		{name: "pages are read once", request: start + `"tools":[` + pages + `,` + pages + `],` + saysHi, want: map[string]string{"/tools": `[{"urlContext":{}}]`}, report: versions},
		{name: "code is run once", request: start + `"tools":[` + code + `,` + code + `],` + saysHi, want: map[string]string{"/tools": `[{"codeExecution":{}}]`}, report: versions},
		{name: "both", request: start + `"tools":[` + code + `,` + pages + `],` + saysHi, want: map[string]string{"/tools": `[{"codeExecution":{}},{"urlContext":{}}]`}, report: versions},
		{name: "a name of its own",
			request: start + `"tools":[{"type":"web_search_20250305","name":"find"}],` + saysHi,
			want:    map[string]string{"/tools": `[{"googleSearch":{}}]`},
			report:  "approximated /tools/0/type\napproximated /tools/0/name"},
		{name: "no name", request: start + `"tools":[{"type":"web_search_20250305"}],` + saysHi,
			want:   map[string]string{"/tools": `[{"googleSearch":{}}]`},
			report: "approximated /tools/0/type"},
		{name: "domains that the Gemini API cannot leave out",
			request: start +
				`"tools":[{"type":"web_search_20250305","name":"web_search","blocked_domains":["a.example"]}],` +
				saysHi,
			want:   map[string]string{"/tools": `[{"googleSearch":{}}]`},
			report: "lost /tools/0/blocked_domains\napproximated /tools/0/type"},
		{name: "domains of pages", request: start + `"tools":[{"type":"web_fetch_20250910","name":"web_fetch","blocked_domains":["a.example"]}],` + saysHi, opts: []request.Option{request.ForVertexAI()},
			want:   map[string]string{"/tools": `[{"urlContext":{}}]`},
			report: "approximated /model\nlost /tools/0/blocked_domains\napproximated /tools/0/type"},
		{name: "callers",
			request: start +
				`"tools":[{"name":"f","allowed_callers":["direct"]},{"name":"g","allowed_callers":["direct","code_execution_20250825"]},{"name":"h","allowed_callers":["code_execution_20250825"]}],` +
				saysHi,
			report: "approximated /tools/0/allowed_callers\nlost /tools/1/allowed_callers\nlost /tools/2/allowed_callers"},
		{name: "a type that is custom",
			request: start +
				`"tools":[{"type":"custom","name":"f","input_schema":{"type":"object"}}],` + saysHi,
			want: map[string]string{"/tools": `[{"functionDeclarations":[{"name":"f"}]}]`}},
		{name: "an unknown type with a schema",
			request: start +
				`"tools":[{"type":"later_1","name":"f","input_schema":{"type":"object"}}],` +
				saysHi,
			want:   map[string]string{"/tools": `[{"functionDeclarations":[{"name":"f"}]}]`},
			report: "approximated /tools/0/type"},
		{name: "an unknown type", request: start + `"tools":[{"type":"later_1","name":"f"}],` + saysHi, want: map[string]string{"/tools": ``}, report: "lost /tools/0"},
		{name: "a name that begins with a digit",
			request: start + `"tools":[{"name":"9to5"},{"name":"-x"},{"name":"0"}],` + saysHi,
			want:    map[string]string{"/tools/0/functionDeclarations": `[{"name":"_9to5"},{"name":"_-x"},{"name":"_0"}]`},
			report:  "approximated /tools/0/name\napproximated /tools/1/name\napproximated /tools/2/name"},
		{name: "a schema of null", request: start + `"tools":[{"name":"f","input_schema":null}],` + saysHi, want: map[string]string{"/tools/0/functionDeclarations": `[{"name":"f"}]`}},
	})
}

func TestANameOfATool(t *testing.T) {
	t.Parallel()
	tools := mustDecode(t, start+`"tools":[{"name":"9to5"},{"name":"_8"}],`+saysHi).Tools
	for function, want := range map[string]string{"_9to5": "9to5", "_8": "_8", "_-x": "-x",
		"_a": "_a", "_": "_", "_0": "0", "_/": "_/", "_:": "_:", "f9": "f9", "": ""} {
		if got := request.ToolName(tools, function); got != want {
			t.Errorf("%q: got %q, want %q", function, got, want)
		}
	}
}

// The extension of a text says which of its pieces are signed.
func TestPiecesOfASignedText(t *testing.T) {
	t.Parallel()
	const a = "CiQB+A/="
	said := func(extension string) string {
		return says(`{"type":"text","text":"aé","extra_content":{"google":` + extension + `}}`)
	}
	piece := func(lengths string) string { return said(`{"parts":[` + lengths + `]}`) }
	const whole, lost = `[{"text":"aé"}]`, "lost /messages/1/content/0/extra_content"
	checkWhole(t, []wholeRow{
		{name: "whole", request: said(`{"thought_signature":"` + a + `"}`), want: map[string]string{"/contents/1/parts": `[{"text":"aé","thoughtSignature":"` + a + `"}]`}},
		{name: "without a signature", request: said(`{}`), want: map[string]string{"/contents/1/parts": whole}, report: lost},
		{name: "another text", request: said(`{"checksum":"00000000","thought_signature":"` + a + `"}`), want: map[string]string{"/contents/1/parts": whole}, report: lost},
		{name: "no object", request: says(`{"type":"text","text":"aé","extra_content":1}`), want: map[string]string{"/contents/1/parts": whole}, report: lost},
		{name: "two pieces", request: piece(`{"length":1,"thought_signature":"` + a + `"},{"length":2}`), want: map[string]string{"/contents/1/parts": `[{"text":"a","thoughtSignature":"` + a + `"},{"text":"é"}]`}},
		{name: "one piece", request: piece(`{"length":3}`), want: map[string]string{"/contents/1/parts": whole}},
		{name: "within a character", request: piece(`{"length":2},{"length":1}`), want: map[string]string{"/contents/1/parts": whole}, report: lost},
		{name: "below nothing", request: piece(`{"length":-1},{"length":4}`), want: map[string]string{"/contents/1/parts": whole}, report: lost},
		{name: "longer than the text", request: piece(`{"length":4}`), want: map[string]string{"/contents/1/parts": whole}, report: lost},
		{name: "shorter than the text", request: piece(`{"length":1}`), want: map[string]string{"/contents/1/parts": whole}, report: lost},
	})
}
