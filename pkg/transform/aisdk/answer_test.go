package aisdk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
	"github.com/google/go-cmp/cmp"
)

// callParts are the parts of a function call without arguments.
func callParts(id, tool string, more ...string) []string {
	metadata := strings.Join(append([]string{""}, more...), ",")
	return []string{
		fmt.Sprintf(`{"type":"tool-input-start","id":%q,"toolName":%q%s}`, id, tool, metadata),
		fmt.Sprintf(`{"type":"tool-input-delta","id":%q,"delta":"{}"}`, id),
		fmt.Sprintf(`{"type":"tool-input-end","id":%q}`, id),
		fmt.Sprintf(`{"type":"tool-call","toolCallId":%q,"toolName":%q,"input":"{}"%s}`, id, tool,
			metadata),
	}
}

// byServer marks a call that the server has run.
const byServer = `"providerExecuted":true,"dynamic":true`

// answerPart is the result of a call that the server has run.
func answerPart(id, tool, more string) string {
	return fmt.Sprintf(`{"type":"tool-result","toolCallId":%q,"toolName":%q,"result":{"n":1},"dynamic":true%s}`,
		id, tool, more)
}

// textParts are the parts of a text in one delta.
func textParts(id, text string) []string {
	return []string{
		fmt.Sprintf(`{"type":"text-start","id":%q}`, id),
		fmt.Sprintf(`{"type":"text-delta","id":%q,"delta":%q}`, id, text),
		fmt.Sprintf(`{"type":"text-end","id":%q}`, id),
	}
}

// idOnWire is metadata that has only the wire's id of a call.
func idOnWire(id string) string { return `"providerMetadata":{"google":{"toolCallId":"` + id + `"}}` }

func join(lists ...[]string) (out []string) {
	for _, list := range lists {
		out = append(out, list...)
	}
	return out
}

const (
	callC1   = `{"functionCall":{"id":"c1","name":"m"}}`
	callC2   = `{"functionCall":{"id":"c2","name":"m"}}`
	answerC1 = `{"functionResponse":{"id":"c1","name":"m","response":{"n":1}}}`
	answerC2 = `{"functionResponse":{"id":"c2","name":"m","response":{"n":1}}}`
	answerM  = `{"functionResponse":{"name":"m","response":{"n":1}}}`
)

