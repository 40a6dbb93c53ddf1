package request_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse/request"
	"github.com/google/go-cmp/cmp"
)

const flash25 = "gemini-2.5-flash"

func TestContentsBecomeSteps(t *testing.T) {
	t.Parallel()
	checkInput(t, `{"role":"user","parts":[{"text":"a"},{"inlineData":{"mimeType":"image/png","data":"AA=="}}]},
		{"role":"model","parts":[{"text":"Hm","thought":true},{"text":"b"},{"text":"c"}]},
		{"role":"user","parts":[{"text":"d"}]}`,
		`[{"type":"user_input","content":[{"type":"text","text":"a"},{"type":"image","mime_type":"image/png","data":"AA=="}]},
		{"type":"thought","summary":[{"type":"text","text":"Hm"}]},
		{"type":"model_output","content":[{"type":"text","text":"b"},{"type":"text","text":"c"}]},
		{"type":"user_input","content":[{"type":"text","text":"d"}]}]`, nil, request.ForModel(flash25))
}

func TestTheKindOfMediaIsThatOfTheMIMEType(t *testing.T) {
	t.Parallel()
	for mimeType, want := range map[string]string{
		"image/png": "image", "IMAGE/JPEG": "image", "audio/wav": "audio", "audio/l16": "audio",
		"video/mp4": "video", "application/pdf": "document", "text/plain": "document",
		"text/csv": "document", "application/json": "document", "model/gltf": "document",
	} {
		out, report := mustConvert(t,
			`{"contents":[{"role":"user","parts":[{"fileData":{"fileUri":"https://a.example/b","mimeType":"`+
				mimeType+`"}}]}]}`)
		block := out["input"].([]any)[0].(map[string]any)["content"].([]any)[0].(map[string]any)
		if block["type"] != want || block["mime_type"] != mimeType || entries(report) != nil {
			t.Errorf("%s is %v, reported as %v", mimeType, block, report)
		}
	}
}

func TestTheKindOfMediaWithoutAMIMETypeIsThatOfTheAddress(t *testing.T) {
	t.Parallel()
	checkInput(t, `{"role":"user","parts":[{"fileData":{"fileUri":"https://www.youtube.com/watch?v=a"},"videoMetadata":{"fps":1}},
		{"fileData":{"fileUri":"gs://a/b.png?c=d"}},{"fileData":{"fileUri":"https://a.example/b"}}]}`,
		`[{"type":"user_input","content":[{"type":"video","uri":"https://www.youtube.com/watch?v=a","processing":{"type":"static","fps":1}},
		{"type":"image","uri":"gs://a/b.png?c=d"},{"type":"document","uri":"https://a.example/b"}]}]`, nil)
}

func TestHowAModelReadsAVideoIsOnlyInTheInputOfTheUser(t *testing.T) {
	t.Parallel()
	const clip = `{"fileData":{"fileUri":"https://a.example/v","mimeType":"video/mp4"},"videoMetadata":{"startOffset":"1s","endOffset":"2.5s","fps":2}}`
	checkInput(t, `{"role":"user","parts":[`+clip+`,{"fileData":{"fileUri":"https://a.example/w","mimeType":"video/mp4"},"mediaProcessing":"AGENTIC"}]}`,
		`[{"type":"user_input","content":[{"type":"video","uri":"https://a.example/v","mime_type":"video/mp4","processing":{"type":"static","start_offset":"1s","end_offset":"2.5s","fps":2}},
		{"type":"video","uri":"https://a.example/w","mime_type":"video/mp4","processing":"agentic"}]}]`, nil)
	checkInput(t, `{"role":"user","parts":[{"text":"?"}]},{"role":"model","parts":[`+clip+`]}`,
		`[{"type":"user_input","content":[{"type":"text","text":"?"}]},
		{"type":"model_output","content":[{"type":"video","uri":"https://a.example/v","mime_type":"video/mp4"}]}]`,
		[]string{"lost /contents/1/parts/0/videoMetadata"})
}

