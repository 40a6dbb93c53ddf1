package request_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	forward "github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// mustConvert converts a request and returns the named members of the result, or all if none are
// named.
func mustConvert(t *testing.T, document string, opts ...request.Option) (map[string]any,
	report.Report) {
	t.Helper()
	data, report, err := convert([]byte(document), opts...)
	if err != nil {
		t.Fatalf("%v in %s", err, document)
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out, report
}

// parsed returns JSON in the form of mustConvert's result.
func parsed(t *testing.T, text string) any {
	t.Helper()
	var out any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out
}

// entries returns the kinds and pointers of a report.
func entries(report report.Report) []string {
	var out []string
	for _, e := range report {
		out = append(out, string(e.Kind)+" "+e.Pointer)
	}
	return out
}

func plain(opts ...request.Option) []request.Option {
	return append(opts, request.WithoutExtensions())
}

const weatherTool = `"tools":[{"functionDeclarations":[{"name":"get_weather","parametersJsonSchema":{"type":"object","properties":{"city":{"type":"string"}}}},
	{"name":"get_time","parametersJsonSchema":{"type":"object","properties":{"zone":{"type":"string"}}}}]}]`

func TestResultsFollowTheirCallAtOnce(t *testing.T) {
	t.Parallel()
	out, report := mustConvert(t, `{"contents":[{"role":"user","parts":[{"text":"Weather?"}]},
		{"role":"model","parts":[{"functionCall":{"id":"c1","name":"get_weather","args":{"city":"Oslo"}}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"get_weather","response":{"degrees":-3}}},{"text":"And?"}]}],`+weatherTool+`}`, plain()...)
	want := parsed(t, `[{"role":"user","content":"Weather?"},
		{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]},
		{"role":"tool","tool_call_id":"c1","content":"{\"degrees\":-3}"},
		{"role":"user","content":"And?"}]`)
	if diff := cmp.Diff(want, out["messages"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"approximated /contents/2"}, entries(report)); diff != "" {
		t.Error(diff)
	}
}

func TestAResultAfterTheUserGoesToItsCall(t *testing.T) {
	t.Parallel()
	out, report := mustConvert(t, `{"contents":[
		{"role":"model","parts":[{"functionCall":{"name":"get_time","args":{}}}]},
		{"role":"user","parts":[{"text":"Quick!"}]},
		{"role":"function","parts":[{"functionResponse":{"name":"get_time","response":{"output":"noon"}}}]}],`+weatherTool+`}`, plain()...)
	roles := fmt.Sprint(out["messages"].([]any)[1].(map[string]any)["role"],
		out["messages"].([]any)[2].(map[string]any)["role"])
	if roles != "tooluser" {
		t.Errorf("the messages are %v", out["messages"])
	}
	if text := out["messages"].([]any)[1].(map[string]any)["content"]; text != "noon" {
		t.Errorf("the result is %q", text)
	}
	if !report.Covers("/contents/2/parts/0/functionResponse") ||
		!report.Covers("/contents/2/role") {
		t.Error(report)
	}
}

func TestCallsOfOneNameWithoutIDsArePairedInOrder(t *testing.T) {
	t.Parallel()
	out, _ := mustConvert(t, `{"contents":[{"role":"user","parts":[{"text":"Both?"}]},
		{"role":"model","parts":[{"functionCall":{"name":"get_weather","args":{"city":"Oslo"}}},{"functionCall":{"name":"get_weather","args":{"city":"Rome"}}}]},
		{"role":"user","parts":[{"functionResponse":{"name":"get_weather","response":{"output":"cold"}}},{"functionResponse":{"name":"get_weather","response":{"output":"warm"}}}]}],`+weatherTool+`}`, plain()...)
	messages := out["messages"].([]any)
	calls := messages[1].(map[string]any)["tool_calls"].([]any)
	for i, text := range []string{"cold", "warm"} {
		result := messages[2+i].(map[string]any)
		if id := calls[i].(map[string]any)["id"]; result["tool_call_id"] != id ||
			result["content"] != text {
			t.Errorf("result %d is %v, for the call %v", i, result, id)
		}
	}
	if calls[0].(map[string]any)["id"] == calls[1].(map[string]any)["id"] {
		t.Error("the ids are equal")
	}
}

func TestNamesThatOpenAIRefusesAreReplacedAndFoundAgain(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 80)
	document := `{"contents":[{"role":"user","parts":[{"text":"?"}]},
		{"role":"model","parts":[{"functionCall":{"id":"1","name":"files.read:now","args":{}}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"1","name":"files.read:now","response":{}}}]}],
		"tools":[{"functionDeclarations":[{"name":"files.read:now"},{"name":"` + long + `"},{"name":"fine"}]}],
		"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["files.read:now"]}}}`
	in, err := gemini.DecodeRequest([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	out, report, err := request.FromGemini(in, plain(request.ForModel(model))...)
	if err != nil {
		t.Fatal(err)
	}
	original := request.OriginalNames(in)
	if len(original) != 2 {
		t.Fatalf("replaced: %v", original)
	}
	for i, want := range []string{"files.read:now", long, ""} {
		if name := out.Tools[i].Function.Name; original[name] != want || len(name) > 64 {
			t.Errorf("%s stands for %q", name, original[name])
		}
	}
	choice, _ := out.ToolChoice.AsValue()
	if choice.Function.Name != out.Tools[0].Function.Name ||
		out.Messages[1].ToolCalls[0].Function.Name != choice.Function.Name {
		t.Error("the function goes by several names")
	}
	for _, pointer := range []string{"/tools/0/functionDeclarations/0/name",
		"/contents/1/parts/0/functionCall/name", "/toolConfig/functionCallingConfig/allowedFunctionNames/0"} {
		if !report.Covers(pointer) {
			t.Errorf("%s is not reported", pointer)
		}
	}
	if out, _, err := request.FromGemini(in, request.ForModel(model)); err != nil ||
		out.Tools[0].Function.Name != "files.read:now" {
		t.Errorf("with extensions: %v", err)
	}
}

func TestSchemasOfGeminiAreJSONSchema(t *testing.T) {
	t.Parallel()
	out, _ := mustConvert(t,
		`{"contents":[{"parts":[{"text":"?"}]}],"tools":[{"functionDeclarations":[
		{"name":"a","description":"A","parameters":{"type":"OBJECT","properties":{"b":{"type":"STRING","nullable":true,"enum":["x"],"format":"enum"},
			"a":{"type":"ARRAY","items":{"type":"INTEGER"},"minItems":"1","maxItems":5},"c":{"anyOf":[{"type":"NUMBER"},{"type":"BOOLEAN"}],"nullable":true}},
			"propertyOrdering":["b","a","c"],"required":["a"]}},
		{"name":"b","parametersJsonSchema":{"type":["object","null"],"properties":{"Z":{"const":1}}}},
		{"name":"c","parameters":{"type":"OBJECT"}}]}]}`, plain()...)
	data, err := json.Marshal(out["tools"], jsontext.Multiline(false))
	if err != nil {
		t.Fatal(err)
	}
	want := parsed(t, `[{"type":"function","function":{"name":"a","description":"A","parameters":{"type":"object","properties":{
			"b":{"type":["string","null"],"enum":["x",null]},"a":{"type":"array","minItems":1,"maxItems":5,"items":{"type":"integer"}},
			"c":{"anyOf":[{"type":"number"},{"type":"boolean"},{"type":"null"}]}},"required":["a"]}}},
		{"type":"function","function":{"name":"b","parameters":{"type":["object","null"],"properties":{"Z":{"const":1}}}}},
		{"type":"function","function":{"name":"c","parameters":{"type":"object","properties":{}}}}]`)
	if diff := cmp.Diff(want, out["tools"]); diff != "" {
		t.Errorf("%s in %s", diff, data)
	}
}

// TestRG5 is TestNothingOfARecordedRequestIsLostSilently for each member of the configuration.
func TestEachMemberOfTheConfigurationIsSentOrReported(t *testing.T) {
	t.Parallel()
	const config = `{"contents":[{"role":"user","parts":[{"text":"?"}]}],"generationConfig":{"temperature":0.5,"topP":0.9,"topK":3,
		"candidateCount":2,"maxOutputTokens":9,"stopSequences":["a","b"],"presencePenalty":0.1,"frequencyPenalty":0.2,"seed":7,
		"responseLogprobs":true,"logprobs":2,"responseModalities":["TEXT"],"responseMimeType":"application/json",
		"responseJsonSchema":{"type":"object"},"thinkingConfig":{"thinkingBudget":1024,"includeThoughts":true},"mediaResolution":"MEDIA_RESOLUTION_LOW",
		"speechConfig":{"languageCode":"de-DE"},"imageConfig":{"aspectRatio":"1:1"},"audioTimestamp":true,"enableAffectiveDialog":true,
		"routingConfig":{"autoMode":{"modelRoutingPreference":"BALANCED"}},"enableEnhancedCivicAnswers":true}}`
	for mode, opts := range modes {
		checkLeaves(t, mode, []byte(config), opts)
	}
	out, entries := mustConvert(t, config, plain()...)
	delete(out, "messages")
	want := parsed(t, `{"model":"gpt-5.1","temperature":0.5,"top_p":0.9,"n":2,"max_completion_tokens":9,"stop":["a","b"],"presence_penalty":0.1,
		"frequency_penalty":0.2,"seed":7,"logprobs":true,"top_logprobs":2,"modalities":["text"],"reasoning_effort":"low",
		"response_format":{"type":"json_schema","json_schema":{"name":"response","schema":{"type":"object"},"strict":false}}}`)
	if diff := cmp.Diff(want, any(out)); diff != "" {
		t.Error(diff)
	}
	for _, member := range []string{"topK", "mediaResolution", "speechConfig", "imageConfig",
		"audioTimestamp", "routingConfig"} {
		if !entries.Of(report.Lost).Covers("/generationConfig/" + member) {
			t.Errorf("%s is not reported", member)
		}
	}
}

func TestThinkingIsAnEffort(t *testing.T) {
	t.Parallel()
	tests := []struct{ config, effort, reported string }{
		{`{"thinkingBudget":0}`, "none", ""},
		{`{"thinkingBudget":-1}`, "", "approximated /generationConfig/thinkingConfig/thinkingBudget"},
		{`{"thinkingBudget":1}`, "low", "approximated /generationConfig/thinkingConfig/thinkingBudget"},
		{`{"thinkingBudget":1024}`, "low", ""},
		// as near to low as to medium
		{`{"thinkingBudget":4608}`, "low", "approximated /generationConfig/thinkingConfig/thinkingBudget"},
		{`{"thinkingBudget":8000}`, "medium", "approximated /generationConfig/thinkingConfig/thinkingBudget"},
		// as far away from high
		{`{"thinkingBudget":16384}`, "medium", "approximated /generationConfig/thinkingConfig/thinkingBudget"},
		{`{"thinkingBudget":24576}`, "high", ""},
		{`{"thinkingLevel":"MINIMAL"}`, "minimal", ""},
		{`{"thinkingLevel":"LOW"}`, "low", ""},
		{`{"thinkingLevel":"MEDIUM"}`, "medium", ""},
		{`{"thinkingLevel":"HIGH"}`, "high", ""},
		{`{"thinkingLevel":"LATER"}`, "", "lost /generationConfig/thinkingConfig"},
		{`{"thinkingLevel":"HIGH","thinkingBudget":5}`, "high", "lost /generationConfig/thinkingConfig"},
		{`{"includeThoughts":true}`, "", "approximated /generationConfig/thinkingConfig/includeThoughts"},
	}
	for _, tt := range tests {
		out, report := mustConvert(t,
			`{"contents":[{"parts":[{"text":"?"}],"role":"user"}],"generationConfig":{"thinkingConfig":`+
				tt.config+`}}`, plain()...)
		effort, _ := out["reasoning_effort"].(string)
		if effort != tt.effort || strings.Join(entries(report), ",") != tt.reported {
			t.Errorf("%s is %q: %v", tt.config, effort, report)
		}
	}
}

func TestToolChoices(t *testing.T) {
	t.Parallel()
	tests := []struct {
		config, choice string
		opts           []request.Option
	}{
		{`{"mode":"AUTO"}`, `"auto"`, nil},
		{`{"mode":"NONE"}`, `"none"`, nil},
		{`{"mode":"ANY"}`, `"required"`, nil},
		{`{"mode":"ANY","allowedFunctionNames":["get_time"]}`, `{"type":"function","function":{"name":"get_time"}}`, nil},
		{`{"mode":"ANY","allowedFunctionNames":["get_time","get_weather"]}`,
			`{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[
			{"type":"function","function":{"name":"get_time"}},{"type":"function","function":{"name":"get_weather"}}]}}`, nil},
		{`{"mode":"ANY","allowedFunctionNames":["get_time","get_weather"]}`, `"required"`, []request.Option{request.WithoutAllowedTools()}},
		{`{"mode":"VALIDATED"}`, `"auto"`, nil},
		{`{"mode":"VALIDATED","allowedFunctionNames":["get_time"]}`,
			`{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[
			{"type":"function","function":{"name":"get_time"}}]}}`, nil},
	}
	for _, tt := range tests {
		out, _ := mustConvert(t,
			`{"contents":[{"role":"user","parts":[{"text":"?"}]}],"toolConfig":{"functionCallingConfig":`+
				tt.config+`},`+weatherTool+`}`, plain(tt.opts...)...)
		if diff := cmp.Diff(parsed(t, tt.choice), out["tool_choice"]); diff != "" {
			t.Errorf("%s: %s", tt.config, diff)
		}
	}
}

func TestMediaOfResultsAreInAUserTurnAfterAllResults(t *testing.T) {
	t.Parallel()
	document := `{"contents":[{"role":"user","parts":[{"text":"?"}]},
		{"role":"model","parts":[{"functionCall":{"id":"1","name":"get_time","args":{}}},{"functionCall":{"id":"2","name":"get_weather","args":{}}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"1","name":"get_time","response":{"output":"a"},"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw=="}}]}},
			{"functionResponse":{"id":"2","name":"get_weather","response":{"output":"b"}}}]}],` + weatherTool + `}`
	out, report := mustConvert(t, document, plain()...)
	want := parsed(t, `[{"role":"tool","tool_call_id":"1","content":"a"},{"role":"tool","tool_call_id":"2","content":"b"},
		{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}}]}]`)
	if diff := cmp.Diff(want, any(out["messages"].([]any)[2:])); diff != "" {
		t.Error(diff)
	}
	if !report.Covers("/contents/2/parts/0/functionResponse/parts/0") {
		t.Error(report)
	}
	out, _ = mustConvert(t, document)
	if n := len(out["messages"].([]any)); n != 4 {
		t.Errorf("%d messages with extensions", n)
	}
}

func TestMembersThatOnlyGoogleHasAreRefusedWithTheirLocations(t *testing.T) {
	t.Parallel()
	for document, pointer := range map[string]string{
		`{"contents":[{"parts":[{"text":"?"}]}],"cachedContent":"cachedContents/a"}`:                                                                                        "/cachedContent",
		`{"contents":[{"parts":[{"fileData":{"fileUri":"gs://b/o.pdf","mimeType":"application/pdf"}}]}]}`:                                                                   "/contents/0/parts/0/fileData/fileUri",
		`{"contents":[{"parts":[{"text":"?"},{"fileData":{"fileUri":"https://generativelanguage.googleapis.com/v1beta/files/f","mimeType":"image/png"}}]}]}`:                "/contents/0/parts/1/fileData/fileUri",
		`{"contents":[{"parts":[{"fileData":{"fileUri":"https://example.com/a.pdf","mimeType":"application/pdf"}}]}]}`:                                                      "/contents/0/parts/0/fileData/fileUri",
		`{"contents":[{"parts":[{"inlineData":{"data":"AAAA","mimeType":"video/mp4"}}]}]}`:                                                                                  "/contents/0/parts/0/inlineData/mimeType",
		`{"contents":[{"parts":[{"text":"?"}]}],"continuationToken":"t"}`:                                                                                                   "/continuationToken",
		`{"contents":[{"parts":[{"text":"?"}]},{"role":"model","parts":[{"functionCall":{"name":"f"}}]},{"parts":[{"text":"!"}]},{"role":"model","parts":[{"text":"."}]}]}`: "/contents/1/parts/0/functionCall",
		`{"contents":[{"role":"system","parts":[{"text":"?"}]}]}`:                                                                                                           "/contents/0/role",
		`{"contents":[]}`: "/contents",
		`{"contents":[{"parts":[{"text":"?"}],"role":"user"},{"role":"model","parts":[{"functionCall":{"args":{}}}]}]}`: "/contents/1/parts/0/functionCall",
	} {
		_, _, err := convert([]byte(document), plain()...)
		refusal, ok := errors.AsType[*request.Error](err)
		if !ok || refusal.Pointer != pointer {
			t.Errorf("%s: %v, want %s", document, err, pointer)
		}
	}
	if _, _, err := request.FromGemini(nil); err == nil {
		t.Error("no request is converted")
	}
	in, _ := gemini.DecodeRequest([]byte(`{"contents":[{"parts":[{"text":"?"}]}]}`))
	if _, _, err := request.FromGemini(in); err == nil || !strings.Contains(err.Error(), "/model") {
		t.Errorf("without a model: %v", err)
	}
}

func TestSafetySettingsAreReported(t *testing.T) {
	t.Parallel()
	const document = `{"contents":[{"role":"user","parts":[{"text":"?"}]}],"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"},
		{"category":"HARM_CATEGORY_HATE_SPEECH","threshold":"BLOCK_ONLY_HIGH"}]}`
	_, report := mustConvert(t, document, plain()...)
	if diff := cmp.Diff([]string{"approximated /safetySettings/0", "lost /safetySettings"},
		entries(report)); diff != "" {
		t.Error(diff)
	}
	out, report := mustConvert(t, document)
	if len(report) > 0 || out["extra_body"] == nil {
		t.Errorf("with extensions: %v", report)
	}
}

func TestAFifthStopIsRefused(t *testing.T) {
	t.Parallel()
	const document = `{"contents":[{"role":"user","parts":[{"text":"?"}]}],"generationConfig":{"stopSequences":["a","b","c","d","e"]}}`
	_, _, err := convert([]byte(document), plain()...)
	if refusal, ok := errors.AsType[*request.Error](err); !ok ||
		refusal.Pointer != "/generationConfig/stopSequences" {
		t.Errorf("got %v", err)
	}
	if out, report := mustConvert(t, document); len(report) > 0 || out["stop"] != nil {
		t.Errorf("with extensions: %v, %v", out["stop"], report)
	}
}

func TestBothSpellingsGiveTheSameRequest(t *testing.T) {
	t.Parallel()
	camel, _, err := convert([]byte(`{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}],
		"systemInstruction":{"parts":[{"text":"s"}]},"generationConfig":{"maxOutputTokens":1,"stopSequences":["x"]},"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},`+weatherTool+`}`), plain()...)
	if err != nil {
		t.Fatal(err)
	}
	snake, _, err := convert([]byte(`{"contents":[{"role":"user","parts":[{"inline_data":{"mime_type":"image/png","data":"AAAA"}}]}],
		"system_instruction":{"parts":[{"text":"s"}]},"generation_config":{"max_output_tokens":1,"stop_sequences":["x"]},"tool_config":{"function_calling_config":{"mode":"auto"}},`+
		strings.NewReplacer("functionDeclarations", "function_declarations", "parametersJsonSchema",
			"parameters_json_schema").Replace(weatherTool)+`}`), plain()...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(camel), string(snake)); diff != "" {
		t.Error(diff)
	}
}

func TestThoughtsAndSignaturesAreKeptOrReported(t *testing.T) {
	t.Parallel()
	const document = `{"contents":[{"role":"user","parts":[{"text":"?"}]},
		{"role":"model","parts":[{"text":"Hm.","thought":true},{"text":"Yes.","thoughtSignature":"c2ln"},{"functionCall":{"id":"1","name":"get_time","args":{}},"thoughtSignature":"Y2FsbA=="}]},
		{"role":"user","parts":[{"functionResponse":{"id":"1","name":"get_time","response":{"output":"a"}}}]}],` + weatherTool + `}`
	out, entries := mustConvert(t, document, plain()...)
	if data, _ := json.Marshal(out); strings.Contains(string(data), "Hm.") ||
		strings.Contains(string(data), "c2ln") {
		t.Errorf("plain: %s", data)
	}
	for _, pointer := range []string{"/contents/1/parts/0", "/contents/1/parts/1/thoughtSignature",
		"/contents/1/parts/2/thoughtSignature"} {
		if !entries.Of(report.Lost).Covers(pointer) {
			t.Errorf("%s is not reported", pointer)
		}
	}
	in, _ := gemini.DecodeRequest([]byte(document))
	sent, entries, err := request.FromGemini(in, request.ForModel("gemini-3-pro-preview"))
	if err != nil || len(entries) > 0 {
		t.Fatalf("%v %v", err, entries)
	}
	back, _, err := forward.ToGemini(sent)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in.Contents, back.Contents); diff != "" {
		t.Error(diff)
	}
}

func TestAStreamAsksForItsTokenCounts(t *testing.T) {
	t.Parallel()
	const document = `{"contents":[{"role":"user","parts":[{"text":"?"}]}]}`
	out, _ := mustConvert(t, document, request.WithStream())
	if diff := cmp.Diff(parsed(t, `{"include_usage":true}`), out["stream_options"]); diff != "" ||
		out["stream"] != true {
		t.Errorf("%s in %v", diff, out)
	}
	if out, _ := mustConvert(t, document); out["stream"] != nil || out["stream_options"] != nil {
		t.Errorf("unary: %v", out)
	}
}

func TestInstructionsAreTheSystemsOrTheDevelopers(t *testing.T) {
	t.Parallel()
	const document = `{"contents":[{"role":"user","parts":[{"text":"?"}]}],"systemInstruction":{"parts":[{"text":"Be kind."},{"text":"Be brief."}]}}`
	for name, role := range map[string]string{"gpt-5.1": "system", "o3-mini": "developer",
		"openai/o1": "developer", "o9": "developer", "o0": "system", "o": "system", "olmo": "system", "llama": "system"} {
		out, _ := mustConvert(t, document, request.ForModel(name))
		want := parsed(t,
			`{"role":"`+role+
				`","content":[{"type":"text","text":"Be kind."},{"type":"text","text":"Be brief."}]}`)
		if diff := cmp.Diff(want, out["messages"].([]any)[0]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestMediaAsOpenAITakesThem(t *testing.T) {
	t.Parallel()
	tests := []struct{ part, want string }{
		{`{"inlineData":{"mimeType":"application/pdf","data":"JVBERg=="}}`, `{"type":"file","file":{"file_data":"data:application/pdf;base64,JVBERg==","filename":"file.pdf"}}`},
		{`{"inlineData":{"mimeType":"audio/wav","data":"UklGRg=="}}`, `{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}`},
		{`{"inlineData":{"mimeType":"audio/mpeg","data":"SUQz"}}`, `{"type":"input_audio","input_audio":{"data":"SUQz","format":"mp3"}}`},
		{`{"inlineData":{"mimeType":"image/png","data":"_-8="}}`, `{"type":"image_url","image_url":{"url":"data:image/png;base64,/+8="}}`},
		{`{"inlineData":{"mimeType":"image/png","data":"AAAA"},"mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"}}`, `{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA","detail":"low"}}`},
		{`{"fileData":{"mimeType":"image/png","fileUri":"https://example.com/a"}}`, `{"type":"image_url","image_url":{"url":"https://example.com/a"}}`},
		{`{"inlineData":{"mimeType":"text/csv","data":"YQ==","displayName":"a.csv"}}`, `{"type":"file","file":{"file_data":"data:text/csv;base64,YQ==","filename":"a.csv"}}`},
	}
	for _, tt := range tests {
		out, _ := mustConvert(t,
			`{"contents":[{"role":"user","parts":[{"text":"?"},`+tt.part+`]}]}`, plain()...)
		if diff := cmp.Diff(parsed(t, tt.want),
			out["messages"].([]any)[0].(map[string]any)["content"].([]any)[1]); diff != "" {
			t.Errorf("%s: %s", tt.part, diff)
		}
	}
	for _, refused := range []string{"audio/ogg", "audio/flac"} {
		if _, _, err := convert([]byte(`{"contents":[{"parts":[{"inlineData":{"mimeType":"`+refused+
			`","data":"AAAA"}}]}]}`), plain()...); err == nil {
			t.Errorf("%s is sent", refused)
		}
	}
}

func TestRequestsThatOpenAIRefusesAreErrors(t *testing.T) {
	t.Parallel()
	_, _, err := convert([]byte(`{"contents":[{"role":"user","parts":[{"text":"?"}]}],"generationConfig":{"temperature":7}}`),
		plain()...)
	if err == nil || !strings.Contains(err.Error(), "/temperature") {
		t.Errorf("got %v", err)
	}
}

func TestWithExtensionsOnlyNamesOfGeminiAreLetThrough(t *testing.T) {
	t.Parallel()
	_, _, err := convert([]byte(`{"contents":[{"role":"user","parts":[{"fileData":{"fileUri":"","mimeType":"image/png"}}]}]}`))
	if err == nil || !strings.Contains(err.Error(), "/messages/0/content/0/image_url/url") {
		t.Errorf("got %v", err)
	}
}

func TestAConversationMayBeginInACacheAlone(t *testing.T) {
	t.Parallel()
	const instruction = `"systemInstruction":{"parts":[{"text":"a"}]},"contents":[]`
	if _, _, err := convert([]byte(`{"cachedContent":"cachedContents/x",` + instruction +
		`}`)); err != nil {
		t.Error(err)
	}
	for _, nothing := range []string{`{` + instruction + `}`,
		`{"cachedContent":"cachedContents/x","contents":[]}`} {
		if _, _, err := convert([]byte(nothing)); err == nil ||
			!strings.Contains(err.Error(), "/contents") {
			t.Errorf("%s: %v", nothing, err)
		}
	}
}

func TestAResultWithoutItsCallIsInAUserTurn(t *testing.T) {
	t.Parallel()
	out, report := mustConvert(t,
		`{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"get_time","response":{"output":"noon"}}}]}]}`,
		plain()...)
	want := parsed(t, `[{"role":"user","content":"Result of the function \"get_time\": noon"}]`)
	if diff := cmp.Diff(want, out["messages"]); diff != "" {
		t.Error(diff)
	}
	if !report.Covers("/contents/0/parts/0/functionResponse") {
		t.Error(report)
	}
}

func TestTheRequestIsNotChanged(t *testing.T) {
	t.Parallel()
	for name, document := range recorded(t) {
		in, err := gemini.DecodeRequest(document)
		if err != nil {
			t.Fatal(err)
		}
		before, _ := gemini.EncodeRequest(in)
		for _, opts := range modes {
			out, _, err := request.FromGemini(in,
				append(opts[:len(opts):len(opts)], request.ForModel(model))...)
			if err == nil {
				_, _ = openai.EncodeRequest(out)
			}
		}
		if after, _ := gemini.EncodeRequest(in); string(after) != string(before) {
			t.Errorf("%s: %s", name, firstDifference(before, after))
		}
	}
}

// The format of the answer determines its media type, so the type itself is not a loss.
func TestTheTypeOfAnAnswerIsInItsForm(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]string{
		`"responseMimeType":"text/plain"`:                                                                            "text",
		`"responseMimeType":"application/json"`:                                                                      "json_object",
		`"responseMimeType":"application/json","responseSchema":{"type":"OBJECT"}`:                                   "json_schema",
		`"responseMimeType":"text/x.enum","responseSchema":{"type":"STRING","format":"enum","enum":["red","green"]}`: "json_schema",
	} {
		out, entries := mustConvert(t,
			`{"contents":[{"role":"user","parts":[{"text":"?"}]}],"generationConfig":{`+config+`}}`,
			plain()...)
		if form := out["response_format"].(map[string]any)["type"]; form != want ||
			entries.Of(report.Lost).Covers("/generationConfig/responseMimeType") {
			t.Errorf("%s: %v, %v", config, form, entries)
		}
	}
}

// OpenAI's structured answers are objects, so an enum value is wrapped in an object.
func TestAValueOfAnEnumIsAMemberOfAnObject(t *testing.T) {
	t.Parallel()
	out, entries := mustConvert(t,
		`{"contents":[{"role":"user","parts":[{"text":"?"}]}],"generationConfig":{"responseMimeType":"text/x.enum",`+
			`"responseSchema":{"type":"STRING","format":"enum","enum":["red","green"]}}}`,
		plain()...)
	got := out["response_format"].(map[string]any)["json_schema"].(map[string]any)["schema"]
	want := parsed(t, `{"type":"object","properties":{"value":{"type":"string","enum":["red","green"]}},"required":["value"],"additionalProperties":false}`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !entries.Of(report.Approximated).Covers("/generationConfig/responseMimeType") {
		t.Errorf("the object is not reported: %v", entries)
	}
}

func TestNamesOfLettersDigitsUnderscoresAndDashesStay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		isKept bool
	}{
		{"azAZ09_-", true}, {strings.Repeat("a", 64), true}, {strings.Repeat("a", 65), false},
		{"a`", false}, {"a{", false}, {"a@", false}, {"a[", false}, {"a/", false}, {"a:", false}, {"aé", false},
	} {
		out, entries := mustConvert(t,
			`{"contents":[{"role":"user","parts":[{"text":"?"}]}],"tools":[{"functionDeclarations":[{"name":"`+
				tt.name+`"}]}]}`, plain()...)
		sent := out["tools"].([]any)[0].(map[string]any)["function"].(map[string]any)["name"].(string)
		if (sent == tt.name) != tt.isKept ||
			entries.Covers("/tools/0/functionDeclarations/0/name") == tt.isKept {
			t.Errorf("%q is sent as %q: %v", tt.name, sent, entries)
		}
		if strings.ContainsFunc(sent, func(r rune) bool {
			return !strings.ContainsRune("_-", r) &&
				(r > 'z' || !unicode.IsLetter(r) && !unicode.IsDigit(r))
		}) {
			t.Errorf("%q has a character that OpenAI refuses", sent)
		}
	}
}

func TestAnImageAtAnAddressThatIsNotOfTheWebIsRefused(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"gs://b/a.png", "https:///a.png", "a.png",
		"https://generativelanguage.googleapis.com/a.png"} {
		_, _, err := convert([]byte(`{"contents":[{"parts":[{"fileData":{"fileUri":"`+address+
			`","mimeType":"image/png"}}]}]}`), plain()...)
		if refusal, ok := errors.AsType[*request.Error](err); !ok ||
			refusal.Pointer != "/contents/0/parts/0/fileData/fileUri" {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"http://example.com/a.png", "https://example.com/a.png"} {
		mustConvert(t, `{"contents":[{"parts":[{"fileData":{"fileUri":"`+address+
			`","mimeType":"image/png"}}]}]}`, plain()...)
	}
}