// answeredCases are function calls whose results are in the stream.
var answeredCases = []geminiCase{
	{
		name:   "a call with its result was run by the server",
		chunks: []string{chunkOf(callC1, answerC1, `{"text":"x"}`), stop},
		parts: join(callParts("c1", "m", byServer), []string{answerPart("c1", "m", "")},
			textParts("0", "x"), []string{stopped}),
	},
	{
		name: "a chunk and a finish reason may lie between a call and its result, which may have no ids",
		chunks: []string{
			`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"m"},"thoughtSignature":"s1"}]},"finishReason":"STOP"}]}`,
			chunkOf(strings.TrimSuffix(answerM, "}") + `,"thoughtSignature":"s2"}`),
			chunkOf(`{"text":"x"}`), stop,
		},
		parts: join(callParts("call-0-0", "m", byServer, signed("s1")),
			[]string{answerPart("call-0-0", "m", ","+signed("s2"))},
			textParts("0", "x"), []string{stopped}),
	},
	{
		name:   "several calls and then their results",
		chunks: []string{chunkOf(callC1, callC2), chunkOf(answerC2), chunkOf(answerC1), stop},
		parts: join(callParts("c1", "m", byServer), callParts("c2", "m", byServer),
			[]string{answerPart("c2", "m", ""), answerPart("c1", "m", ""), stopped}),
	},
	{
		name: "results without ids belong to the calls of their tool in their order",
		chunks: []string{chunkOf(`{"functionCall":{"name":"m"}}`, `{"functionCall":{"name":"o"}}`,
			`{"functionCall":{"name":"m"}}`, answerM, answerM), stop},
		parts: join(callParts("call-0-0", "m", byServer), callParts("call-0-1", "o"),
			callParts("call-0-2", "m", byServer),
			[]string{answerPart("call-0-0", "m", ""), answerPart("call-0-2", "m", ""), calling}),
	},
	{
		name:   "one of two calls is the client's",
		chunks: []string{chunkOf(callC1, callC2, answerC2), chunkOf(`{"text":"x"}`), stop},
		parts: join(callParts("c1", "m"), callParts("c2", "m", byServer),
			[]string{answerPart("c2", "m", "")},
			textParts("0", "x"), []string{calling}),
	},
	{
		name: "other server tools wait with a call, in order",
		chunks: []string{chunkOf(callC1,
			`{"executableCode":{"id":"a","language":"PYTHON","code":"1"}}`,
			`{"codeExecutionResult":{"id":"a","outcome":"OUTCOME_OK","output":"1"}}`),
			chunkOf(answerC1), stop},
		parts: join(callParts("c1", "m", byServer),
			[]string{codeCallPart("a", "1"), codeResultPart("a", "1"),
				answerPart("c1", "m", ""), stopped}),
	},
	{
		name:   "a result that comes after something else is for a call of the client",
		chunks: []string{chunkOf(callC1, `{"text":"x"}`, answerC1), stop},
		parts: join(callParts("c1", "m"), textParts("0", "x"),
			[]string{`{"type":"tool-result","toolCallId":"c1","toolName":"m","result":{"n":1}}`,
				stopped}),
	},
	{
		name:   "two results of one call",
		chunks: []string{chunkOf(callC1, answerC1), chunkOf(answerC1), stop},
		parts: join(callParts("c1", "m", byServer),
			[]string{answerPart("c1", "m", ""), answerPart("c1", "m", ""), stopped}),
	},
	{
		name: "a call in pieces is shown as it comes, and those before it",
		chunks: []string{
			chunkOf(callC1, `{"functionCall":{"id":"c2","name":"m","willContinue":true}}`),
			chunkOf(`{"functionCall":{}}`),
			chunkOf(answerC1, answerC2), stop,
		},
		parts: []string{
			`{"type":"tool-input-start","id":"c1","toolName":"m"}`,
			`{"type":"tool-input-delta","id":"c1","delta":"{}"}`,
			`{"type":"tool-input-end","id":"c1"}`,
			`{"type":"tool-input-start","id":"c2","toolName":"m"}`,
			`{"type":"tool-input-delta","id":"c2","delta":"{}"}`,
			`{"type":"tool-input-end","id":"c2"}`,
			`{"type":"tool-call","toolCallId":"c1","toolName":"m","input":"{}",` + byServer + `}`,
			`{"type":"tool-call","toolCallId":"c2","toolName":"m","input":"{}",` + byServer + `}`,
			answerPart("c1", "m", ""), answerPart("c2", "m", ""), stopped,
		},
	},
	{
		name:   "a result with another id belongs to the only call without one",
		chunks: []string{chunkOf(callC1, answerC2), stop},
		parts: join(callParts("c1", "m", byServer),
			[]string{answerPart("c1", "m", ","+idOnWire("c2")), stopped}),
	},
	{
		name:   "a result with another id than two calls have gets one of its own",
		chunks: []string{chunkOf(callC1, callC2, strings.Replace(answerC1, "c1", "c3", 1)), stop},
		parts: join(callParts("c1", "m"), callParts("c2", "m"), []string{
			`{"type":"tool-call","toolCallId":"c3","toolName":"m","input":"{}",` + byServer + `}`,
			answerPart("c3", "m", ""), calling,
		}),
	},
	{
		name:   "a stream that breaks off leaves a call to the client",
		chunks: []string{chunkOf(callC1)},
		parts: join(callParts("c1", "m"), []string{
			`{"type":"error","error":"no chunk of the stream has a finish reason: truncated stream"}`,
			`{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"error"}}`,
		}),
	},
	{
		name: "a server's result with another id",
		chunks: []string{chunkOf(`{"toolCall":{"toolType":"A","id":"a"}}`,
			`{"toolResponse":{"toolType":"A","id":"b","response":{"n":1}}}`,
			`{"toolResponse":{"toolType":"B","id":"c","response":{"n":1}}}`), stop},
		parts: []string{
			`{"type":"tool-call","toolCallId":"a","toolName":"server:A","input":"{}",` + byServer +
				`,"providerMetadata":{"google":{"serverToolCallId":"a","serverToolType":"A"}}}`,
			answerPart("a", "server:A",
				`,"providerMetadata":{"google":{"serverToolCallId":"b","serverToolType":"A"}}`),
			`{"type":"tool-call","toolCallId":"c","toolName":"server:B","input":"{}",` + byServer +
				`,"providerMetadata":{"google":{"serverToolCallId":"c","serverToolType":"B"}}}`,
			answerPart("c", "server:B",
				`,"providerMetadata":{"google":{"serverToolCallId":"c","serverToolType":"B"}}`),
			stopped,
		},
	},
	{
		name: "code without an id and a result with one",
		chunks: []string{chunkOf(`{"executableCode":{"language":"PYTHON","code":"1"}}`,
			`{"codeExecutionResult":{"id":"b","outcome":"OUTCOME_OK","output":"1"}}`), stop},
		parts: []string{
			codeCallPart("call-0-0", "1"),
			strings.TrimSuffix(codeResultPart("call-0-0", "1"), "}") + "," + idOnWire("b") + "}",
			stopped,
		},
	},
}

