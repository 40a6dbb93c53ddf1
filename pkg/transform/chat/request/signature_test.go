package request_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

const sentinel = "skip_thought_signature_validator"

// signed returns a model message with one call, whose extension has the members.
func signed(id, members string) string {
	return `{"role":"assistant","tool_calls":[{"id":"` + id +
		`","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":` + members +
		`}]},` +
		`{"role":"tool","tool_call_id":"` + id + `","content":"1"}`
}

// signatureOf converts a conversation whose second content is a call, and returns the call's
// signature.
func signatureOf(t *testing.T, model, messages string) (string, []string) {
	t.Helper()
	out, report, err := talk(t, model, hello+","+messages)
	if err != nil {
		t.Fatal(err)
	}
	return deref(out.Contents[1].Parts[0].ThoughtSignature), openaitest.Entries(report)
}

func TestTheSignatureOfACallComesBackByteForByte(t *testing.T) {
	t.Parallel()
	for _, signature := range []string{"CiQ+/w==", "-_urlsafe-_", sentinel,
		"not base64 at all <&>"} {
		for _, model := range []string{flash25, pro3} {
			got, report := signatureOf(t, model,
				signed("a", `{"google":{"thought_signature":"`+signature+`"}}`))
			if got != signature || report != nil {
				t.Errorf("%q became %q, reported as %v", signature, got, report)
			}
		}
	}
}

func TestAllPlacesOfSignaturesAreRead(t *testing.T) {
	t.Parallel()
	converse(t, flash25, map[string]conversation{
		"of the message": {messages: hello +
			`,{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"extra_content":{"google":{"thought_signature":"c2ln"}}}`,
			want: helloIn +
				`,{"role":"model","parts":[{"text":"a"},{"text":"b","thoughtSignature":"c2ln"}]}`},
		"of a part": {messages: hello +
			`,{"role":"assistant","content":[{"type":"text","text":"a","extra_content":{"google":{"thought_signature":"c2ln"}}},{"type":"text","text":"b"}]}`,
			want: helloIn +
				`,{"role":"model","parts":[{"text":"a","thoughtSignature":"c2ln"},{"text":"b"}]}`},
		"of an empty part": {messages: hello +
			`,{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":"","extra_content":{"google":{"thought_signature":"c2ln"}}}]}`,
			want: helloIn +
				`,{"role":"model","parts":[{"text":"a"},{"text":"","thoughtSignature":"c2ln"}]}`},
		"of both": {messages: hello +
			`,{"role":"assistant","content":[{"type":"text","text":"a","extra_content":{"google":{"thought_signature":"own"}}}],"extra_content":{"google":{"thought_signature":"c2ln"}}}`,
			want:   helloIn + `,{"role":"model","parts":[{"text":"a","thoughtSignature":"own"}]}`,
			report: []string{"lost /messages/1/extra_content/google/thought_signature"}},
		"a thought and not": {messages: hello +
			`,{"role":"assistant","content":[{"type":"text","text":"a","extra_content":{"google":{"thought":false}}},{"type":"text","text":"b"}],"extra_content":{"google":{"thought":true}}}`,
			want: helloIn +
				`,{"role":"model","parts":[{"text":"a","thought":false},{"text":"b","thought":true}]}`},
		"no text to be a thought": {messages: hello +
			`,{"role":"assistant","refusal":"No.","extra_content":{"google":{"thought":true}}}`,
			want: helloIn + `,{"role":"model","parts":[{"text":"No."}]}`,
			report: []string{"lost /messages/1/extra_content/google/thought",
				"approximated /messages/1/refusal"}},
		"of a call": {messages: hello + "," +
			signed("a", `{"google":{"thought":true,"part_metadata":{"k":1}}}`),
			want: helloIn +
				`,{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}},"thought":true,"partMetadata":{"k":1}}]},{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{"output":"1"}}}]}`},
		"a thought": {messages: hello +
			`,{"role":"assistant","content":"a","extra_content":{"google":{"thought":true}}}`,
			want: helloIn + `,{"role":"model","parts":[{"text":"a","thought":true}]}`},
	})
}

func TestTheExtensionMayBeNamedVertex(t *testing.T) {
	t.Parallel()
	google, vertex := `"google":{"thought_signature":"c2ln"}`,
		`"vertex":{"thought_signature":"c2ln"}`
	for extension, want := range map[string][]string{
		"{" + vertex + "}":                {"c2ln"},
		"{" + google + "," + vertex + "}": {"c2ln"},
		"{" + google + `,"vertex":{"thought_signature":"other"}}`: {"c2ln",
			"approximated /messages/1/tool_calls/0/extra_content/vertex"},
		`{"vertex":{"thought_signature":"c2ln","usage_metadata":{}}}`: {"c2ln",
			"approximated /messages/1/tool_calls/0/extra_content/vertex/usage_metadata"},
	} {
		got, report := signatureOf(t, pro3, signed("a", extension))
		if joined := strings.Join(append([]string{got}, report...),
			" "); joined != strings.Join(want, " ") {
			t.Errorf("%s: got %s", extension, joined)
		}
	}
}

