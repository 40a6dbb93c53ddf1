package interactions_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions"
	wireerrors "github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// convert converts an answer.
func convert(t testing.TB, body string, opts ...interactions.Option) (*interactionsapi.Interaction,
	report.Report) {
	t.Helper()
	out, entries, err := interactions.FromGemini(openaitest.Decode(t, body), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return out, entries
}

// stepsOf returns the steps of an answer with some parts, as JSON.
func stepsOf(t testing.TB, parts string, opts ...interactions.Option) string {
	t.Helper()
	out, _ := convert(t, `{"responseId":"r","candidates":[{"finishReason":"STOP","content":{"parts":[`+
		parts+`]}}]}`, opts...)
	return indented(t, out.Steps)
}

func indented(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return compact(t, string(data))
}

// compact returns JSON with sorted members, one a line.
func compact(t testing.TB, text string) string {
	t.Helper()
	value := jsontext.Value(text)
	if err := value.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
		t.Fatal(err, text)
	}
	if err := value.Indent(); err != nil {
		t.Fatal(err)
	}
	return string(value)
}

func lines(entries report.Report) string {
	var out []string
	for _, e := range entries {
		out = append(out, string(e.Kind)+" "+e.Pointer)
	}
	return strings.Join(out, "\n")
}

func TestPartsBecomeSteps(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ parts, want string }{
		"texts are blocks of one output": {
			`{"text":"a"},{"text":"b"}`,
			`[{"type":"model_output","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]`},
		"thoughts are a summary, and their signature is the last piece": {
			`{"text":"a","thought":true},{"text":"b","thought":true,"thoughtSignature":"AA=="},{"text":"c"}`,
			`[{"type":"thought","summary":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"signature":"AA=="},{"type":"model_output","content":[{"type":"text","text":"c"}]}]`},
		"a thought follows a signed one": {
			`{"text":"a","thought":true,"thoughtSignature":"AA=="},{"text":"b","thought":true}`,
			`[{"type":"thought","summary":[{"type":"text","text":"a"}],"signature":"AA=="},{"type":"thought","summary":[{"type":"text","text":"b"}]}]`},
		"a signed text follows a thought with its signature": {
			`{"text":"a","thoughtSignature":"AA=="}`,
			`[{"type":"thought","signature":"AA=="},{"type":"model_output","content":[{"type":"text","text":"a"}]}]`},
		"a signed text joins neither the text before nor after it": {
			`{"text":"a"},{"text":"b","thoughtSignature":"AA=="},{"text":"c"}`,
			`[{"type":"model_output","content":[{"type":"text","text":"a"}]},{"type":"thought","signature":"AA=="},{"type":"model_output","content":[{"type":"text","text":"b"}]},{"type":"model_output","content":[{"type":"text","text":"c"}]}]`},
		"the summary before a signed text has its signature": {
			`{"text":"h","thought":true},{"text":"a","thoughtSignature":"AA=="}`,
			`[{"type":"thought","summary":[{"type":"text","text":"h"}],"signature":"AA=="},{"type":"model_output","content":[{"type":"text","text":"a"}]}]`},
		"a signature on nothing is a thought at the end": {
			`{"text":"a"},{"text":"","thoughtSignature":"AA=="}`,
			`[{"type":"model_output","content":[{"type":"text","text":"a"}]},{"type":"thought","signature":"AA=="}]`},
		"only the first of parallel calls is signed": {
			`{"functionCall":{"id":"1","name":"f","args":{}},"thoughtSignature":"AA=="},{"functionCall":{"id":"2","name":"g","args":{"b":1.0,"a":12345678901234567890}}}`,
			`[{"type":"thought","signature":"AA=="},{"type":"function_call","id":"1","name":"f","arguments":{},"signature":"AA=="},{"type":"function_call","id":"2","name":"g","arguments":{"b":1.0,"a":12345678901234567890}}]`},
		"the summary before a signed call has its signature": {
			`{"text":"h","thought":true},{"functionCall":{"id":"1","name":"f"},"thoughtSignature":"AA=="}`,
			`[{"type":"thought","summary":[{"type":"text","text":"h"}],"signature":"AA=="},{"type":"function_call","id":"1","name":"f","arguments":{},"signature":"AA=="}]`},
		"a call without an id gets one": {
			`{"functionCall":{"name":"f"}}`,
			`[{"type":"function_call","id":"call_gemini_r_0_0","name":"f","arguments":{}}]`},
		"two calls with one id get two": {
			`{"functionCall":{"id":"1","name":"f"}},{"functionCall":{"id":"1","name":"f"}}`,
			`[{"type":"function_call","id":"1","name":"f","arguments":{}},{"type":"function_call","id":"1-1","name":"f","arguments":{}}]`},
		"code and its result have one id": {
			`{"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{"outcome":"OUTCOME_FAILED","output":"e"}}`,
			`[{"type":"code_execution_call","id":"call_gemini_r_0_0","arguments":{"language":"python","code":"1"}},{"type":"code_execution_result","call_id":"call_gemini_r_0_0","result":"e","is_error":true}]`},
		"a tool of Google's has its own signature": {
			`{"toolCall":{"toolType":"GOOGLE_SEARCH_IMAGE","id":"1","args":{"queries":["q"]}},"thoughtSignature":"AA=="}`,
			`[{"type":"google_search_call","id":"1","arguments":{"queries":["q"]},"search_type":"image_search","signature":"AA=="}]`},
		"an image of the thoughts is in the summary": {
			`{"thought":true,"inlineData":{"mimeType":"image/png","data":"AAAA"}},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}`,
			`[{"type":"thought","summary":[{"type":"image","mime_type":"image/png","data":"AAAA"}]},{"type":"model_output","content":[{"type":"image","mime_type":"image/png","data":"AAAA"}]}]`},
		"raw audio has its rate": {
			`{"inlineData":{"mimeType":"audio/L16;codec=pcm;rate=24000","data":"AAAA"}}`,
			`[{"type":"model_output","content":[{"type":"audio","mime_type":"audio/l16","sample_rate":24000,"data":"AAAA"}]}]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(compact(t, tc.want), stepsOf(t, tc.parts)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The table of section D: each finish reason of Gemini has a status, and failures have an error.
func TestEveryFinishReasonHasAStatus(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"STOP": "completed", "MAX_TOKENS": "incomplete", "CONTINUATION": "requires_continuation",
		"FINISH_REASON_UNSPECIFIED": "completed", "INVENTED": "completed",
		"SAFETY": "content_blocked", "RECITATION": "content_blocked", "BLOCKLIST": "content_blocked",
		"PROHIBITED_CONTENT": "content_blocked", "SPII": "content_blocked",
		"IMAGE_SAFETY": "content_blocked", "IMAGE_PROHIBITED_CONTENT": "content_blocked",
		"IMAGE_OTHER": "content_blocked", "IMAGE_RECITATION": "content_blocked",
		"MODEL_ARMOR": "content_blocked", "NO_IMAGE": "no_image", "LANGUAGE": "language",
		"OTHER": "other", "ESCALATION": "escalation",
		"MALFORMED_FUNCTION_CALL": "malformed_function_call", "MALFORMED_RESPONSE": "malformed_response",
		"UNEXPECTED_TOOL_CALL": "unexpected_tool_call", "TOO_MANY_TOOL_CALLS": "too_many_tool_calls",
		"MISSING_THOUGHT_SIGNATURE": "missing_thought_signature",
	}
	for _, reason := range append(enum(t, "FinishReason"), "INVENTED") {
		out, entries := convert(t, `{"candidates":[{"finishReason":"`+reason+
			`","finishMessage":"why","content":{"parts":[{"text":"a"}]}}]}`)
		got := string(out.Status)
		if len(out.Errors) > 0 {
			if got != "failed" || *out.Errors[0].Message != reason+": why" {
				t.Errorf("%s: the status is %s, the error %v", reason, got, *out.Errors[0].Message)
			}
			got, _ = out.Errors[0].Code.AsString()
		}
		if got != want[reason] {
			t.Errorf("%s becomes %s, want %s", reason, got, want[reason])
		}
		isExact := reason == "STOP" || reason == "MAX_TOKENS" || reason == "CONTINUATION"
		if isExact == entries.Covers("/candidates/0/finishReason") {
			t.Errorf("%s: the report is %s", reason, lines(entries))
		}
	}
}

func TestCallsDecideTheStatus(t *testing.T) {
	t.Parallel()
	const call = `{"functionCall":{"id":"1","name":"f"}}`
	for name, tc := range map[string]struct{ parts, members, want string }{
		"a call waits for the client":         {call, `"finishReason":"STOP"`, "requires_action"},
		"a cut answer with a call":            {call, `"finishReason":"MAX_TOKENS"`, "incomplete"},
		"a call of Google's tool is no call":  {`{"toolCall":{"toolType":"URL_CONTEXT","id":"1"}}`, `"finishReason":"STOP"`, "completed"},
		"a call of an answer without an end":  {call, `"index":0`, "requires_action"},
		"an incomplete call must not be run":  {`{"functionCall":{"id":"1","name":"f","partialArgs":[{"jsonPath":"$.a","stringValue":"b","willContinue":true}],"willContinue":true}}`, `"index":0`, "incomplete"},
		"an answer without an end, and texts": {`{"text":"a"}`, `"index":0`, "completed"},
	} {
		out, _ := convert(t, `{"candidates":[{`+tc.members+`,"content":{"parts":[`+tc.parts+`]}}]}`)
		if string(out.Status) != tc.want {
			t.Errorf("%s: %s, want %s", name, out.Status, tc.want)
		}
	}
}

func TestAContinuationHasItsToken(t *testing.T) {
	t.Parallel()
	out, _ := convert(t, answers["candidates"], interactions.WithoutExtensions())
	if out.ContinuationToken == nil || *out.ContinuationToken != "tok" {
		t.Errorf("the token is %v", out.ContinuationToken)
	}
}

func TestARefusedPromptIsAFailedInteraction(t *testing.T) {
	t.Parallel()
	out, entries := convert(t, answers["a refused prompt"])
	code, _ := out.Errors[0].Code.AsString()
	if out.Status != interactionsapi.InteractionStatusFailed || code != wire.CodeContentBlocked ||
		*out.Errors[0].Message != "PROHIBITED_CONTENT: no" || len(out.Steps) != 0 {
		t.Errorf("got %s", encode(t, out))
	}
	if !entries.Of(report.Approximated).Covers("/promptFeedback/blockReason") {
		t.Errorf("the report is %s", lines(entries))
	}
}

func TestOnlyTheFirstCandidateIsShown(t *testing.T) {
	t.Parallel()
	out, entries := convert(t, answers["candidates"])
	if text := wire.Text(out); text != "a" {
		t.Errorf("the text is %q", text)
	}
	if !entries.Of(report.Lost).Covers("/candidates/0") {
		t.Errorf("the report is %s", lines(entries))
	}
}

// Offsets of Gemini count bytes over all texts, those of an annotation the bytes of its block.
func TestEachSourceOfASpanIsAnAnnotation(t *testing.T) {
	t.Parallel()
	out, entries := convert(t, answers["sources"])
	want := `[{"type":"model_output","content":[{"type":"text","text":"Grüße 🌍 aus Kōchi.","annotations":[
		{"type":"url_citation","start_index":0,"end_index":13,"url":"https://a.example","title":"a"},
		{"type":"url_citation","start_index":0,"end_index":13,"url":"https://b.example","title":"b"},
		{"type":"place_citation","start_index":0,"end_index":13,"place_id":"p1","name":"Castle","url":"https://maps.example","review_snippets":[{"review_id":"v1","title":"Nice","url":"https://r.example"}]}]},
		{"type":"text","text":" Ende.","annotations":[
		{"type":"file_citation","start_index":1,"end_index":6,"document_uri":"doc","file_name":"d.pdf","source":"passage","page_number":3,"media_id":"m","custom_metadata":{"k":"v","n":2}},
		{"type":"url_citation","start_index":1,"end_index":6,"url":"https://i.example","title":"i"}]}]}]`
	if diff := cmp.Diff(compact(t, want), indented(t, out.Steps[:1])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text := (*wire.ContentOf(&out.Steps[0])[0].Text)[:13]; text != "Grüße 🌍 " {
		t.Errorf("the cited text is %q", text)
	}
	if !entries.Covers("/candidates/0/groundingMetadata/groundingSupports") {
		t.Errorf("the report is %s", lines(entries))
	}
}

func TestSearchesPlacesAndPagesOfMetadataAreSteps(t *testing.T) {
	t.Parallel()
	out, _ := convert(t, answers["sources"], interactions.WithoutExtensions())
	want := `[{"type":"google_search_call","id":"google_search_r2","search_type":"web_search","arguments":{"queries":["kochi"]}},
		{"type":"google_search_result","call_id":"google_search_r2","is_error":false,"result":[{"search_suggestions":"<div>"}]},
		{"type":"google_search_call","id":"google_search_r2-1","search_type":"image_search","arguments":{"queries":["kochi castle"]}},
		{"type":"google_search_result","call_id":"google_search_r2-1","is_error":false,"result":[]},
		{"type":"google_maps_call","id":"google_maps_r2","arguments":{}},
		{"type":"google_maps_result","call_id":"google_maps_r2","is_error":false,"result":[{"places":[{"place_id":"p1","name":"Castle","url":"https://maps.example","review_snippets":[{"review_id":"v1","title":"Nice","url":"https://r.example"}]}],"widget_context_token":"w"}]},
		{"type":"url_context_call","id":"url_context_r2","arguments":{"urls":["https://u.example"]}},
		{"type":"url_context_result","call_id":"url_context_r2","is_error":false,"result":[{"url":"https://u.example","status":"paywall"}]}]`
	if diff := cmp.Diff(compact(t, want), indented(t, out.Steps[1:])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	marked, _ := convert(t, answers["sources"])
	for i := range marked.Steps[1:] {
		if got := string(marked.Steps[1+i].Unknown); got != `{"extra_content":{"google":{"derived":true}}}` {
			t.Errorf("step %d has the extension %s", 1+i, got)
		}
	}
}

func TestTheTotalIsTheSumOfFourCounts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ counts, want string }{
		"all": {`{"promptTokenCount":10,"candidatesTokenCount":5,"thoughtsTokenCount":3,"toolUsePromptTokenCount":2,"cachedContentTokenCount":4,"totalTokenCount":20,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":10}]}`,
			`{"total_tokens":20,"total_input_tokens":10,"input_tokens_by_modality":[{"modality":"audio","tokens":10}],"total_cached_tokens":4,"total_output_tokens":5,"total_tool_use_tokens":2,"total_thought_tokens":3}`},
		"candidates with thoughts": {`{"promptTokenCount":10,"candidatesTokenCount":8,"thoughtsTokenCount":3,"totalTokenCount":18}`,
			`{"total_tokens":18,"total_input_tokens":10,"total_cached_tokens":0,"total_output_tokens":5,"total_tool_use_tokens":0,"total_thought_tokens":3}`},
		"more cached than sent": {`{"promptTokenCount":1,"candidatesTokenCount":1,"cachedContentTokenCount":4,"totalTokenCount":2}`,
			`{"total_tokens":2,"total_input_tokens":1,"total_cached_tokens":1,"total_output_tokens":1,"total_tool_use_tokens":0,"total_thought_tokens":0}`},
	} {
		out, _ := convert(t, `{"candidates":[{"finishReason":"STOP"}],"usageMetadata":`+tc.counts+`}`)
		if diff := cmp.Diff(compact(t, tc.want), indented(t, out.Usage)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	const body = `{"responseId":"T2sHauqSII_iqtsP_abquAY","modelVersion":"gemini-2.5-flash-001","candidates":[{"finishReason":"STOP"}]`
	const made = "v1_ChdUMnNIYXVxU0lJX2lxdHNQX2FicXVBWRIXVDJzSGF1cVNJSV9pcXRzUF9hYnF1QVk"
	request := &interactionsapi.CreateInteractionRequest{Model: new("gemini-2.5-flash"),
		PreviousInteractionID: new("v1_before")}
	agent := interactionsapi.AgentName("deep-research-preview-04-2026")
	when := time.Date(2026, 11, 1, 10, 0, 0, 5, time.FixedZone("", 3600))
	for name, tc := range map[string]struct {
		body string
		opts []interactions.Option
		want string
	}{
		"made": {body + `}`, nil, `{"id":"` + made + `","model":"gemini-2.5-flash-001"}`},
		"of options": {body + `}`, []interactions.Option{interactions.WithID("v1_x"), interactions.WithModelName("m"), interactions.WithCreated(when)},
			`{"id":"v1_x","model":"m","created":"2026-11-01T09:00:00Z","updated":"2026-11-01T09:00:00Z","extra_content":{"google":{"responseId":"T2sHauqSII_iqtsP_abquAY","modelVersion":"gemini-2.5-flash-001"}}}`},
		"of a request": {body + `}`, []interactions.Option{interactions.WithRequest(request)},
			`{"id":"` + made + `","model":"gemini-2.5-flash","previous_interaction_id":"v1_before","extra_content":{"google":{"modelVersion":"gemini-2.5-flash-001"}}}`},
		"of a request to an agent": {body + `}`, []interactions.Option{interactions.WithRequest(&interactionsapi.CreateInteractionRequest{Agent: &agent})},
			`{"id":"` + made + `","model":"gemini-2.5-flash-001","agent":"deep-research-preview-04-2026"}`},
		"of the extension": {body + `,"extraContent":{"interactions":{"id":"v1_full","environment_id":"e","status":"budget_exceeded","usage":{"raw_prompt_token":3}}}}`, nil,
			`{"id":"v1_full","model":"gemini-2.5-flash-001","status":"budget_exceeded","environment_id":"e","usage":{"raw_prompt_token":3},"extra_content":{"google":{"responseId":"T2sHauqSII_iqtsP_abquAY"}}}`},
		"none": {`{"candidates":[{"finishReason":"STOP"}]}`, nil, `{}`},
	} {
		want := map[string]any{"object": "interaction", "status": "completed"}
		if err := json.Unmarshal([]byte(tc.want), &want); err != nil {
			t.Fatal(err)
		}
		out, _ := convert(t, tc.body, tc.opts...)
		if diff := cmp.Diff(indented(t, want), compact(t, encode(t, out))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		all, _, err := events(t, []*geminiapi.GenerateContentResponse{openaitest.Decode(t, tc.body)},
			nil, tc.opts...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(encode(t, out), encode(t, accumulated(t, all))); diff != "" {
			t.Errorf("%s (-whole +stream):\n%s", name, diff)
		}
	}
}

func TestMembersOfSDKsAreNeverWritten(t *testing.T) {
	t.Parallel()
	for name, body := range answers {
		out, _ := convert(t, body)
		for _, member := range []string{"output_text", "output_image", "output_audio",
			"output_video", "continuation_ids"} {
			if strings.Contains(encode(t, out), `"`+member+`"`) {
				t.Errorf("%s: the interaction has %s", name, member)
			}
		}
	}
}

func TestIDsOfCallsFollowTheOption(t *testing.T) {
	t.Parallel()
	option := interactions.WithToolCallIDs(func(response string, candidate, part int) string {
		if part > 1 {
			return ""
		}
		return strings.Repeat("c", candidate+1) + "-" + response
	})
	want := `[{"type":"model_output","content":[{"type":"text","text":"a"}]},{"type":"function_call","id":"c-r","name":"f","arguments":{}},{"type":"function_call","id":"call_gemini_r_0_2","name":"f","arguments":{}}]`
	got := stepsOf(t, `{"text":"a"},{"functionCall":{"name":"f"}},{"functionCall":{"name":"f"}}`, option)
	if diff := cmp.Diff(compact(t, want), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestANormalizedResponseKeepsItsIDs(t *testing.T) {
	t.Parallel()
	in, err := normalize.FromResponse(openaitest.Decode(t,
		`{"candidates":[{"finishReason":"STOP","content":{"parts":[{"functionCall":{"name":"f"}}]}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := interactions.FromNormalized(in)
	if err != nil || *out.Steps[0].ID != in.Candidates[0].Blocks[0].ToolCall.ID {
		t.Errorf("%v: the id is %s", err, *out.Steps[0].ID)
	}
	if _, _, err := interactions.FromNormalized(nil); !errors.Is(err, normalize.ErrNoCandidates) {
		t.Errorf("an empty response: %v", err)
	}
	in.Candidates[0].Blocks[0].Type = "nonsense"
	if _, _, err := interactions.FromNormalized(in); err == nil {
		t.Error("an invalid response has no error")
	}
}

// decoded reads the events that WriteStream writes for chunks.
func decoded(t testing.TB, bodies []string, failure error,
	opts ...interactions.Option) ([]interactionsapi.StreamEvent, string, error) {
	t.Helper()
	var body bytes.Buffer
	_, failed := interactions.WriteStream(&body,
		openaitest.Pairs(openaitest.DecodeAll(t, bodies), failure), opts...)
	text := body.String()
	var all []interactionsapi.StreamEvent
	for e, err := range wire.NewStreamReader(&body).All() {
		if err != nil {
			return all, text, err
		}
		all = append(all, *e)
	}
	return all, text, failed
}

func TestAStreamOfCalls(t *testing.T) {
	t.Parallel()
	const head = `{"responseId":"r","candidates":[{"content":{"parts":[`
	bodies := []string{
		head + `{"text":"a"}]}}]}`,
		head + `{"functionCall":{"id":"1","name":"f","willContinue":true},"thoughtSignature":"AA=="}]}}]}`,
		head + `{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}}]}}]}`,
		head + `{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"y"}],"willContinue":true}}]}}]}`,
		head + `{"functionCall":{}}]},"finishReason":"STOP"}]}`,
	}
	all, text, err := decoded(t, bodies, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range all {
		line := string(all[i].EventType)
		if s := all[i].Step; s != nil {
			line += " " + string(s.Type)
		}
		if d := all[i].Delta; d != nil {
			line += " " + string(d.Type) + wire.Fragment(d)
		}
		got = append(got, line)
	}
	want := []string{"interaction.created", "interaction.status_update",
		"step.start model_output", "step.delta text", "step.stop",
		"step.start thought", "step.delta thought_signature", "step.stop",
		"step.start function_call"}
	if diff := cmp.Diff(want, got[:len(want)]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	out := accumulated(t, all)
	if last := out.Steps[2]; string(last.Arguments) != `{"a":"xy"}` || *last.Signature != "AA==" ||
		out.Status != interactionsapi.InteractionStatusRequiresAction {
		t.Errorf("got %s", encode(t, out))
	}
	if !strings.HasSuffix(text, "event: done\ndata: [DONE]\n\n") {
		t.Error("the body does not end in the mark")
	}
}

// The pieces of arguments are one JSON object, however Gemini sends them.
func TestPiecesOfArgumentsAreOneObject(t *testing.T) {
	t.Parallel()
	const head = `{"responseId":"r","candidates":[{"content":{"parts":[{"functionCall":`
	const tail = `}]}}]}`
	const end = `{"candidates":[{"finishReason":"STOP"}]}`
	for name, tc := range map[string]struct {
		bodies []string
		want   string
	}{
		"no piece":  {[]string{head + `{"id":"1","name":"f"}` + tail, end}, `{}`},
		"one piece": {[]string{head + `{"id":"1","name":"f","args":{"b":1.0,"a":"\u00e9"}}` + tail, end}, `{"b":1.0,"a":"\u00e9"}`},
		"many pieces": {[]string{
			head + `{"id":"1","name":"f","willContinue":true},"thoughtSignature":"AA=="` + tail,
			head + `{"partialArgs":[{"jsonPath":"$.a","stringValue":"x\"","willContinue":true}],"willContinue":true}` + tail,
			head + `{"partialArgs":[{"jsonPath":"$.a","stringValue":"\\\n🌍","willContinue":true}],"willContinue":true}` + tail,
			head + `{"partialArgs":[{"jsonPath":"$.a","stringValue":"y"},{"jsonPath":"$.b[0].c","numberValue":2}],"willContinue":true}` + tail,
			head + `{}` + tail, end}, `{"a":"x\"\\\n🌍y","b":[{"c":2}]}`},
		"pieces without an end": {[]string{
			head + `{"id":"1","name":"f","willContinue":true},"thoughtSignature":"AA=="` + tail,
			head + `{"partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}` + tail,
			end}, `{"a":"x"}`},
	} {
		all, _, err := decoded(t, tc.bodies, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if fault := wire.CheckSequence(all); fault != nil {
			t.Errorf("%s: %v", name, fault)
		}
		steps := accumulated(t, all).Steps
		if got := string(steps[len(steps)-1].Arguments); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
}

// The first call of a stream waits for its signature.
func TestALateSignatureOfTheFirstCall(t *testing.T) {
	t.Parallel()
	const head = `{"responseId":"r","candidates":[{"content":{"parts":[`
	bodies := []string{
		head + `{"functionCall":{"id":"1","name":"f","partialArgs":[{"jsonPath":"$.a","numberValue":1}],"willContinue":true}}]}}]}`,
		head + `{"functionCall":{"partialArgs":[{"jsonPath":"$.b","numberValue":2}]},"thoughtSignature":"AA=="}]},"finishReason":"STOP"}]}`,
	}
	all, _, err := decoded(t, bodies, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"type":"thought","signature":"AA=="},{"type":"function_call","id":"1","name":"f","arguments":{"a":1,"b":2},"signature":"AA=="}]`
	if diff := cmp.Diff(compact(t, want), indented(t, accumulated(t, all).Steps)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The sources of a text come before its step ends, also if the same chunk has a signature.
func TestSourcesOfTheLastChunkAreInTheStepOfTheirText(t *testing.T) {
	t.Parallel()
	const head = `{"responseId":"r","candidates":[{"content":{"parts":[`
	const sources = `"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u"}}],"groundingSupports":[{"segment":{"startIndex":0,"endIndex":2},"groundingChunkIndices":[0]}]}`
	want := `[{"type":"model_output","content":[{"type":"text","text":"abc","annotations":[{"type":"url_citation","url":"u","start_index":0,"end_index":2}]}]},{"type":"thought","signature":"AA=="}]`
	for name, bodies := range map[string][]string{
		"in one chunk": {
			head + `{"text":"ab"}]}}]}`, head + `{"text":"c"}]}}]}`,
			head + `{"text":"","thoughtSignature":"AA=="}]},"finishReason":"STOP",` + sources + `}]}`},
		"after the signature": {
			head + `{"text":"abc"}]}}]}`, head + `{"text":"","thoughtSignature":"AA=="}]}}]}`,
			`{"candidates":[{"finishReason":"STOP",` + sources + `}]}`},
	} {
		all, _, err := decoded(t, bodies, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(compact(t, want), indented(t, accumulated(t, all).Steps)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestSourcesThatCameTooLateAreInTheExtensionAndTheReport(t *testing.T) {
	t.Parallel()
	bodies := []string{
		`{"candidates":[{"content":{"parts":[{"text":"abc"},{"functionCall":{"id":"1","name":"f"}}]}}]}`,
		`{"candidates":[{"finishReason":"STOP","groundingMetadata":{"groundingChunks":[{"web":{"uri":"u"}}],"groundingSupports":[{"segment":{"endIndex":2},"groundingChunkIndices":[0]}]}}]}`,
	}
	for mode, opts := range modes {
		s := interactions.NewStream(opts...)
		var all []interactionsapi.StreamEvent
		for e, err := range s.Events(openaitest.Pairs(openaitest.DecodeAll(t, bodies), nil)) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, e)
		}
		got := encode(t, accumulated(t, all))
		isKept := strings.Contains(got, `"groundingSupports"`)
		if isKept == (mode == "without extensions") || strings.Contains(got, "annotations") {
			t.Errorf("%s: %s", mode, got)
		}
		if !s.Report().Covers("/1/candidates/0/groundingMetadata/groundingSupports/0/segment/endIndex") {
			t.Errorf("%s: the report is %s", mode, lines(s.Report()))
		}
	}
}

func TestAStreamThatFails(t *testing.T) {
	t.Parallel()
	bodies := []string{`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"a"}]}}]}`}
	for name, tc := range map[string]struct {
		failure error
		code    string
	}{
		"an error of the server": {&normalize.Error{Category: normalize.CategoryRateLimit, HTTPStatus: 429, Message: "slow"}, wire.CodeRateLimitExceeded},
		"a body that breaks off": {nil, wire.CodeUnavailable},
	} {
		all, text, err := decoded(t, bodies, tc.failure)
		failure, ok := errors.AsType[*wire.Error](err)
		if !ok {
			t.Fatalf("%s: %v", name, err)
		}
		if tc.failure != nil && failure.Code() != tc.code {
			t.Errorf("%s: the code is %s", name, failure.Code())
		}
		checkGrammar(t, name, all, true)
		if strings.Contains(text, "[DONE]") {
			t.Errorf("%s: the body has the mark", name)
		}
	}
	s := interactions.NewStream()
	if _, err := s.Push(openaitest.Decode(t, bodies[0])); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Close(io.EOF); !errors.Is(err, wireerrors.ErrTruncated) {
		t.Errorf("the end is %v", err)
	}
	if _, err := s.Push(openaitest.Decode(t, bodies[0])); !errors.Is(err, wireerrors.ErrTruncated) {
		t.Errorf("after the end: %v", err)
	}
}

func TestErrorsHaveTheirCodes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status  int
		google  string
		message string
		code    string
		want    int
	}{
		"a wrong argument":    {400, "INVALID_ARGUMENT", "m", wire.CodeInvalidRequest, 400},
		"a precondition":      {400, "FAILED_PRECONDITION", "m", wire.CodeFailedPrecondition, 400},
		"a wrong key":         {401, "UNAUTHENTICATED", "m", wire.CodeAuthentication, 401},
		"a forbidden call":    {403, "PERMISSION_DENIED", "m", wire.CodePermissionDenied, 403},
		"an unknown model":    {404, "NOT_FOUND", "models/x is not found", wire.CodeModelNotFound, 404},
		"an unknown file":     {404, "NOT_FOUND", "no file", wire.CodeNotFound, 404},
		"too many requests":   {429, "RESOURCE_EXHAUSTED", "slow", wire.CodeRateLimitExceeded, 429},
		"too many in one day": {429, "RESOURCE_EXHAUSTED", "GenerateRequestsPerDayPerProject", wire.CodeQuotaExceeded, 429},
		"a failure":           {500, "INTERNAL", "m", wire.CodeInternal, 500},
		"not implemented":     {501, "UNIMPLEMENTED", "m", wire.CodeNotImplemented, 501},
		"overloaded":          {503, "UNAVAILABLE", "m", wire.CodeUnavailable, 503},
		"a deadline":          {504, "DEADLINE_EXCEEDED", "m", wire.CodeGatewayTimeout, 504},
	} {
		status, body := interactions.FromError(googleError(tc.status, tc.google, tc.message))
		code, _ := body.Error.Code.AsString()
		if status != tc.want || code != tc.code || *body.Error.Message != tc.message {
			t.Errorf("%s: %d %s %s", name, status, code, *body.Error.Message)
		}
	}
	if status, body := interactions.FromError(nil); status != 0 || body != nil {
		t.Errorf("no error is %d, %v", status, body)
	}
}
