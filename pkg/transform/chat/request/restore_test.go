package request_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/clock/clocktest"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/google/go-cmp/cmp"
)

func TestEveryRecordedResponseComesBackAsItsTurn(t *testing.T) {
	t.Parallel()
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, in *geminiapi.GenerateContentResponse, _ []byte) {
			out, _, err := chat.FromGemini(in)
			if err != nil {
				t.Fatal(err)
			}
			checkComesBack(t, in, out)
		})
}

func TestEveryRecordedStreamComesBackAsItsTurn(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		wire, failure := openaitest.ReadStream(p.Read(t))
		chunks, err := convertStream(wire, failure)
		if err != nil {
			continue // a stream that failed has no turn
		}
		checked++
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			in, _ := normalize.MergeChunks(wire...)
			checkComesBack(t, in, openaitest.Accumulate(chunks))
			checkComesBack(t, in, openaitest.Unary(t, wire))
		})
	}
	if checked < corpustest.AtLeast(500) {
		t.Errorf("only %d recorded streams", checked)
	}
}

// convertStream converts the chunks of the wire to chunks.
func convertStream(wire []*geminiapi.GenerateContentResponse,
	failure error) ([]openaiapi.CreateChatCompletionStreamResponse, error) {
	var out []openaiapi.CreateChatCompletionStreamResponse
	for c, err := range chat.NewStream().Chunks(openaitest.Pairs(wire, failure)) {
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// checkComesBack sends each message of a completion back in a conversation with the model that
// answered. It compares the result with the turn that the message was made from.
func checkComesBack(t testing.TB, in *geminiapi.GenerateContentResponse,
	out *openaiapi.CreateChatCompletionResponse, opts ...request.Option) {
	t.Helper()
	if in.PromptFeedback != nil && in.PromptFeedback.BlockReason != nil {
		return
	}
	for i := range in.Candidates {
		candidate := &in.Candidates[i]
		at := slices.IndexFunc(out.Choices,
			func(c openaiapi.Choice) bool { return c.Index == deref(candidate.Index) })
		if len(in.Candidates) == 1 {
			at = 0
		}
		if at < 0 {
			t.Fatalf("candidate %d has no choice", i)
		}
		var parts []geminiapi.Part
		if candidate.Content != nil {
			parts = candidate.Content.Parts
		}
		checkTurnComesBack(t, out.Model, parts, &out.Choices[at].Message, opts...)
	}
}

// checkTurnComesBack checks that a message that was sent and received becomes the parts of its turn
// again. Exceptions are empty parts, and the placeholder for the signature of an unsigned call.
func checkTurnComesBack(t testing.TB, model string, parts []geminiapi.Part,
	message *openaiapi.ResponseMessage, opts ...request.Option) {
	t.Helper()
	got, entries, err := request.ToGemini(conversationWith(t, model, message), opts...)
	if err != nil {
		t.Errorf("%v\nof %s", err, openaitest.EncodeMessage(t, message))
		return
	}
	checkContents(t, got)
	want, unsigned := whatComesBack(traitsOf(model), parts)
	if want == nil {
		if len(got.Contents) != 1 ||
			!slices.Contains(openaitest.Entries(entries), "approximated /messages/1") {
			t.Errorf("an empty turn became %d contents, reported as %v", len(got.Contents), entries)
		}
		return
	}
	if diff := cmp.Diff(openaitest.SameParts(t, want),
		openaitest.SameParts(t, got.Contents[1].Parts)); diff != "" {
		t.Errorf("%s\nof %s", diff, openaitest.EncodeMessage(t, message))
	}
	if lost := entries.Of(report.Lost); slices.ContainsFunc(lost,
		func(e report.Entry) bool { return strings.HasPrefix(e.Pointer, "/messages/1") }) {
		t.Errorf("lost %v of %s", lost, openaitest.EncodeMessage(t, message))
	}
	if added := entries.Of(report.Added); (len(added) == 1) != unsigned || len(added) > 1 {
		t.Errorf("added %v", added)
	}
}

// whatComesBack returns the non-empty parts of a turn. It reports whether the first call had no
// signature and now has the placeholder.
func whatComesBack(traits models.Traits, parts []geminiapi.Part) (out []geminiapi.Part,
	unsigned bool) {
	first := true
	for _, p := range parts {
		signed := deref(p.ThoughtSignature) != ""
		if signed && !hasPayload(&p) {
			p.Text = new("") // the only data that a signature alone can have
		}
		if !hasPayload(&p) {
			continue
		}
		if p.FunctionCall != nil && first {
			first = false
			if unsigned = !signed && traits.RequiresSignatures; unsigned {
				p.ThoughtSignature = new(sentinel)
			}
		}
		out = append(out, p)
	}
	return out, unsigned
}

// conversationWith returns the request of a client that asks, gets the message, sends results for
// its calls, and asks again.
func conversationWith(t testing.TB, model string,
	message *openaiapi.ResponseMessage) *openaiapi.CreateChatCompletionRequest {
	t.Helper()
	messages := []string{hello, openaitest.EncodeMessage(t, message)}
	for i := range message.ToolCalls {
		messages = append(messages,
			fmt.Sprintf(`{"role":"tool","tool_call_id":%q,"content":"result %d"}`,
				message.ToolCalls[i].ID, i))
	}
	messages = append(messages, hello)
	in, err := openai.DecodeRequest([]byte(fmt.Sprintf(`{"model":%q,"messages":[%s]}`, model,
		strings.Join(messages, ","))))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// Clients without extensions keep ids, texts and arguments. That is enough for the signatures.
func TestEveryRecordedCallKeepsItsSignatureInItsID(t *testing.T) {
	t.Parallel()
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, in *geminiapi.GenerateContentResponse, _ []byte) {
			out, _, err := chat.FromGemini(in, chat.WithoutExtensions(), chat.WithSignaturesInIDs())
			if err != nil || len(out.Choices) != 1 || out.Choices[0].Message.ToolCalls == nil {
				return
			}
			// This model requires no signatures, so there is no placeholder for a missing one.
			got, report,
				err := request.ToGemini(conversationWith(t, flash25, &out.Choices[0].Message),
				request.WithoutValidation())
			if err != nil {
				t.Fatal(err)
			}
			checkContents(t, got)
			if diff := cmp.Diff(callSignatures(in.Candidates[0].Content.Parts),
				callSignatures(got.Contents[1].Parts)); diff != "" || report != nil {
				t.Errorf("%s\nreported as %v", diff, report)
			}
		})
}

func callSignatures(parts []geminiapi.Part) []string {
	var out []string
	for i := range parts {
		if call := parts[i].FunctionCall; call != nil {
			out = append(out,
				deref(call.Name)+" "+deref(call.ID)+" "+deref(parts[i].ThoughtSignature))
		}
	}
	return out
}

// Everything that a client sends back with an answer is in the request or in the report.
func TestNothingOfARecordedAnswerIsLostSilentlyOnItsWayBack(t *testing.T) {
	t.Parallel()
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, in *geminiapi.GenerateContentResponse, _ []byte) {
			out, _, err := chat.FromGemini(in)
			if err != nil {
				t.Fatal(err)
			}
			for i := range out.Choices {
				checkRequestComplete(t, conversationWith(t, out.Model, &out.Choices[i].Message),
					leaftest.Enough(30))
			}
		})
}

