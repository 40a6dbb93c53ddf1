package reverse_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

const allSteps = "testdata/all_steps.json"

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// answerOf converts an interaction.
func answerOf(t *testing.T, document string, opts ...reverse.Option) (*geminiapi.GenerateContentResponse,
	report.Report) {
	t.Helper()
	in, err := interactions.DecodeResponse([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	out, entries, err := reverse.ToGemini(in, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return out, entries
}

// at returns the value at a pointer of an answer as JSON, or "".
func at(t *testing.T, answer any, pointer string) string {
	t.Helper()
	value := jsontext.Value(encode(t, answer))
	start, end := jsonx.Find(value, jsontext.Pointer(pointer))
	if start >= end {
		return ""
	}
	found := value[start:end].Clone()
	if err := found.Compact(); err != nil {
		t.Fatal(err)
	}
	return string(found)
}

// facts are single facts: an interaction, and values of its answer by their pointers. The empty
// value means that the answer does not have the pointer.
var facts = []struct {
	name, in string
	want     map[string]string
	// hasNoTwin is true for an interaction that the way back does not restore.
	hasNoTwin bool
}{
	{"the id of the response is in the id of the interaction",
		`{"id":"v1_ChdhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYRIXYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmI","status":"completed","steps":[]}`,
		map[string]string{"/responseId": `"bbbbbbbbbbbbbbbbbbbbbbb"`,
			"/extraContent/interactions/id": `"v1_ChdhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYRIXYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmI"`}, false},
	{"another id is the id of the response", `{"id":"x1","status":"completed","steps":[]}`,
		map[string]string{"/responseId": `"x1"`, "/extraContent/interactions": `{"id":"x1"}`}, false},
	{"an interaction that is not stored has no id", `{"id":"","status":"completed","steps":[]}`,
		map[string]string{"/responseId": "", "/extraContent": ""}, false},
	{"an agent is the model", `{"agent":"deep-research-preview-04-2026","status":"completed","steps":[]}`,
		map[string]string{"/modelVersion": `"deep-research-preview-04-2026"`,
			"/extraContent/interactions/agent": `"deep-research-preview-04-2026"`}, false},
	{"the tier is in the counts", `{"status":"completed","service_tier":"flex","steps":[]}`,
		map[string]string{"/usageMetadata": `{"serviceTier":"flex"}`}, false},
	{"a total that is not the sum is replaced",
		`{"status":"completed","steps":[],"usage":{"total_tokens":9,"total_input_tokens":1,"total_output_tokens":2,"total_thought_tokens":3,"total_tool_use_tokens":4}}`,
		map[string]string{"/usageMetadata/totalTokenCount": "10",
			"/extraContent/interactions/usage": `{"total_tokens":9}`}, false},
	{"a call of an interaction that is complete leaves the status in the extension",
		`{"status":"completed","steps":[{"type":"function_call","id":"1","name":"f","arguments":{}}]}`,
		map[string]string{"/candidates/0/finishReason": `"STOP"`,
			"/extraContent/interactions/status": `"completed"`}, false},
	{"a call that waits says itself that an action is required",
		`{"status":"requires_action","steps":[{"type":"function_call","id":"1","name":"f","arguments":{}}]}`,
		map[string]string{"/candidates/0/finishReason": `"STOP"`, "/extraContent": ""}, false},
	{"a continuation has its token",
		`{"status":"requires_continuation","continuation_token":"t","steps":[]}`,
		map[string]string{"/candidates/0": `{"continuationToken":"t","finishReason":"CONTINUATION","index":0}`}, false},
	{"an interaction that runs has no finish reason", `{"id":"x","status":"queued"}`,
		map[string]string{"/candidates/0": `{"index":0}`, "/responseId": `"x"`,
			"/extraContent/interactions/status": `"queued"`}, true},
	{"an interaction that failed after some steps",
		`{"status":"failed","errors":[{"code":"internal","message":"no luck"}],"steps":[{"type":"model_output","content":[{"type":"text","text":"Hi"}]}]}`,
		map[string]string{"/candidates/0/finishReason": `"OTHER"`,
			"/candidates/0/finishMessage":            `"no luck"`,
			"/candidates/0/content/parts/0/text":     `"Hi"`,
			"/extraContent/interactions/errors/0":    `{"message":"no luck","code":"internal"}`,
			"/extraContent/interactions/status":      "",
			"/extraContent/interactions/environment": ""}, false},
	{"a step that failed",
		`{"status":"failed","steps":[{"type":"model_output","error":{"code":3,"message":"bad"},"content":[{"type":"text","text":"Hi"}]}]}`,
		map[string]string{"/candidates/0/finishMessage": `"bad"`,
			"/candidates/0/content/parts/0/extraContent/interactions/step/error/code": "3"}, false},
	{"a refused prompt", `{"status":"failed","errors":[{"code":"content_blocked","message":"not allowed"}]}`,
		map[string]string{"/promptFeedback": `{"blockReason":"OTHER","blockReasonMessage":"not allowed"}`,
			"/candidates": ""}, false},
	{"a refused prompt with Gemini's own reason",
		`{"status":"failed","errors":[{"code":"content_blocked","message":"PROHIBITED_CONTENT: no"}]}`,
		map[string]string{"/promptFeedback": `{"blockReason":"PROHIBITED_CONTENT","blockReasonMessage":"no"}`}, false},
	{"a refused answer",
		`{"status":"failed","errors":[{"code":"content_blocked","message":"not allowed"}],"steps":[{"type":"model_output","content":[{"type":"text","text":"Hi"}]}]}`,
		map[string]string{"/candidates/0/finishReason": `"SAFETY"`,
			"/candidates/0/finishMessage": `"not allowed"`, "/promptFeedback": ""}, false},
	{"a refused answer with Gemini's own reason",
		`{"status":"failed","errors":[{"code":"content_blocked","message":"RECITATION"}],"steps":[{"type":"model_output","content":[{"type":"text","text":"Hi"}]}]}`,
		map[string]string{"/candidates/0/finishReason": `"RECITATION"`, "/candidates/0/finishMessage": ""}, false},
	{"Gemini's own reason for a failure",
		`{"status":"failed","errors":[{"code":"malformed_function_call","message":"MALFORMED_FUNCTION_CALL: call:x"}],"steps":[{"type":"model_output","content":[{"type":"text","text":"Hi"}]}]}`,
		map[string]string{"/candidates/0/finishReason": `"MALFORMED_FUNCTION_CALL"`,
			"/candidates/0/finishMessage": `"call:x"`}, false},
	{"a status that is not known", `{"status":"paused","steps":[]}`,
		map[string]string{"/candidates/0/finishReason": `"OTHER"`,
			"/candidates/0/finishMessage":       `"status: paused"`,
			"/extraContent/interactions/status": `"paused"`}, false},
	{"the form a of a signature",
		`{"status":"requires_action","steps":[{"type":"thought","signature":"AA=="},{"type":"function_call","id":"1","name":"f","arguments":{"b":1.0,"a":12345678901234567890}}]}`,
		map[string]string{"/candidates/0/content/parts/0/thoughtSignature": `"AA=="`,
			"/candidates/0/content/parts/0/functionCall/args": `{"b":1.0,"a":12345678901234567890}`,
			"/candidates/0/content/parts/1":                   ""}, false},
	{"the form b of a signature",
		`{"status":"requires_action","steps":[{"type":"thought","signature":""},{"type":"function_call","id":"1","name":"f","arguments":{},"signature":"AA=="}]}`,
		map[string]string{"/candidates/0/content/parts/1/thoughtSignature": `"AA=="`}, false},
	{"the form c of a signature",
		`{"status":"requires_action","steps":[{"type":"thought","signature":"AA=="},{"type":"function_call","id":"1","name":"f","arguments":{},"signature":"AA=="}]}`,
		map[string]string{"/candidates/0/content/parts/0/thoughtSignature": `"AA=="`,
			"/candidates/0/content/parts/0/functionCall/id": `"1"`, "/candidates/0/content/parts/1": ""}, false},
	{"only the first of parallel calls is signed",
		`{"status":"requires_action","steps":[{"type":"thought","signature":"AA=="},{"type":"function_call","id":"1","name":"f","arguments":{}},{"type":"function_call","id":"2","name":"f","arguments":{}}]}`,
		map[string]string{"/candidates/0/content/parts/0/thoughtSignature": `"AA=="`,
			"/candidates/0/content/parts/1/thoughtSignature": "",
			"/candidates/0/content/parts/1/functionCall/id":  `"2"`}, false},
	{"a signature without a call is on the last part of the output",
		`{"status":"completed","steps":[{"type":"thought","signature":"AA=="},{"type":"model_output","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]}`,
		map[string]string{"/candidates/0/content/parts/0/thoughtSignature": "",
			"/candidates/0/content/parts/1/thoughtSignature": `"AA=="`}, false},
	{"a signature that nothing follows is on an empty text",
		`{"status":"completed","steps":[{"type":"model_output","content":[{"type":"text","text":"a"}]},{"type":"thought","signature":"AA=="}]}`,
		map[string]string{"/candidates/0/content/parts/1": `{"text":"","thoughtSignature":"AA=="}`}, false},
	{"the signature of a model that did not think is opaque",
		`{"status":"completed","steps":[{"type":"thought","signature":"CiRlMjQ4MzBhNy01Y2Q2LTQyZmUtOTk4Yi1lZTUzOWU3MmI5YzM="},{"type":"model_output","content":[{"type":"text","text":"a"}]}]}`,
		map[string]string{"/candidates/0/content/parts/0/thoughtSignature": `"CiRlMjQ4MzBhNy01Y2Q2LTQyZmUtOTk4Yi1lZTUzOWU3MmI5YzM="`}, false},
	{"raw samples have their rate in the type",
		`{"status":"completed","steps":[{"type":"model_output","content":[{"type":"audio","data":"AAAA","mime_type":"audio/l16","sample_rate":24000}]}]}`,
		map[string]string{"/candidates/0/content/parts/0/inlineData": `{"data":"AAAA","mimeType":"audio/L16;codec=pcm;rate=24000"}`,
			"/candidates/0/content/parts/0/extraContent": ""}, false},
	{"samples with another spelling",
		`{"status":"completed","steps":[{"type":"model_output","content":[{"type":"audio","data":"AAAA","mime_type":"audio/L16","sample_rate":16000}]}]}`,
		map[string]string{"/candidates/0/content/parts/0/inlineData/mimeType": `"audio/L16;codec=pcm;rate=16000"`}, true},
	{"a prompt is not a part of the answer",
		`{"status":"completed","steps":[{"type":"user_input","content":[{"type":"text","text":"Hi"}]},{"type":"model_output","content":[{"type":"text","text":"Yes?"}]}]}`,
		map[string]string{"/candidates/0/content/parts/0/text": "",
			"/candidates/0/content/parts/1/text": `"Yes?"`}, false},
	{"what SDKs add is never written", `{"status":"completed","steps":[{"type":"model_output","content":[{"type":"text","text":"Yes?"}]}]}`,
		map[string]string{"/output_text": "", "/outputText": "", "/extraContent": ""}, false},
	{"a step that only metadata of Gemini had is metadata again",
		`{"status":"completed","extra_content":{"google":{"finishReason":"LANGUAGE","safetyRatings":[{"category":"X","probability":"LOW"}],"usageMetadata":{"trafficType":"ON_DEMAND"},"parts":[{"index":0,"part":{"partMetadata":{"a":1}}}]}},"steps":[{"type":"model_output","content":[{"type":"text","text":"Yes?"}]},{"type":"google_search_call","id":"1","arguments":{"queries":["q"]},"extra_content":{"google":{"derived":true}}}]}`,
		map[string]string{"/candidates/0/content/parts": `[{"text":"Yes?","partMetadata":{"a":1}}]`,
			"/candidates/0/finishReason":                         `"LANGUAGE"`,
			"/candidates/0/groundingMetadata/webSearchQueries/0": `"q"`,
			"/candidates/0/safetyRatings/0/category":             `"X"`,
			"/usageMetadata/trafficType":                         `"ON_DEMAND"`, "/extraContent": ""}, true},
}

func TestAnswersHaveTheFactsOfTheirInteractions(t *testing.T) {
	t.Parallel()
	for _, tt := range facts {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, _ := answerOf(t, tt.in)
			for pointer, want := range tt.want {
				if diff := cmp.Diff(canonical(t, want), canonical(t, at(t, out, pointer))); diff != "" {
					t.Errorf("%s: -want +got: %s", pointer, diff)
				}
			}
		})
	}
}

func canonical(t *testing.T, value string) string {
	t.Helper()
	if value == "" {
		return ""
	}
	return indented(t, []byte(value))
}

func TestEveryStepAndEveryKindOfSourceIsInTheAnswer(t *testing.T) {
	t.Parallel()
	data := read(t, allSteps)
	out, entries := answerOf(t, string(data))
	if lost := entries.Of(report.Lost); lost != nil {
		t.Error(lost)
	}
	checkPointers(t, allSteps, data, entries)
	in, err := interactions.DecodeResponse(data)
	if err != nil {
		t.Fatal(err)
	}
	checkCounts(t, allSteps, in, out)
	checkSteps(t, allSteps, in, out)
	for pointer, want := range map[string]string{
		"/createTime":                      `"2026-10-05T10:00:00Z"`,
		"/usageMetadata":                   `{"cacheTokensDetails":[{"modality":"TEXT","tokenCount":5}],"cachedContentTokenCount":5,"candidatesTokenCount":30,"candidatesTokensDetails":[{"modality":"TEXT","tokenCount":30}],"initialPromptTokenCount":38,"promptTokenCount":40,"promptTokensDetails":[{"modality":"TEXT","tokenCount":30},{"modality":"IMAGE","tokenCount":10}],"serviceTier":"priority","thoughtsTokenCount":20,"toolUsePromptTokenCount":10,"toolUsePromptTokensDetails":[{"modality":"TEXT","tokenCount":10}],"totalTokenCount":100}`,
		"/candidates/0/urlContextMetadata": `{"urlMetadata":[{"retrievedUrl":"https://a.example","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_SUCCESS"},{"retrievedUrl":"https://b.example","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_ERROR"},{"retrievedUrl":"https://c.example","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_PAYWALL"},{"retrievedUrl":"https://d.example","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_UNSAFE"}]}`,
		"/candidates/0/groundingMetadata/webSearchQueries":             `["tower height","tower age"]`,
		"/candidates/0/groundingMetadata/imageSearchQueries":           `["tower photo"]`,
		"/candidates/0/groundingMetadata/retrievalQueries":             `["manual"]`,
		"/candidates/0/groundingMetadata/searchEntryPoint":             `{"renderedContent":"<b>one</b>"}`,
		"/candidates/0/groundingMetadata/googleMapsWidgetContextToken": `"widget/1"`,
		"/candidates/0/groundingMetadata/groundingChunks":              `[{"maps":{"placeAnswerSources":{"reviewSnippets":[{"googleMapsUri":"https://maps.example/r1","reviewId":"r1","title":"Nice"}]},"placeId":"p1","title":"Tower","uri":"https://maps.example/p1"}},{"web":{"title":"A","uri":"https://a.example"}},{"web":{"title":"B","uri":"https://b.example"}},{"retrievedContext":{"customMetadata":[{"key":"author","stringValue":"Eve"},{"key":"year","numericValue":1889},{"key":"tags","stringListValue":{"values":["x"]}}],"mediaId":"m","pageNumber":4,"text":"The tower is high.","title":"f.pdf","uri":"files/1"}}]`,
		"/candidates/0/groundingMetadata/groundingSupports":            `[{"groundingChunkIndices":[1,2],"segment":{"endIndex":23,"partIndex":25,"startIndex":0,"text":"Der Turm 🗼 ist hoch."}},{"groundingChunkIndices":[1],"segment":{"endIndex":39,"partIndex":25,"startIndex":24,"text":"塔は高い。"}},{"groundingChunkIndices":[3],"segment":{"endIndex":3,"partIndex":25,"startIndex":0,"text":"Der"}},{"groundingChunkIndices":[0],"segment":{"endIndex":8,"partIndex":25,"startIndex":4,"text":"Turm"}}]`,
		"/candidates/0/content/parts/3/toolCall":                       `{"args":{"queries":["tower height","tower age"]},"id":"s1","toolType":"GOOGLE_SEARCH_WEB"}`,
		"/candidates/0/content/parts/25/text":                          `"Der Turm 🗼 ist hoch. 塔は高い。"`,
		"/extraContent/annotations/0/part":                             "25",
	} {
		if diff := cmp.Diff(canonical(t, want), canonical(t, at(t, out, pointer))); diff != "" {
			t.Errorf("%s: -want +got: %s", pointer, diff)
		}
	}
}

func TestNothingOfAnInteractionWithEveryStepIsLostSilently(t *testing.T) {
	t.Parallel()
	data := read(t, allSteps)
	checkLeaves(t, allSteps, data, 1000)
	checkLeaves(t, allSteps+" without extensions", data, 1000, reverse.WithoutExtensions())
	checkLeaves(t, allSteps+" without thoughts", data, 1000, reverse.WithoutThoughts())
	for _, tt := range facts {
		checkLeaves(t, tt.name, []byte(tt.in), 100)
		checkLeaves(t, tt.name, []byte(tt.in), 100, reverse.WithoutExtensions())
	}
}

func TestInteractionsThatAreNoAnswersAreErrors(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		in   string
		want string
		is   error
	}{
		"the revision before May 2026": {`{"id":"x","status":"completed","outputs":[{"type":"text","text":"Hi"}]}`,
			"outputs", interactions.ErrOldRevision},
		"nothing":                  {`{}`, "there is no interaction", nil},
		"an error in its place":    {`{"error":{"code":"not_found","message":"gone"}}`, "not_found: gone", nil},
		"a failure without steps":  {`{"status":"failed","errors":[{"code":"quota_exceeded","message":"none left"}]}`, "quota_exceeded: none left", nil},
		"a failure without errors": {`{"status":"failed"}`, "internal: the interaction failed", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := convert([]byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, expected %q", err, tt.want)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%v does not wrap %v", err, tt.is)
			}
		})
	}
	if _, _, err := reverse.ToGemini(nil); err == nil {
		t.Error("no error for a nil interaction")
	}
}

