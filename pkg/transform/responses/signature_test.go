package responses_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// clients are ways in which clients send back an item of an answer.
var clients = map[string]func(openaiapi.ResponseItem) openaiapi.ResponseItem{
	"agents": func(item openaiapi.ResponseItem) openaiapi.ResponseItem { return item },
	"codex": func(item openaiapi.ResponseItem) openaiapi.ResponseItem {
		item.ID, item.Status = "", ""
		return withBareTexts(item)
	},
	"aisdk": func(item openaiapi.ResponseItem) openaiapi.ResponseItem {
		switch item.Type {
		case openaiapi.ResponseItemTypeMessage:
			item.Type = ""
		case openaiapi.ResponseItemTypeFunctionCall:
			item.ID = ""
		}
		item.Status = ""
		return withBareTexts(item)
	},
}

// withBareTexts keeps only the types and the texts of a message's content.
func withBareTexts(item openaiapi.ResponseItem) openaiapi.ResponseItem {
	parts, isList := item.Content.AsValue()
	if !isList {
		return item
	}
	var bare []openaiapi.ResponseContentPart
	for i := range parts {
		bare = append(bare, openaiapi.ResponseContentPart{Type: parts[i].Type, Text: parts[i].Text})
	}
	item.Content = wiretype.ValueOf(bare)
	return item
}

// replayed returns the model's turn that a client sends back, between a question and the results of
// the calls.
func replayed(t testing.TB, output []openaiapi.ResponseItem,
	client func(openaiapi.ResponseItem) openaiapi.ResponseItem) []geminiapi.Part {
	t.Helper()
	in := &openaiapi.CreateResponseRequest{Model: new("gemini-3-pro-preview"), Store: new(false)}
	items := []openaiapi.ResponseItem{responses.UserText("Hello")}
	var results []openaiapi.ResponseItem
	for _, item := range output {
		items = append(items, client(item))
		switch item.Type {
		case openaiapi.ResponseItemTypeFunctionCall:
			results = append(results, responses.FunctionCallOutput(item.CallID, "{}"))
		case openaiapi.ResponseItemTypeCustomToolCall:
			results = append(results, responses.CustomToolCallOutput(item.CallID, "done"))
		}
	}
	in.Input = responses.Input(append(append(items, results...), responses.UserText("Go on"))...)
	data, err := responses.EncodeRequest(in)
	if err != nil {
		t.Fatal(err)
	}
	read, err := responses.DecodeRequest(data)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := request.ToGemini(read, request.WithoutValidation())
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	var parts []geminiapi.Part
	for _, content := range out.Contents {
		if jsonx.Deref(content.Role) == "model" {
			parts = append(parts, content.Parts...)
		}
	}
	return parts
}

// signed returns the signed parts as texts.
func signed(parts []geminiapi.Part) (out []string) {
	for i := range parts {
		p := &parts[i]
		// the placeholder for a missing signature
		if s := jsonx.Deref(p.ThoughtSignature); s == "" ||
			s == "skip_thought_signature_validator" {
			continue
		}
		kind := "other"
		switch {
		case jsonx.Deref(p.Thought):
			kind = "thought " + jsonx.Deref(p.Text)
		case p.FunctionCall != nil:
			arguments := p.FunctionCall.Args.Clone()
			_ = arguments.Compact() // of what was read a moment ago
			if arguments == nil {
				arguments = jsontext.Value("{}")
			}
			kind = "call " + jsonx.Deref(p.FunctionCall.Name) + string(arguments)
		case p.Text != nil:
			kind = "text " + *p.Text
		}
		out = append(out, fmt.Sprintf("%s: %s", kind, *p.ThoughtSignature))
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
			whole, _, err := toresponses.FromGemini(in)
			if err != nil {
				t.Fatal(err)
			}
			all, err := events(t, openaitest.AsStream(in), nil)
			if err != nil {
				t.Fatal(err)
			}
			streamed := all[len(all)-1].Response
			// A stream joins texts that a whole answer has in two parts. It has a reasoning item
			// for the signature after its text.
			want, got := slices.Compact(itemTypes(whole.Output)),
				slices.Compact(itemTypes(streamed.Output))
			if thoughtsThenText := itemsOf("reasoning", "message"); slices.Equal(want,
				thoughtsThenText) {
				got = slices.Compact(itemTypes(withoutLastToken(streamed.Output)))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-whole +streamed:\n%s", diff)
			}
			if in.Candidates[0].Content == nil {
				return
			}
			signatures := signaturesOf(in.Candidates[0].Content.Parts)
			for name, output := range map[string][]openaiapi.ResponseItem{"whole": whole.Output,
				"streamed": streamed.Output} {
				if diff := cmp.Diff(signatures,
					signaturesOf(replayed(t, output, clients["codex"]))); diff != "" {
					t.Errorf("%s (-sent +came back):\n%s", name, diff)
				}
			}
		})
}

