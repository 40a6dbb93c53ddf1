package messages_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/google/go-cmp/cmp"
)

func TestAWholeAnswer(t *testing.T) {
	t.Parallel()
	out, report := convert(t,
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"Hello"},{"text":" there"}]},"finishReason":"STOP","index":0}],
		"usageMetadata":{"promptTokenCount":9,"toolUsePromptTokenCount":1,"cachedContentTokenCount":4,"candidatesTokenCount":2,"thoughtsTokenCount":3,"totalTokenCount":15,"serviceTier":"standard"},
		"modelVersion":"gemini-3.6-flash","responseId":"a-B_1"}`)
	const want = `{"id":"msg_a-B_1","type":"message","role":"assistant","model":"gemini-3.6-flash","content":[{"type":"text","text":"Hello there"}],` +
		`"stop_reason":"end_turn","stop_sequence":null,"stop_details":null,"container":null,"diagnostics":null,` +
		`"usage":{"input_tokens":6,"cache_creation_input_tokens":0,"cache_read_input_tokens":4,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},` +
		`"output_tokens":5,"output_tokens_details":{"thinking_tokens":3},"server_tool_use":null,"service_tier":"standard","inference_geo":null,"speed":null}}`
	if diff := cmp.Diff(want, encode(t, out)); diff != "" {
		t.Error(diff)
	}
	openaitest.Reports(t, report, "approximated /usageMetadata/toolUsePromptTokenCount")
}

// Every finish reason of the description maps to a stop reason that Anthropic documents. None is
// passed on unchanged.
func TestEveryFinishReasonHasAStopReason(t *testing.T) {
	t.Parallel()
	for native, want := range map[geminiapi.FinishReason]anthropicapi.StopReason{
		geminiapi.FinishReasonStop: "end_turn", geminiapi.FinishReasonMaxTokens: "max_tokens",
		geminiapi.FinishReasonContinuation: "max_tokens",
		geminiapi.FinishReasonSafety:       "refusal", geminiapi.FinishReasonRecitation: "refusal",
		geminiapi.FinishReasonBlocklist:         "refusal",
		geminiapi.FinishReasonProhibitedContent: "refusal", geminiapi.FinishReasonSPII: "refusal",
		geminiapi.FinishReasonModelArmor:              "refusal",
		geminiapi.FinishReasonImageSafety:             "refusal",
		geminiapi.FinishReasonImageProhibitedContent:  "refusal",
		geminiapi.FinishReasonImageRecitation:         "refusal",
		geminiapi.FinishReasonMalformedFunctionCall:   "end_turn",
		geminiapi.FinishReasonUnexpectedToolCall:      "end_turn",
		geminiapi.FinishReasonTooManyToolCalls:        "end_turn",
		geminiapi.FinishReasonMalformedResponse:       "end_turn",
		geminiapi.FinishReasonMissingThoughtSignature: "end_turn",
		geminiapi.FinishReasonNoImage:                 "end_turn",
		geminiapi.FinishReasonImageOther:              "end_turn",
		geminiapi.FinishReasonLanguage:                "end_turn",
		geminiapi.FinishReasonOther:                   "end_turn",
		geminiapi.FinishReasonEscalation:              "end_turn",
		geminiapi.FinishReasonUnspecified:             "end_turn", "UNHEARD_OF": "end_turn",
	} {
		out, report := convert(t,
			`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"`+string(native)+
				`","finishMessage":"why"}]}`)
		if got := jsonx.Deref(out.StopReason); got != want {
			t.Errorf("%s: %s, want %s", native, got, want)
		}
		details, isRefusal := out.StopDetails.Value()
		why, _ := details.Explanation.Value()
		if isRefusal != (want == "refusal") || isRefusal && why != string(native)+": why" {
			t.Errorf("%s: details %+v", native, details)
		}
		isExact := want == "refusal" || native == geminiapi.FinishReasonStop ||
			native == geminiapi.FinishReasonMaxTokens
		if report.Covers("/candidates/0/finishReason") == isExact {
			t.Errorf("%s: report %v", native, report)
		}
	}
	for _, native := range openaitest.Enum(t, "FinishReason") {
		out, _ := convert(t, `{"candidates":[{"finishReason":"`+native+`"}]}`)
		if reason := jsonx.Deref(out.StopReason); !reason.Valid() {
			t.Errorf("%s is reported as %s", native, reason)
		}
	}
}

