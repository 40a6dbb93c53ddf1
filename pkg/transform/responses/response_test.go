package responses_test

import (
	"encoding/base64"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// convert converts an answer that is given as JSON.
func convert(t testing.TB, body string, opts ...toresponses.Option) (*openaiapi.Response,
	report.Report) {
	t.Helper()
	in, err := gemini.DecodeResponse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	out, report, err := toresponses.FromGemini(in, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if err := responses.ValidateResponse(out); err != nil {
		t.Error(err)
	}
	return out, report
}

// converted converts an answer of one candidate with these parts.
func converted(t testing.TB, parts string, opts ...toresponses.Option) *openaiapi.Response {
	t.Helper()
	out, _, err := toresponses.FromGemini(answerOf(t, parts), opts...)
	if err != nil {
		t.Fatal(err)
	}
	if err := responses.ValidateResponse(out); err != nil {
		t.Error(err)
	}
	return out
}

// finishedBy returns an answer with a finish reason.
func finishedBy(reason string) string {
	return `{"responseId":"r1","modelVersion":"m","candidates":[{"finishReason":"` + reason +
		`","finishMessage":"because","content":{"role":"model","parts":[{"text":"Half an"}]}}]}`
}

// types returns the types of the items of a response.
func types(r *openaiapi.Response) string {
	var out []string
	for i := range r.Output {
		out = append(out, string(r.Output[i].Type))
	}
	return strings.Join(out, " ")
}

// partOf returns the only content part of a response's only message.
func partOf(t testing.TB, r *openaiapi.Response) *openaiapi.ResponseContentPart {
	t.Helper()
	for i := range r.Output {
		if r.Output[i].Type == openaiapi.ResponseItemTypeMessage {
			parts, _ := r.Output[i].Content.AsValue()
			return &parts[0]
		}
	}
	t.Fatalf("no message in %s", types(r))
	return nil
}

func TestEveryMemberIsThereWithItsDefault(t *testing.T) {
	t.Parallel()
	out, _ := convert(t, string(payloadtest.ShortText()),
		toresponses.WithCreated(time.Unix(1767225600, 0)))
	out.Output, out.ExtraContent = nil, nil
	want := `{"id":"resp_aR5xZ8fyC42Pz7IPu-3D6Aw","object":"response","created_at":1767225600,"status":"completed","background":false,` +
		`"completed_at":1767225600,"error":null,"incomplete_details":null,"instructions":null,"max_output_tokens":null,"max_tool_calls":null,` +
		`"model":"gemini-3-flash-preview","output":[],"parallel_tool_calls":true,"previous_response_id":null,"prompt_cache_key":null,` +
		`"reasoning":{"effort":null,"summary":null},"safety_identifier":null,"service_tier":"default","store":false,"temperature":1,` +
		`"text":{"format":{"type":"text"},"verbosity":"medium"},"tool_choice":"auto","tools":[],"top_logprobs":0,"top_p":1,"truncation":"disabled",` +
		`"usage":{"input_tokens":41,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},"output_tokens":39,` +
		`"output_tokens_details":{"reasoning_tokens":0},"total_tokens":80},"user":null,"metadata":{},"frequency_penalty":0,"presence_penalty":0}`
	got, err := responses.EncodeResponse(out)
	if err != nil {
		t.Fatal(err)
	}
	withoutModel := func(s string) string {
		before, rest, _ := strings.Cut(s, `"model":"`)
		_, after, _ := strings.Cut(rest, `"`)
		return before + after
	}
	if diff := cmp.Diff(withoutModel(want), withoutModel(string(got))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// OpenAI's own description defines the required members of a response and of each item.
func TestTheDescriptionsRequiredMembersAreThere(t *testing.T) {
	t.Parallel()
	spec := readSpec(t)
	request := &openaiapi.CreateResponseRequest{Tools: []openaiapi.ResponseTool{{Type: "function",
		Name: "f"}, responses.CustomTool("g", "")}}
	for name, parts := range everyKindOfPart() {
		out := converted(t, parts, toresponses.WithRequest(request))
		data, err := responses.EncodeResponse(out)
		if err != nil {
			t.Fatal(err)
		}
		spec.check(t, name, "Response", "", data)
		var members struct {
			Output []jsontext.Value `json:"output"`
			Tools  []jsontext.Value `json:"tools"`
		}
		if err := json.Unmarshal(data, &members); err != nil {
			t.Fatal(err)
		}
		for _, item := range members.Output {
			spec.check(t, name, "OutputItem", typeOf(t, item), item)
		}
		for _, tool := range members.Tools {
			spec.check(t, name, "Tool", typeOf(t, tool), tool)
		}
	}
}

// everyKindOfPart returns one part of each kind that has an item.
func everyKindOfPart() map[string]string {
	out := map[string]string{
		"text":   `{"text":"Hello"}`,
		"code":   `{"executableCode":{"language":"PYTHON","code":"1+1"}},{"codeExecutionResult":{"outcome":"OUTCOME_FAILED","output":"no"}}`,
		"image":  `{"inlineData":{"mimeType":"image/png","data":"iVBORw0="}}`,
		"calls":  `{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"g","args":{"input":"x"}}}`,
		"search": `{"toolCall":{"toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["a"]}}},{"toolCall":{"toolType":"FILE_SEARCH","args":{"query":"a"}}}`,
	}
	for name, parts := range turns {
		out[name] = parts
	}
	return out
}

func typeOf(t testing.TB, data []byte) string {
	t.Helper()
	var v struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v.Type
}

// spec is OpenAI's own description.
type spec struct{ schemas map[string]specSchema }

type specSchema struct {
	Ref        string                `json:"$ref"`
	AllOf      []specSchema          `json:"allOf"`
	AnyOf      []specSchema          `json:"anyOf"`
	OneOf      []specSchema          `json:"oneOf"`
	Required   []string              `json:"required"`
	Properties map[string]specSchema `json:"properties"`
	Enum       []jsontext.Value      `json:"enum"`
}

func readSpec(t *testing.T) *spec {
	t.Helper()
	data, err := os.ReadFile(corpustest.Shared(t,
		"discovery/openai-responses.openapi.2026-08-21.json"))
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct {
			Schemas map[string]specSchema `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	return &spec{document.Components.Schemas}
}

// check checks that a value has the members that its schema requires. The schema is found by name,
// or in a choice by type.
func (s *spec) check(t *testing.T, name, schema, kind string, data []byte) {
	t.Helper()
	required, found := s.required(s.schemas[schema], kind)
	if !found {
		t.Errorf("%s: %s has no %s", name, schema, kind)
		return
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(data, &members); err != nil {
		t.Fatal(err)
	}
	for _, member := range required {
		if members[member] == nil {
			t.Errorf("%s: %s %s lacks %s: %s", name, schema, kind, member, data)
		}
	}
}

// required returns the members that a schema requires. In a choice, the schema has a type.
func (s *spec) required(schema specSchema, kind string) (out []string, found bool) {
	if name, isRef := strings.CutPrefix(schema.Ref, "#/components/schemas/"); isRef {
		return s.required(s.schemas[name], kind)
	}
	for _, one := range slices.Concat(schema.AnyOf, schema.OneOf) {
		if out, found := s.required(one, kind); found && kind != "" {
			return out, true
		}
	}
	out = schema.Required
	isOfKind := kind == ""
	for _, value := range schema.Properties["type"].Enum {
		isOfKind = isOfKind || string(value) == `"`+kind+`"`
	}
	for _, part := range schema.AllOf {
		more, foundPart := s.required(part, kind)
		out, isOfKind = append(out, more...), isOfKind || foundPart
	}
	return out, isOfKind
}

func TestALimitOfTokensIsIncomplete(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{"MAX_TOKENS", "CONTINUATION"} {
		out, _ := convert(t, finishedBy(reason))
		if out.Status != "incomplete" || out.IncompleteDetails.Reason != "max_output_tokens" ||
			out.CompletedAt != nil || out.Output[0].Status != "incomplete" {
			t.Errorf("%s: %s, %+v, item %s", reason, out.Status, out.IncompleteDetails,
				out.Output[0].Status)
		}
	}
}

func TestAFilterKeepsTheTextSoFar(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT",
		"SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "MODEL_ARMOR"} {
		out, _ := convert(t, finishedBy(reason))
		if out.Status != "incomplete" || out.IncompleteDetails.Reason != "content_filter" ||
			responses.Text(out) != "Half an" {
			t.Errorf("%s: %s, %+v, %q", reason, out.Status, out.IncompleteDetails,
				responses.Text(out))
		}
	}
}

func TestARefusedPromptIsFailed(t *testing.T) {
	t.Parallel()
	out, report := convert(t,
		`{"responseId":"r1","promptFeedback":{"blockReason":"SAFETY","blockReasonMessage":"No."}}`)
	if out.Status != "failed" || out.Error.Code != "invalid_prompt" ||
		out.Error.Message != "The prompt was blocked: SAFETY. No." || out.Output == nil ||
		len(out.Output) > 0 {
		t.Errorf("%s, %+v, %v", out.Status, out.Error, out.Output)
	}
	if !report.Covers("/candidates") {
		t.Errorf("report %v", report)
	}
}

func TestAMalformedAnswerIsFailedInGeminisWords(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{"MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE",
		"UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE"} {
		out, _ := convert(t, finishedBy(reason))
		if out.Status != "failed" || out.Error.Code != "server_error" ||
			out.Error.Message != "The model ended the answer: "+reason+": because" ||
			len(out.Output) != 1 {
			t.Errorf("%s: %s, %+v", reason, out.Status, out.Error)
		}
	}
}

// Every finish reason of the description has a status. For unclear reasons the output decides.
func TestEveryFinishReasonHasAStatus(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{"LANGUAGE", "OTHER", "NO_IMAGE", "IMAGE_OTHER", "ESCALATION",
		"SOMETHING_NEW", "FINISH_REASON_UNSPECIFIED"} {
		if out, _ := convert(t, finishedBy(reason)); out.Status != "completed" ||
			*out.ExtraContent.Google.Candidate.FinishReason != geminiapi.FinishReason(reason) {
			t.Errorf("%s with a text: %s", reason, out.Status)
		}
		if out, _ := convert(t,
			`{"candidates":[{"finishReason":"`+reason+`"}]}`); out.Status != "failed" ||
			out.Error.Code != "server_error" {
			t.Errorf("%s without: %s", reason, out.Status)
		}
	}
}

func TestUsageHasAllMembers(t *testing.T) {
	t.Parallel()
	out, _ := convert(t,
		`{"candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"a"}]}}]}`)
	data, err := json.Marshal(out.Usage)
	want := `{"input_tokens":0,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},"output_tokens":0,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":0}`
	if err != nil || string(data) != want {
		t.Errorf("got %s, %v", data, err)
	}
	all, _ := convert(t,
		`{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":10,"toolUsePromptTokenCount":5,"cachedContentTokenCount":4,"candidatesTokenCount":3,"thoughtsTokenCount":7,"totalTokenCount":25}}`)
	if u := all.Usage; u.InputTokens != 15 || u.InputTokensDetails.CachedTokens != 4 ||
		u.OutputTokens != 10 || u.OutputTokensDetails.ReasoningTokens != 7 || u.TotalTokens != 25 {
		t.Errorf("got %+v", u)
	}
}

func TestThoughtsAreNoText(t *testing.T) {
	t.Parallel()
	out := converted(t, `{"text":"Think.","thought":true},{"text":"More.","thought":true},{"text":"{\"a\":1}"}`)
	if types(out) != "reasoning message" || responses.Text(out) != `{"a":1}` {
		t.Fatalf("%s: %q", types(out), responses.Text(out))
	}
	if s := out.Output[0].Summary; len(s) != 1 || *s[0].Text != "Think.More." {
		t.Errorf("summary %+v", s)
	}
}

func TestCitationsCutTheTextThatIsMeant(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]string{
		"the only text":         "",
		"after another message": `{"text":"Vorher: é. "},{"functionCall":{"name":"f","args":{}}},`,
	} {
		out, _ := convert(t,
			`{"responseId":"r","candidates":[{"finishReason":"STOP","content":{"parts":[`+before+
				`{"text":"東京🗼 ist groß."}]},`+
				`"groundingMetadata":{"webSearchQueries":["tokyo"],"groundingChunks":[{"web":{"uri":"https://example.org","title":"T"}},{"web":{"uri":"https://example.net"}},{"web":{"title":"no address"}}],`+
				`"groundingSupports":[{"segment":{"text":"ist groß"},"groundingChunkIndices":[0]},{"segment":{"text":"ist groß"},"groundingChunkIndices":[0,0]}]}}]}`)
		search := out.Output[len(out.Output)-1]
		if search.Type != openaiapi.ResponseItemTypeWebSearchCall ||
			actionOf(search).Queries[0] != "tokyo" || actionOf(search).Sources != nil {
			t.Errorf("%s: the last item is %+v", name, search)
		}
		message := out.Output[len(out.Output)-2]
		parts, _ := message.Content.AsValue()
		if len(parts[0].Annotations) != 2 {
			t.Fatalf("%s: %+v", name, parts[0].Annotations)
		}
		first, second := parts[0].Annotations[0], parts[0].Annotations[1]
		if cut := string([]rune(*parts[0].Text)[*first.StartIndex:*first.EndIndex]); cut != "ist groß" ||
			first.URL != "https://example.org" || *first.Title != "T" {
			t.Errorf("%s: cuts %q, %+v", name, cut, first)
		}
		if *second.StartIndex != *second.EndIndex || second.URL != "https://example.net" ||
			*second.Title != "" {
			t.Errorf("%s: %+v", name, second)
		}
	}
}

func TestSourcesOfASearchAreThereIfTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	const body = `{"candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"a"}]},"groundingMetadata":{"webSearchQueries":["q"],` +
		`"groundingChunks":[{"web":{"uri":"https://example.org"}},{"retrievedContext":{"uri":"fileSearchStores/s/documents/d","title":"D.pdf","text":"piece"}}]}}]}`
	out, _ := convert(t, body,
		toresponses.WithRequest(&openaiapi.CreateResponseRequest{Include: []openaiapi.ResponseInclude{
			openaiapi.ResponseIncludeWebSearchSources, openaiapi.ResponseIncludeFileSearchResults,
		}}))
	if types(out) != "message web_search_call file_search_call" {
		t.Fatal(types(out))
	}
	if s := actionOf(out.Output[1]).Sources; len(s) != 1 || s[0].URL != "https://example.org" {
		t.Errorf("sources %+v", s)
	}
	if r := out.Output[2].Results; len(r) != 1 || r[0].FileID != "fileSearchStores/s/documents/d" ||
		r[0].Filename != "D.pdf" || *r[0].Text != "piece" {
		t.Errorf("results %+v", r)
	}
	annotations := partOf(t, out).Annotations
	if len(annotations) != 2 || annotations[1].Type != "file_citation" ||
		annotations[1].Filename != "D.pdf" || *annotations[1].Index != 1 {
		t.Errorf("annotations %+v", annotations)
	}
	plain, _ := convert(t, body)
	if actionOf(plain.Output[1]).Sources != nil || plain.Output[2].Results != nil {
		t.Error("sources are there without being asked for")
	}
}

func TestPagesThatWereReadAreOpened(t *testing.T) {
	t.Parallel()
	out, _ := convert(t,
		`{"candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"a"}]},"urlContextMetadata":{"urlMetadata":[`+
			`{"retrievedUrl":"https://example.org","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_SUCCESS"},{"retrievedUrl":"https://example.net","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_ERROR"}]}}]}`)
	if types(out) != "message web_search_call web_search_call" {
		t.Fatal(types(out))
	}
	for i, want := range []struct {
		url    string
		status openaiapi.ResponseItemStatus
	}{{"https://example.org", "completed"}, {"https://example.net", "failed"}} {
		if got := out.Output[1+i]; actionOf(got).Type != "open_page" ||
			actionOf(got).URL != want.url || got.Status != want.status {
			t.Errorf("got %+v, %s", got.Action, got.Status)
		}
	}
}

func TestCodeStandsAtItsPlace(t *testing.T) {
	t.Parallel()
	out := converted(t, `{"text":"Before."},{"executableCode":{"language":"PYTHON","code":"f()"}},{"codeExecutionResult":{"outcome":"OUTCOME_FAILED","output":"NameError"}},{"text":"After."}`)
	if types(out) != "message code_interpreter_call message" {
		t.Fatal(types(out))
	}
	code := out.Output[1]
	if *code.Code != "f()" || code.Status != "failed" || len(code.Outputs) != 1 ||
		*code.Outputs[0].Logs != "NameError" || code.ContainerID == "" {
		t.Errorf("got %+v", code)
	}
	if late := converted(t,
		`{"executableCode":{"language":"PYTHON","code":"f()"}},{"codeExecutionResult":{"outcome":"OUTCOME_DEADLINE_EXCEEDED"}}`); late.Output[0].Status != "incomplete" {
		t.Errorf("code that took too long is %s", late.Output[0].Status)
	}
	if without := converted(t,
		`{"executableCode":{"language":"PYTHON","code":"f()"}}`); without.Output[0].Status != "incomplete" ||
		without.Output[0].Outputs == nil {
		t.Errorf("without a result: %+v", without.Output[0])
	}
}

func TestAnImageIsAnImageGenerationCall(t *testing.T) {
	t.Parallel()
	out := converted(t, `{"inlineData":{"mimeType":"image/jpeg","data":"/9j/"}}`)
	if image := out.Output[0]; image.Type != "image_generation_call" || *image.Result != "/9j/" ||
		image.OutputFormat != "jpeg" || image.Status != "completed" {
		t.Errorf("got %+v", image)
	}
}

func TestOnlyTypesThatOpenAIDocumentsAppear(t *testing.T) {
	t.Parallel()
	spec := readSpec(t)
	for name, parts := range everyKindOfPart() {
		for _, item := range converted(t, parts).Output {
			if _, found := spec.required(spec.schemas["OutputItem"], string(item.Type)); !found {
				t.Errorf("%s: an item of type %s", name, item.Type)
			}
			content, _ := item.Content.AsValue()
			for _, part := range content {
				if part.Type != openaiapi.ResponseContentTypeOutputText {
					t.Errorf("%s: a part of type %s", name, part.Type)
				}
			}
		}
	}
}

func TestIDsAreUniqueAndEqualOnReplay(t *testing.T) {
	t.Parallel()
	const parts = `{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"f","args":{}}},{"functionCall":{"id":"mine","name":"f","args":{}}},{"functionCall":{"id":"mine","name":"f","args":{}}},{"text":"a"},{"text":"b","thought":true}`
	first, second := converted(t, parts), converted(t, parts)
	prefixes := map[openaiapi.ResponseItemType]string{"function_call": "fc_", "message": "msg_",
		"reasoning": "rs_"}
	ids, calls := map[string]bool{}, map[string]bool{}
	for i, item := range first.Output {
		if ids[item.ID] || !strings.HasPrefix(item.ID, prefixes[item.Type]) ||
			item.ID != second.Output[i].ID {
			t.Errorf("item id %q", item.ID)
		}
		ids[item.ID] = true
		if item.Type != "function_call" {
			continue
		}
		if calls[item.CallID] || item.CallID == "" || len(item.CallID) > 64 ||
			item.CallID != second.Output[i].CallID {
			t.Errorf("call id %q", item.CallID)
		}
		calls[item.CallID] = true
	}
	if !calls["mine"] || len(calls) != 4 {
		t.Errorf("call ids %v", calls)
	}
	long := strings.Repeat("x", 100)
	in := answerOf(t, parts)
	in.ResponseID = &long
	out, _, err := toresponses.FromGemini(in)
	if err != nil || len(out.Output[0].CallID) > 64 {
		t.Errorf("a long id of a response gives %q, %v", out.Output[0].CallID, err)
	}
}

func TestTheResponseRepeatsTheRequest(t *testing.T) {
	t.Parallel()
	request, err := responses.DecodeRequest(
		[]byte(`{"model":"gemini-asked","input":"hi","instructions":"Be brief.","temperature":0,"top_p":0.5,"max_output_tokens":100,` +
			`"parallel_tool_calls":false,"tool_choice":{"type":"function","name":"f"},"tools":[{"type":"function","name":"f","parameters":{"type":"object"},"strict":true},` +
			`{"type":"function","function":{"name":"nested"}},{"type":"mcp","server_label":"s","server_url":"https://example.org","authorization":"secret","headers":{"Authorization":"secret"}}],` +
			`"text":{"format":{"type":"json_schema","json_schema":{"name":"s","schema":{"type":"object"},"strict":true}}},"reasoning":{"effort":"high","summary":"auto"},` +
			`"metadata":{"k":"v"},"truncation":"auto","store":true,"user":"u","safety_identifier":"i","prompt_cache_key":"k",` +
			`"prompt_cache_retention":"24h","prompt_cache_options":{"mode":"explicit","ttl":"12h"},"previous_response_id":"resp_0","top_logprobs":2,"max_tool_calls":3,"background":true}`))
	if err != nil {
		t.Fatal(err)
	}
	out := converted(t, `{"text":"a"}`, toresponses.WithRequest(request))
	out.Output, out.ExtraContent, out.Usage = nil, nil, nil
	got, err := responses.EncodeResponse(out)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"resp_r1","object":"response","created_at":1767323045,"status":"completed","background":true,"completed_at":1767323045,"error":null,"incomplete_details":null,` +
		`"instructions":"Be brief.","max_output_tokens":100,"max_tool_calls":3,"model":"gemini-asked","output":[],"parallel_tool_calls":false,"previous_response_id":"resp_0",` +
		`"prompt_cache_key":"k","reasoning":{"effort":"high","summary":"auto"},"safety_identifier":"i","service_tier":"default","store":false,"temperature":0,` +
		`"text":{"format":{"type":"json_schema","name":"s","schema":{"type":"object"},"strict":true},"verbosity":"medium"},"tool_choice":{"type":"function","name":"f"},` +
		`"tools":[{"type":"function","name":"f","parameters":{"type":"object"},"strict":true},{"type":"function","name":"nested","parameters":null,"strict":false},` +
		`{"type":"mcp","server_label":"s","server_url":"https://example.org"}],"top_logprobs":2,"top_p":0.5,"truncation":"auto","usage":null,"user":"u","metadata":{"k":"v"},` +
		`"prompt_cache_options":{"mode":"explicit","ttl":"12h"},"prompt_cache_retention":"24h","frequency_penalty":0,"presence_penalty":0}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if strings.Contains(string(got), "secret") {
		t.Error("the response repeats a secret")
	}
	if kept := converted(t, `{"text":"a"}`, toresponses.WithRequest(request),
		toresponses.WithStore()); !*kept.Store {
		t.Error("a response that is kept does not say so")
	}
}

// Unknown members have no effect and are not repeated. Neither are passwords and keys in addresses.
func TestMembersWithoutEffectAreNotRepeated(t *testing.T) {
	t.Parallel()
	request, err := responses.DecodeRequest(
		[]byte(`{"model":"m","input":"hi","tool_choice":"sometimes","truncation":"perhaps","reasoning":{"effort":"enormous","summary":"long"},` +
			`"text":{"verbosity":"chatty","format":{"type":"json_schema","name":"s","schema":null}},"tools":[{"name":"f"},` +
			`{"type":"mcp","server_label":"s","server_url":"https://me:secret@example.org/mcp?key=secret#secret"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	body, err := responses.EncodeResponse(converted(t, `{"text":"a"}`,
		toresponses.WithRequest(request)))
	if err != nil {
		t.Fatal(err)
	}
	descriptiontest.OpenAI(t, "Response", body)
	request.ToolChoice = wiretype.ValueOf(openaiapi.ResponseToolChoice{Type: "bogus"})
	if out := converted(t, `{"text":"a"}`,
		toresponses.WithRequest(request)); !out.ToolChoice.Equal(wiretype.StringOf[openaiapi.ResponseToolChoice]("auto")) {
		t.Errorf("the tool choice is %+v", out.ToolChoice)
	}
	for _, word := range []string{"sometimes", "perhaps", "enormous", "long\"", "chatty",
		"secret"} {
		if strings.Contains(string(body), word) {
			t.Errorf("%s is repeated in %s", word, body)
		}
	}
	if !strings.Contains(string(body), `"server_url":"https://example.org/mcp"`) {
		t.Errorf("%s", body)
	}
}

func TestACandidateThatOnlyEndedIsAResponse(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"candidates":[{"finishReason":"STOP"}]}`,
		`{"candidates":[{"finishReason":"STOP","content":{"role":"model"}}]}`, `{"candidates":[{"finishReason":"STOP","content":{"parts":[{"text":""}]}}]}`} {
		if out, _ := convert(t, body); out.Status != "completed" || out.Output == nil ||
			len(out.Output) > 0 {
			t.Errorf("%s: %s with %d items", body, out.Status, len(out.Output))
		}
	}
}

func TestFailuresHaveCodeMessageAndType(t *testing.T) {
	t.Parallel()
	out, _ := convert(t, `{"promptFeedback":{"blockReason":"OTHER"}}`)
	if out.Error.Code == "" || out.Error.Message == "" || out.Error.Type == "" {
		t.Errorf("got %+v", out.Error)
	}
	status, body := toresponses.FromError(gemini.DecodeError(429, nil,
		[]byte(`{"error":{"code":429,"message":"Quota.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"12s"}]}}`)))
	data, err := responses.EncodeErrorResponse(body)
	if want := `{"error":{"message":"Quota. Please try again in 12s.","type":"rate_limit_error","param":null,"code":"rate_limit_exceeded"}}`; err != nil ||
		status != 429 || string(data) != want {
		t.Errorf("%d %s, %v", status, data, err)
	}
	if status, body := toresponses.FromError(nil); status != 0 || body != nil {
		t.Error("nil is a failure")
	}
}

func TestUnknownPartsAreReportedAndCarried(t *testing.T) {
	t.Parallel()
	out, entries := convert(t,
		`{"candidates":[{"finishReason":"STOP","content":{"parts":[{"brandNew":{"a":1}},{"inlineData":{"mimeType":"audio/wav","data":"UklGRg=="}},{"text":"a"}]}}]}`)
	if types(out) != "reasoning message" || !entries.Covers("/candidates/0/content/parts/0") {
		t.Errorf("%s, %v", types(out), entries)
	}
	if kept := out.ExtraContent.Google.Parts; len(kept) != 1 || *kept[0].Index != 1 ||
		*kept[0].Part.InlineData.Data != "UklGRg==" {
		t.Errorf("kept %+v", kept)
	}
	plain, entries := convert(t,
		`{"candidates":[{"finishReason":"STOP","content":{"parts":[{"inlineData":{"mimeType":"audio/wav","data":"UklGRg=="}}]}}]}`,
		toresponses.WithoutExtensions())
	if plain.ExtraContent != nil || entries.Of(report.Lost) == nil {
		t.Errorf("%+v, %v", plain.ExtraContent, entries)
	}
}

func TestArgumentsComeAsTheyAre(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		``:           `{}`,
		`,"args":{}`: `{}`,
		`,"args":{"z":9007199254740993,"a":1.50}`: `{"z":9007199254740993,"a":1.50}`,
	} {
		call := converted(t, `{"functionCall":{"name":"f"`+in+`}}`).Output[0]
		if got, _ := call.Arguments.AsString(); got != want {
			t.Errorf("%s gives %s", in, got)
		}
	}
}

func TestCallsOfCustomToolsAndNamespaces(t *testing.T) {
	t.Parallel()
	request, err := responses.DecodeRequest(
		[]byte(`{"tools":[{"type":"custom","name":"apply_patch"},{"type":"namespace","name":"mail","description":"","tools":[{"type":"function","name":"send"}]},{"type":"tool_search","execution":"client"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	calls := func(parts string) []openaiapi.ResponseItem {
		return converted(t, parts, toresponses.WithRequest(request)).Output
	}
	for args, want := range map[string]string{
		`{"input":"*** Begin"}`: "*** Begin", `{"patch":"*** Begin"}`: "*** Begin",
		`{"a":"1","b":"2"}`: `{"a":"1","b":"2"}`, `{}`: `{}`, `{"input":7}`: `{"input":7}`,
	} {
		call := calls(`{"functionCall":{"name":"apply_patch","args":` + args + `}}`)[0]
		if call.Type != "custom_tool_call" || *call.Input != want || call.Name != "apply_patch" ||
			!call.Arguments.IsZero() {
			t.Errorf("%s: %+v", args, call)
		}
	}
	if call := calls(`{"functionCall":{"name":"mail__send","args":{}}}`)[0]; call.Type != "function_call" ||
		call.Namespace != "mail" || call.Name != "send" {
		t.Errorf("%+v", call)
	}
	search := calls(`{"functionCall":{"name":"tool_search","args":{"query":"x"}}}`)[0]
	if arguments, _ := search.Arguments.AsValue(); search.Type != "tool_search_call" ||
		search.Execution != "client" || string(arguments) != `{"query":"x"}` {
		t.Errorf("%+v", search)
	}
}

func TestOtherCandidatesAreReported(t *testing.T) {
	t.Parallel()
	out, entries := convert(t,
		`{"candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"a"}]}},{"index":1,"finishReason":"STOP","content":{"parts":[{"text":"b"}]}}]}`)
	if responses.Text(out) != "a" || !entries.Of(report.Lost).Covers("/candidates/1") {
		t.Errorf("%q, %v", responses.Text(out), entries)
	}
}

func TestLogProbabilitiesAreThoseOfTheText(t *testing.T) {
	t.Parallel()
	out, _ := convert(t,
		`{"candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"é"}]},"logprobsResult":{"chosenCandidates":[{"token":"é","logProbability":-0.5}],`+
			`"topCandidates":[{"candidates":[{"token":"é","logProbability":-0.5},{"token":"e","logProbability":-1.5}]}]}}]}`)
	data, err := json.Marshal(partOf(t, out).Logprobs)
	if want := `[{"token":"é","logprob":-0.5,"bytes":[195,169],"top_logprobs":[{"token":"é","logprob":-0.5,"bytes":[195,169]},{"token":"e","logprob":-1.5,"bytes":[101]}]}]`; err != nil ||
		string(data) != want {
		t.Errorf("got %s, %v", data, err)
	}
}

func TestAResponseWithoutCandidatesIsAnError(t *testing.T) {
	t.Parallel()
	if _, _, err := toresponses.FromGemini(nil); !errors.Is(err, normalize.ErrNoCandidates) {
		t.Errorf("got %v", err)
	}
	if _, _, err := toresponses.FromNormalized(nil); !errors.Is(err, normalize.ErrNoCandidates) {
		t.Errorf("got %v", err)
	}
}

func TestANormalizedResponseKeepsItsCallIDs(t *testing.T) {
	t.Parallel()
	in, err := normalize.FromResponse(answerOf(t, `{"functionCall":{"name":"f","args":{}}}`))
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := toresponses.FromNormalized(in)
	if err != nil || out.Output[0].CallID != in.Candidates[0].Blocks[0].ToolCall.ID {
		t.Errorf("got %q, %v", out.Output[0].CallID, err)
	}
	other, _, err := toresponses.FromNormalized(in,
		toresponses.WithToolCallIDs(func(string, int, int) string { return "chosen" }))
	if err != nil || other.Output[0].CallID != "chosen" {
		t.Errorf("got %q, %v", other.Output[0].CallID, err)
	}
	in.Candidates[0].Blocks[0].ToolCall.Name = ""
	if _, _, err := toresponses.FromNormalized(in); err == nil {
		t.Error("an invalid response is taken")
	}
}

func TestLargeMediaIsNotCopied(t *testing.T) {
	t.Parallel()
	data := base64.StdEncoding.EncodeToString(make([]byte, 1<<20))
	in := answerOf(t, `{"inlineData":{"mimeType":"image/png","data":"`+data+`"}}`)
	out, _, err := toresponses.FromGemini(in)
	if err != nil {
		t.Fatal(err)
	}
	if got := jsonx.Deref(out.Output[0].Result); len(got) != len(data) {
		t.Errorf("%d bytes", len(got))
	}
}

// actionOf returns the action of an item.
func actionOf(item openaiapi.ResponseItem) openaiapi.ResponseAction {
	action, _ := item.Action.AsValue()
	return jsonx.Deref(action.AsOne())
}