func itemTypes(items []openaiapi.ResponseItem) (out []openaiapi.ResponseItemType) {
	for i := range items {
		out = append(out, items[i].Type)
	}
	return out
}

// signaturesOf returns the signatures of parts, except the placeholder for a missing one.
func signaturesOf(parts []geminiapi.Part) (out []string) {
	for i := range parts {
		if s := jsonx.Deref(parts[i].ThoughtSignature); s != "" &&
			s != "skip_thought_signature_validator" {
			out = append(out, s)
		}
	}
	return out
}

func itemsOf(types ...openaiapi.ResponseItemType) []openaiapi.ResponseItemType { return types }

// withoutLastToken returns items without a last reasoning item that has no summary.
func withoutLastToken(items []openaiapi.ResponseItem) []openaiapi.ResponseItem {
	end := len(items) - 1
	if end >= 0 && items[end].Type == openaiapi.ResponseItemTypeReasoning &&
		len(items[end].Summary) == 0 {
		return items[:end]
	}
	return items
}

func TestTheSignatureOfATextIsWithItsThoughts(t *testing.T) {
	t.Parallel()
	for name, parts := range map[string]string{
		"thoughts":          `{"text":"Why","thought":true},{"text":"Hi.","thoughtSignature":"QUJD"}`,
		"a signed thought":  `{"text":"Why","thought":true,"thoughtSignature":"REVG"},{"text":"Hi.","thoughtSignature":"QUJD"}`,
		"several thoughts":  `{"text":"Why","thought":true,"thoughtSignature":"REVG"},{"text":"So","thought":true},{"text":"Hi.","thoughtSignature":"QUJD"}`,
		"an unsigned text":  `{"text":"Why","thought":true},{"text":"Hi.","thoughtSignature":"QUJD"},{"text":" More."}`,
		"texts of one kind": `{"text":"Why","thought":true},{"text":"Hi.","thoughtSignature":"QUJD"},{"text":" More.","thoughtSignature":"REVG"}`,
	} {
		in := answerOf(t, parts)
		whole, _, err := toresponses.FromGemini(in)
		if err != nil {
			t.Fatal(err)
		}
		all, err := events(t, []*geminiapi.GenerateContentResponse{in}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for form, output := range map[string][]openaiapi.ResponseItem{"whole": whole.Output,
			"one chunk": last(all).Response.Output} {
			if first := output[0]; first.Type != openaiapi.ResponseItemTypeReasoning ||
				len(first.Summary) == 0 ||
				!strings.Contains(jsonx.Deref(first.EncryptedContent), "QUJD") ||
				output[1].Type != openaiapi.ResponseItemTypeMessage {
				t.Errorf("%s, %s: %v", name, form, itemTypes(output))
			}
			for client, sends := range clients {
				want, got := encodedParts(t, in.Candidates[0].Content.Parts),
					encodedParts(t, replayed(t, output, sends))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, %s, %s (-sent +came back):\n%s", name, form, client, diff)
				}
			}
		}
	}
}

// Codex keeps the items of a stream as they end, and sends them again in that order.
func TestItemsThatAStreamEndsComeBackInTheirOrder(t *testing.T) {
	t.Parallel()
	for name, parts := range turns {
		in := answerOf(t, parts)
		var ended []openaiapi.ResponseItem
		for _, e := range streamed(t, []string{part(parts), stop}) {
			if e.Type == openaiapi.ResponseEventTypeOutputItemDone {
				ended = append(ended, *e.Item)
			}
		}
		want, got := encodedParts(t, in.Candidates[0].Content.Parts),
			encodedParts(t, replayed(t, ended, clients["codex"]))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-sent +came back):\n%s", name, diff)
		}
	}
}

