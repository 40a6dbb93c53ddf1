package messages_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// These are signatures in Gemini's form.
const (
	callSignature = "CiQB+A/w=="
	textSignature = "EjQ+BB/d"
)

func signedCall(id string) string {
	return `{"functionCall":{"id":"` + id + `","name":"f","args":{}},"thoughtSignature":"` +
		callSignature + `"}`
}

// types returns the types of blocks.
func types(m *anthropicapi.Message) string {
	var out []string
	for i := range m.Content {
		out = append(out, string(m.Content[i].Type))
	}
	return strings.Join(out, " ")
}

// entries returns the entries in the signature of a block.
func entries(t testing.TB, b *anthropicapi.ContentBlock) []envelope.Entry {
	t.Helper()
	out, ok := envelope.Parse(jsonx.Deref(b.Signature))
	if !ok {
		t.Fatalf("signature %q", jsonx.Deref(b.Signature))
	}
	return out
}

func TestASignatureStandsDirectlyBeforeWhatItSigns(t *testing.T) {
	t.Parallel()
	call := envelope.Entry{Kind: envelope.Call, Signature: callSignature}
	for list, want := range map[string]struct {
		types   string
		at      int
		entries []envelope.Entry
	}{
		signedCall("a"): {"thinking tool_use", 0, []envelope.Entry{call}},
		`{"text":"t","thought":true},` +
			signedCall("a"): {"thinking tool_use", 0, []envelope.Entry{call}},
		`{"text":"a"},` +
			signedCall("a"): {"text thinking tool_use", 1,
			[]envelope.Entry{{Kind: envelope.Call, Ordinal: 1, Signature: callSignature}}},
		`{"text":"t","thought":true},{"text":"a"}`: {"thinking text", 0,
			[]envelope.Entry{{}}},
		`{"text":"t","thought":true},{"text":"a","thoughtSignature":"` + textSignature +
			`"}`: {"thinking text", 0,
			[]envelope.Entry{{Kind: envelope.Text, Signature: textSignature}}},
		`{"text":"t","thought":true,"thoughtSignature":"` + textSignature + `"},` +
			signedCall("a"): {"thinking tool_use", 0,
			[]envelope.Entry{{Kind: envelope.Thought, Signature: textSignature}, call}},
		`{"text":"t","thought":true},{"text":"","thoughtSignature":"` + textSignature +
			`"}`: {"thinking text", 0,
			[]envelope.Entry{{Kind: envelope.Text, Signature: textSignature}}},
		signedCall("a") +
			`,{"functionCall":{"id":"b","name":"f"}}`: {"thinking tool_use tool_use", 0,
			[]envelope.Entry{call}},
	} {
		out, allEntries := parts(t, list)
		if types(out) != want.types {
			t.Errorf("%s: %s, want %s", list, types(out), want.types)
			continue
		}
		if diff := cmp.Diff(want.entries, entries(t, &out.Content[want.at])); diff != "" {
			t.Errorf("%s: %s", list, diff)
		}
		if lost := allEntries.Of(report.Lost); lost != nil {
			t.Errorf("%s: %v", list, lost)
		}
	}
}

