package normalize_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/google/go-cmp/cmp"
)

func TestPartBecomesBlock(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, part, want string }{
		{"text", `{"text":"Hi"}`, `{"type":"text","part":0,"text":"Hi"}`},
		{"empty text", `{"text":""}`, `{"type":"text","part":0}`},
		{"signature on an empty text", `{"text":"","thoughtSignature":"c2ln"}`, `{"type":"text","part":0,"signature":"c2ln"}`},
		{"signature alone", `{"thoughtSignature":"c2ln"}`, `{"type":"signature","part":0,"signature":"c2ln"}`},
		{
			"signature with metadata", `{"thoughtSignature":"c2ln","partMetadata":{"a":1}}`,
			`{"type":"signature","part":0,"signature":"c2ln","extra":{"partMetadata":{"a":1}}}`,
		},
		{"signature that is not base64", `{"text":"Hi","thoughtSignature":"skip_it"}`, `{"type":"text","part":0,"text":"Hi","signature":"skip_it"}`},
		{"thinking", `{"text":"Hm","thought":true,"thoughtSignature":"c2ln"}`, `{"type":"thinking","part":0,"text":"Hm","signature":"c2ln"}`},
		{"thought without content", `{"thought":true}`, `{"type":"unknown","part":0,"thought":true,"extra":{"thought":true}}`},
		{"no thought without content", `{"thought":false}`, ``},
		{"nothing", `{}`, ``},
		{"null for everything", `{"text":null,"functionCall":null,"partMetadata":null}`, ``},
		{"null", `null`, ``},
		{
			"function call",
			`{"functionCall":{"id":"c1","name":"f","args":{ "b": 1.0, "a": "\u003c", "n": 9007199254740993 }},"thoughtSignature":"c2ln"}`,
			`{"type":"tool_call","part":0,"signature":"c2ln","tool_call":{"id":"c1","name":"f","arguments":{"b":1.0,"a":"\u003c","n":9007199254740993}}}`,
		},
		{
			"function call without an id", `{"functionCall":{"name":"f"}}`,
			`{"type":"tool_call","part":0,"tool_call":{"id":"call--0-0","made_id":true,"name":"f","arguments":{}}}`,
		},
		{
			"function call next to text",
			`{"functionCall":{"id":"1","name":"f"},"text":"calling","thought":true}`,
			`{"type":"tool_call","part":0,"thought":true,"tool_call":{"id":"1","name":"f","arguments":{}},"extra":{"text":"calling"}}`,
		},
		{
			"function call with more",
			`{"functionCall":{"id":"1","name":"f","args":"?","willContinue":true,"partialArgs":[{"jsonPath":"$.a","boolValue":false}],"new":1}}`,
			`{"type":"tool_call","part":0,"tool_call":{"id":"1","name":"f","arguments":{"a":false},"incomplete":true},
			  "extra":{"functionCall":{"willContinue":true,"partialArgs":[{"args":"?"}],"new":1}}}`,
		},
		{
			"function response",
			`{"functionResponse":{"id":"c1","name":"f","response":{"output":{"error":"no"}}}}`,
			`{"type":"tool_result","part":0,"tool_result":{"tool_call_id":"c1","name":"f","content":{"output":{"error":"no"}}}}`,
		},
		{
			"function response of a failure",
			`{"functionResponse":{"name":"f","response":{"error":"no"}}}`,
			`{"type":"tool_result","part":0,"tool_result":{"name":"f","content":{"error":"no"},"is_error":true}}`,
		},
		{
			"function response that holds a member error",
			`{"functionResponse":{"name":"f","response":{"output":"done","error":"none"}}}`,
			`{"type":"tool_result","part":0,"tool_result":{"name":"f","content":{"output":"done","error":"none"}}}`,
		},
		{
			"function response without an error",
			`{"functionResponse":{"name":"f","response":{"error":null}}}`,
			`{"type":"tool_result","part":0,"tool_result":{"name":"f","content":{"error":null}}}`,
		},
		{
			"function response with more",
			`{"functionResponse":{"name":"f","scheduling":"SILENT","willContinue":false,"parts":[{"inlineData":{"data":"AA=="}}],"new":1}}`,
			`{"type":"tool_result","part":0,"tool_result":{"name":"f"},
			  "extra":{"functionResponse":{"scheduling":"SILENT","willContinue":false,"parts":[{"inlineData":{"data":"AA=="}}],"new":1}}}`,
		},
		{
			"inline data",
			`{"inlineData":{"mimeType":"image/png","data":"iVBORw0=","displayName":"map.png"}}`,
			`{"type":"media","part":0,"media":{"mime_type":"image/png","data":"iVBORw0=","display_name":"map.png"}}`,
		},
		{
			"draft image",
			`{"inlineData":{"mimeType":"image/png","data":"iVBORw0="},"thought":true,"thoughtSignature":"c2ln"}`,
			`{"type":"media","part":0,"signature":"c2ln","thought":true,"media":{"mime_type":"image/png","data":"iVBORw0="}}`,
		},
		{
			"video with metadata",
			`{"inlineData":{"mimeType":"video/mp4","data":""},"videoMetadata":{"fps":2},"mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"},"mediaProcessing":"AGENTIC"}`,
			`{"type":"media","part":0,"media":{"mime_type":"video/mp4","data":""},
			  "extra":{"videoMetadata":{"fps":2},"mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"},"mediaProcessing":"AGENTIC"}}`,
		},
		{
			"sound with a transcript",
			`{"inlineData":{"data":"AA==","new":1},"audioTranscription":{"text":"Hello"},"speechMetadata":{"style":"calm"}}`,
			`{"type":"media","part":0,"media":{"data":"AA=="},
			  "extra":{"inlineData":{"new":1},"audioTranscription":{"text":"Hello"},"speechMetadata":{"style":"calm"}}}`,
		},
		{"transcript alone", `{"audioTranscription":{"text":"Hello"}}`, `{"type":"unknown","part":0,"extra":{"audioTranscription":{"text":"Hello"}}}`},
		{
			"file", `{"fileData":{"fileUri":"gs://b/o","mimeType":"application/pdf","displayName":"o","new":1}}`,
			`{"type":"file","part":0,"file":{"uri":"gs://b/o","mime_type":"application/pdf","display_name":"o"},"extra":{"fileData":{"new":1}}}`,
		},
		{
			"code", `{"executableCode":{"id":"x","language":"PYTHON","code":"print(1)","new":1}}`,
			`{"type":"code","part":0,"code":{"id":"x","language":"PYTHON","source":"print(1)"},"extra":{"executableCode":{"new":1}}}`,
		},
		{
			"code result",
			`{"codeExecutionResult":{"id":"x","outcome":"OUTCOME_OK","output":"1\n","new":1}}`,
			`{"type":"code_result","part":0,"code_result":{"id":"x","outcome":"OUTCOME_OK","output":"1\n"},"extra":{"codeExecutionResult":{"new":1}}}`,
		},
		{
			"server tool call",
			`{"toolCall":{"id":"s","toolType":"GOOGLE_SEARCH_WEB","toolName":"search","args":{"q":["tide"]},"toolInput":"tide","new":1}}`,
			`{"type":"server_tool_call","part":0,"server_tool_call":{"id":"s","tool":"GOOGLE_SEARCH_WEB","name":"search","arguments":{"q":["tide"]}},
			  "extra":{"toolCall":{"toolInput":"tide","new":1}}}`,
		},
		{
			"server tool result",
			`{"toolResponse":{"id":"s","toolType":"URL_CONTEXT","response":{"ok":true},"new":1}}`,
			`{"type":"server_tool_result","part":0,"server_tool_result":{"id":"s","tool":"URL_CONTEXT","response":{"ok":true}},"extra":{"toolResponse":{"new":1}}}`,
		},
		{"two payloads", `{"inlineData":{"data":"AA=="},"text":"a picture"}`, `{"type":"media","part":0,"media":{"data":"AA=="},"extra":{"text":"a picture"}}`},
		{"text with an unknown member", `{"text":"Hi","mood":"good"}`, `{"type":"text","part":0,"text":"Hi","extra":{"mood":"good"}}`},
		{"unknown kind", `{"hologram":{"data":"AA=="}}`, `{"type":"unknown","part":0,"extra":{"hologram":{"data":"AA=="}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			equalJSON(t, asJSON(t, normalized(t, withParts(tt.part)).Blocks()), "["+tt.want+"]")
		})
	}
}

func TestBlocksKeepTheOrderAndPositionsOfTheParts(t *testing.T) {
	t.Parallel()
	out := normalized(t, withParts(`{"text":"a"},{},{"text":"b","thought":true},{"text":"c"},{}`))
	equalJSON(t, asJSON(t, out.Blocks()), `[
		{"type":"text","part":0,"text":"a"},
		{"type":"thinking","part":2,"text":"b"},
		{"type":"text","part":3,"text":"c"}]`)
}

func TestFromResponseLeavesTheWireAlone(t *testing.T) {
	t.Parallel()
	r := fromWire(t, withParts(`{"functionCall":{"name":"f","args":{ "a" : [ 1 , 2 ] }}},{"mood":"good","text":"Hi"}`))
	before := asJSON(t, r)
	args := string(r.Candidates[0].Content.Parts[0].FunctionCall.Args)
	if _, err := normalize.FromResponse(r); err != nil {
		t.Fatal(err)
	}
	equalJSON(t, asJSON(t, r), before)
	if got := string(r.Candidates[0].Content.Parts[0].FunctionCall.Args); got != args {
		t.Errorf("the arguments are %s now, they were %s", got, args)
	}
}

func TestArgumentsThatAreNotJSONAreAnError(t *testing.T) {
	t.Parallel()
	r := &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: []geminiapi.Part{{
		FunctionCall: &geminiapi.FunctionCall{Name: new("f"), Args: []byte(`{"a":`)},
	}}}}}}
	_, err := normalize.FromResponse(r)
	const want = "normalize: /candidates/0/content/parts/0/functionCall/args: functionCall 'args' is not JSON"
	if err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

func TestWirePartIsTheInverse(t *testing.T) {
	t.Parallel()
	responses := filledResponses()
	for _, p := range corpustest.Payloads(t, corpustest.Response) {
		if r, err := gemini.DecodeResponse(p.Read(t)); err == nil {
			responses[p.Name] = r
		}
	}
	blocks := 0
	for name, r := range responses {
		out, err := normalize.FromResponse(r, sameID)
		if err != nil {
			continue // blocked, or an error in the place of an answer
		}
		for i := range out.Blocks() {
			block := out.Blocks()[i]
			again, err := normalize.FromResponse(
				&geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{
					Content: &geminiapi.Content{Parts: []geminiapi.Part{*block.WirePart()}},
				}}}, sameID)
			if err != nil || len(again.Blocks()) != 1 {
				t.Fatalf("%s: block %d: %v and error %v", name, i, again.Blocks(), err)
			}
			blocks++
			block.Part = 0
			if diff := cmp.Diff(&block, &again.Blocks()[0]); diff != "" {
				t.Errorf("%s: block %d: before (-) and after (+):\n%s", name, i, diff)
			}
		}
	}
	if blocks < corpustest.AtLeast(500) {
		t.Errorf("only %d blocks", blocks)
	}
}

var sameID = normalize.WithToolCallIDs(func(string, int, int) string { return "id" })

func TestJoinedPartsAreThoseOfTheMergedContent(t *testing.T) {
	t.Parallel()
	r := normalized(t, `{"candidates":[{"content":{"parts":[{"text":"a"},{"text":"b"},{"text":""},{"text":"t","thought":true},{"text":"u","thought":true},
		{"functionCall":{"name":"f"}},{"functionCall":{"name":"g"}},{"text":"c"}]},"finishReason":"STOP"}]}`)
	want := map[int]int{0: 0, 1: 0, 2: 0, 3: 1, 4: 1, 5: 2, 6: 3, 7: 4}
	got := r.Candidates[0].JoinedParts()
	for part, at := range got {
		if want[part] != at {
			t.Errorf("part %d is at %d, want %d", part, at, want[part])
		}
	}
	if len(got) < 7 {
		t.Errorf("got %v", got)
	}
}
