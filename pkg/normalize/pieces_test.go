package normalize_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/google/go-cmp/cmp"
)

// piecesTests are parts of a whole answer that holds a call in pieces. A proxy makes such an answer
// when it concatenates the parts of the chunks. The call is the first block.
var piecesTests = []struct {
	name, parts, end string
	arguments        string
	finish           normalize.FinishReason
	incomplete       bool
}{
	{"one piece", `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","numberValue":1},{"jsonPath":"$.b","stringValue":"x"}]}}`, "STOP", `{"a":1,"b":"x"}`, normalize.FinishToolUse, false},
	{"one piece that continues", `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","numberValue":1}],"willContinue":true}}`, "STOP", `{"a":1}`, normalize.FinishToolUse, false},
	{"a name that continues", `{"functionCall":{"name":"f","willContinue":true}}`, "STOP", `{}`, normalize.FinishToolUse, false},
	{"arguments that go on", `{"functionCall":{"name":"f","args":{"a":1},"willContinue":true}}`, "STOP", `{"a":1}`, normalize.FinishToolUse, false},
	{
		"several pieces",
		`{"functionCall":{"name":"f","willContinue":true}},{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}},{"text":""},
		 {"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"y"}],"willContinue":true}},{"functionCall":{}}`,
		"STOP", `{"a":"xy"}`, normalize.FinishToolUse, false,
	},
	{
		"an end that comes twice, then another call",
		`{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","numberValue":1}],"willContinue":true}},{"functionCall":{}},{"functionCall":{}},{"functionCall":{"name":"g"}}`,
		"STOP", `{"a":1}`, normalize.FinishToolUse, false,
	},
	{"a string that is cut", `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}}`, "STOP", `{"a":"x"}`, normalize.FinishToolUse, true},
	{"a call that is cut", `{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","numberValue":1}],"willContinue":true}}`, "MAX_TOKENS", `{"a":1}`, normalize.FinishLength, true},
	{"pieces that contradict one another", `{"functionCall":{"name":"f","args":{"a":2},"partialArgs":[{"jsonPath":"$.a","numberValue":1},{"jsonPath":"$.b","numberValue":1}]}}`, "STOP", `{"a":2,"b":1}`, normalize.FinishToolUse, true},
}

func TestCallsInPiecesAreOneInAWholeAnswerAsInAStream(t *testing.T) {
	t.Parallel()
	for _, tt := range piecesTests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			body := piecesBody(tt.parts, tt.end)
			out := normalized(t, body)
			block := out.Blocks()[0]
			if call := block.ToolCall; string(call.Arguments) != tt.arguments ||
				call.Incomplete != tt.incomplete || out.FinishReason() != tt.finish {
				t.Errorf("%s, incomplete %t, %s", call.Arguments, call.Incomplete,
					out.FinishReason())
			}
			if block.Part != 0 || len(out.JoinedPieces) == 0 {
				t.Errorf("the call stands at %d, %v", block.Part, out.JoinedPieces)
			}
			checkStream(t, streamOf(t, body))
		})
	}
}

func TestACallInPiecesIsReportedWhereItsPiecesStand(t *testing.T) {
	t.Parallel()
	out := normalized(t,
		piecesBody(`{"text":"a"},{"functionCall":{"name":"f","willContinue":true}},{"functionCall":{"partialArgs":[{"jsonPath":"$.a","numberValue":1}]}},{"functionCall":{"willContinue":false}}`,
			"STOP"))
	var got []string
	for _, e := range out.Report() {
		got = append(got, string(e.Kind)+" "+e.Pointer)
	}
	const part = "/candidates/0/content/parts/"
	want := []string{
		"approximated " + part + "1/functionCall/willContinue",
		"approximated " + part + "2/functionCall/partialArgs",
		"approximated " + part + "3/functionCall/willContinue",
		"added " + part + "1/functionCall/id",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The merged chunks are a whole answer. In this answer a call that was cut in a string must look
// different from a call that only lacks its end.
func TestACallThatWasCutStaysIncompleteHoweverOftenItIsMerged(t *testing.T) {
	t.Parallel()
	for _, tt := range piecesTests {
		wire := fromWire(t, piecesBody(tt.parts, tt.end))
		for range 3 {
			wire, _ = normalize.MergeChunks(wire)
			out, err := normalize.FromResponse(wire)
			if err != nil {
				t.Fatal(err)
			}
			if call := out.Blocks()[0].ToolCall; call.Incomplete != tt.incomplete ||
				string(call.Arguments) != tt.arguments {
				t.Errorf("%s: %s, incomplete %t", tt.name, call.Arguments, call.Incomplete)
			}
			if len(out.JoinedPieces) > 0 {
				t.Errorf("%s: reported twice: %v", tt.name, out.JoinedPieces)
			}
		}
	}
}

func TestAPieceWithoutItsCallIsAnErrorOfAWholeAnswer(t *testing.T) {
	t.Parallel()
	body := piecesBody(`{"text":"a"},{"functionCall":{"partialArgs":[{"jsonPath":"$.a","numberValue":1}]}}`,
		"STOP")
	_, err := normalize.FromResponse(fromWire(t, body))
	if want := "/candidates/0/content/parts/1/functionCall"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, without %s", err, want)
	}
}

func piecesBody(parts, end string) string {
	return `{"candidates":[{"content":{"parts":[` + parts + `]},"finishReason":"` + end + `"}]}`
}