// returned makes the next request after a message, with a result for each call. It returns the
// model's turn as Gemini gets it.
func returned(t testing.TB, out *anthropicapi.Message, opts ...request.Option) []geminiapi.Part {
	t.Helper()
	var results []anthropicapi.ContentBlock
	for i := range out.Content {
		if out.Content[i].Type == anthropicapi.BlockTypeToolUse {
			results = append(results, anthropic.ToolResult(*out.Content[i].ID, "ok"))
		}
	}
	results = append(results, anthropic.TextBlock("Go on."))
	next := &anthropicapi.CreateMessageRequest{
		Model: "gemini-3.6-flash", MaxTokens: new(64),
		Messages: []anthropicapi.InputMessage{anthropic.UserText("Hi"),
			anthropic.AssistantTurn(out), anthropic.UserBlocks(results...)},
	}
	in, _, err := request.ToGemini(next, append(opts, request.WithoutValidation())...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range in.Contents {
		if jsonx.Deref(in.Contents[i].Role) == "model" {
			return in.Contents[i].Parts
		}
	}
	return nil
}

// signatures returns the signatures of the calls among parts.
func signatures(parts []geminiapi.Part) (out []string) {
	for i := range parts {
		if parts[i].FunctionCall != nil {
			out = append(out, jsonx.Deref(parts[i].ThoughtSignature))
		}
	}
	return out
}

func TestASignatureComesBackOnItsCall(t *testing.T) {
	t.Parallel()
	const list = `{"text":"a"},{"functionCall":{"id":"x.1","name":"f"},"thoughtSignature":"` +
		callSignature + `"},{"functionCall":{"name":"g","args":{"a":1}}}`
	for name, opts := range modes {
		out, _ := parts(t, list, opts...)
		back := returned(t, out)
		if diff := cmp.Diff([]string{callSignature, ""}, signatures(back)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		var ids []string
		for i := range back {
			if call := back[i].FunctionCall; call != nil {
				ids = append(ids, jsonx.Deref(call.ID))
			}
		}
		if diff := cmp.Diff([]string{"x.1", ""}, ids); diff != "" {
			t.Errorf("%s: ids %s", name, diff)
		}
	}
}

// The model's own signatures of every recorded answer are restored. If a client drops the thinking
// blocks, the signatures in the ids are.
func TestEverySignatureOfARecordedCallComesBack(t *testing.T) {
	t.Parallel()
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, in *geminiapi.GenerateContentResponse, _ []byte) {
			var want []string
			for _, c := range in.Candidates[:min(len(in.Candidates), 1)] {
				if c.Content != nil {
					want = signatures(c.Content.Parts)
				}
			}
			if want == nil || want[0] == "" {
				return // what is unsigned gets a word in place of a signature, which request tests
			}
			for name, opts := range modes {
				out, _, err := messages.FromGemini(in, opts...)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, signatures(returned(t, out))); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
				if name != "signatures in ids" {
					continue
				}
				out.Content = slices.DeleteFunc(out.Content,
					func(b anthropicapi.ContentBlock) bool { return b.Type == anthropicapi.BlockTypeThinking })
				if diff := cmp.Diff(want, signatures(returned(t, out))); diff != "" {
					t.Errorf("%s, without thinking blocks: %s", name, diff)
				}
			}
		})
}

// No separate block has the signature of a text, so the text is the first block, whole and
// streamed.
func TestSignedTextIsShownAndItsSignatureIsInItsExtension(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		`{"text":"ab","thoughtSignature":"EjQ+BB/d"}`:                                       `{"google":{"thought_signature":"EjQ+BB/d","checksum":"9e83486d"}}`,
		`{"text":"ab","thought":false,"thoughtSignature":"EjQ+BB/d"}`:                       `{"google":{"thought_signature":"EjQ+BB/d","checksum":"9e83486d"}}`,
		`{"text":"a"},{"text":"b","thoughtSignature":"EjQ+BB/d"}`:                           `{"google":{"parts":[{"length":1},{"length":1,"thought_signature":"EjQ+BB/d"}],"checksum":"9e83486d"}}`,
		`{"text":"ab"},{"text":"","thoughtSignature":"EjQ+BB/d"}`:                           `{"google":{"parts":[{"length":2},{"length":0,"thought_signature":"EjQ+BB/d"}],"checksum":"9e83486d"}}`,
		`{"text":"a","thoughtSignature":"EjQ+BB/d"},{"text":"b","thoughtSignature":"c2ln"}`: `{"google":{"parts":[{"length":1,"thought_signature":"EjQ+BB/d"},{"length":1,"thought_signature":"c2ln"}],"checksum":"9e83486d"}}`,
		`{"text":"a"},{"thoughtSignature":"EjQ+BB/d"},{"text":"b"}`:                         `{"google":{"parts":[{"length":1},{"length":0,"thought_signature":"EjQ+BB/d"},{"length":1}],"checksum":"9e83486d"}}`,
	} {
		for name, opts := range modes {
			out, entries := parts(t, list, opts...)
			if types(out) != "text" || anthropic.Text(out) != "ab" ||
				string(jsonx.Member(out.Content[0].Unknown, "extra_content")) != want {
				t.Errorf("%s, %s: %s", list, name, encode(t, out))
			}
			if lost := entries.Of(report.Lost); lost != nil {
				t.Errorf("%s, %s: %v", list, name, lost)
			}
			back := returned(t, out)
			if diff := cmp.Diff(partsOf(t, list), partsOf(t, encodeParts(t, back))); diff != "" {
				t.Errorf("%s, %s: (-sent +came back):\n%s", list, name, diff)
			}
		}
	}
}

