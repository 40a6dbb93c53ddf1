package steps_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// roundTrips are lists of steps that become parts, and the parts without the extension.
var roundTrips = []struct {
	name, steps, parts string
}{
	{
		"a text",
		`[{"content":[{"text":"Hi","type":"text"}],"type":"model_output"}]`,
		`[{"text":"Hi"}]`,
	},
	{
		"the signature of a thought before a text is on the text",
		`[{"signature":"AA==","type":"thought"},{"content":[{"text":"a","type":"text"},{"text":"b","type":"text"}],"type":"model_output"}]`,
		`[{"text":"a"},{"text":"b","thoughtSignature":"AA=="}]`,
	},
	{
		"form a: the signature is on the thought only",
		`[{"signature":"AA==","type":"thought"},{"id":"1","type":"function_call","name":"f","arguments":{"b":1.0,"a":12345678901234567890}}]`,
		`[{"functionCall":{"args":{"b":1.0,"a":12345678901234567890},"id":"1","name":"f"},"thoughtSignature":"AA=="}]`,
	},
	{
		"form b: the signature is on the call only",
		`[{"summary":[{"text":"Hm","type":"text"}],"type":"thought"},{"id":"1","signature":"AA==","type":"function_call","name":"f","arguments":{}}]`,
		`[{"text":"Hm","thought":true},{"functionCall":{"args":{},"id":"1","name":"f"},"thoughtSignature":"AA=="}]`,
	},
	{
		"form c: the signature is on both",
		`[{"signature":"AA==","type":"thought"},{"id":"1","signature":"AA==","type":"function_call","name":"f","arguments":{}}]`,
		`[{"functionCall":{"args":{},"id":"1","name":"f"},"thoughtSignature":"AA=="}]`,
	},
	{
		"only the first of parallel calls is signed",
		`[{"signature":"AA==","type":"thought"},{"id":"1","signature":"AA==","type":"function_call","name":"f","arguments":{}},{"id":"2","type":"function_call","name":"f","arguments":{}}]`,
		`[{"functionCall":{"args":{},"id":"1","name":"f"},"thoughtSignature":"AA=="},{"functionCall":{"args":{},"id":"2","name":"f"}}]`,
	},
	{
		"two signatures that differ",
		`[{"signature":"AA==","type":"thought"},{"id":"1","signature":"AQ==","type":"function_call","name":"f","arguments":{}}]`,
		`[{"text":"","thoughtSignature":"AA=="},{"functionCall":{"args":{},"id":"1","name":"f"},"thoughtSignature":"AQ=="}]`,
	},
	{
		"a signature at the end is on an empty text",
		`[{"content":[{"text":"Hi","type":"text"}],"type":"model_output"},{"signature":"AA==","type":"thought"}]`,
		`[{"text":"Hi"},{"text":"","thoughtSignature":"AA=="}]`,
	},
	{
		"a search has its own signature, and the thought before it keeps its place",
		`[{"signature":"AA==","type":"thought"},{"id":"1","signature":"AQ==","type":"google_search_call","arguments":{"queries":["x"]},"search_type":"web_search"},{"call_id":"1","type":"google_search_result","result":[{"search_suggestions":"<b>"}],"is_error":false},{"content":[{"text":"Hi","annotations":[{"start_index":0,"end_index":2,"url":"https://a.example","title":"a","type":"url_citation"}],"type":"text"}],"type":"model_output"}]`,
		`[{"text":"","thoughtSignature":"AA=="},{"thoughtSignature":"AQ==","toolCall":{"args":{"queries":["x"]},"id":"1","toolType":"GOOGLE_SEARCH_WEB"}},{"toolResponse":{"id":"1","response":{"search_suggestions":"<b>"},"toolType":"GOOGLE_SEARCH_WEB"}},{"text":"Hi"}]`,
	},
	{
		"an image search",
		`[{"id":"1","type":"google_search_call","arguments":{"queries":["x"]},"search_type":"image_search"}]`,
		`[{"toolCall":{"args":{"queries":["x"]},"id":"1","toolType":"GOOGLE_SEARCH_IMAGE"}}]`,
	},
	{
		"code and its result",
		`[{"id":"1","type":"code_execution_call","arguments":{"language":"python","code":"print(1)"}},{"call_id":"1","type":"code_execution_result","result":"1\n"},{"call_id":"1","type":"code_execution_result","result":"bad","is_error":true}]`,
		`[{"executableCode":{"code":"print(1)","id":"1","language":"PYTHON"}},{"codeExecutionResult":{"id":"1","outcome":"OUTCOME_OK","output":"1\n"}},{"codeExecutionResult":{"id":"1","outcome":"OUTCOME_FAILED","output":"bad"}}]`,
	},
	{
		"results of functions in each form",
		`[{"call_id":"1","type":"function_result","name":"f","result":"sunny"},{"call_id":"2","type":"function_result","name":"f","result":{"t":20}},{"call_id":"3","type":"function_result","name":"f","result":[{"text":"see","type":"text"},{"data":"AA==","mime_type":"image/png","type":"image"}]},{"call_id":"4","type":"function_result","name":"f","result":5},{"call_id":"5","type":"function_result","name":"f","result":"no","is_error":true},{"call_id":"6","type":"function_result","name":"f","result":[1,2]},{"call_id":"7","type":"function_result","name":"f","result":null}]`,
		`[{"functionResponse":{"id":"1","name":"f","response":{"output":"sunny"}}},{"functionResponse":{"id":"2","name":"f","response":{"t":20}}},{"functionResponse":{"id":"3","name":"f","parts":[{"inlineData":{"mimeType":"image/png","data":"AA=="}}],"response":{"output":"see"}}},{"functionResponse":{"id":"4","name":"f","response":{"output":5}}},{"functionResponse":{"id":"5","name":"f","response":{"error":"no"}}},{"functionResponse":{"id":"6","name":"f","response":{"output":[1,2]}}},{"functionResponse":{"id":"7","name":"f","response":{"output":null}}}]`,
	},
	{
		"media",
		`[{"content":[{"data":"AA==","mime_type":"image/png","resolution":"low","type":"image"},{"data":"AA==","mime_type":"audio/l16","channels":1,"sample_rate":24000,"type":"audio"},{"uri":"https://a.example/v","mime_type":"video/mp4","name":"clip","processing":{"type":"static","start_offset":"1s","end_offset":"2s","fps":2},"type":"video"},{"uri":"f","mime_type":"application/pdf","type":"document"},{"uri":"https://a.example/w","mime_type":"video/mp4","processing":"agentic","type":"video"},{"uri":"https://a.example/i","type":"image"}],"type":"user_input"}]`,
		`[{"inlineData":{"mimeType":"image/png","data":"AA=="},"mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"}},{"inlineData":{"mimeType":"audio/L16;codec=pcm;rate=24000","data":"AA=="}},{"fileData":{"fileUri":"https://a.example/v","mimeType":"video/mp4"},"videoMetadata":{"endOffset":"2s","fps":2,"startOffset":"1s"}},{"fileData":{"fileUri":"f","mimeType":"application/pdf"}},{"fileData":{"fileUri":"https://a.example/w","mimeType":"video/mp4"},"mediaProcessing":"AGENTIC"},{"fileData":{"fileUri":"https://a.example/i"}}]`,
	},
	{
		"tools that only interactions have",
		`[{"id":"1","type":"mcp_server_tool_call","name":"find","server_name":"docs","arguments":{}},{"call_id":"1","type":"mcp_server_tool_result","name":"find","server_name":"docs","result":"x"},{"id":"2","signature":"AA==","type":"tool_call"},{"id":"3","type":"retrieval_call","arguments":{"queries":[]},"retrieval_type":"rag_store"},{"id":"4","type":"url_context_call","arguments":{"urls":["https://a.example"]}},{"call_id":"4","type":"url_context_result","result":[{"url":"https://a.example","status":"success"},{"url":"https://b.example","status":"error"}]}]`,
		`[{"toolCall":{"args":{},"id":"1","toolName":"find","toolType":"MCP_SERVER_TOOL"}},{"toolResponse":{"id":"1","response":{"result":"x"},"toolType":"MCP_SERVER_TOOL"}},{"thoughtSignature":"AA==","toolCall":{"id":"2","toolType":"TOOL"}},{"toolCall":{"args":{"queries":[]},"id":"3","toolType":"RETRIEVAL"}},{"toolCall":{"args":{"urls":["https://a.example"]},"id":"4","toolType":"URL_CONTEXT"}},{"toolResponse":{"id":"4","response":{"result":[{"url":"https://a.example","status":"success"},{"url":"https://b.example","status":"error"}]},"toolType":"URL_CONTEXT"}}]`,
	},
	{
		"steps of one type stay apart",
		`[{"content":[{"text":"a","type":"text"}],"type":"model_output"},{"content":[{"text":"b","type":"text"}],"type":"model_output"},{"summary":[{"text":"c","type":"text"}],"type":"thought"},{"summary":[{"text":"d","type":"text"}],"type":"thought"},{"signature":"AA==","type":"thought"},{"id":"1","type":"function_call","name":"f","arguments":{}}]`,
		`[{"text":"a"},{"text":"b"},{"text":"c","thought":true},{"text":"d","thought":true},{"functionCall":{"args":{},"id":"1","name":"f"},"thoughtSignature":"AA=="}]`,
	},
	{
		"steps without a counterpart, and members that no description has",
		`[{"type":"thought"},{"signature":"","type":"thought"},{"id":"1","type":"dream_call","depth":3},{"content":[{"text":"a","type":"text","mood":"calm"},{"type":"hologram","size":1}],"type":"model_output","seed":7},{"type":"model_output"},{"id":"1","type":"function_call","name":"f","arguments":{},"why":"x"}]`,
		`[{},{},{},{"text":"a"},{},{},{"functionCall":{"args":{},"id":"1","name":"f"}}]`,
	},
	{
		"a result in the content of the user",
		`[{"content":[{"name":"f","call_id":"1","type":"function_result","result":"x"},{"text":"go on","type":"text"}],"type":"user_input"}]`,
		`[{"functionResponse":{"id":"1","name":"f","response":{"output":"x"}}},{"text":"go on"}]`,
	},
}

