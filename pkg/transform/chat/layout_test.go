package chat_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

// anotherCall is a call with an id of its own.
const anotherCall = `{"functionCall":{"id":"b","name":"f","args":{}}}`

func TestAUsualTurnNeedsNoLayout(t *testing.T) {
	t.Parallel()
	for _, parts := range []string{
		``, openaitest.AText, openaitest.ASigned, openaitest.AThought, openaitest.ACall,
		openaitest.AThought + "," + openaitest.AText,
		openaitest.AThought + "," + openaitest.ASigned, openaitest.AText + "," + openaitest.ACall,
		openaitest.ACall + "," + anotherCall,
		openaitest.AThought + "," + openaitest.ASigned + "," + openaitest.ACall + "," + anotherCall,
		`{},` + openaitest.AText + `,{}`,
		`{"functionCall":{"name":"made"},"thoughtSignature":"c2ln"}`,
	} {
		choice, _ := openaitest.Part(t, parts)
		if extra := choice.Message.ExtraContent; extra != nil && extra.Google.Parts != nil {
			t.Errorf("%s has a layout", parts)
		}
		checkTurn(t, parts, &choice.Message)
	}
}

func TestAnyOtherTurnHasALayoutThatRestoresIt(t *testing.T) {
	t.Parallel()
	for name, parts := range map[string]string{
		"texts": openaitest.AText + "," + openaitest.AText,
		"thoughts": openaitest.AThought + "," + openaitest.AThought + "," +
			openaitest.AText,
		"a thought after the text": openaitest.AText + "," + openaitest.AThought,
		"a text after a call":      openaitest.ACall + "," + openaitest.AText,
		"a signed thought": `{"text":"Think.","thought":true,"thoughtSignature":"c2ln"},` +
			openaitest.AText,
		"a signature alone": openaitest.AText + `,{"thoughtSignature":"c2ln"}`,
		"a signed empty text": openaitest.AText +
			`,{"text":"","thoughtSignature":"c2ln"}`,
		"a thought without text": openaitest.AText + `,{"thought":true}`,
		"an image": openaitest.AText +
			`,{"inlineData":{"mimeType":"image/png","data":"AAAA"}}`,
		"a named and signed image": `{"inlineData":{"mimeType":"image/png","data":"AAAA","displayName":"a.png"},"thoughtSignature":"c2ln"}`,
		"pieces of a sound": openaitest.ASound + `,` + openaitest.AText +
			`,{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"BBBBBQ==","displayName":"b"},"thoughtSignature":"c2ln"},` +
			openaitest.ASound,
		"a sound":                  `{"inlineData":{"mimeType":"audio/wav","data":"AAAA","displayName":"a.wav","newMember":1}}`,
		"metadata of a text":       `{"text":"a","partMetadata":{"k":1.50}}`,
		"a new member of a text":   `{"text":"a","newMember":{"a":[1]}}`,
		"a new member of a call":   `{"functionCall":{"id":"a","name":"f","args":{},"newMember":1}}`,
		"a call that is a thought": `{"functionCall":{"id":"a","name":"f","args":{}},"thought":true}`,
		"calls of one id": openaitest.ACall + "," + anotherCall + "," +
			openaitest.ACall,
		"an id that looks like a made one": `{"functionCall":{"id":"gemini-call-x-0-0","name":"f","args":{}}}`,
		"two payloads in a part":           `{"functionCall":{"id":"a","name":"f","args":{}},"text":"beside it"}`,
		"a part of a new kind":             `{"newPart":{"a":1},"thoughtSignature":"c2ln"}`,
		"E1 code and its results":          `{"text":"Run:"},{"executableCode":{"id":"1","language":"PYTHON","code":"print(1)"}},{"codeExecutionResult":{"id":"1","outcome":"OUTCOME_OK","output":"1\n"}},{"codeExecutionResult":{"outcome":"OUTCOME_FAILED"}},{"text":"Done."}`,
		"S7 calls that Google has run":     `{"toolCall":{"id":"1","toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["a"]}},"thoughtSignature":"c2ln"},{"toolResponse":{"id":"1","toolType":"GOOGLE_SEARCH_WEB","response":{"b":1}}},{"text":"a"}`,
		"a file":                           `{"fileData":{"mimeType":"video/mp4","fileUri":"gs://b/o.mp4","displayName":"o"},"videoMetadata":{"startOffset":"1s"}}`,
		"a function's result":              `{"functionResponse":{"id":"a","name":"f","response":{"output":1},"willContinue":false}}`,
		"gaps between parts":               `{},` + openaitest.AText + `,{},` + openaitest.AText,
		"all of it": openaitest.AThought + "," + openaitest.AText + "," +
			openaitest.ACall + `,{"inlineData":{"mimeType":"image/png","data":"AAAA"}},` +
			openaitest.ASigned + "," + openaitest.AThought + "," + openaitest.ACall,
		"characters of more than one byte ": `{"text":"灯台🗼é"},{"text":"é̂"},` +
			openaitest.AThought + `,{"text":"🇩🇪"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			choice, _ := openaitest.Part(t, parts)
			if extra := choice.Message.ExtraContent; extra == nil || extra.Google.Parts == nil {
				t.Error("there is no layout")
			}
			checkTurn(t, parts, &choice.Message)
		})
	}
}

// Turns of random parts of all kinds are restored in any order.
func TestAnyTurnIsRestored(t *testing.T) {
	t.Parallel()
	kinds := []string{
		openaitest.AThought, openaitest.AText, openaitest.ASigned, openaitest.ACall, `{}`,
		`{"text":""}`, `{"thoughtSignature":"c2ln"}`, `{"thought":true}`,
		`{"text":"Signed thought.","thought":true,"thoughtSignature":"c2ln"}`,
		`{"functionCall":{"name":"made","args":{"a":1}},"thoughtSignature":"c2ln"}`,
		`{"functionCall":{"id":"gemini-call-r1-0-0","name":"f"},"thought":true}`,
		`{"inlineData":{"mimeType":"image/png","data":"AAAA"}}`,
		`{"inlineData":{"mimeType":"audio/wav","data":"AAAA"},"thoughtSignature":"c2ln"}`,
		openaitest.ASound,
		`{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"AQID","displayName":"b"},"thoughtSignature":"c2ln"}`,
		`{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"AB=="}}`,
		`{"inlineData":{"mimeType":"audio/pcm","data":"AA=="}}`,
		`{"inlineData":{"mimeType":"video/mp4","data":"AAAA"},"videoMetadata":{"fps":2}}`,
		`{"executableCode":{"code":"1"}}`,
		`{"toolCall":{"id":"1","toolType":"GOOGLE_SEARCH_WEB"}}`, `{"text":"灯","newMember":[1.50]}`,
		`{"newPart":{}}`,
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		parts := make([]string, random.IntN(7))
		for i := range parts {
			parts[i] = kinds[random.IntN(len(kinds))]
		}
		turn := strings.Join(parts, ",")
		choice, entries := openaitest.Part(t, turn)
		checkTurn(t, turn, &choice.Message)
		if lost := entries.Of(report.Lost); lost != nil || t.Failed() {
			t.Fatalf("%s: lost %v", turn, lost)
		}
	}
}

// checkTurn checks that a message that was sent and received restores the parts.
func checkTurn(t *testing.T, parts string, message *openaiapi.ResponseMessage) {
	t.Helper()
	sent := openaitest.Encode(t,
		&openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{{Message: *message}}})
	received, err := openai.DecodeResponse([]byte(sent))
	if err != nil {
		t.Fatal(err)
	}
	in := openaitest.Decode(t, `{"candidates":[{"content":{"parts":[`+parts+`]}}]}`)
	want := openaitest.SameParts(t, in.Candidates[0].Content.Parts)
	if diff := cmp.Diff(want,
		openaitest.SameParts(t, restore(t, &received.Choices[0].Message))); diff != "" {
		t.Errorf("%s\nin %s", diff, sent)
	}
}

func TestALayoutSaysWhereEachPartIs(t *testing.T) {
	t.Parallel()
	choice, _ := openaitest.Part(t,
		openaitest.AThought+","+openaitest.AText+
			`,{"executableCode":{"language":"PYTHON","code":"1"}},`+openaitest.ASigned+","+
			openaitest.ACall)
	out := openaitest.Encode(t,
		&openaiapi.CreateChatCompletionResponse{Choices: []openaiapi.Choice{choice}})
	openaitest.Subset(t, out,
		`{"choices":[{"message":{"content":"Say 🗼. Signed.","reasoning_content":"Think 灯. ","extra_content":{"google":{"thought_signature":"c2ln","parts":[
		{"index":0,"in":"reasoning_content","length":9},
		{"index":1,"in":"content","length":7},
		{"index":2,"part":{"executableCode":{"language":"PYTHON","code":"1"}}},
		{"index":3,"in":"content","length":7,"part":{"thoughtSignature":"c2ln"}},
		{"index":4,"in":"tool_calls"}]}}}}]}`)
}

func TestWithoutExtensionsPartsWithoutAMemberAreLost(t *testing.T) {
	t.Parallel()
	choice, report := openaitest.Part(t,
		openaitest.AThought+","+openaitest.AText+
			`,{"executableCode":{"language":"PYTHON","code":"1"}},`+openaitest.ASigned+
			`,{"thoughtSignature":"c2ln"}`, chat.WithoutExtensions())
	if *choice.Message.Content != "Say 🗼. Signed." || choice.Message.ReasoningContent != nil ||
		choice.Message.ExtraContent != nil {
		t.Errorf("got %+v", choice.Message)
	}
	openaitest.Reports(t, report,
		"approximated /candidates/0/content/parts",
		"lost /candidates/0/content/parts/0",
		"lost /candidates/0/content/parts/2",
		"lost /candidates/0/content/parts/3/thoughtSignature",
		"lost /candidates/0/content/parts/4",
	)
}

func TestWithoutExtensionsMembersOfAPartAreLost(t *testing.T) {
	t.Parallel()
	_, report := openaitest.Part(t,
		`{"functionCall":{"id":"a","name":"f","args":{},"newMember":1},"thought":true,"partMetadata":{"k":1}},{"text":"a","videoMetadata":{"fps":1}}`,
		chat.WithoutExtensions())
	openaitest.Reports(t, report,
		"approximated /candidates/0/content/parts",
		"lost /candidates/0/content/parts/0/partMetadata",
		"lost /candidates/0/content/parts/0/thought",
		"lost /candidates/0/content/parts/0/functionCall/newMember",
		"lost /candidates/0/content/parts/1/videoMetadata",
	)
}

func TestThinkingThatAnotherProviderRedactedIsLost(t *testing.T) {
	t.Parallel()
	out, report, err := chat.FromNormalized(&normalize.Response{ID: "r", Model: "m",
		Usage: normalize.Usage{InputTokens: 1}, CreateTime: "2026-11-20T10:00:00Z",
		Candidates: []normalize.Candidate{{FinishReason: normalize.FinishStop,
			Blocks: []normalize.Block{
				{Type: normalize.BlockRedactedThinking, Data: "AAAA"}, {Type: normalize.BlockText, Part: 1, Text: "a"},
			}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := openai.ValidateResponse(out); err != nil {
		t.Error(err)
	}
	if parts := out.Choices[0].Message.ExtraContent.Google.Parts; len(parts) != 1 ||
		*parts[0].Index != 1 {
		t.Errorf("got %+v", parts)
	}
	openaitest.Reports(t, report, "lost /candidates/0/content/parts/0")
}

func TestWithoutExtensionsAnIDThatLooksLikeAMadeOneIsNotLost(t *testing.T) {
	t.Parallel()
	_, report := openaitest.Part(t,
		`{"functionCall":{"id":"gemini-call-x-0-0","name":"f","args":{}}}`,
		chat.WithoutExtensions())
	openaitest.Reports(t, report)
}

func TestContentIsNullOnlyWithoutText(t *testing.T) {
	t.Parallel()
	for parts, want := range map[string]*string{``: nil, openaitest.ACall: nil,
		openaitest.AThought: nil, `{"text":""}`: new(""), openaitest.AText: new("Say 🗼. ")} {
		choice, _ := openaitest.Part(t, parts)
		if diff := cmp.Diff(want, choice.Message.Content); diff != "" {
			t.Errorf("%s: %s", parts, diff)
		}
	}
}