// partsOf returns parts without values that make no difference: thought: false, and an empty text
// with a signature.
func partsOf(t testing.TB, list string) []geminiapi.Part {
	t.Helper()
	in := openaitest.Decode(t,
		`{"candidates":[{"content":{"parts":[`+list+`]}}]}`).Candidates[0].Content.Parts
	for i := range in {
		in[i].Thought = nil
		if in[i].Text == nil {
			in[i].Text = new("")
		}
	}
	return in
}

func encodeParts(t testing.TB, parts []geminiapi.Part) string {
	t.Helper()
	var out []string
	for i := range parts {
		data, err := json.Marshal(&parts[i])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return strings.Join(out, ",")
}

func TestOnlyThoughtsAreThinking(t *testing.T) {
	t.Parallel()
	out, _ := parts(t, `{"text":"shown","thought":false,"thoughtSignature":"`+textSignature+`"}`)
	if types(out) != "text" || anthropic.Text(out) != "shown" {
		t.Errorf("%s", encode(t, out))
	}
}

// A client that does not mention thinking may index the blocks, so it gets no block that only
// carries a signature.
func TestAClientThatDoesNotMentionThinkingGetsNoEmptyThinking(t *testing.T) {
	t.Parallel()
	asked := messages.WithRequest(&anthropicapi.CreateMessageRequest{Model: "m"})
	for list, want := range map[string]string{
		`{"text":"a","thoughtSignature":"c2ln"}`: "text",
		signedCall("a"):                          "tool_use",
		`{"text":"a"},` +
			signedCall("a"): "text tool_use",
		signedCall("a") + `,` +
			signedCall("b"): "tool_use tool_use",
		`{"text":"t","thought":true},` +
			signedCall("a"): "thinking tool_use",
		`{"text":"","thoughtSignature":"c2ln"},{"text":"a"}`:                "text",
		`{"text":"","thought":true,"thoughtSignature":"c2ln"},{"text":"a"}`: "text",
		`{"text":"","thought":true,"thoughtSignature":"c2ln"},` +
			signedCall("a"): "tool_use",
		signedCall("a") +
			`,{"text":"","thoughtSignature":"c2ln"}`: "tool_use",
		`{"text":"t","thought":true},{"text":"a"},{"text":"b","thoughtSignature":"c2ln"}`: "thinking text",
	} {
		out, _ := parts(t, list, asked)
		if types(out) != want {
			t.Errorf("%s: %s, want %s", list, types(out), want)
		}
		if diff := cmp.Diff(signatures(partsOf(t, list)),
			signatures(returned(t, out))); diff != "" {
			t.Errorf("%s: (-sent +came back):\n%s", list, diff)
		}
	}
}

// allSignatures returns the signatures of the texts and the calls among parts, in order. Code
// counts as a text without a signature.
func allSignatures(parts []geminiapi.Part) (out []string) {
	for i := range parts {
		p := &parts[i]
		s := jsonx.Deref(p.ThoughtSignature)
		if p.Text == nil && p.FunctionCall == nil {
			continue
		}
		// the placeholder for a missing signature
		if s != "" && s != "skip_thought_signature_validator" && !jsonx.Deref(parts[i].Thought) {
			out = append(out, s)
		}
	}
	return out
}

func TestARecordedAnswerHasTheSameOrderWholeAndStreamed(t *testing.T) {
	t.Parallel()
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, in *geminiapi.GenerateContentResponse, _ []byte) {
			if len(in.Candidates) != 1 || in.Candidates[0].FinishReason == nil {
				return
			}
			for name, asked := range map[string]*anthropicapi.CreateMessageRequest{
				"thinking": {Model: "m", Thinking: &anthropicapi.Thinking{Type: anthropicapi.ThinkingTypeEnabled}}, "no word of thinking": {Model: "m"},
			} {
				whole, entries, err := messages.FromGemini(in, messages.WithRequest(asked))
				if err != nil {
					t.Fatal(err)
				}
				out := messageOf(t, openaitest.AsStream(in), messages.WithRequest(asked))
				if types(whole) != types(out) {
					t.Errorf("%s: %s whole, %s streamed", name, types(whole), types(out))
				}
				if i := slices.IndexFunc(whole.Content, isEmptyThinking); i >= 0 &&
					asked.Thinking == nil {
					t.Errorf("%s: block %d is an empty thinking", name, i)
				}
				if in.Candidates[0].Content == nil || entries.Of(report.Lost) != nil {
					continue
				}
				want := allSignatures(in.Candidates[0].Content.Parts)
				for _, message := range []*anthropicapi.Message{whole, out} {
					if got := allSignatures(returned(t, message)); !slices.Equal(got, want) {
						t.Errorf("%s: %q came back, want %q", name, got, want)
					}
				}
			}
		})
}

