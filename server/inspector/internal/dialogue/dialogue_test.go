package dialogue

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform"
)

// request returns a request of one message with parts.
func request(parts string) string {
	return `{"contents":[{"role":"user","parts":[` + parts + `]}]}`
}

// answer returns an answer of one candidate with parts.
func answer(parts string) string {
	return `{"candidates":[{"content":{"role":"model","parts":[` + parts +
		`]},"finishReason":"STOP"}]}`
}

func TestEveryKindOfPartIsShown(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("ab", 32)
	for part, want := range map[string]Part{
		`{"text":"a"}`:                {Kind: KindText, Text: "a"},
		`{"text":"a","thought":true}`: {Kind: KindThinking, Text: "a", Thought: true},
		`{"functionCall":{"name":"f","id":"1","args":{ "a" : 1 }}}`: {Kind: KindCall, Name: "f", ID: "1", JSON: `{"a":1}`},
		`{"functionResponse":{"name":"f","response":{"output":2}}}`: {Kind: KindResult, Name: "f", JSON: `{"output":2}`},
		`{"inlineData":{"mimeType":"image/png","data":"AAAA"}}`:     {Kind: KindMedia, MIME: "image/png", Bytes: 3, Data: "AAAA"},
		`{"inlineData":{"mimeType":"image/png","data":"[gemwire media sha256:` + hash + ` image/png 81234 bytes]"}}`: {
			Kind: KindMedia, MIME: "image/png", Media: hash, Bytes: 81234},
		`{"fileData":{"mimeType":"application/pdf","fileUri":"files/1"}}`:           {Kind: KindMedia, MIME: "application/pdf", URI: "files/1"},
		`{"executableCode":{"language":"PYTHON","code":"print(1)"}}`:                {Kind: KindCode, Name: "PYTHON", Text: "print(1)"},
		`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}`:             {Kind: KindCodeResult, Name: "OUTCOME_OK", Text: "1"},
		`{"toolCall":{"toolType":"GOOGLE_SEARCH_WEB","id":"7","args":{"q":["a"]}}}`: {Kind: KindSearch, Name: "GOOGLE_SEARCH_WEB", ID: "7", JSON: `{"args":{"q":["a"]},"id":"7","toolType":"GOOGLE_SEARCH_WEB"}`},
		`{"newKind":{"a":1}}`: {Kind: KindOther, JSON: `{"newKind":{"a":1}}`},
	} {
		v := Of(&Exchange{Gemini: Documents{Request: request(part)}, IsSame: true})
		if len(v.Messages) != 1 || len(v.Messages[0].Parts) != 1 || v.Note != "" {
			t.Errorf("%s: %+v", part, v)
			continue
		}
		got := v.Messages[0].Parts[0]
		if got.Gemini == nil || *got.Gemini != "/contents/0/parts/0" || got.Client == nil {
			t.Errorf("%s has no location", part)
		}
		got.Gemini, got.Client = nil, nil
		if got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", part, got, want)
		}
	}
}

func TestLocationsHaveTheSpellingOfTheDocument(t *testing.T) {
	t.Parallel()
	v := Of(&Exchange{IsSame: true, Gemini: Documents{Request: `{"generateContentRequest":` +
		`{"system_instruction":{"parts":[{"text":"Be brief."}]},"contents":[]}}`}})
	const want = "/generateContentRequest/system_instruction/parts/0"
	if len(v.Messages) != 1 || *v.Messages[0].Parts[0].Gemini != want {
		t.Errorf("%+v", v.Messages)
	}
}

func TestEqualTextsAreFoundInTheirOrder(t *testing.T) {
	t.Parallel()
	v := Of(&Exchange{
		Gemini: Documents{Request: `{"contents":[{"role":"user","parts":[{"text":"yes"}]},
			{"role":"model","parts":[{"text":"sure"}]},{"role":"user","parts":[{"text":"yes"}]}]}`},
		Client: Documents{Request: `{"note":"yes","messages":[{"role":"user","content":"yes"},
			{"role":"assistant","content":"sure"},{"role":"user","content":"yes"}]}`},
		Counterparts: transform.Counterparts{Request: [][2]string{{"/messages", "/contents"}}},
	})
	for i, want := range []string{"/messages/0", "/messages/1", "/messages/2"} {
		if got := v.Messages[i].Parts[0].Client; got == nil || *got != want {
			t.Errorf("message %d is at %v, expected %s", i, got, want)
		}
	}
}

func TestAStreamIsPutTogether(t *testing.T) {
	t.Parallel()
	v := Of(&Exchange{IsSame: true, Gemini: Documents{Chunks: []string{
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"I think","thought":true}]}}]}`,
		": keep-alive",
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"Take "}]}}]}`,
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"the bus."}]}}]}`,
		`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f"}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"thoughtsTokenCount":3,"totalTokenCount":6}}`,
		"[DONE]",
	}}})
	var got []string
	for _, p := range v.Answer[0].Parts {
		got = append(got, fmt.Sprintf("%s %s%s %s", p.Kind, p.Text, p.Name, *p.Gemini))
	}
	want := []string{"thinking I think /0/candidates/0/content/parts/0",
		"text Take the bus. /2/candidates/0/content/parts/0",
		"call f /4/candidates/0/content/parts/0"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, expected %q", got, want)
	}
	if v.Finish != "STOP" || *v.Usage != (Usage{1, 5, 3, 0, 6}) ||
		v.AnswerText() != "I think\nTake the bus." || v.ReplyText() != "Take the bus." ||
		len(v.Calls()) != 1 || !slices.Equal(v.Tools(), []string{"f"}) {
		t.Errorf("%+v", v)
	}
}