func TestAnAnswerThatIsATextBeginsWithIt(t *testing.T) {
	t.Parallel()
	in := openaitest.Decode(t,
		`{"candidates":[{"content":{"parts":[{"text":"Hi.","thoughtSignature":"EjQ+BB/d"}]},"finishReason":"STOP"}],"responseId":"r","modelVersion":"m"}`)
	whole, _, err := toresponses.FromGemini(in)
	if err != nil {
		t.Fatal(err)
	}
	want := itemsOf("message", "reasoning")
	if diff := cmp.Diff(want, itemTypes(whole.Output)); diff != "" {
		t.Error(diff)
	}
}

func TestEverySignatureComesBackThroughEveryClient(t *testing.T) {
	t.Parallel()
	seen := 0
	check := func(name string, in *geminiapi.GenerateContentResponse) {
		out, _, err := toresponses.FromGemini(in)
		if err != nil || len(in.Candidates) == 0 || in.Candidates[0].Content == nil {
			return
		}
		want := signed(in.Candidates[0].Content.Parts)
		seen += len(want)
		for client, sends := range clients {
			if diff := cmp.Diff(want, signed(replayed(t, out.Output, sends))); diff != "" {
				t.Errorf("%s, %s (-sent +came back):\n%s", name, client, diff)
			}
		}
	}
	for _, p := range corpustest.Payloads(t, corpustest.Response) {
		if in, err := gemini.DecodeResponse(p.Read(t)); err == nil {
			check(p.Name, in)
		}
	}
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		if wire, failure := openaitest.ReadStream(p.Read(t)); failure == nil {
			merged, _ := normalize.MergeChunks(wire...)
			check(p.Name, merged)
		}
	}
	if seen < corpustest.AtLeast(250) {
		t.Errorf("only %d signatures", seen)
	}
}

// answerOf decodes an answer of one candidate with these parts.
func answerOf(t testing.TB, parts string) *geminiapi.GenerateContentResponse {
	t.Helper()
	in, err := gemini.DecodeResponse([]byte(`{"responseId":"r1","modelVersion":"gemini-3-pro-preview","createTime":"2026-01-02T03:04:05Z",` +
		`"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4,"thoughtsTokenCount":5,"totalTokenCount":12},` +
		`"candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[` + parts +
		`]}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// turns are parts of a model's turn that are signed in various ways.
var turns = map[string]string{
	"parallel calls of which the first is signed":   `{"functionCall":{"name":"f","args":{"a":1}},"thoughtSignature":"QUJD"},{"functionCall":{"name":"g","args":{}}},{"functionCall":{"name":"f","args":{"a":2}}}`,
	"a signature on an empty text after the answer": `{"text":"Hello"},{"text":"","thoughtSignature":"QUJD"}`,
	"several signed parts": `{"text":"Why","thought":true,"thoughtSignature":"QQ=="},{"text":"Look:","thoughtSignature":"Qg=="},` +
		`{"executableCode":{"language":"PYTHON","code":"1+1"},"thoughtSignature":"Qw=="},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2"}},` +
		`{"inlineData":{"mimeType":"image/png","data":"iVBORw0="},"thoughtSignature":"RA=="},{"functionCall":{"name":"f","args":{}},"thoughtSignature":"RQ=="}`,
	"a text between signed calls":             `{"functionCall":{"name":"f","args":{}},"thoughtSignature":"QQ=="},{"text":"and"},{"functionCall":{"name":"f","args":{}},"thoughtSignature":"Qg=="}`,
	"a signed text after an open one":         `{"text":"One. "},{"text":"Two.","thoughtSignature":"QQ=="},{"text":" Three."}`,
	"a signature on an empty text amid":       `{"text":"One."},{"text":"","thoughtSignature":"QQ=="},{"functionCall":{"name":"f","args":{}},"thoughtSignature":"Qg=="}`,
	"thoughts before a signed call":           `{"text":"First","thought":true},{"functionCall":{"name":"f","args":{}},"thoughtSignature":"QQ=="}`,
	"parts without a place":                   `{"toolCall":{"id":"t1","toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["a"]}},"thoughtSignature":"QQ=="},{"toolResponse":{"id":"t1","toolType":"GOOGLE_SEARCH_WEB","response":{"x":1}}},{"text":"Done."}`,
	"a signature without base64":              `{"functionCall":{"name":"f","args":{}},"thoughtSignature":"not base64!"}`,
	"a signed sound":                          `{"inlineData":{"mimeType":"audio/wav","data":"UklGRg=="},"thoughtSignature":"QQ=="}`,
	"thoughts and a signature after the text": `{"text":"Why","thought":true},{"text":"Hello"},{"text":"","thoughtSignature":"QUJD"}`,
	"code whose result is signed":             `{"executableCode":{"language":"PYTHON","code":"1+1"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2"},"thoughtSignature":"QQ=="},{"text":"Two."}`,
}

// Parts are restored, each with its own signature, for every client.
func TestTurnsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	for name, parts := range turns {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := answerOf(t, parts)
			out, _, err := toresponses.FromGemini(in)
			if err != nil {
				t.Fatal(err)
			}
			want := in.Candidates[0].Content.Parts
			for client, sends := range clients {
				got := replayed(t, out.Output, sends)
				if diff := cmp.Diff(encodedParts(t, want), encodedParts(t, got)); diff != "" {
					t.Errorf("%s (-sent +came back):\n%s", client, diff)
				}
			}
		})
	}
}