func TestTheResolutionIsSetOnEachImageAndVideo(t *testing.T) {
	t.Parallel()
	const contents = `"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"AA=="}},
		{"inlineData":{"mimeType":"image/png","data":"AA=="},"mediaResolution":{"level":"MEDIA_RESOLUTION_ULTRA_HIGH"}},
		{"inlineData":{"mimeType":"video/mp4","data":"AA=="}},{"inlineData":{"mimeType":"application/pdf","data":"AA=="}}]}]`
	out, report := mustConvert(t,
		`{`+contents+`,"generationConfig":{"mediaResolution":"MEDIA_RESOLUTION_LOW"}}`)
	var got []any
	for _, block := range out["input"].([]any)[0].(map[string]any)["content"].([]any) {
		got = append(got, block.(map[string]any)["resolution"])
	}
	if diff := cmp.Diff([]any{"low", "ultra_high", "low", nil}, got); diff != "" {
		t.Error(diff)
	}
	const at = "/generationConfig/mediaResolution"
	if diff := cmp.Diff([]string{"approximated " + at}, entries(report)); diff != "" {
		t.Error(diff)
	}
	checkRows(t, map[string]row{
		"without media": {config(`"mediaResolution":"MEDIA_RESOLUTION_LOW"`), "generation_config", ``,
			[]string{"lost " + at}, nil},
		"unspecified": {config(`"mediaResolution":"MEDIA_RESOLUTION_UNSPECIFIED"`), "generation_config", ``,
			[]string{"approximated " + at}, nil},
	})
}