func TestStepsBecomePartsAndTheSameStepsAgain(t *testing.T) {
	t.Parallel()
	for _, tt := range roundTrips {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var in []interactionsapi.Step
			if err := json.Unmarshal([]byte(tt.steps), &in); err != nil {
				t.Fatal(err)
			}
			parts, entries := toParts(in, true)
			if len(entries) > 0 && !strings.Contains(tt.name, "differ") {
				t.Errorf("the report is %v", entries)
			}
			back, entries := toSteps(parts, in)
			if len(entries) > 0 {
				t.Errorf("on the way back the report is %v", entries)
			}
			if diff := cmp.Diff(compact(t, tt.steps), encode(t, back)); diff != "" {
				t.Errorf("other steps (-want +got):\n%s", diff)
			}
			for i := range parts {
				parts[i].Unknown = steps.WithoutExtension(parts[i].Unknown)
			}
			if diff := cmp.Diff(compact(t, tt.parts), encode(t, parts)); diff != "" {
				t.Errorf("other parts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWithoutTheExtensionEveryRestIsReported(t *testing.T) {
	t.Parallel()
	var in []interactionsapi.Step
	const text = `[{"type":"thought"},{"id":"1","type":"dream_call"},{"content":[{"text":"a","annotations":[{"type":"url_citation"}],"type":"text"}],"type":"model_output","seed":7},{"call_id":"1","type":"mcp_server_tool_result","server_name":"docs"}]`
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		t.Fatal(err)
	}
	_, entries := toParts(in, false)
	for _, pointer := range []string{"/steps/0", "/steps/1", "/steps/2/content/0/annotations",
		"/steps/2/seed", "/steps/3/server_name"} {
		if !entries.Covers(pointer) {
			t.Errorf("nothing covers %s: %v", pointer, entries)
		}
	}
}

// toParts converts steps of an interaction.
func toParts(in []interactionsapi.Step, extension bool) ([]geminiapi.Part, report.Report) {
	var entries report.Report
	convert := steps.Parts{Extension: extension, Report: &entries}
	var parts []geminiapi.Part
	for i := range in {
		placed := interactions.Steps(interactions.InputOf(in...))[i]
		parts = convert.Add(parts, &in[i], "/steps/"+string(rune('0'+i)), func(j int) string {
			return strings.Replace(placed.Block(j), "/input", "/steps", 1)
		})
	}
	return convert.End(parts), entries
}

// toSteps converts parts, of the user if the steps were of the user.
func toSteps(parts []geminiapi.Part, of []interactionsapi.Step) ([]interactionsapi.Step,
	report.Report) {
	var entries report.Report
	convert := steps.Steps{Report: &entries, SignatureAfter: true,
		OfUser: of[0].Type == interactionsapi.StepTypeUserInput}
	for i := range parts {
		convert.Add(&parts[i], "/parts/"+string(rune('0'+i)))
	}
	out, _ := convert.All()
	return out, entries
}

func encode(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return compact(t, string(data))
}

func compact(t *testing.T, text string) string {
	t.Helper()
	value := jsontext.Value(text)
	if err := value.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
		t.Fatal(err)
	}
	if err := value.Indent(); err != nil {
		t.Fatal(err)
	}
	return string(value)
}