// Code is restored with one result, whether Gemini sent none or several. The position of a later
// signed part still fits.
func TestSignaturesAfterCodeStayWhereTheyWere(t *testing.T) {
	t.Parallel()
	const code = `{"executableCode":{"language":"PYTHON","code":"1+1"}},`
	const result = `{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2"}},`
	for name, parts := range map[string]string{
		"text after none": code +
			`{"text":"Why","thought":true},{"text":"One. "},{"text":"Two.","thoughtSignature":"QQ=="}`,
		"thought after none": code +
			`{"text":"Why","thought":true},{"text":"So","thought":true,"thoughtSignature":"QQ=="}`,
		"code after none": code +
			`{"text":"Look:"},{"executableCode":{"language":"PYTHON","code":"2+2"},"thoughtSignature":"QQ=="},` +
			`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"4"},"thoughtSignature":"Qg=="}`,
		"text after two": code + result + result +
			`{"text":"One. "},{"text":"Two. ","thoughtSignature":"QQ=="},{"text":"Three.","thoughtSignature":"Qg=="}`,
	} {
		in := answerOf(t, parts)
		out, _, err := toresponses.FromGemini(in)
		if err != nil {
			t.Fatal(err)
		}
		for client, sends := range clients {
			if diff := cmp.Diff(signed(in.Candidates[0].Content.Parts),
				signed(replayed(t, out.Output, sends))); diff != "" {
				t.Errorf("%s, %s (-sent +came back):\n%s", name, client, diff)
			}
		}
	}
}