func TestResultsNameTheirCallByItsID(t *testing.T) {
	t.Parallel()
	const call = `"type":"function_call","arguments":{}`
	turn := func(calls, results string) string {
		return `{"role":"model","parts":[` + calls + `]},{"role":"user","parts":[` + results + `]}`
	}
	for name, tc := range map[string]struct {
		contents, want string
		report         []string
	}{
		"in any order": {turn(`{"functionCall":{"id":"1","name":"f","args":{}}},{"functionCall":{"id":"2","name":"f","args":{}}}`,
			`{"functionResponse":{"id":"2","name":"f","response":{"a":2}}},{"functionResponse":{"id":"1","name":"f","response":{"a":1}}}`),
			`[{` + call + `,"id":"1","name":"f"},{` + call + `,"id":"2","name":"f"},
			{"type":"function_result","call_id":"2","name":"f","result":{"a":2}},
			{"type":"function_result","call_id":"1","name":"f","result":{"a":1}}]`, nil},
		"without ids, by name and order": {turn(`{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"g","args":{}}},{"functionCall":{"name":"f"}}`,
			`{"functionResponse":{"name":"f","response":{"a":1}}},{"functionResponse":{"name":"f","response":{"a":2}}},{"functionResponse":{"name":"g"}}`),
			`[{` + call + `,"id":"gemini-call-0-0","name":"f"},{` + call + `,"id":"gemini-call-0-1","name":"g"},{` + call + `,"id":"gemini-call-0-2","name":"f"},
			{"type":"function_result","call_id":"gemini-call-0-0","name":"f","result":{"a":1}},
			{"type":"function_result","call_id":"gemini-call-0-2","name":"f","result":{"a":2}},
			{"type":"function_result","call_id":"gemini-call-0-1","name":"g","result":{}}]`,
			[]string{"added /contents/0/parts/0/functionCall/id", "added /contents/0/parts/1/functionCall/id",
				"added /contents/0/parts/2/functionCall/id", "added /contents/1/parts/0/functionResponse/id",
				"added /contents/1/parts/1/functionResponse/id", "added /contents/1/parts/2/functionResponse/id"}},
		"two calls with one id": {turn(`{"functionCall":{"id":"1","name":"f","args":{}}},{"functionCall":{"id":"1","name":"f","args":{}}}`,
			`{"functionResponse":{"id":"1","name":"f","response":{"a":1}}},{"functionResponse":{"id":"1","name":"f","response":{"a":2}}}`),
			`[{` + call + `,"id":"1","name":"f"},{` + call + `,"id":"gemini-call-0-1","name":"f"},
			{"type":"function_result","call_id":"1","name":"f","result":{"a":1}},
			{"type":"function_result","call_id":"gemini-call-0-1","name":"f","result":{"a":2}}]`,
			[]string{"approximated /contents/0/parts/1/functionCall/id",
				"approximated /contents/1/parts/1/functionResponse/id"}},
		"an id that no call has": {turn(`{"functionCall":{"id":"1","name":"f","args":{}}}`,
			`{"functionResponse":{"id":"9","name":"f","response":{"a":1}}}`),
			`[{` + call + `,"id":"1","name":"f"},{"type":"function_result","call_id":"1","name":"f","result":{"a":1}}]`,
			[]string{"approximated /contents/1/parts/0/functionResponse/id"}},
		"a result without a call": {`{"role":"user","parts":[{"functionResponse":{"id":"9","name":"f","response":{"a":1}}},{"functionResponse":{"name":"f"}}]}`,
			`[{"type":"user_input","content":[{"type":"text","text":"Result of the function \"f\": {\"a\":1}"},{"type":"text","text":"Result of the function \"f\": {}"}]}]`,
			[]string{"approximated /contents/0/parts/0/functionResponse", "approximated /contents/0/parts/1/functionResponse"}},
		"an error": {turn(`{"functionCall":{"id":"9","name":"f"}}`, `{"functionResponse":{"id":"9","name":"f","response":{"error":"no"}}}`),
			`[{` + call + `,"id":"9","name":"f"},{"type":"function_result","call_id":"9","name":"f","result":"no","is_error":true}]`, nil},
		"a list": {turn(`{"functionCall":{"id":"9","name":"f"}}`, `{"functionResponse":{"id":"9","name":"f","response":{"error":[1,"a"]}}}`),
			`[{` + call + `,"id":"9","name":"f"},{"type":"function_result","call_id":"9","name":"f","result":"[1,\"a\"]","is_error":true}]`,
			[]string{"approximated /contents/1/parts/0/functionResponse/response"}},
		"members of results that only generateContent has": {turn(`{"functionCall":{"id":"9","name":"f"}}`, `{"functionResponse":{"id":"9","name":"f","response":{"a":1},"scheduling":"SILENT","willContinue":true}}`),
			`[{` + call + `,"id":"9","name":"f"},{"type":"function_result","call_id":"9","name":"f","result":{"a":1}}]`,
			[]string{"lost /contents/1/parts/0/functionResponse"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkInput(t, tc.contents, tc.want, tc.report, request.ForModel(flash25))
		})
	}
}

func TestArgumentsAndResultsStayByteForByte(t *testing.T) {
	t.Parallel()
	const value = `{"b":1.0,"a":12345678901234567890,"c":"\u00e9","d":{}}`
	data, _, err := convert([]byte(`{"contents":[{"role":"model","parts":[{"functionCall":{"id":"1","name":"f","args":` + value +
		`}}]},{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f","response":` + value + `}}]}]}`))
	if err != nil || strings.Count(string(data), value) != 2 {
		t.Errorf("%v: %s", err, data)
	}
}

func TestResultsOfAStoredInteractionKeepTheirIDs(t *testing.T) {
	t.Parallel()
	checkInput(t, `{"role":"function","parts":[{"functionResponse":{"id":"9","name":"f","response":{"a":1}}},{"functionResponse":{"name":"f","response":{"a":1}}}]}`,
		`[{"type":"function_result","call_id":"9","name":"f","result":{"a":1}},
		{"type":"function_result","call_id":"gemini-call-0-1","name":"f","result":{"a":1}}]`,
		[]string{"approximated /contents/0/role", "added /contents/0/parts/1/functionResponse/id"},
		request.WithPreviousInteraction("v1_a"), request.WithStore())
}