func TestCallsDecideTheStopReason(t *testing.T) {
	t.Parallel()
	const call = `{"functionCall":{"id":"a","name":"f"}}`
	const cut = `{"functionCall":{"id":"a","name":"f","willContinue":true}},` +
		`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}}`
	for wire, want := range map[string]anthropicapi.StopReason{
		`{"content":{"parts":[` + call +
			`]},"finishReason":"STOP"}`: "tool_use",
		`{"content":{"parts":[` + call +
			`]}}`: "tool_use",
		`{"content":{"parts":[` + call +
			`]},"finishReason":"MAX_TOKENS"}`: "max_tokens",
		`{"content":{"parts":[` + cut +
			`]},"finishReason":"STOP"}`: "max_tokens",
		`{"content":{"parts":[` + call +
			`,{"text":"Now wait."}]},"finishReason":"STOP"}`: "tool_use",
		`{"content":{"parts":[` + call +
			`]},"finishReason":"SAFETY","finishMessage":"x"}`: "refusal",
	} {
		out, _ := convert(t, `{"candidates":[`+wire+`]}`)
		if got := jsonx.Deref(out.StopReason); got != want {
			t.Errorf("%s: %s, want %s", wire, got, want)
		}
	}
}

func TestAStopSequenceIsNotReported(t *testing.T) {
	t.Parallel()
	_, report := parts(t, `{"text":"a"}`,
		messages.WithRequest(&anthropicapi.CreateMessageRequest{Model: "m",
			StopSequences: []string{"x"}}))
	openaitest.Reports(t, report, "approximated /candidates/0/finishReason")
}

func TestARequestForEditsOfTheConversationGetsAnEmptyList(t *testing.T) {
	t.Parallel()
	asked := messages.WithRequest(&anthropicapi.CreateMessageRequest{Model: "m",
		ContextManagement: &anthropicapi.ContextManagementRequest{}})
	out, _ := parts(t, `{"text":"a"}`, asked)
	if got := encode(t, out); !strings.Contains(got, `"context_management":{"applied_edits":[]}`) {
		t.Error(got)
	}
}