// repeatedCases are repeated ids.
var repeatedCases = []geminiCase{
	{
		name: "two calls with one id",
		chunks: []string{chunkOf(callC1, `{"functionCall":{"id":"c1","name":"o"}}`,
			`{"functionCall":{"id":"c1-2","name":"o"}}`), stop},
		parts: join(callParts("c1", "m"), callParts("c1-2", "o", idOnWire("c1")),
			callParts("c1-2-2", "o", idOnWire("c1-2")),
			[]string{calling}),
	},
	{
		name:   "the result of two calls with one id belongs to the last",
		chunks: []string{chunkOf(callC1, callC1, answerC1), chunkOf(`{"text":"x"}`), stop},
		parts: join(callParts("c1", "m"), callParts("c1-2", "m", byServer, idOnWire("c1")),
			[]string{answerPart("c1-2", "m", "")},
			textParts("0", "x"), []string{calling}),
	},
	{
		name: "an id that was made for another call",
		chunks: []string{chunkOf(`{"functionCall":{"name":"m"}}`,
			`{"functionCall":{"id":"call-0-0","name":"m"}}`), stop},
		parts: join(callParts("call-0-0", "m"), callParts("call-0-0-2", "m", idOnWire("call-0-0")),
			[]string{calling}),
	},
	{
		name: "calls of all kinds with one id",
		chunks: []string{chunkOf(`{"executableCode":{"id":"c1","language":"PYTHON","code":"1"}}`,
			`{"toolCall":{"id":"c1","toolType":"A"}}`,
			`{"toolResponse":{"id":"c1","toolType":"A","response":{"n":1}}}`,
			`{"codeExecutionResult":{"id":"c1","outcome":"OUTCOME_OK","output":"1"}}`,
			callC1, answerC1), stop},
		parts: join([]string{
			codeCallPart("c1", "1"),
			`{"type":"tool-call","toolCallId":"c1-2","toolName":"server:A","input":"{}",` +
				byServer +
				`,"providerMetadata":{"google":{"serverToolCallId":"c1","serverToolType":"A"}}}`,
			answerPart("c1-2", "server:A",
				`,"providerMetadata":{"google":{"serverToolCallId":"c1","serverToolType":"A"}}`),
			codeResultPart("c1", "1"),
		}, callParts("c1-3", "m", byServer, idOnWire("c1")),
			[]string{answerPart("c1-3", "m", ""), stopped}),
	},
}