func TestMediaOfAResultAreContentOrFollowTheResults(t *testing.T) {
	t.Parallel()
	const contents = `{"role":"model","parts":[{"functionCall":{"id":"9","name":"f"},"thoughtSignature":"AA=="},{"functionCall":{"id":"8","name":"f"}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"9","name":"f","response":{"output":"see"},"parts":[{"inlineData":{"mimeType":"image/png","data":"AA=="}}]}},
		{"functionResponse":{"id":"8","name":"f","response":{}}}]}`
	const calls = `[{"type":"thought","signature":"AA=="},{"type":"function_call","id":"9","name":"f","arguments":{},"signature":"AA=="},{"type":"function_call","id":"8","name":"f","arguments":{}},`
	checkInput(t, contents, calls+`{"type":"function_result","call_id":"9","name":"f","result":[{"type":"text","text":"see"},{"type":"image","mime_type":"image/png","data":"AA=="}]},
		{"type":"function_result","call_id":"8","name":"f","result":{}}]`, nil)
	checkInput(t, contents, calls+`{"type":"function_result","call_id":"9","name":"f","result":{"output":"see"}},
		{"type":"function_result","call_id":"8","name":"f","result":{}},
		{"type":"user_input","content":[{"type":"image","mime_type":"image/png","data":"AA=="}]}]`,
		[]string{"approximated /contents/1/parts/0/functionResponse/parts/0"}, request.ForModel(flash25))
}

func TestGooglesOwnCallsBecomeSteps(t *testing.T) {
	t.Parallel()
	checkInput(t, `{"role":"model","parts":[
		{"executableCode":{"id":"1","language":"PYTHON","code":"print(1)"}},
		{"codeExecutionResult":{"id":"1","outcome":"OUTCOME_DEADLINE_EXCEEDED","output":"1"}},
		{"toolCall":{"id":"2","toolType":"GOOGLE_SEARCH_IMAGE","args":{"queries":["x"]}},"thoughtSignature":"AQ=="},
		{"toolResponse":{"id":"2","toolType":"GOOGLE_SEARCH_IMAGE","response":{"search_suggestions":"<b>"}}},
		{"toolCall":{"toolType":"URL_CONTEXT","args":{"urls":["https://a.example"]}}},
		{"toolCall":{"id":"3","toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["y"]}}}]}`,
		`[{"type":"code_execution_call","id":"1","arguments":{"language":"python","code":"print(1)"}},
		{"type":"code_execution_result","call_id":"1","result":"1","is_error":true},
		{"type":"google_search_call","id":"2","search_type":"image_search","arguments":{"queries":["x"]},"signature":"AQ=="},
		{"type":"google_search_result","call_id":"2","result":[{"search_suggestions":"<b>"}]},
		{"type":"url_context_call","id":"gemini-call-0-4","arguments":{"urls":["https://a.example"]}},
		{"type":"google_search_call","id":"3","search_type":"web_search","arguments":{"queries":["y"]}}]`,
		[]string{"approximated /contents/0/parts/1/codeExecutionResult/outcome",
			"added /contents/0/parts/4/toolCall/id"})
}

func TestASignedCallIsAThoughtAndACallWithTheSignature(t *testing.T) {
	t.Parallel()
	checkInput(t, `{"role":"model","parts":[{"text":"Hm","thought":true},{"functionCall":{"id":"1","name":"f","args":{}},"thoughtSignature":"AA=="},{"functionCall":{"id":"2","name":"f","args":{}}}]}`,
		`[{"type":"thought","summary":[{"type":"text","text":"Hm"}],"signature":"AA=="},
		{"type":"function_call","id":"1","name":"f","arguments":{},"signature":"AA=="},
		{"type":"function_call","id":"2","name":"f","arguments":{}}]`, nil)
	checkInput(t, `{"role":"model","parts":[{"text":"a"},{"text":"b","thoughtSignature":"AA=="}]},{"role":"model","parts":[{"text":"","thoughtSignature":"AQ=="}]}`,
		`[{"type":"thought","signature":"AA=="},{"type":"model_output","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},
		{"type":"thought","signature":"AQ=="}]`, nil)
}

