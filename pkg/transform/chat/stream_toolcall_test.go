package chat_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

func TestCallsOfSeveralChunksAreCountedOverTheStream(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"responseId":"r","candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"a":1}}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"And"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"a":2}}},{"functionCall":{"name":"g"}}]}}]}`,
		`{"candidates":[{"finishReason":"STOP"}]}`,
	}, chat.WithoutExtensions())
	hasChoices(t, out.chunks,
		`{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"gemini-call-r-0-0","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]},"finish_reason":null}`,
		`{"index":0,"delta":{"content":"And"},"finish_reason":null}`,
		`{"index":0,"delta":{"tool_calls":[{"index":1,"id":"gemini-call-r-0-2","type":"function","function":{"name":"f","arguments":"{\"a\":2}"}}]},"finish_reason":null}`,
		`{"index":0,"delta":{"tool_calls":[{"index":2,"id":"gemini-call-r-0-3","type":"function","function":{"name":"g","arguments":"{}"}}]},"finish_reason":null}`,
		`{"index":0,"delta":{},"finish_reason":"tool_calls"}`,
	)
	openaitest.Reports(t, ofPath(out.report, "/functionCall/id"),
		"added /0/candidates/0/content/parts/0/functionCall/id",
		"added /2/candidates/0/content/parts/0/functionCall/id",
		"added /2/candidates/0/content/parts/1/functionCall/id")
}

func TestGeminisIDsAreKeptAndMadeOnesAreUniqueInAStream(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"index":0,"content":{"parts":[{"functionCall":{"name":"f"}},{"functionCall":{"name":"f"}}]}},
			{"index":1,"content":{"parts":[{"functionCall":{"name":"f"}},{"functionCall":{"name":"f","id":"own"}}]}}]}`,
		`{"candidates":[{"index":0,"content":{"parts":[{"functionCall":{"name":"f"}}]},"finishReason":"STOP"},{"index":1,"finishReason":"STOP"}]}`,
	})
	var ids []string
	for _, choice := range openaitest.Accumulate(out.chunks).Choices {
		for _, call := range choice.Message.ToolCalls {
			ids = append(ids, call.ID)
		}
	}
	want := []string{"gemini-call-0-0", "gemini-call-0-1", "gemini-call-0-2", "gemini-call-1-0",
		"own"}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Error(diff)
	}
}

func TestMadeIDsOfTwoStreamsDiffer(t *testing.T) {
	t.Parallel()
	id := func(response string) string {
		out := stream(t,
			[]string{`{"responseId":"` + response +
				`","candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}}]},"finishReason":"STOP"}]}`})
		return *out.chunks[0].Choices[0].Delta.ToolCalls[0].ID
	}
	if a, b := id("a"), id("b"); a == b {
		t.Errorf("both are %s", a)
	}
}

func TestTheSignatureOfACallIsOnItsFirstPiece(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"1","name":"f"},"thoughtSignature":"c2ln"},{"functionCall":{"id":"2","name":"f"}}]},"finishReason":"STOP"}]}`})
	hasChoices(t, out.chunks,
		`{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]},"finish_reason":null}`,
		`{"index":0,"delta":{"tool_calls":[{"index":1,"id":"2","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":null}`,
		`{"index":0,"delta":{},"finish_reason":"tool_calls","native_finish_reason":"STOP"}`,
	)
}

func TestTheSignatureOfAnEmptyLastTextIsInTheLastDelta(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"candidates":[{"content":{"parts":[{"text":"Hi."}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"c2ln"}]},"finishReason":"STOP"}]}`,
	})
	lines := choicesOf(t, out.chunks)
	openaitest.Subset(t, lines[1],
		`{"index":0,"delta":{"extra_content":{"google":{"thought_signature":"c2ln"}}},"finish_reason":null}`)
	if strings.Contains(lines[1], `"content":`) || len(lines) != 3 {
		t.Errorf("got %v", lines)
	}
}

// This is a call as Vertex AI streams its arguments.
var streamedCall = []string{
	`{"responseId":"r","candidates":[{"content":{"parts":[{"functionCall":{"name":"book","willContinue":true},"thoughtSignature":"c2ln"}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.city","stringValue":"Hu","willContinue":true}],"willContinue":true}}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.city","stringValue":"sum"},{"jsonPath":"$.beds[0]","numberValue":2}],"willContinue":true}}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{}}]}}]}`,
	`{"candidates":[{"finishReason":"STOP"}]}`,
}

func TestArgumentsThatComeInPiecesAreSentInPieces(t *testing.T) {
	t.Parallel()
	out := stream(t, streamedCall)
	hasChoices(t, out.chunks,
		`{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"gemini-call-r-0-0","type":"function","function":{"name":"book","arguments":""},"extra_content":{"google":{"thought_signature":"c2ln"}}}]},"finish_reason":null}`,
		`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"city\":\"Hu"}}]},"finish_reason":null}`,
		`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"sum\",\"beds\":[2"}}]},"finish_reason":null}`,
		`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"]}"}}]},"finish_reason":null}`,
		`{"index":0,"delta":{},"finish_reason":"tool_calls","native_finish_reason":"STOP"}`,
	)
	const call = "/candidates/0/content/parts/0/functionCall"
	openaitest.Reports(t, ofPath(out.report, "functionCall"),
		"added /0"+call+"/id", "approximated /0"+call+"/willContinue",
		"approximated /1"+call+"/partialArgs", "approximated /1"+call+"/willContinue",
		"approximated /2"+call+"/partialArgs", "approximated /2"+call+"/willContinue")
}