// A client must not wait for a call longer than needed to see who runs it.
func TestACallWaitsNoLongerThanItMust(t *testing.T) {
	t.Parallel()
	s := aisdk.NewStream(sameIDs()...)
	for _, step := range []struct {
		chunk string
		want  string
	}{
		{chunkOf(callC1), "stream-start"},
		{`{"candidates":[{"finishReason":"STOP","groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example"}}]}}]}`, "source"},
		{chunkOf(answerC1), "tool-input-start tool-input-delta tool-input-end tool-call tool-result"},
		{chunkOf(callC2), ""},
		{chunkOf(`{"text":"x"}`), "tool-input-start tool-input-delta tool-input-end tool-call text-start text-delta"},
		{chunkOf(`{"functionCall":{"name":"m","willContinue":true}}`), "text-end tool-input-start"},
		{chunkOf(`{"functionCall":{"partialArgs":[{"jsonPath":"$.n","numberValue":1}],"willContinue":true}}`), "tool-input-delta"},
		{chunkOf(`{"functionCall":{}}`), "tool-input-delta tool-input-end"},
		{chunkOf(`{"functionCall":{"name":"o"}}`), ""},
		{chunkOf(`{"inlineData":{"mimeType":"image/png","data":""}}`), "tool-call tool-input-start tool-input-delta tool-input-end tool-call file"},
		{chunkOf(`{"functionCall":{"name":"o"}}`), ""},
	} {
		parts, err := s.Push(decodeChunks(t, step.chunk)[0])
		if got := strings.Join(partTypes(parts), " "); err != nil || got != step.want {
			t.Errorf("after %s: %q, %v, want %q", step.chunk, partTypes(parts), err, step.want)
		}
	}
	parts, err := s.Close(nil)
	if got := strings.Join(partTypes(parts), " "); err != nil ||
		got != "tool-input-start tool-input-delta tool-input-end tool-call finish" {
		t.Errorf("at the end: %q, %v", got, err)
	}
}

func TestTheReportHasGuessesAndRepeatedIDs(t *testing.T) {
	t.Parallel()
	const at = "/candidates/0/content/parts/"
	const guess = "no call has the id; the result is assigned to the only call without a result"
	for name, test := range map[string]struct {
		chunks []string
		want   report.Report
	}{
		"a call and its result": {[]string{chunkOf(callC1, answerC1), stop}, nil},
		"another id":            {[]string{chunkOf(callC1), chunkOf(answerC2), stop}, report.Report{{Pointer: "/1" + at + "0/functionResponse/id", Kind: report.Approximated, Detail: guess}}},
		"no id in the result": {[]string{chunkOf(callC1, answerM), stop}, report.Report{
			{Pointer: "/0" + at + "1/functionResponse/id", Kind: report.Added, Detail: "the result has no id; it is assigned to the call before it"}}},
		"no id in the code": {[]string{chunkOf(`{"executableCode":{"code":"1"}}`,
			`{"codeExecutionResult":{"id":"b"}}`), stop}, report.Report{
			{Pointer: "/0" + at + "0/executableCode/id", Kind: report.Added, Detail: "the call has no id"},
			{Pointer: "/0" + at + "1/codeExecutionResult/id", Kind: report.Approximated, Detail: guess}}},
		"no call": {[]string{chunkOf(`{"text":"x"}`, answerC1), stop}, report.Report{
			{Pointer: "/0" + at + "1/functionResponse", Kind: report.Added, Detail: "the result has no call before it"}}},
		"one id for two": {[]string{chunkOf(callC1),
			chunkOf(`{"text":"x"}`, callC1, `{"toolCall":{"id":"c1"}}`), stop}, report.Report{
			{Pointer: "/1" + at + "1/functionCall/id", Kind: report.Approximated, Detail: "replaced by a variant, because another call has the id"},
			{Pointer: "/1" + at + "2/toolCall/id", Kind: report.Approximated, Detail: "replaced by a variant, because another call has the id"}}},
	} {
		_, got := mapLinesAndReport(t, decodeChunks(t, test.chunks...))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