// encodedParts returns parts as JSON, without the placeholder for a missing signature.
func encodedParts(t testing.TB, parts []geminiapi.Part) (out []string) {
	t.Helper()
	for i := range parts {
		p := parts[i]
		if s := jsonx.Deref(p.ThoughtSignature); s == "skip_thought_signature_validator" {
			p.ThoughtSignature = nil
		}
		data, err := json.Marshal(&p)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return out
}

func TestTheTokenNeedsNoIncludeAndIsThatOfTheStream(t *testing.T) {
	t.Parallel()
	for name, parts := range turns {
		in := answerOf(t, parts)
		whole, _, err := toresponses.FromGemini(in,
			toresponses.WithRequest(&openaiapi.CreateResponseRequest{}))
		if err != nil {
			t.Fatal(err)
		}
		all, err := events(t, []*geminiapi.GenerateContentResponse{in}, nil)
		if err != nil {
			t.Fatal(err)
		}
		streamed := all[len(all)-1].Response
		if diff := cmp.Diff(tokens(whole), tokens(streamed)); diff != "" ||
			len(tokens(whole)) == 0 {
			t.Errorf("%s (-whole +stream):\n%s", name, diff)
		}
	}
}

// tokens returns the tokens of a response.
func tokens(r *openaiapi.Response) (out []string) {
	for i := range r.Output {
		if item := &r.Output[i]; item.Type == openaiapi.ResponseItemTypeReasoning {
			out = append(out, jsonx.Deref(item.EncryptedContent))
		}
	}
	return out
}

// OpenAI accepts call ids of up to 64 bytes. No recorded id of Gemini is longer. A longer id is
// replaced, and the call is restored without it, with its signature and its result.
func TestAnIDThatIsTooLongIsNotRepeated(t *testing.T) {
	t.Parallel()
	longest, long := strings.Repeat("i", 64), strings.Repeat("i", 65)
	list := `{"functionCall":{"id":"` + longest +
		`","name":"f","args":{}},"thoughtSignature":"QUJD"},{"functionCall":{"id":"` + long +
		`","name":"g","args":{}},"thoughtSignature":"REVG"}`
	out, entries, err := toresponses.FromGemini(answerOf(t, list))
	if err != nil {
		t.Fatal(err)
	}
	openaitest.Reports(t, entries.Of(report.Lost),
		"lost /candidates/0/content/parts/1/functionCall/id")
	streamed(t, []string{part(list), stop}) // which is held to the whole
	for name, client := range clients {
		var ids []string
		back := replayed(t, out.Output, client)
		for i := range back {
			if call := back[i].FunctionCall; call != nil {
				ids = append(ids, jsonx.Deref(call.ID))
			}
		}
		if diff := cmp.Diff([]string{longest, ""}, ids); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff([]string{"call f{}: QUJD", "call g{}: REVG"},
			signed(back)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// The signature of a call in pieces may arrive with a later piece. It is still restored on the
// call, for every client.
func TestTheFirstCallWaitsForItsSignature(t *testing.T) {
	t.Parallel()
	wire := []string{
		part(`{"text":"a"},{"functionCall":{"id":"a","name":"f","willContinue":true}}`),
		part(`{"functionCall":{"partialArgs":[{"jsonPath":"$.city","stringValue":"Por","willContinue":true}],"willContinue":true}}`),
		part(`{"functionCall":{"partialArgs":[{"jsonPath":"$.city","stringValue":"to"}],"willContinue":true},"thoughtSignature":"QUJD"}`),
		part(`{"functionCall":{}},{"functionCall":{"id":"b","name":"g","willContinue":true}}`),
		part(`{"functionCall":{"partialArgs":[{"jsonPath":"$.n","numberValue":1}],"willContinue":true}}`),
		part(`{"functionCall":{}}`) + `,` + stop,
	}
	all := streamed(t, wire)
	for name, client := range clients {
		got := signed(replayed(t, last(all).Response.Output, client))
		if diff := cmp.Diff([]string{`call f{"city":"Porto"}: QUJD`}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Gemini may send two calls with one id. Clients match results by ids, so each call gets its own.
func TestCallsWithOneIDGetTheirOwnResults(t *testing.T) {
	t.Parallel()
	const list = `{"functionCall":{"id":"a","name":"f","args":{"n":1}},"thoughtSignature":"QUJD"},{"functionCall":{"id":"a","name":"f","args":{"n":2}}},{"functionCall":{"id":"a","name":"f","args":{"n":3}}}`
	whole, entries, err := toresponses.FromGemini(answerOf(t, list))
	if err != nil {
		t.Fatal(err)
	}
	const at = "approximated /candidates/0/content/parts/"
	openaitest.Reports(t, entries.Of(report.Approximated), at+"1/functionCall/id",
		at+"2/functionCall/id")
	for form, output := range map[string][]openaiapi.ResponseItem{"whole": whole.Output,
		"streamed": last(streamed(t, []string{part(list), stop})).Response.Output} {
		ids := map[string]bool{}
		items := append([]openaiapi.ResponseItem{responses.UserText("Go")}, output...)
		for i := len(output) - 1; i >= 0; i-- {
			if call := &output[i]; call.CallID != "" {
				arguments, _ := call.Arguments.AsString()
				ids[call.CallID] = true
				items = append(items, responses.FunctionCallOutput(call.CallID, arguments))
			}
		}
		out, _, err := request.ToGemini(
			&openaiapi.CreateResponseRequest{Model: new("gemini-3-pro-preview"),
				Input: responses.Input(items...)})
		if err != nil {
			t.Fatal(err)
		}
		for i, call := range out.Contents[1].Parts {
			result := out.Contents[2].Parts[i].FunctionResponse
			n := string(call.FunctionCall.Args[len(call.FunctionCall.Args)-2])
			if !strings.Contains(string(result.Response), n) ||
				jsonx.Deref(call.FunctionCall.ID) != jsonx.Deref(result.ID) {
				t.Errorf("%s: call %s has the result %s", form, call.FunctionCall.Args,
					result.Response)
			}
		}
		if len(ids) != 3 {
			t.Errorf("%s: the ids are %v", form, ids)
		}
	}
}