func TestASignatureThatComesWithALaterPieceIsSentWithoutArguments(t *testing.T) {
	t.Parallel()
	bodies := []string{streamedCall[1], streamedCall[4]}
	bodies[0] = strings.Replace(bodies[0], `"partialArgs"`, `"name":"book","id":"1","partialArgs"`,
		1)
	bodies = append(bodies[:1],
		`{"candidates":[{"content":{"parts":[{"functionCall":{},"thoughtSignature":"c2ln"}]}}]}`,
		bodies[1])
	out := stream(t, bodies)
	if got := choicesOf(t,
		out.chunks)[1]; got != `{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]},"finish_reason":null}` {
		t.Error(got)
	}
}

// The token budget may run out within the arguments. Clients still get JSON, and the extension says
// that the call is incomplete.
func TestACallThatWasCutOffIsJSONAndSaysSo(t *testing.T) {
	t.Parallel()
	out := stream(t, append(streamedCall[:2:2], `{"candidates":[{"finishReason":"MAX_TOKENS"}]}`))
	choice := openaitest.Accumulate(out.chunks).Choices[0]
	if got := choice.Message.ToolCalls[0].Function.Arguments; got != `{"city":"Hu"}` ||
		choice.FinishReason != openaiapi.FinishReasonLength {
		t.Errorf("%s, %s", got, choice.FinishReason)
	}
	openaitest.Subset(t, openaitest.EncodeMessage(t, &choice.Message),
		`{"extra_content":{"google":{"parts":[{"in":"tool_calls","part":{"functionCall":{"willContinue":true}}}]}}}`)
}

// A value for a closed object, or one that contradicts a sent value, cannot be sent. The call must
// not look complete.
func TestACallWhosePiecesContradictOneAnotherIsNotFinished(t *testing.T) {
	t.Parallel()
	for name, pieces := range map[string]string{
		"back to a closed object": `{"partialArgs":[{"jsonPath":"$.a.x","numberValue":1},{"jsonPath":"$.b","numberValue":2}],"willContinue":true}|{"partialArgs":[{"jsonPath":"$.a.y","numberValue":3}]}`,
		"another value":           `{"partialArgs":[{"jsonPath":"$.a","numberValue":1}],"willContinue":true}|{"partialArgs":[{"jsonPath":"$.a","numberValue":2}]}`,
		"other arguments at last": `{"partialArgs":[{"jsonPath":"$.a","numberValue":1}],"willContinue":true}|{"args":{"a":2,"b":3}}`,
		"no place in a list":      `{"partialArgs":[{"jsonPath":"$.a[0]","numberValue":1},{"jsonPath":"$.a[2]","numberValue":2}],"willContinue":true}|{}`,
	} {
		first, last, _ := strings.Cut(pieces, "|")
		bodies := []string{
			`{"responseId":"r","modelVersion":"m","candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","id":"1","willContinue":true}}]}}]}`,
			`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":` + first +
				`}]}}]}`,
			`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":` + last +
				`}]},"finishReason":"STOP"}]}`,
		}
		wire := openaitest.DecodeAll(t, bodies)
		for mode, opts := range streamModes {
			out := stream(t, bodies, opts...)
			if choice := openaitest.Accumulate(
				out.chunks).Choices[0]; choice.FinishReason != openaiapi.FinishReasonLength {
				t.Errorf("%s, %s: ends in %s", name, mode, choice.FinishReason)
			}
			if lost := out.report.Of(report.Lost); (lost != nil) != strings.Contains(mode,
				"without extensions") ||
				!out.report.Covers("/2/candidates/0/content/parts/0/functionCall") {
				t.Errorf("%s, %s: %v", name, mode, out.report)
			}
			checkAccumulated(t, mode, wire, out, opts...)
			checkStreamComplete(t, mode, bodies, 1000, opts...)
		}
		merged, _ := normalize.MergeChunks(wire...)
		if _, report, err := chat.FromGemini(merged, chat.WithoutExtensions()); err != nil ||
			report.Strict() == nil {
			t.Errorf("%s, whole: %v, %v", name, report, err)
		}
	}
}

func TestACallThatRepeatsItsArgumentsIsFinished(t *testing.T) {
	t.Parallel()
	out := stream(t, []string{
		`{"responseId":"r","candidates":[{"content":{"parts":[{"functionCall":{"name":"f","id":"1","partialArgs":[{"jsonPath":"$.a","numberValue":1},{"jsonPath":"$.b.c","stringValue":"x"}],"willContinue":true}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"args":{"b":{"c":"x"},"a":1}}}]},"finishReason":"STOP"}]}`,
	}, chat.WithoutExtensions())
	choice := openaitest.Accumulate(out.chunks).Choices[0]
	if got := choice.Message.ToolCalls[0].Function.Arguments; got != `{"a":1,"b":{"c":"x"}}` ||
		choice.FinishReason != openaiapi.FinishReasonToolCalls ||
		ofPath(out.report, "functionCall").Of(report.Lost) != nil {
		t.Errorf("%s, %s, %v", got, choice.FinishReason, out.report)
	}
}