// follows reports whether a request continues an earlier exchange.
func follows(before, after *View) bool {
	_, keys := before.Keys("client")
	earlier, _ := after.Keys("client")
	return slices.ContainsFunc(keys, func(key Key) bool { return slices.Contains(earlier, key) })
}

func TestAConversationIsKnownByItsMessages(t *testing.T) {
	t.Parallel()
	first := Of(&Exchange{Gemini: Documents{Request: request(`{"text":"hello"}`),
		Response: answer(`{"text":"a thought","thought":true},{"text":"Take "},` +
			`{"text":"the bus.\n","thoughtSignature":"AAAA"},{"functionCall":{"name":"f","id":"1","args":{"a":1,"b":2}}}`)}})
	const call = `{"functionCall":{"name":"f","id":"other","args":{"b":2, "a":1}}}`
	later := func(contents string) *View {
		return Of(&Exchange{Gemini: Documents{
			Request: `{"systemInstruction":{"parts":[{"text":"new"}]},"contents":[` + contents + `]}`}})
	}
	user := func(text string) string {
		return `{"role":"user","parts":[{"text":"` + text + `"}]}`
	}
	model := func(parts string) string { return `{"role":"model","parts":[` + parts + `]}` }
	for name, test := range map[string]struct {
		contents string
		want     bool
	}{
		"the same": {user("hello") + "," + model(`{"text":"Take the bus."},`+call) + "," +
			user("next"), true},
		"a longer one": {user("hello") + "," + model(`{"text":"Take the bus."},`+call) + "," +
			user("next") + "," + model(`{"text":"ok"}`) + "," + user("and"), true},
		"split into messages": {user("hello") + "," + model(`{"text":"Take the bus."}`) + "," +
			model(call) + "," + user("next"), true},
		"without a new message": {user("hello") + "," + model(`{"text":"Take the bus."},`+call),
			false},
		"another answer": {user("hello") + "," + model(`{"text":"Take the tram."},`+call) + "," +
			user("next"), false},
		"another question": {user("hi") + "," + model(`{"text":"Take the bus."},`+call) + "," +
			user("next"), false},
		"other arguments": {user("hello") + "," + model(`{"text":"Take the bus."},`+
			strings.Replace(call, "1", "3", 1)) + "," + user("next"), false},
		"the same question alone": {user("hello"), false},
	} {
		if got := follows(first, later(test.contents)); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAnEmptyAnswerStartsNoConversation(t *testing.T) {
	t.Parallel()
	for _, response := range []string{"", answer(""), answer(`{"text":" "}`),
		answer(`{"text":"a","thought":true}`), `{"promptFeedback":{"blockReason":"SAFETY"}}`} {
		v := Of(&Exchange{Gemini: Documents{Request: request(`{"text":"hello"}`),
			Response: response}})
		if _, after := v.Keys("client"); len(after) != 0 {
			t.Errorf("%s has %d keys", response, len(after))
		}
	}
}

func TestThePreviewIsTheLastTextOfTheUser(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é ", 200)
	for contents, want := range map[string]string{
		`{"role":"user","parts":[{"text":"first"}]},{"role":"user","parts":[{"text":" a\n\n b "}]}`: "a b",
		`{"role":"user","parts":[{"text":"ask"}]},{"role":"model","parts":[{"text":"x"}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"a":1}}}]}`: "ask",
		`{"role":"model","parts":[{"text":"x"}]}`:                  "x",
		`{"role":"user","parts":[{"text":"` + long + `"}]}`:        strings.TrimSpace(long)[:len("é ")*60],
		`{"role":"user","parts":[{"inlineData":{"data":"AAAA"}}]}`: "",
	} {
		v := Of(&Exchange{Gemini: Documents{Request: `{"contents":[` + contents + `]}`}})
		if got := v.Preview(); got != want {
			t.Errorf("%s: %q, expected %q", contents, got, want)
		}
	}
}

func FuzzOf(f *testing.F) {
	f.Add(request(`{"text":"hello"}`), answer(`{"text":"hi"}`), `{"messages":[{"content":"hello"}]}`)
	f.Add(`{"contents":[null]}`, `{"candidates":[null]}`, `[`)
	f.Fuzz(func(t *testing.T, gemini, response, client string) {
		for _, e := range []*Exchange{
			{Gemini: Documents{Request: gemini, Response: response},
				Client: Documents{Request: client, Response: client}},
			{Gemini: Documents{Request: gemini, Chunks: []string{response, response, gemini}},
				Client: Documents{Request: client, Chunks: []string{client, response}}},
		} {
			v := Of(e)
			v.Keys("client")
			v.Preview()
			v.Has()
			v.AnswerText()
			ValueAt(gemini, nil, client)
			ValueAt("", []string{response}, "/0"+client)
		}
	})
}
