package request_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
)

func times(n int, format string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
	}
	return strings.Join(out, ",")
}

// The time for a request is linear in its size, whatever is repeated. The limit is far above the
// usual time, and far below quadratic time.
func TestTimeGrowsWithTheSizeOfARequest(t *testing.T) {
	t.Parallel()
	n := 150_000
	if testing.Short() {
		n = 60_000
	}
	for name, messages := range map[string]string{
		"calls in one turn": question + `{"role":"assistant","content":[` +
			times(n, `{"type":"tool_use","id":"a%d","name":"f","input":{}}`) +
			`]},{"role":"user","content":[` +
			times(n, `{"type":"tool_result","tool_use_id":"a%d","content":"x"}`) + `]}`,
		"words of the system that count no more": question +
			times(n, `{"role":"system","clear_at":"next_user_message","content":"s"}`),
		"signatures of calls that are not there": question + `{"role":"assistant","content":[` +
			times(n, `{"type":"thinking","thinking":"","signature":"`+
				sealed(envelope.Entry{Kind: envelope.Call, Ordinal: 7, Signature: "AAAA"})+`"}`) +
			`,` +
			times(n, `{"type":"text","text":"a"}`) + `]},{"role":"user","content":"y"}`,
		"output of code that is not there": question + `{"role":"assistant","content":[` +
			times(n, `{"type":"text","text":"a"}`) + `,` +
			times(n, `{"type":"code_execution_tool_result","tool_use_id":"a","content":{"type":"code_execution_result","stdout":"x"}}`) +
			`]},{"role":"user","content":"y"}`,
	} {
		in := mustDecode(t, start+`"messages":[`+messages+`]}`)
		begin := time.Now()
		if _, _, err := request.ToGemini(in, request.WithoutValidation()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(begin); took > 30*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}

func sealed(entries ...envelope.Entry) string { return string(envelope.Append(nil, entries...)) }

func TestTokensOfPiecesOfConversationsCanBeCounted(t *testing.T) {
	t.Parallel()
	counted := []request.Option{request.ForTokenCount()}
	for _, r := range []row{
		{name: "tools alone",
			request: start + `"tools":[{"name":"f","input_schema":{"type":"object"}}]}`,
			opts:    counted,
			want: map[string]string{"/contents/0/parts/0/text": `""`,
				"/tools/0/functionDeclarations/0/name": `"f"`}},
		{name: "nothing", request: start + `"messages":[]}`, opts: counted, want: map[string]string{"/contents/0/role": `"user"`}},
		{name: "a call without its result",
			request: start + `"messages":[` + question + strings.TrimSuffix(callDone, ",") + `]}`,
			opts:    counted,
			want: map[string]string{"/contents/2/parts/0/functionResponse/response": `{"output":""}`,
				"/contents/2/parts/0/functionResponse/name": `"f"`},
			reported: map[string]report.Kind{"/messages/1/content/0": report.Added}},
		{name: "one of two results",
			request: start + `"messages":[` + question + twoCalls +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_b","content":"x"}]},` +
				callDone + `{"role":"user","content":"y"}]}`, opts: counted,
			want: map[string]string{"/contents/2/parts/0/functionResponse/response": `{"output":""}`,
				"/contents/2/parts/1/functionResponse/response": `{"output":"x"}`,
				"/contents/4/parts/0/functionResponse/response": `{"output":""}`}},
		{name: "the model's own words last",
			request: `{"model":"gemini-3.6-flash","messages":[` + question +
				`{"role":"assistant","content":"A"}]}`, opts: counted,
			want: map[string]string{"/contents/1/role": `"model"`}},
	} {
		checkRow(t, &r)
	}
	if _, _, err := geminiRequest([]byte(start + `"messages":[` + question +
		strings.TrimSuffix(callDone, ",") + `]}`)); err == nil {
		t.Error("an answer can be asked for without the result of a call")
	}
}

func TestRequestsOfClaudeCodeHaveNoLosses(t *testing.T) {
	t.Parallel()
	const asked = `{"model":"gemini-3.6-flash","max_tokens":32000,"stream":true,"metadata":{"user_id":"{\"device_id\":\"ab\"}"},"thinking":{"type":"adaptive"},"output_config":{"effort":"high"},` +
		`"context_management":{"edits":[{"type":"clear_thinking_20251015","keep":"all"}]},"system":[{"type":"text","text":"x-anthropic-billing-header: cc_version=2.1"},{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],` +
		`"tools":[{"name":"Bash","description":"Runs","input_schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"command":{"type":"string"}},"required":["command"],"additionalProperties":false},"cache_control":{"type":"ephemeral"}}],` +
		`"messages":[{"role":"user","content":[{"type":"text","text":"<system-reminder>x</system-reminder>"},{"type":"text","text":"go","cache_control":{"type":"ephemeral"}}]},{"role":"system","content":"Mind the date."}]}`
	for _, in := range []string{asked,
		strings.Replace(asked, `"keep":"all"`, `"keep":{"type":"all"}`, 1)} {
		if _, entries, err := geminiRequest([]byte(in)); err != nil || entries.Strict() != nil {
			t.Errorf("%v: %v", err, entries.Of(report.Lost))
		}
	}
}

func TestOddSettingsAreReportedWithTheirEffect(t *testing.T) {
	t.Parallel()
	thinking := func(model, setting string) string {
		return `{"model":"` + model + `","max_tokens":4000,"thinking":` + setting +
			`,"messages":[{"role":"user","content":"Hi"}]}`
	}
	sign := sealed(envelope.Entry{Kind: envelope.Call, Ordinal: 1, Signature: "CiQB+A=="})
	for _, r := range []row{
		{name: "no limit of tokens to choose from",
			request:  start + `"top_k":0,"messages":[{"role":"user","content":"Hi"}]}`,
			want:     map[string]string{"/generationConfig/topK": ""},
			reported: map[string]report.Kind{"/top_k": report.Approximated}},
		{name: "a server of tools without an address", request: start + `"mcp_servers":[{"type":"url","name":"n"}],"messages":[{"role":"user","content":"Hi"}]}`, refused: "/mcp_servers/0/url"},
		{name: "members for Gemini that are invalid",
			request: start +
				`"extra_body":{"google":"x"},"messages":[{"role":"user","content":"Hi"}]}`,
			reported: map[string]report.Kind{"/extra_body/google": report.Lost}},
		{name: "one signature, sent twice, signs one call",
			request: start + `"messages":[` + question +
				`{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"` +
				sign + `"},{"type":"thinking","thinking":"","signature":"` + sign + `"},` +
				`{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"},{"type":"tool_result","tool_use_id":"b"}]}]}`,
			want: map[string]string{"/contents/1/parts/0/thoughtSignature": `"CiQB+A=="`,
				"/contents/1/parts/1/thoughtSignature": ""},
			reported: map[string]report.Kind{"/messages/1/content/1/signature": report.Approximated}},
		{name: "the output of code as we write it",
			request: start + `"messages":[` + question +
				`{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"code_execution","input":{"code":"1"}},` +
				`{"type":"code_execution_tool_result","tool_use_id":"srvtoolu_1","content":{"type":"code_execution_result","stdout":"1","stderr":"","return_code":0,"content":[]}}]},{"role":"user","content":"y"}]}`,
			want: map[string]string{"/contents/1/parts/1/codeExecutionResult/output": `"1"`}},
		{name: "a summary of a conversation",
			request: start + `"messages":[` + question +
				`{"role":"assistant","content":[{"type":"compaction","content":"sum"}]},{"role":"user","content":"y"}]}`,
			want: map[string]string{"/contents/0/parts/1/text": `"sum"`}},
		{name: "adaptive thinking that is not shown",
			request: thinking(flash25, `{"type":"adaptive","display":"omitted"}`),
			want:    map[string]string{"/generationConfig/thinkingConfig": `{"thinkingBudget":-1}`}},
		{name: "a budget of thinking that is not shown",
			request: thinking(flash25,
				`{"type":"enabled","budget_tokens":2000,"display":"omitted"}`),
			want: map[string]string{"/generationConfig/thinkingConfig": `{"thinkingBudget":2000}`}},
	} {
		checkRow(t, &r)
		if _, entries, err := geminiRequest([]byte(r.request)); err == nil &&
			len(entries.Of(report.Lost)) > 0 && len(r.reported) == 0 {
			t.Errorf("%s: %v", r.name, entries.Of(report.Lost))
		}
	}
}