func TestAnUnsignedCallGetsThePlaceholderThatIsReported(t *testing.T) {
	t.Parallel()
	const skip = `"signature":"skip_thought_signature_validator"`
	const contents = `{"role":"model","parts":[{"functionCall":{"id":"1","name":"f","args":{}}},{"functionCall":{"id":"2","name":"f","args":{}}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f","response":{}}},{"functionResponse":{"id":"2","name":"f","response":{}}}]}`
	const results = `{"type":"function_result","call_id":"1","name":"f","result":{}},{"type":"function_result","call_id":"2","name":"f","result":{}}]`
	checkInput(t, contents, `[{"type":"thought",`+skip+`},{"type":"function_call","id":"1","name":"f","arguments":{},`+skip+`},
		{"type":"function_call","id":"2","name":"f","arguments":{}},`+results,
		[]string{"added /contents/0/parts/0/thoughtSignature"})
	checkInput(t, contents, `[{"type":"function_call","id":"1","name":"f","arguments":{}},
		{"type":"function_call","id":"2","name":"f","arguments":{}},`+results, nil, request.ForModel(flash25))
}

func TestAnUnsignedThoughtGetsThePlaceholderToo(t *testing.T) {
	t.Parallel()
	checkInput(t, `{"role":"model","parts":[{"text":"Hm","thought":true},{"text":"a"}]}`,
		`[{"type":"thought","summary":[{"type":"text","text":"Hm"}],"signature":"skip_thought_signature_validator"},
		{"type":"model_output","content":[{"type":"text","text":"a"}]}]`,
		[]string{"added /contents/0/parts/0/thoughtSignature"})
}

func TestSignaturesOfTheInteractionStayWhereTheyWere(t *testing.T) {
	t.Parallel()
	const call = `{"functionCall":{"id":"1","name":"f","args":{}},"thoughtSignature":"AA==","extraContent":{"interactions":{"signature":"`
	checkInput(t, `{"role":"model","parts":[`+call+`thought"}}}]}`,
		`[{"type":"thought","signature":"AA=="},{"type":"function_call","id":"1","name":"f","arguments":{}}]`, nil)
	checkInput(t, `{"role":"model","parts":[{"text":"Hm","thought":true},`+call+`call"}}}]}`,
		`[{"type":"thought","summary":[{"type":"text","text":"Hm"}]},{"type":"function_call","id":"1","name":"f","arguments":{},"signature":"AA=="}]`, nil)
	checkInput(t, `{"role":"model","parts":[`+call+`thought"}}}]}`,
		`[{"type":"thought","signature":"AA=="},{"type":"function_call","id":"1","name":"f","arguments":{},"signature":"AA=="}]`,
		[]string{"lost /contents/0/parts/0/extraContent"}, request.WithoutExtensions())
}

func TestAUserHasNoThoughts(t *testing.T) {
	t.Parallel()
	checkInput(t, `{"role":"user","parts":[{"text":"a","thought":true,"thoughtSignature":"AA=="}]}`,
		`[{"type":"user_input","content":[{"type":"text","text":"a"}]}]`,
		[]string{"lost /contents/0/parts/0/thought", "lost /contents/0/parts/0/thoughtSignature"})
}

func TestMembersOfPartsWithoutACounterpartAreReported(t *testing.T) {
	t.Parallel()
	checkInput(t, `{"parts":[{"text":"a","partMetadata":{"b":1},"speechMetadata":{"speaker":"c"}},
		{"inlineData":{"mimeType":"audio/wav","data":"AA==","displayName":"d"},"audioTranscription":{"text":"e"}}]}`,
		`[{"type":"user_input","content":[{"type":"text","text":"a"},{"type":"audio","mime_type":"audio/wav","data":"AA=="}]}]`,
		[]string{"added /contents/0/role", "lost /contents/0/parts/0/partMetadata",
			"lost /contents/0/parts/0/speechMetadata", "lost /contents/0/parts/1/audioTranscription",
			"lost /contents/0/parts/1/inlineData"})
}