func TestWithToolCallIDsMakesTheIDsOfAStreamOnce(t *testing.T) {
	t.Parallel()
	made := 0
	ids := chat.WithToolCallIDs(func(response string, candidate, part int) string {
		if made++; response != "r" || candidate != 0 || part != 1 {
			t.Errorf("asked for %q, %d, %d", response, candidate, part)
		}
		return ""
	})
	out := stream(t, []string{`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"a"},{"functionCall":{"name":"f"}},{"functionCall":{"name":"g","id":"own"}}]},"finishReason":"STOP"}]}`},
		ids)
	if got := *out.chunks[1].Choices[0].Delta.ToolCalls[0].ID; got != "gemini-call-r-0-1" ||
		made != 1 {
		t.Errorf("id %s, asked %d times", got, made)
	}
}

func TestPartsOfGooglesOwnToolsAreInTheLastDelta(t *testing.T) {
	t.Parallel()
	bodies := []string{
		`{"candidates":[{"content":{"parts":[{"toolCall":{"id":"1","toolType":"GOOGLE_SEARCH_WEB","args":{"q":"x"}},"thoughtSignature":"c2ln"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"toolResponse":{"id":"1","toolType":"GOOGLE_SEARCH_WEB"}},{"text":"Found."}]},"finishReason":"STOP"}]}`,
	}
	out := stream(t, bodies)
	openaitest.Subset(t, choicesOf(t, out.chunks)[1],
		`{"delta":{"extra_content":{"google":{"parts":[
		{"index":0,"part":{"toolCall":{"id":"1","toolType":"GOOGLE_SEARCH_WEB","args":{"q":"x"}},"thoughtSignature":"c2ln"}},
		{"index":1,"part":{"toolResponse":{"id":"1","toolType":"GOOGLE_SEARCH_WEB"}}},{"index":2,"in":"content","length":6}]}}}}`)
	out = stream(t, bodies, chat.WithoutExtensions())
	openaitest.Reports(t, ofPath(out.report, "/parts"), "lost /0/candidates/0/content/parts/0",
		"lost /1/candidates/0/content/parts/0")
}

func TestTheTurnOfAStreamIsRestored(t *testing.T) {
	t.Parallel()
	bodies := append(streamedCall[:3:3],
		`{"candidates":[{"content":{"parts":[{"functionCall":{}},{"text":"a"},{"text":"b"},{"text":"灯","thoughtSignature":"c2ln"},{"executableCode":{"code":"1"}},{"text":"c","thought":true}]},"finishReason":"STOP"}]}`)
	message := openaitest.Accumulate(stream(t, bodies).chunks).Choices[0].Message
	got := restore(t, &message)
	want := []geminiapi.Part{
		{FunctionCall: &geminiapi.FunctionCall{Name: new("book"), Args: []byte(`{"city":"Husum","beds":[2]}`)}, ThoughtSignature: new("c2ln")},
		{Text: new("ab")}, {Text: new("灯"), ThoughtSignature: new("c2ln")}, {ExecutableCode: &geminiapi.ExecutableCode{Code: new("1")}},
		{Text: new("c"), Thought: new(true)},
	}
	if diff := cmp.Diff(openaitest.SameParts(t, want), openaitest.SameParts(t, got)); diff != "" {
		t.Error(diff)
	}
}

// Candidates may arrive in any order and with gaps. None, one or all may have an index.
func TestMadeIDsAreThoseOfTheWholeResponse(t *testing.T) {
	t.Parallel()
	const call = `"content":{"parts":[{"text":"a"},{"functionCall":{"name":"f"}},{"inlineData":{"mimeType":"audio/wav","data":"AAAA"}}]},"finishReason":"STOP"`
	for _, candidates := range []string{
		`{` + call + `}`,
		`{"index":3,` + call + `}`,
		`{"index":3,` + call + `},{"index":1,` + call + `}`,
		`{` + call + `},{` + call + `}`,
		`{"index":1,` + call + `},{` + call + `},{` + call + `}`,
	} {
		wire := `{"responseId":"r","modelVersion":"m","candidates":[` + candidates + `]}`
		whole, _ := openaitest.Convert(t, wire)
		want := map[int]string{}
		for _, c := range whole.Choices {
			want[c.Index] = c.Message.ToolCalls[0].ID + " " + c.Message.Audio.ID
		}
		got := map[int]string{}
		for _, c := range openaitest.Accumulate(stream(t, []string{wire}).chunks).Choices {
			got[c.Index] = c.Message.ToolCalls[0].ID + " " + c.Message.Audio.ID
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -whole +stream:\n%s", candidates, diff)
		}
	}
}