// statuses has the finish reason of each status, as the facts have it.
var statuses = map[interactionsapi.InteractionStatus]geminiapi.FinishReason{
	interactionsapi.InteractionStatusInProgress:           "",
	interactionsapi.InteractionStatusQueued:               "",
	interactionsapi.InteractionStatusRequiresAction:       geminiapi.FinishReasonStop,
	interactionsapi.InteractionStatusCompleted:            geminiapi.FinishReasonStop,
	interactionsapi.InteractionStatusFailed:               geminiapi.FinishReasonOther,
	interactionsapi.InteractionStatusCancelled:            geminiapi.FinishReasonOther,
	interactionsapi.InteractionStatusIncomplete:           geminiapi.FinishReasonMaxTokens,
	interactionsapi.InteractionStatusBudgetExceeded:       geminiapi.FinishReasonMaxTokens,
	interactionsapi.InteractionStatusRequiresContinuation: geminiapi.FinishReasonContinuation,
}

func TestEveryStatusHasItsFinishReason(t *testing.T) {
	t.Parallel()
	for status, want := range statuses {
		if !status.Valid() {
			t.Errorf("%s is not a status of the description", status)
		}
		out, _ := answerOf(t, `{"status":"`+string(status)+
			`","steps":[{"type":"model_output","content":[{"type":"text","text":"Hi"}]}]}`)
		if got := jsonx.Deref(out.Candidates[0].FinishReason); got != want {
			t.Errorf("%s ends with %q, expected %q", status, got, want)
		}
	}
}

func TestOptionsReplaceTheIdentity(t *testing.T) {
	t.Parallel()
	const in = `{"id":"x","model":"m","status":"completed","steps":[{"type":"thought","signature":"AA==","summary":[{"type":"text","text":"Hm"}]},{"type":"model_output","content":[{"type":"text","text":"Hi"}]}]}`
	out, entries := answerOf(t, in, reverse.WithID("id"), reverse.WithModelName("name"),
		reverse.WithoutThoughts())
	if *out.ResponseID != "id" || *out.ModelVersion != "name" {
		t.Errorf("the answer is %s of %s", *out.ResponseID, *out.ModelVersion)
	}
	if got := at(t, out, "/extraContent/interactions"); got != `{"id":"x","model":"m"}` {
		t.Errorf("the extension is %s", got)
	}
	if got := at(t, out, "/candidates/0/content/parts/0/text"); got != `"Hi"` {
		t.Errorf("the first part is %s", got)
	}
	if got := at(t, out, "/candidates/0/content/parts/0/thoughtSignature"); got != `"AA=="` {
		t.Errorf("the signature is %s", got)
	}
	if !entries.Of(report.Lost).Covers("/steps/0/summary/0/text") {
		t.Errorf("the report is %v", entries)
	}
}