// checkRequestComplete changes values of a request in turn. The result or a report must show the
// change.
func checkRequestComplete(t testing.TB, in *openaiapi.CreateChatCompletionRequest, most int) {
	t.Helper()
	document, err := openai.EncodeRequest(in)
	if err != nil {
		t.Fatal(err)
	}
	before, report, err := geminiRequest(document, request.WithoutValidation())
	if err != nil {
		t.Fatal(err)
	}
	leaves, err := leaftest.All(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range leaftest.Sample(leaves, most) {
		after, changed, err := geminiRequest(l.Change(document), request.WithoutValidation())
		if err == nil && bytes.Equal(before, after) && !report.Covers(l.Pointer) &&
			!changed.Covers(l.Pointer) {
			t.Errorf("%s is lost silently", l.Pointer)
		}
	}
}

// Turns of random parts of all kinds are restored in any order.
func TestAnyTurnComesBack(t *testing.T) {
	t.Parallel()
	kinds := []string{
		openaitest.AThought, openaitest.AText, openaitest.ASigned, openaitest.ACall, `{}`,
		`{"text":""}`, `{"thoughtSignature":"c2ln"}`, `{"thought":true}`,
		`{"text":"","thoughtSignature":"c2ln"}`, `{"thought":true,"thoughtSignature":"c2ln"}`,
		`{"text":"","thought":true}`,
		`{"text":"Signed thought.","thought":true,"thoughtSignature":"c2ln"}`,
		`{"functionCall":{"name":"made","args":{"a":1}},"thoughtSignature":"c2ln"}`,
		`{"functionCall":{"name":"same"}}`,
		`{"functionCall":{"id":"gemini-call-r1-0-0","name":"f"},"thought":true}`,
		`{"functionCall":{"id":"b","name":"f","newMember":1},"text":"beside it"}`,
		`{"inlineData":{"mimeType":"image/png","data":"AAAA"}}`,
		`{"inlineData":{"mimeType":"image/jpg;x=y","data":"_-==","displayName":"a"}}`,
		`{"inlineData":{"mimeType":"audio/wav","data":"AAAA"},"thoughtSignature":"c2ln"}`,
		`{"inlineData":{"mimeType":"video/mp4","data":"AAAA"},"videoMetadata":{"fps":2}}`,
		`{"executableCode":{"code":"1"}}`,
		`{"toolCall":{"id":"1","toolType":"GOOGLE_SEARCH_WEB"}}`, `{"text":"灯","newMember":[1.50]}`,
		`{"newPart":{}}`,
		`{"text":"a","partMetadata":{"k":1.50}}`, `{"functionResponse":{"name":"same"}}`,
		`{"functionResponse":{"id":"a","name":"f","response":{"output":1}}}`,
	}
	random := rand.New(rand.NewPCG(3, 4))
	turns := 3000
	if testing.Short() {
		turns = 300
	}
	for range turns {
		parts := make([]string, random.IntN(7))
		for i := range parts {
			parts[i] = kinds[random.IntN(len(kinds))]
			if strings.Contains(parts[i], `"functionCall":{"id":`) &&
				slices.Contains(parts[:i], parts[i]) {
				parts[i] = openaitest.AText // Gemini gives no id to two calls of a turn.
			}
		}
		model := []string{flash25, pro3, flash36}[random.IntN(3)]
		turn := strings.Join(parts, ",")
		choice, _ := openaitest.Part(t, turn)
		in := openaitest.Decode(t, `{"candidates":[{"content":{"parts":[`+turn+`]}}]}`)
		checkTurnComesBack(t, model, in.Candidates[0].Content.Parts, &choice.Message,
			request.WithoutValidation())
		checkRequestComplete(t, conversationWith(t, model, &choice.Message), 20)
		if t.Failed() {
			t.Fatal(turn)
		}
	}
}

func TestPartsWithoutAPlaceInAMessageComeBackInOrder(t *testing.T) {
	t.Parallel()
	for name, parts := range map[string]string{
		"E1 code and its results":           `{"text":"Run:"},{"executableCode":{"id":"1","language":"PYTHON","code":"print(1)"}},{"codeExecutionResult":{"id":"1","outcome":"OUTCOME_OK","output":"1\n"}},{"codeExecutionResult":{"outcome":"OUTCOME_FAILED"}},{"text":"Done."}`,
		"S7 calls that Google has run":      `{"toolCall":{"id":"1","toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["a"]}},"thoughtSignature":"c2ln"},{"toolResponse":{"id":"1","toolType":"GOOGLE_SEARCH_WEB","response":{"b":1}}},{"text":"a"}`,
		"S8 a thought in front of a call":   `{"text":"Think.","thought":true},{"functionCall":{"id":"1","name":"f","args":{}},"thoughtSignature":"c2ln"}`,
		"characters of more than one byte ": `{"text":"灯台🗼é"},{"text":"é̂"},{"text":"Think 灯.","thought":true},{"text":"🇩🇪"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			choice, _ := openaitest.Part(t, parts)
			in := openaitest.Decode(t, `{"candidates":[{"content":{"parts":[`+parts+`]}}]}`)
			checkTurnComesBack(t, pro3, in.Candidates[0].Content.Parts, &choice.Message)
		})
	}
}

// restored converts an answer whose extension has the layout, between two questions.
func restored(message, layout string) string {
	return hello + `,{"role":"assistant",` + message + `,"extra_content":{"google":{"parts":[` +
		layout + `]}}},` + hello
}

func TestALayoutThatNoLongerFitsIsReported(t *testing.T) {
	t.Parallel()
	const at = "/messages/1/extra_content/google/parts"
	const code = `{"index":1,"part":{"executableCode":{"code":"1"}}}`
	usual := helloIn + `,{"role":"model","parts":[{"text":"Say it."}]},` + helloIn
	cases := map[string]conversation{}
	for name, layout := range map[string]string{
		"too short":          `{"index":0,"in":"content","length":3}`,
		"too long":           `{"index":0,"in":"content","length":30}`,
		"without length":     `{"index":0,"in":"content"}`,
		"a negative length":  `{"index":0,"in":"content","length":-1},{"index":1,"in":"content","length":8}`,
		"a call":             `{"index":0,"in":"content","length":7},{"index":1,"in":"tool_calls"}`,
		"a member not known": `{"index":0,"in":"content","length":7},{"index":1,"in":"new"}`,
		"nothing":            `{"index":0,"in":"content","length":7},{"index":1}`,
	} {
		cases[name] = conversation{messages: restored(`"content":"Say it."`, layout), want: usual,
			report: []string{"approximated " + at}}
	}
	cases["parts that only it has"] = conversation{messages: restored(`"content":"Say it."`,
		`{"index":0,"in":"content","length":3},`+code), want: usual,
		report: []string{"approximated " + at, "lost " + at + "/1"}}
	cases["another image"] = conversation{messages: restored(`"content":"Say it.","images":[{"type":"image_url","index":0,"image_url":{"url":"gs://b/a.png"}}]`,
		`{"index":0,"in":"content","length":7},{"index":1,"in":"images"}`),
		want: helloIn + `,{"role":"model","parts":[{"text":"Say it."},{"fileData":{"mimeType":"image/png","fileUri":"gs://b/a.png"}}]},` +
			helloIn, report: []string{"approximated " + at}}
	cases["a refusal"] = conversation{messages: restored(`"content":"Say it.","refusal":"No."`,
		`{"index":0,"in":"content","length":7}`),
		want: helloIn + `,{"role":"model","parts":[{"text":"Say it."},{"text":"No."}]},` +
			helloIn, report: []string{"approximated " + at, "approximated /messages/1/refusal"}}
	converse(t, flash25, cases)
}

// Most clients do not know reasoning_content, and many no images and no audio. The rest of the turn
// is kept.
func TestAMemberThatTheClientLeftOutSpoilsNoLayout(t *testing.T) {
	t.Parallel()
	const at = "/messages/1/extra_content/google/parts"
	const code, codeIn = `{"index":9,"part":{"executableCode":{"code":"1"}}}`,
		`{"executableCode":{"code":"1"}}`
	const signed, signedIn = `{"index":1,"in":"content","length":7,"part":{"thoughtSignature":"c2ln"}}`,
		`{"text":"Say it.","thoughtSignature":"c2ln"}`
	cases := map[string]conversation{}
	for name, c := range map[string]struct{ entry, kept string }{
		"thoughts":        {`{"index":0,"in":"reasoning_content","length":9}`, ""},
		"signed thoughts": {`{"index":0,"in":"reasoning_content","length":9,"part":{"thoughtSignature":"c2ln","partMetadata":{"k":1}}}`, `{"text":"","thought":true,"thoughtSignature":"c2ln"},`},
		"an image":        {`{"index":0,"in":"images","part":{"inlineData":{"displayName":"a"}}}`, ""},
		"a signed image":  {`{"index":0,"in":"images","part":{"thoughtSignature":"c2ln"}}`, `{"text":"","thoughtSignature":"c2ln"},`},
		"a sound":         {`{"index":0,"in":"audio","length":3}`, ""},
	} {
		cases[name] = conversation{messages: restored(`"content":"Say it."`,
			c.entry+","+signed+","+code),
			want: helloIn + `,{"role":"model","parts":[` + c.kept + signedIn + "," + codeIn +
				`]},` + helloIn,
			report: []string{"approximated " + at + "/0", "approximated " + at + "/2/index"}}
	}
	converse(t, flash25, cases)
}

// This test uses every recorded whole answer, sent back by a client without reasoning_content.
func TestEveryRecordedTurnComesBackWithoutItsThoughts(t *testing.T) {
	t.Parallel()
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, in *geminiapi.GenerateContentResponse, _ []byte) {
			out, _, err := chat.FromGemini(in)
			if err != nil || len(out.Choices) != 1 ||
				out.Choices[0].Message.ReasoningContent == nil {
				return
			}
			out.Choices[0].Message.ReasoningContent = nil
			got, entries, err := request.ToGemini(conversationWith(t, out.Model,
				&out.Choices[0].Message))
			if err != nil || entries.Of(report.Lost) != nil {
				t.Fatalf("%v, %v", err, entries)
			}
			var want []geminiapi.Part
			parts, _ := whatComesBack(traitsOf(out.Model), in.Candidates[0].Content.Parts)
			for _, p := range parts {
				isThought := p.Text != nil && deref(p.Thought)
				if isThought && p.ThoughtSignature == nil {
					continue
				}
				if isThought {
					p = geminiapi.Part{Text: new(""), Thought: new(true),
						ThoughtSignature: p.ThoughtSignature}
				}
				want = append(want, p)
			}
			if want == nil {
				return // of thoughts alone nothing is left
			}
			if diff := cmp.Diff(openaitest.SameParts(t, want),
				openaitest.SameParts(t, got.Contents[1].Parts)); diff != "" {
				t.Error(diff)
			}
		})
}

// The signature belongs to another text, of the same length or not.
func TestAChangedTextKeepsNoSignature(t *testing.T) {
	t.Parallel()
	const google = "/messages/1/extra_content/google"
	for parts, signature := range map[string]string{
		openaitest.ASigned: google + "/thought_signature",
		openaitest.AThought + "," + openaitest.ASigned: google +
			"/thought_signature",
		openaitest.AText + "," + openaitest.ASigned + `,{"executableCode":{"code":"1"}}`: google +
			"/parts/1/part/thoughtSignature",
	} {
		choice, _ := openaitest.Part(t, parts)
		for _, text := range []string{"Sighed.", "Signed, and more."} {
			message := choice.Message
			message.Content = new(strings.Replace(*choice.Message.Content, "Signed.", text, 1))
			out, entries, err := request.ToGemini(conversationWith(t, flash25, &message))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range out.Contents[1].Parts {
				if p.ThoughtSignature != nil {
					t.Errorf("%s: %s keeps the signature of another text", parts, *message.Content)
				}
			}
			if !entries.Of(report.Lost).Covers(signature) &&
				!entries.Of(report.Lost).Covers(google+"/thought_signature") {
				t.Errorf("%s: %s: %v", parts, text, entries)
			}
		}
	}
}

func TestALayoutFitsTheContentInItsOtherForm(t *testing.T) {
	t.Parallel()
	converse(t, flash25, map[string]conversation{
		"as parts": {messages: restored(`"content":[{"type":"text","text":"Say"},{"type":"text","text":" it."}]`,
			`{"index":0,"in":"content","length":5},{"index":1,"in":"content","length":2}`),
			want: helloIn + `,{"role":"model","parts":[{"text":"Say i"},{"text":"t."}]},` +
				helloIn},
	})
}

func TestACallThatOnlyTheLayoutHasNeedsAResultToo(t *testing.T) {
	t.Parallel()
	const layout = `{"index":0,"in":"content","length":7},{"index":1,"part":{"functionCall":{"id":"a","name":"f_a","args":{"a":1}}}}`
	answer := strings.TrimSuffix(restored(`"content":"Say it."`, layout), ","+hello)
	converse(t, flash25, map[string]conversation{
		"with it":    {messages: answer + "," + resultOf("a"), want: helloIn + `,{"role":"model","parts":[{"text":"Say it."},{"functionCall":{"id":"a","name":"f_a","args":{"a":1}}}]},` + resultIn("a")},
		"without it": {messages: answer, err: `/messages/1: a result for "a" is missing`},
	})
}

// Google runs the functions of servers in the request. Its answer has the call and the result in
// one turn.
func TestACallThatGoogleHasAnsweredNeedsNoResult(t *testing.T) {
	t.Parallel()
	const parts = `{"functionCall":{"name":"f","args":{}}},{"functionResponse":{"name":"f","response":{"b":1}}},{"functionCall":{"id":"a","name":"f","args":{}}},{"text":"Done."}`
	choice, _ := openaitest.Part(t, parts)
	message := hello + "," + openaitest.EncodeMessage(t, &choice.Message)
	turn := helloIn + `,{"role":"model","parts":[` + parts + `]},`
	const ofA, inA = `{"role":"tool","tool_call_id":"a","content":"1"}`,
		`{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{"output":"1"}}}]}`
	const made = `{"role":"tool","tool_call_id":"gemini-call-r1-0-0","content":"2"}`
	converse(t, flash25, map[string]conversation{
		"only the other": {messages: message + "," + ofA, want: turn + inA},
		"both":           {messages: message + "," + ofA + "," + made, want: turn + inA, report: []string{"lost /messages/3"}},
		"twice":          {messages: message + "," + made + "," + made, err: `/messages/3: "gemini-call-r1-0-0" already has a result`},
		"none":           {messages: message + "," + hello, err: `/messages/1: a result for "a" is missing`},
	})
	choice, _ = openaitest.Part(t,
		strings.Replace(parts, `{"functionCall":{"id":"a","name":"f","args":{}}},`, "", 1))
	converse(t, flash25, map[string]conversation{
		"no other call": {messages: hello + "," + openaitest.EncodeMessage(t, &choice.Message) + "," + hello, want: strings.Replace(turn, `{"functionCall":{"id":"a","name":"f","args":{}}},`, "", 1) + helloIn},
	})
}

func TestUnusedPartsOfALayoutAreReported(t *testing.T) {
	t.Parallel()
	const google = "/messages/1/extra_content/google"
	const at = google + "/parts/0"
	said := helloIn + `,{"role":"model","parts":[{"text":"Say it."}]},` + helloIn
	of := func(more string) string { return `{"index":0,"in":"content","length":7` + more + `}` }
	with := func(members string) string {
		return hello + `,{"role":"assistant","content":"Say it.","extra_content":{"google":{"parts":[` +
			of("") + `],` + members + `}}},` + hello
	}
	converse(t, flash25, map[string]conversation{
		"another index":     {messages: restored(`"content":"Say it."`, `{"index":5,"in":"content","length":7}`), want: said, report: []string{"approximated " + at + "/index"}},
		"a text":            {messages: restored(`"content":"Say it."`, of(`,"part":{"text":"a"}`)), want: said, report: []string{"lost " + at + "/part/text"}},
		"a new member":      {messages: restored(`"content":"Say it."`, of(`,"new":1`)), want: said, report: []string{"lost " + at + "/new"}},
		"a length":          {messages: restored(`"content":"Say it."`, of("")+`,{"index":1,"length":3,"part":{"executableCode":{"code":"1"}}}`), want: strings.Replace(said, `"}]},{"role":"user"`, `"},{"executableCode":{"code":"1"}}]},{"role":"user"`, 1), report: []string{"lost " + google + "/parts/1/length"}},
		"another signature": {messages: with(`"thought_signature":"c2ln"`), want: said, report: []string{"lost " + google + "/thought_signature"}},
		"a thought":         {messages: with(`"thought":true`), want: said, report: []string{"lost " + google + "/thought"}},
		"a type":            {messages: with(`"mime_type":"audio/wav"`), want: said, report: []string{"lost " + google + "/mime_type"}},
		"a call": {messages: hello +
			`,{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f_a","arguments":"{\"a\":1}"}}],"extra_content":{"google":{"parts":[{"index":0,"in":"tool_calls","part":{"functionCall":{"id":"b","name":"g","args":[1]}}}]}}},` +
			resultOf("a"),
			want: helloIn +
				`,{"role":"model","parts":[{"functionCall":{"id":"b","name":"f_a","args":[1]}}]},{"role":"user","parts":[{"functionResponse":{"id":"b","name":"f_a","response":{"of":"a"}}}]}`,
			report: []string{"approximated " + google + "/parts",
				"lost /messages/1/tool_calls/0/function/arguments"}},
		"an echo": {messages: with(`"grounding_metadata":{},"avg_logprobs":-1`), want: said, report: []string{"approximated " + google + "/grounding_metadata", "approximated " + google + "/avg_logprobs"}},
	})
}

func TestAnswersOfOtherProvidersAreConverted(t *testing.T) {
	t.Parallel()
	image := `{"type":"image_url","image_url":{"url":"data:image/jpg;base64,AAAA"}}`
	answer := func(members string) string { return hello + `,{"role":"assistant",` + members + `},` + hello }
	in := func(parts string) string { return helloIn + `,{"role":"model","parts":[` + parts + `]},` + helloIn }
	converse(t, flash25, map[string]conversation{
		"images": {messages: answer(`"content":"See:","images":[` + image + `]`), want: in(`{"text":"See:"},{"inlineData":{"mimeType":"image/jpeg","data":"AAAA"}}`), report: []string{"approximated /messages/1/images/0/image_url/url"}},
		"sound": {messages: answer(`"audio":{"id":"a","data":"AAAA","expires_at":0,"transcript":"Hi"},"extra_content":{"google":{"mime_type":"audio/L16;rate=24000"}}`),
			want: in(`{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"AAAA"}}`),
			report: []string{"approximated /messages/1/audio/id",
				"approximated /messages/1/audio/expires_at",
				"approximated /messages/1/audio/transcript"}},
		"sound without type": {messages: answer(`"audio":{"data":"SUQz"}`), want: in(`{"inlineData":{"mimeType":"audio/mpeg","data":"SUQz"}}`), report: []string{"added /messages/1/audio/data"}},
		"the words of a sound": {messages: answer(`"audio":{"id":"a","transcript":"Hi"}`),
			want: in(`{"text":"Hi"}`),
			report: []string{"approximated /messages/1/audio/id",
				"approximated /messages/1/audio/transcript"}},
		"the id of a sound": {messages: answer(`"content":"Hi","audio":{"id":"a"}`), want: in(`{"text":"Hi"}`), report: []string{"lost /messages/1/audio"}},
		"sources":           {messages: answer(`"content":"Hi","annotations":[{"type":"url_citation","url_citation":{"url":"a","title":"","start_index":0,"end_index":1}}]`), want: in(`{"text":"Hi"}`), report: []string{"approximated /messages/1/annotations"}},
		"all in order": {messages: hello +
			`,{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f_a","arguments":"{\"a\":1}"}}],"images":[{"type":"image_url","image_url":{"url":"gs://b/a.png"}}],"audio":{"data":"SUQz"},"refusal":"No.","content":"Hi","reasoning_content":"Hm."},` +
			resultOf("a"),
			want: helloIn +
				`,{"role":"model","parts":[{"text":"Hm.","thought":true},{"text":"Hi"},{"text":"No."},{"inlineData":{"mimeType":"audio/mpeg","data":"SUQz"}},{"fileData":{"mimeType":"image/png","fileUri":"gs://b/a.png"}},{"functionCall":{"id":"a","name":"f_a","args":{"a":1}}}]},` +
				resultIn("a"),
			report: []string{"approximated /messages/1/refusal", "added /messages/1/audio/data"}},
	})
}

// Seed of the project: the conversation whose conversion every earlier version had to get right.
// The function of a result has the name of its call, which the first versions did not look up.
func TestTheFirstConversationOfAll(t *testing.T) {
	t.Parallel()
	in, err := openai.DecodeRequest([]byte(`{"model":"gpt-4o","messages":[{"role":"system","content":"You are a helper."},` +
		`{"role":"user","content":[{"type":"text","text":"Describe"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAA="}}]},` +
		`{"role":"assistant","content":"Calling tool.","tool_calls":[{"id":"call_1","type":"function","function":{"name":"getWeather","arguments":"{\"city\":\"Paris\"}"}}]},` +
		`{"role":"tool","tool_call_id":"call_1","content":"{\"temp\":21}"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := request.ToGemini(in, request.ForModel(flash25))
	if err != nil {
		t.Fatal(err)
	}
	isConversation(t, out,
		`{"role":"user","parts":[{"text":"Describe"},{"inlineData":{"mimeType":"image/png","data":"AAA="}}]},`+
			`{"role":"model","parts":[{"text":"Calling tool."},{"functionCall":{"id":"call_1","name":"getWeather","args":{"city":"Paris"}}}]},`+
			`{"role":"user","parts":[{"functionResponse":{"id":"call_1","name":"getWeather","response":{"temp":21}}}]}`,
		`{"text":"You are a helper."}`)
}

// traitsOf returns the traits of a model on the day of the tests.
func traitsOf(model string) models.Traits {
	return models.At(model, models.GeminiAPI, clocktest.Day).Traits
}