func TestARefusedPromptIsAMessage(t *testing.T) {
	t.Parallel()
	const wire = `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT","blockReasonMessage":"no"},"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3},"modelVersion":"m","responseId":"r"}`
	out, report := convert(t, wire)
	details, _ := out.StopDetails.Value()
	why, _ := details.Explanation.Value()
	if len(out.Content) != 0 || jsonx.Deref(out.StopReason) != "refusal" ||
		why != "PROHIBITED_CONTENT: no" || !details.Category.IsNull() {
		t.Errorf("%s", encode(t, out))
	}
	openaitest.Reports(t, report, "added /candidates")
	stream := chunks(t, []string{wire})
	if diff := cmp.Diff([]string{"message_start", "message_delta", "message_stop"},
		eventTypes(stream.events)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(encode(t, out), encode(t, accumulate(t, stream.events))); diff != "" {
		t.Error(diff)
	}
}

func TestAnAnswerWithoutCandidatesIsAnError(t *testing.T) {
	t.Parallel()
	if _, _, err := messages.FromGemini(openaitest.Decode(t,
		`{"usageMetadata":{}}`)); !errors.Is(err, normalize.ErrNoCandidates) {
		t.Error(err)
	}
	if _, _, err := messages.FromNormalized(nil); !errors.Is(err, normalize.ErrNoCandidates) {
		t.Error(err)
	}
	if _, _, err := messages.FromNormalized(
		&normalize.Response{Candidates: []normalize.Candidate{{}}}); err == nil {
		t.Error("an invalid response converts")
	}
}

func TestIDsOfCalls(t *testing.T) {
	t.Parallel()
	const list = `{"functionCall":{"id":"a","name":"f"}},{"functionCall":{"name":"f"}},{"functionCall":{"id":"a","name":"f"}},{"functionCall":{"id":"x.y","name":"f"}}`
	out, report := parts(t, list)
	var ids []string
	for i := range out.Content {
		ids = append(ids, *out.Content[i].ID)
	}
	if diff := cmp.Diff([]string{"a", "toolu_gemini_r1_0_1", "a-2", "toolu_x_eC55"},
		ids); diff != "" {
		t.Error(diff)
	}
	openaitest.Reports(t, report, "added /candidates/0/content/parts/1/functionCall/id",
		"approximated /candidates/0/content/parts/2/functionCall/id")
	out, _ = parts(t, list,
		messages.WithToolCallIDs(func(responseID string, _,
			_ int) string {
			return "mine-" + responseID
		}))
	if id := *out.Content[1].ID; id != "mine-r1" {
		t.Errorf("id %q", id)
	}
}

func TestNamesOfToolsComeBack(t *testing.T) {
	t.Parallel()
	asked := messages.WithRequest(&anthropicapi.CreateMessageRequest{Model: "m",
		Tools: []anthropicapi.Tool{{Name: "3d_print"}}})
	out, _ := parts(t, `{"functionCall":{"id":"a","name":"_3d_print"}}`, asked)
	if name := *out.Content[0].Name; name != "3d_print" {
		t.Errorf("name %q", name)
	}
}

func TestANormalizedAnswerKeepsTheIDsOfCalls(t *testing.T) {
	t.Parallel()
	in, err := normalize.FromResponse(openaitest.Decode(t,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}}]},"finishReason":"STOP"}]}`),
		normalize.WithToolCallIDs(func(string, int, int) string { return "made.id" }))
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := messages.FromNormalized(in)
	if err != nil || *out.Content[0].ID != "toolu_x_bWFkZS5pZA" {
		t.Errorf("%v, %s", err, encode(t, out))
	}
}

const ranCode = `{"text":"Let me compute."},{"executableCode":{"language":"PYTHON","code":"print(6*7)"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"42\n"}},{"text":"It is 42."}`

func TestCodeIsACallOfTheServerToolThatTheClientDeclared(t *testing.T) {
	t.Parallel()
	out, report := parts(t, ranCode, messages.WithRequest(declared))
	if types(out) != "text server_tool_use code_execution_tool_result text" ||
		string(out.Content[1].Input) != `{"code":"print(6*7)"}` {
		t.Fatalf("%s", encode(t, out))
	}
	content, _ := out.Content[2].Content.AsValue()
	if result := content.AsOne(); *out.Content[2].ToolUseID != *out.Content[1].ID ||
		*result.Stdout != "42\n" || *result.ReturnCode != 0 {
		t.Errorf("%s", encode(t, out))
	}
	openaitest.Reports(t, report, "approximated /modelVersion",
		"lost /candidates/0/content/parts/1/executableCode/language")
	out, _ = parts(t, strings.ReplaceAll(ranCode, "OUTCOME_OK", "OUTCOME_FAILED"),
		messages.WithRequest(declared))
	content, _ = out.Content[2].Content.AsValue()
	if result := content.AsOne(); *result.Stderr != "42\n" || *result.ReturnCode != 1 {
		t.Errorf("%s", encode(t, out))
	}
}

func TestCodeIsTextWhereTheClientDoesNotKnowTheTool(t *testing.T) {
	t.Parallel()
	out, report := parts(t, ranCode)
	const want = "Let me compute.\n```python\nprint(6*7)\n```\n\n```\n42\n```\nIt is 42."
	if types(out) != "text" || anthropic.Text(out) != want {
		t.Errorf("%q", anthropic.Text(out))
	}
	openaitest.Reports(t, report, "approximated /candidates/0/content/parts/1",
		"approximated /candidates/0/content/parts/2")
}

const grounded = `{"candidates":[{"content":{"parts":[{"text":"It rains in Porto. Bring a coat."}]},"finishReason":"STOP","groundingMetadata":{
	"webSearchQueries":["porto weather","porto rain"],
	"groundingChunks":[{"web":{"uri":"https://example.com/a","title":"A"}},{"web":{"uri":"https://example.com/b","title":"B"}}],
	"groundingSupports":[{"segment":{"startIndex":0,"endIndex":18,"text":"It rains in Porto."},"groundingChunkIndices":[0,1]}]}}]}`

// MR13: searches become calls of the server tool, with results, citations and a count, if the
// client knows it.
func TestSearchesAreCallsOfTheServerTool(t *testing.T) {
	t.Parallel()
	out, report := convert(t, grounded, messages.WithRequest(declared))
	if types(out) != "text server_tool_use web_search_tool_result server_tool_use web_search_tool_result" {
		t.Fatalf("%s", encode(t, out))
	}
	cited, _ := out.Content[0].Citations.AsList()
	if len(cited) != 2 || *cited[0].CitedText != "It rains in Porto." ||
		*cited[1].URL != "https://example.com/b" {
		t.Errorf("%s", encode(t, out))
	}
	content, _ := out.Content[2].Content.AsValue()
	results, _ := content.AsList()
	if title, _ := results[len(results)-1].Title.Value(); len(results) != 2 ||
		*results[0].URL != "https://example.com/a" || title != "B" || !results[0].PageAge.IsNull() {
		t.Errorf("%s", encode(t, out))
	}
	if used, _ := out.Usage.ServerToolUse.Value(); jsonx.Deref(used.WebSearchRequests) != 2 ||
		string(out.Content[1].Input) != `{"query":"porto weather"}` {
		t.Errorf("%s", encode(t, out))
	}
	if !report.Covers("/candidates/0/groundingMetadata/groundingSupports") {
		t.Errorf("%v", report)
	}
	if diff := cmp.Diff(encode(t, out),
		encode(t, accumulate(t,
			chunks(t, []string{grounded}, messages.WithRequest(declared)).events))); diff != "" {
		t.Error(diff)
	}
}

func TestSearchesAreReportedWhereTheClientDoesNotKnowTheTool(t *testing.T) {
	t.Parallel()
	out, report := convert(t, grounded)
	if types(out) != "text" || out.Usage.ServerToolUse.IsZero() ||
		!out.Usage.ServerToolUse.IsNull() {
		t.Errorf("%s", encode(t, out))
	}
	if !report.Covers("/candidates/0/groundingMetadata") {
		t.Errorf("%v", report)
	}
}

// This is table F1 of a gateway's answers.
func TestErrorsInAnthropicsTerms(t *testing.T) {
	t.Parallel()
	const details = `,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]`
	for _, tt := range []struct {
		status     int
		body       string
		wantStatus int
		wantType   string
	}{
		{400, `"code":400,"status":"INVALID_ARGUMENT"`, 400, "invalid_request_error"},
		{400, `"code":400,"status":"FAILED_PRECONDITION"`, 400, "invalid_request_error"},
		{400, `"code":400,"status":"INVALID_ARGUMENT"` + details, 401, "authentication_error"},
		{401, `"code":401,"status":"UNAUTHENTICATED"`, 401, "authentication_error"},
		{403, `"code":403,"status":"PERMISSION_DENIED"`, 403, "permission_error"},
		{404, `"code":404,"status":"NOT_FOUND"`, 404, "not_found_error"},
		{409, `"code":409,"status":"ABORTED"`, 409, "conflict_error"},
		{413, `"code":413`, 413, "request_too_large"},
		{429, `"code":429,"status":"RESOURCE_EXHAUSTED"`, 429, "rate_limit_error"},
		{500, `"code":500,"status":"INTERNAL"`, 500, "api_error"},
		{501, `"code":501,"status":"UNIMPLEMENTED"`, 501, "api_error"},
		{503, `"code":503,"status":"UNAVAILABLE"`, 529, "overloaded_error"},
		{504, `"code":504,"status":"DEADLINE_EXCEEDED"`, 504, "timeout_error"},
	} {
		err := gemini.DecodeError(tt.status, http.Header{},
			[]byte(`{"error":{`+tt.body+`,"message":"no"}}`))
		status, body := messages.FromError(err)
		if status != tt.wantStatus || body.Error.Type != tt.wantType ||
			body.Error.Message != "no" || body.Type != "error" {
			t.Errorf("%d %s: %d %+v, want %d %s", tt.status, tt.body, status, body.Error,
				tt.wantStatus, tt.wantType)
		}
	}
	if status, body := messages.FromError(nil); status != 0 || body != nil {
		t.Errorf("nil is %d %v", status, body)
	}
	if status, body := messages.FromError(errors.New("odd")); status != 500 ||
		body.Error.Type != "api_error" {
		t.Errorf("any error is %d %v", status, body)
	}
}

// Claude Code shortens the conversation when it reads these words.
func TestAPromptThatIsTooLongHasTheMessageThatClientsKnow(t *testing.T) {
	t.Parallel()
	const native = "The input token count (1300000) exceeds the maximum number of tokens allowed (1048576)."
	status, body := messages.FromError(gemini.DecodeError(400, nil,
		[]byte(`{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"`+native+`"}}`)))
	if status != 400 || body.Error.Type != "invalid_request_error" ||
		body.Error.Message != "prompt is too long: 1300000 tokens > 1048576 maximum" {
		t.Errorf("%d %+v", status, body.Error)
	}
	if string(body.Error.Details) != `{"native_message":"`+native+`"}` {
		t.Errorf("details %s", body.Error.Details)
	}
}

// Both services add them to nearly every answer. A gateway that refuses losses would otherwise
// refuse nearly all answers.
func TestMembersThatOnlyDescribeAnAnswerAreNoLosses(t *testing.T) {
	t.Parallel()
	const answer = `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},"finishReason":"STOP","finishMessage":"Model generated function call(s).","avgLogprobs":-0.1}],` +
		`"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2,"trafficType":"ON_DEMAND"},"createTime":"2026-01-02T03:04:05Z","modelVersion":"m","responseId":"r"}`
	_, entries := convert(t, answer)
	if entries.Strict() != nil {
		t.Error(entries.Of(report.Lost))
	}
	for _, at := range []string{"/candidates/0/finishMessage", "/candidates/0/avgLogprobs",
		"/usageMetadata/trafficType", "/createTime"} {
		if !entries.Of(report.Approximated).Covers(at) {
			t.Errorf("%s: %v", at, entries)
		}
	}
	_, entries = convert(t, strings.Replace(answer, `"STOP"`, `"OTHER"`, 1))
	if !entries.Of(report.Lost).Covers("/candidates/0/finishMessage") {
		t.Error(entries)
	}
}
