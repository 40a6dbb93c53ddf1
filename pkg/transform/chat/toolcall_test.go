package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

// The codes in test names come from a list of complaints that users have filed against such
// converters: S signatures, I ids, F finish reasons, U usage, G grounding, B blocked or empty
// answers, C contents, M media, P parameters, E executed code, O others.

func TestTheSignatureOfACallIsOnTheCall(t *testing.T) {
	t.Parallel()
	choice, report := openaitest.Part(t,
		`{"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"CiQ+/w=="},{"functionCall":{"id":"b","name":"g","args":{}}}`)
	first, second := choice.Message.ToolCalls[0], choice.Message.ToolCalls[1]
	if got := *first.ExtraContent.Google.ThoughtSignature; got != "CiQ+/w==" {
		t.Errorf("signature %q", got)
	}
	if second.ExtraContent != nil || choice.Message.ExtraContent != nil {
		t.Error("a signature is where there is none")
	}
	openaitest.Reports(t, report)
}

func TestTheSignatureOfTheTextIsOnTheMessage(t *testing.T) {
	t.Parallel()
	choice, _ := openaitest.Part(t, `{"text":"a","thoughtSignature":"c2ln"}`)
	google := choice.Message.ExtraContent.Google
	if *google.ThoughtSignature != "c2ln" || google.Parts != nil {
		t.Errorf("got %+v", google)
	}
}

func TestASignatureStaysTheStringThatItWas(t *testing.T) {
	t.Parallel()
	for _, signature := range []string{"skip_thought_signature_validator", "-_urlsafe-_",
		"not base64 at all <&>", "AAECAw=="} {
		choice, _ := openaitest.Part(t,
			`{"functionCall":{"id":"a","name":"f"},"thoughtSignature":"`+signature+`"}`)
		out := openaitest.Encode(t,
			&openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{choice}})
		if !strings.Contains(out, `"thought_signature":"`+signature+`"`) {
			t.Errorf("%q is not in %s", signature, out)
		}
	}
}

func TestWithoutExtensionsALostSignatureIsReported(t *testing.T) {
	t.Parallel()
	choice, report := openaitest.Part(t,
		`{"functionCall":{"id":"a","name":"f"},"thoughtSignature":"c2ln"}`,
		chat.WithoutExtensions())
	if choice.Message.ToolCalls[0].ExtraContent != nil {
		t.Error("there is an extension")
	}
	openaitest.Reports(t, report, "lost /candidates/0/content/parts/0/thoughtSignature")
}

func TestGeminisIDsAreKeptAndMadeOnesAreUnique(t *testing.T) {
	t.Parallel()
	out, report := openaitest.Convert(t,
		`{"responseId":"r","modelVersion":"m","createTime":"2026-11-20T10:00:00Z","usageMetadata":{},"candidates":[
		{"index":0,"finishReason":"STOP","content":{"parts":[{"text":"a"},{"functionCall":{"name":"f"}},{"functionCall":{"name":"f"}},{"functionCall":{"id":"own","name":"f"}}]}},
		{"index":5,"finishReason":"STOP","content":{"parts":[{"functionCall":{"name":"f"}}]}}]}`)
	var got []string
	for _, choice := range out.Choices {
		for _, call := range choice.Message.ToolCalls {
			got = append(got, call.ID)
		}
	}
	want := []string{"gemini-call-r-0-1", "gemini-call-r-0-2", "own", "gemini-call-r-5-0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	openaitest.Reports(t, report, "added /candidates/0/content/parts/1/functionCall/id",
		"added /candidates/0/content/parts/2/functionCall/id",
		"added /candidates/1/content/parts/0/functionCall/id")
}

func TestMadeIDsOfAConversationDiffer(t *testing.T) {
	t.Parallel()
	ids := map[string]bool{}
	for _, response := range []string{"first", "second"} {
		out, _ := openaitest.Convert(t,
			`{"responseId":"`+response+
				`","candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}}]}}]}`)
		ids[out.Choices[0].Message.ToolCalls[0].ID] = true
	}
	if len(ids) != 2 {
		t.Errorf("got %v", ids)
	}
}

func TestWithoutAResponseIDTheIDOfACallIsItsPosition(t *testing.T) {
	t.Parallel()
	for parts, want := range map[string]string{
		``:                              "gemini-call-0-0",
		`{},{"text":""},`:               "gemini-call-0-0", // which a stream leaves out
		`{"text":"a"},{},{"text":"b"},`: "gemini-call-0-1", // which it joins
		`{"text":"a","thought":true},{"text":"b"},`:                         "gemini-call-0-2",
		`{"text":"a","thoughtSignature":"cw=="},{"text":"b"},{"text":"c"},`: "gemini-call-0-2",
	} {
		out, _ := openaitest.Convert(t,
			`{"candidates":[{"content":{"parts":[`+parts+`{"functionCall":{"name":"f"}}]}}]}`)
		if got := out.Choices[0].Message.ToolCalls[0].ID; got != want {
			t.Errorf("%s: got %q", parts, got)
		}
	}
}

func TestWithToolCallIDsMakesTheIDs(t *testing.T) {
	t.Parallel()
	ids := chat.WithToolCallIDs(func(response string, candidate, part int) string {
		if part == 1 {
			return ""
		}
		return fmt.Sprintf("call_%s%d%d", response, candidate, part)
	})
	choice, _ := openaitest.Part(t, `{"functionCall":{"name":"f"}},{"functionCall":{"name":"f"}}`,
		ids)
	if a, b := choice.Message.ToolCalls[0].ID,
		choice.Message.ToolCalls[1].ID; a != "call_r100" || b != "gemini-call-r1-0-1" {
		t.Errorf("got %q and %q", a, b)
	}
}

func TestACallWithoutArgumentsHasAnEmptyObject(t *testing.T) {
	t.Parallel()
	for _, call := range []string{`{"id":"a","name":"f"}`, `{"id":"a","name":"f","args":null}`,
		`{"id":"a","name":"f","args":{ }}`} {
		choice, report := openaitest.Part(t, `{"functionCall":`+call+`}`)
		if got := choice.Message.ToolCalls[0].Function.Arguments; got != "{}" {
			t.Errorf("%s gives %q", call, got)
		}
		openaitest.Reports(t, report)
	}
}

func TestArgumentsAreTheBytesOfTheWire(t *testing.T) {
	t.Parallel()
	const args = `{"z":1,"a":9007199254740993,"f":1.10,"e":1e400,"s":"\u00e9\/<>&é","n":null,"o":{"b":[],"a":{}}}`
	choice, _ := openaitest.Part(t, `{"functionCall":{"id":"a","name":"f","args":`+args+`}}`)
	if got := choice.Message.ToolCalls[0].Function.Arguments; got != args {
		t.Errorf("got %s", got)
	}
}

func TestArgumentsThatAreNoObjectAreKeptNextToAnEmptyOne(t *testing.T) {
	t.Parallel()
	const wire = `{"functionCall":{"id":"a","name":"f","args":[1,2]}}`
	choice, report := openaitest.Part(t, wire)
	if got := choice.Message.ToolCalls[0].Function.Arguments; got != "{}" {
		t.Errorf("arguments %q", got)
	}
	if got := string(choice.Message.ExtraContent.Google.Parts[0].Part.FunctionCall.Args); got != "[1,2]" {
		t.Errorf("kept %q", got)
	}
	openaitest.Reports(t, report, "approximated /candidates/0/content/parts/0/functionCall/args")

	_, report = openaitest.Part(t, wire, chat.WithoutExtensions())
	openaitest.Reports(t, report, "lost /candidates/0/content/parts/0/functionCall/args")
}