func isEmptyThinking(b anthropicapi.ContentBlock) bool {
	return b.Type == anthropicapi.BlockTypeThinking && jsonx.Deref(b.Thinking) == ""
}

// messageOf returns the message that clients build from a stream.
func messageOf(t testing.TB, chunks []*geminiapi.GenerateContentResponse,
	opts ...messages.Option) *anthropicapi.Message {
	t.Helper()
	s := messages.NewStream(opts...)
	var a anthropic.Accumulator
	push := func(events []anthropicapi.StreamEvent, err error) {
		t.Helper()
		for i := range events {
			if err := a.Push(&events[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range chunks {
		push(s.Push(c))
	}
	push(s.Close(nil))
	return a.Message()
}

func TestAStreamHasTheBlocksOfTheWhole(t *testing.T) {
	t.Parallel()
	wire := []string{
		`{"candidates":[{"content":{"parts":[{"text":"t","thought":true}]}}],"responseId":"r1","modelVersion":"m","usageMetadata":{"promptTokenCount":3,"totalTokenCount":3}}`,
		`{"candidates":[{"content":{"parts":[{"text":"a","thoughtSignature":"` + textSignature +
			`"},{"text":"b"}]}}]}`,
		`{"candidates":[{"content":{"parts":[` + signedCall("a") +
			`,{"functionCall":{"name":"g"}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,"totalTokenCount":5}}`,
	}
	for name, opts := range modes {
		out := chunks(t, wire, opts...)
		if diff := cmp.Diff(encode(t, unary(t, openaitest.DecodeAll(t, wire), opts...)),
			encode(t, accumulate(t, out.events))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestNoThinkingFollowsTheLastText(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		`{"text":"a"},{"text":"t","thought":true}`:                                          "text",
		`{"text":"a"},{"text":"t","thought":true},{"text":"u","thought":true},{"text":"b"}`: "text thinking text",
		`{"text":"a"},{"text":"t","thought":true},` +
			signedCall("a"): "text thinking tool_use",
		`{"text":"a"},{"text":"","thoughtSignature":"c2ln"}`: "text",
		signedCall("a") +
			`,{"text":"t","thought":true},{"thoughtSignature":"c2ln"}`: "thinking tool_use",
		signedCall("a") +
			`,{"text":"","thoughtSignature":"c2ln"}`: "thinking tool_use",
		`{"text":"a"},{"text":"t","thought":true,"thoughtSignature":"c2ln"},{"thoughtSignature":"c2ln"}`: "text",
	} {
		out, entries := parts(t, list)
		if types(out) != want {
			t.Errorf("%s: %s, want %s", list, types(out), want)
		}
		isAllThere := want != "text" && !strings.Contains(list, `"c2ln"`) ||
			list == `{"text":"a"},{"text":"","thoughtSignature":"c2ln"}`
		isTold := slices.ContainsFunc(entries, func(e report.Entry) bool {
			return e.Kind == report.Lost || e.Kind == report.Approximated &&
				strings.HasSuffix(e.Pointer, "/thoughtSignature")
		})
		if isTold == isAllThere {
			t.Errorf("%s: %v", list, entries)
		}
	}
}

// Late thoughts come before what follows them. If nothing follows, they are reported.
func TestLateThoughtsAreHeldUntilSomethingFollows(t *testing.T) {
	t.Parallel()
	out := chunks(t, []string{
		`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":1,"totalTokenCount":1}}`,
		`{"candidates":[{"content":{"parts":[{"text":"late","thought":true}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"b"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"too late","thought":true}]},"finishReason":"STOP"}]}`,
	})
	m := accumulate(t, out.events)
	if types(m) != "text thinking text" || *m.Content[1].Thinking != "late" {
		t.Errorf("%s", encode(t, m))
	}
	var lost []string
	for _, e := range out.report.Of(report.Lost) {
		lost = append(lost, e.Pointer)
	}
	if diff := cmp.Diff([]string{"/3/candidates/0/content/parts/0"}, lost); diff != "" {
		t.Error(diff)
	}
}

func TestTheRequestedModelIsEchoed(t *testing.T) {
	t.Parallel()
	asked := messages.WithRequest(&anthropicapi.CreateMessageRequest{Model: "my-gemini[1m]"})
	out, report := parts(t, `{"text":"a"}`, asked)
	if out.Model != "my-gemini[1m]" {
		t.Errorf("model %q", out.Model)
	}
	openaitest.Reports(t, report, "approximated /modelVersion")
	stream := chunks(t, []string{`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],"modelVersion":"gemini-3.6-flash"}`},
		asked)
	if start := stream.events[0].Message; start.Model != "my-gemini[1m]" {
		t.Errorf("model of the stream %q", start.Model)
	}
	if out, _ := parts(t, `{"text":"a"}`, asked,
		messages.WithModelName("other")); out.Model != "other" {
		t.Errorf("the last option does not count: %q", out.Model)
	}
}

// For any signature and id, the Messages API accepts the id, and a shortened id gives no signature.
func TestIDsHaveTheCharactersThatAreAllowed(t *testing.T) {
	t.Parallel()
	allowed := regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	for _, id := range []string{"", "call_1", "a+b/c=", "é", "toolu_gemini_0_1",
		strings.Repeat("x", 300)} {
		out, _ := parts(t,
			`{"functionCall":{"id":"`+id+`","name":"f"},"thoughtSignature":"+/+/=="}`,
			messages.WithoutThinking())
		carrying := *out.Content[0].ID
		if !allowed.MatchString(carrying) {
			t.Errorf("%q became %q", id, carrying)
		}
		if got := signatures(returned(t, out)); got[0] != "+/+/==" {
			t.Errorf("%q: the signature is %q", id, got[0])
		}
		out.Content[0].ID = new(carrying[:len(carrying)-2])
		if got := signatures(returned(t, out)); strings.Contains(got[0], "+/") {
			t.Errorf("%q: a broken token gives %q", id, got[0])
		}
	}
}

func TestSignaturesDoNotDependOnTheModel(t *testing.T) {
	t.Parallel()
	for _, model := range []string{"gemini-3.6-flash", "gemini-2.5-pro", "unheard-of",
		"claude-opus-5"} {
		out, _ := convert(t,
			`{"candidates":[{"content":{"parts":[`+signedCall("a")+
				`]},"finishReason":"STOP"}],"modelVersion":"`+model+`"}`)
		if types(out) != "thinking tool_use" {
			t.Errorf("%s: %s", model, types(out))
		}
	}
}

func TestWhereThinkingIsNotAllowedIDsCarrySignatures(t *testing.T) {
	t.Parallel()
	for _, kind := range []anthropicapi.ThinkingType{anthropicapi.ThinkingTypeDisabled,
		anthropicapi.ThinkingTypeBetweenTools} {
		asked := messages.WithRequest(&anthropicapi.CreateMessageRequest{Model: "m",
			Thinking: &anthropicapi.Thinking{Type: kind}})
		out, report := parts(t,
			`{"text":"t","thought":true},`+signedCall("call_1")+
				`,{"text":"b","thoughtSignature":"c2ln"}`, asked)
		id, carried, _ := envelope.CutFromID(*out.Content[0].ID)
		want := []envelope.Entry{{Kind: envelope.Call, Signature: callSignature}}
		if types(out) != "tool_use text" || id != "call_1" || !cmp.Equal(want, carried) {
			t.Errorf("%s: %s", kind, encode(t, out))
		}
		openaitest.Reports(t, report, "lost /candidates/0/content/parts/0")
	}
}

// laterSignatures are parts of a call in pieces with later signatures, and the signatures that a
// stream and a whole answer do not show.
var laterSignatures = map[string]struct {
	pieces        []string
	stream, whole []string
}{
	"the first has none": {
		pieces: []string{`{"functionCall":{"id":"a","name":"f","willContinue":true}}`,
			`{"functionCall":{},"thoughtSignature":"b25l"}`},
	},
	"the first has none, and the call stands after a signed one": {
		pieces: []string{
			`{"functionCall":{"id":"a","name":"f"},"thoughtSignature":"b25l"}`,
			`{"functionCall":{"id":"b","name":"f","willContinue":true}}`,
			`{"functionCall":{},"thoughtSignature":"dHdv"}`,
		},
		stream: []string{"lost /2"},
	},
	"another one follows, and a piece without any": {
		pieces: []string{
			`{"functionCall":{"id":"a","name":"f","willContinue":true},"thoughtSignature":"b25l"}`,
			`{"functionCall":{"willContinue":true},"thoughtSignature":"dHdv"}`,
			`{"functionCall":{}}`,
		},
		stream: []string{"approximated /0", "lost /1"},
		whole:  []string{"approximated /0"},
	},
	"two others follow": {
		pieces: []string{
			`{"functionCall":{"id":"a","name":"f","willContinue":true},"thoughtSignature":"b25l"}`,
			`{"functionCall":{"willContinue":true},"thoughtSignature":"dHdv"}`,
			`{"functionCall":{},"thoughtSignature":"dGhyZWU="}`,
		},
		stream: []string{"approximated /0", "lost /1", "lost /2"},
		whole:  []string{"approximated /0", "approximated /1"},
	},
	"the same one follows": {
		pieces: []string{
			`{"functionCall":{"id":"a","name":"f","willContinue":true},"thoughtSignature":"b25l"}`,
			`{"functionCall":{},"thoughtSignature":"b25l"}`,
		},
	},
}

func TestASignatureAfterTheBeginningOfItsCallIsReportedAtItsPlace(t *testing.T) {
	t.Parallel()
	for name, tt := range laterSignatures {
		for mode, opts := range modes {
			wire := make([]string, 0, len(tt.pieces)+1)
			for _, piece := range tt.pieces {
				wire = append(wire, `{"candidates":[{"content":{"parts":[`+piece+`]}}]}`)
			}
			out := chunks(t, append(wire, `{"candidates":[{"finishReason":"STOP"}]}`), opts...)
			if diff := cmp.Diff(tt.stream, ofSignatures(out.report)); diff != "" {
				t.Errorf("%s, %s, in a stream: %s", name, mode, diff)
			}
			_, report := parts(t, strings.Join(tt.pieces, ","), opts...)
			if diff := cmp.Diff(tt.whole, ofSignatures(report)); diff != "" {
				t.Errorf("%s, %s, in a whole answer: %s", name, mode, diff)
			}
		}
	}
}

// A signature that arrives with a later piece still precedes its call: the first call waits for it.
// Other calls do not wait, because their arguments should be shown as they arrive.
func TestTheFirstCallWaitsForItsSignature(t *testing.T) {
	t.Parallel()
	wire := []string{
		`{"candidates":[{"content":{"parts":[{"text":"a"},{"functionCall":{"id":"a","name":"f","willContinue":true}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.city","stringValue":"Por","willContinue":true}],"willContinue":true}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.city","stringValue":"to"}],"willContinue":true},"thoughtSignature":"` +
			callSignature + `"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{}},{"functionCall":{"id":"b","name":"g","willContinue":true}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.n","numberValue":1}],"willContinue":true}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{}}]},"finishReason":"STOP"}]}`,
	}
	for mode, opts := range modes {
		out := chunks(t, wire, opts...)
		if err := anthropic.CheckSequence(out.events); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
		m := accumulate(t, out.events)
		if diff := cmp.Diff(encode(t, unary(t, openaitest.DecodeAll(t, wire), opts...)),
			encode(t, m)); diff != "" {
			t.Errorf("%s: %s", mode, diff)
		}
		if lost := ofSignatures(out.report); lost != nil {
			t.Errorf("%s: %v", mode, lost)
		}
		if diff := cmp.Diff([]string{callSignature, ""}, signatures(returned(t, m))); diff != "" {
			t.Errorf("%s: came back %s", mode, diff)
		}
	}
	s := messages.NewStream()
	var told []string
	for _, chunk := range openaitest.DecodeAll(t, wire) {
		events, err := s.Push(chunk)
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		for i := range events {
			if block := events[i].ContentBlock; block != nil &&
				block.Type == anthropicapi.BlockTypeToolUse {
				calls++
			}
		}
		told = append(told, strconv.Itoa(calls))
	}
	if got := strings.Join(told, ""); got != "001100" {
		t.Errorf("calls begin with the chunks %s", got)
	}
}

// A stream that breaks off while a call waits still sends the call.
func TestAWaitingCallIsWrittenWhenItsStreamEnds(t *testing.T) {
	t.Parallel()
	out := chunks(t, []string{
		`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"a","name":"f","willContinue":true}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.n","numberValue":1}],"willContinue":true}}]},"finishReason":"MAX_TOKENS"}]}`,
	})
	if m := accumulate(t, out.events); types(m) != "tool_use" ||
		string(m.Content[0].Input) != `{"n":1}` {
		t.Errorf("%s", encode(t, m))
	}
}

// ofSignatures returns the entries about signatures, with only the number of the chunk or the part.
func ofSignatures(report report.Report) (out []string) {
	for _, e := range report {
		if at, ok := strings.CutSuffix(e.Pointer, "/thoughtSignature"); ok {
			at = strings.TrimPrefix(at, "/candidates/0/content/parts")
			at, _, _ = strings.Cut(at, "/candidates")
			out = append(out, string(e.Kind)+" "+at)
		}
	}
	slices.Sort(out)
	return out
}

// Gemini may send two calls with one id. Clients match results by ids, so each call gets its own.
func TestCallsWithOneIDGetTheirOwnResults(t *testing.T) {
	t.Parallel()
	in := openaitest.Decode(t,
		`{"candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[
		{"functionCall":{"id":"a","name":"f","args":{"n":1}},"thoughtSignature":"QUJD"},
		{"functionCall":{"id":"a","name":"f","args":{"n":2}}},{"functionCall":{"id":"a","name":"f","args":{"n":3}}}]}}],"responseId":"r","modelVersion":"m"}`)
	whole, _, err := messages.FromGemini(in)
	if err != nil {
		t.Fatal(err)
	}
	for form, message := range map[string]*anthropicapi.Message{"whole": whole,
		"streamed": messageOf(t, []*geminiapi.GenerateContentResponse{in})} {
		var results []anthropicapi.ContentBlock
		for i := len(message.Content) - 1; i >= 0; i-- {
			if block := &message.Content[i]; block.Type == anthropicapi.BlockTypeToolUse {
				results = append(results, anthropic.ToolResult(*block.ID, string(block.Input)))
			}
		}
		next := &anthropicapi.CreateMessageRequest{
			Model: "gemini-3.6-flash", MaxTokens: new(64),
			Messages: []anthropicapi.InputMessage{anthropic.UserText("Hi"),
				anthropic.AssistantTurn(message), anthropic.UserBlocks(results...)},
		}
		out, _, err := request.ToGemini(next, request.WithoutValidation())
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		for i, part := range out.Contents[1].Parts {
			call, result := part.FunctionCall, out.Contents[2].Parts[i].FunctionResponse
			ids[*call.ID] = true
			if n := string(call.Args[len(call.Args)-2]); !strings.Contains(string(result.Response),
				n) || *call.ID != *result.ID {
				t.Errorf("%s: call %s has the result %s", form, call.Args, result.Response)
			}
		}
		if len(ids) != 3 {
			t.Errorf("%s: the ids are %v", form, ids)
		}
	}
}