func TestTheFirstUnsignedCallOfEachStepGetsTheSentinel(t *testing.T) {
	t.Parallel()
	history := hello + "," + calling("a", "b") + "," + resultOf("a") + "," + resultOf("b") + "," +
		calling("c") + "," + resultOf("c")
	sentinelOf := func(id string) string {
		return `{"functionCall":{"id":"` + id + `","name":"f_` + id +
			`","args":{"a":1}},"thoughtSignature":"` + sentinel + `"}`
	}
	converse(t, pro3, map[string]conversation{"two steps": {
		messages: history,
		want: helloIn + `,{"role":"model","parts":[` + sentinelOf("a") +
			`,{"functionCall":{"id":"b","name":"f_b","args":{"a":1}}}]},` + resultIn("a", "b") +
			`,{"role":"model","parts":[` + sentinelOf("c") + `]},` + resultIn("c"),
		report: []string{"added /messages/1/tool_calls/0/extra_content/google/thought_signature",
			"added /messages/4/tool_calls/0/extra_content/google/thought_signature"},
	}, "the old form": {
		messages: hello +
			`,{"role":"assistant","function_call":{"name":"f","arguments":""}},{"role":"function","name":"f","content":"1"}`,
		want: helloIn +
			`,{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":"` +
			sentinel + `"}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"}}}]}`,
		report: []string{"added /messages/1/extra_content/google/thought_signature"},
	}})
	converse(t, flash25, map[string]conversation{"no need": {
		messages: history,
		want: helloIn + "," + callingIn("a", "b") + "," + resultIn("a", "b") + "," +
			callingIn("c") + "," + resultIn("c"),
	}})
	for model, want := range map[string]bool{"gemini-3-pro-image-preview": false,
		"gemini-3.5-flash": true, "gemini-9-new": true, "gemini-2.0-flash": false} {
		if got, _ := signatureOf(t, model, signed("a", "null")); (got == sentinel) != want {
			t.Errorf("%s: signature %q", model, got)
		}
	}
}

func TestTheSentinelIsSentLiterally(t *testing.T) {
	t.Parallel()
	out, _, err := talk(t, pro3, hello+","+signed("a", "null"))
	if err != nil {
		t.Fatal(err)
	}
	wire, err := gemini.EncodeRequest(out)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(wire), `"thoughtSignature":"skip_thought_signature_validator"`) {
		t.Errorf("got %s", wire)
	}
}

func TestADamagedCarrierFallsBackToTheSentinel(t *testing.T) {
	t.Parallel()
	carrier := carrierOf(t, "call_1", "CiQ+/w==")
	for name, id := range map[string]string{
		"shortened":        carrier[:len(carrier)-3],
		"cut to 16":        carrier[:16],
		"longer":           carrier + "A",
		"another letter":   strings.Replace(carrier, "_8_", "_7_", 1),
		"of another call":  strings.Replace(carrier, "call_1", "call_2", 1),
		"in small letters": strings.ToLower(carrier),
	} {
		got, report := signatureOf(t, pro3, signed(id, "null"))
		if got != sentinel || len(report) != 2 || report[0] != "lost /messages/1/tool_calls/0/id" {
			t.Errorf("%s: signature %q, reported as %v", name, got, report)
		}
		if got, _ := signatureOf(t, flash25, signed(id, "null")); got != "" {
			t.Errorf("%s: signature %q for a model that needs none", name, got)
		}
	}
}

func TestACarriedSignatureIsRestored(t *testing.T) {
	t.Parallel()
	carrier := carrierOf(t, "call_1", "CiQ+/w==")
	for extension, want := range map[string]string{"null": "CiQ+/w==",
		`{"google":{"thought_signature":"own"}}`: "own"} {
		out, report, err := talk(t, pro3, hello+","+signed(carrier, extension))
		if err != nil {
			t.Fatal(err)
		}
		part := out.Contents[1].Parts[0]
		if *part.ThoughtSignature != want || *part.FunctionCall.ID != "call_1" ||
			*out.Contents[2].Parts[0].FunctionResponse.ID != "call_1" || report != nil {
			t.Errorf("got %q and id %q, reported as %v", *part.ThoughtSignature,
				*part.FunctionCall.ID, report)
		}
	}
}

func TestAResultMayNameItsCallWithoutWhatTheIDCarries(t *testing.T) {
	t.Parallel()
	carrier := carrierOf(t, "call_1", "c2ln")
	for _, ids := range [][2]string{{carrier, "call_1"}, {"call_1", carrier},
		{carrier[:20], carrier}} {
		messages := `{"role":"assistant","tool_calls":[{"id":"` + ids[0] +
			`","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"` +
			ids[1] + `","content":"1"}`
		if _, _, err := talk(t, pro3, hello+","+messages); err != nil {
			t.Errorf("%v: %v", ids, err)
		}
	}
}

func TestUnknownMembersOfAnExtensionAreReported(t *testing.T) {
	t.Parallel()
	_, report := signatureOf(t, flash25,
		signed("a", `{"google":{"thought_signature":"c2ln","new":{"a":1}},"other":{"b":2}}`))
	if strings.Join(report,
		" ") != "lost /messages/1/tool_calls/0/extra_content/other lost /messages/1/tool_calls/0/extra_content/google/new" {
		t.Errorf("got %v", report)
	}
}

// carrierOf returns the id for a call with the id and the signature.
func carrierOf(t testing.TB, id, signature string) string {
	t.Helper()
	choice, _ := openaitest.Part(t,
		`{"functionCall":{"id":"`+id+`","name":"f"},"thoughtSignature":"`+signature+`"}`,
		chat.WithSignaturesInIDs())
	return choice.Message.ToolCalls[0].ID
}
