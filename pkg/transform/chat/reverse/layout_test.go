package reverse_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	forward "github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/go-json-experiment/json"
)

// A layout means the same in a client's message and in a server's answer: the same parts and
// losses.
func TestALayoutIsReadAlikeInBothDirections(t *testing.T) {
	t.Parallel()
	const code = `{"index":1,"part":{"executableCode":{"language":"PYTHON","code":"1"}}}`
	layout := func(message, entries string) string {
		return `{"role":"assistant",` + message + `,"extra_content":{"google":{"parts":[` +
			entries + `]}}}`
	}
	for name, tc := range map[string]struct{ message, parts, lost string }{
		"texts and a part of its own": {layout(`"content":"AB"`,
			`{"index":0,"in":"content","length":1},`+code+`,{"index":2,"in":"content","length":1}`),
			`{"text":"A"},{"executableCode":{"code":"1","language":"PYTHON"}},{"text":"B"}`, ""},
		"a signed text": {layout(`"content":"AB"`,
			`{"index":0,"in":"content","length":2,"checksum":"30694c07","part":{"thoughtSignature":"c2ln"}},`+
				code),
			`{"text":"AB","thoughtSignature":"c2ln"},{"executableCode":{"code":"1","language":"PYTHON"}}`,
			""},
		"a signed text that was changed": {layout(`"content":"AC"`,
			`{"index":0,"in":"content","length":2,"checksum":"30694c07","part":{"thoughtSignature":"c2ln"}},`+
				code),
			`{"text":"AC"},{"executableCode":{"code":"1","language":"PYTHON"}}`,
			"/0/part/thoughtSignature"},
		"thoughts that were left out": {layout(`"content":"A"`,
			`{"index":0,"in":"reasoning_content","length":2,"part":{"thoughtSignature":"c2ln"}},`+
				code+`,{"index":2,"in":"content","length":1}`),
			`{"text":"","thought":true,"thoughtSignature":"c2ln"},{"executableCode":{"code":"1","language":"PYTHON"}},{"text":"A"}`,
			""},
		"a sound in pieces": {layout(`"content":null,"audio":{"data":"AAECAwQF"}`,
			`{"index":0,"in":"audio","length":1},{"index":1,"in":"audio","length":5}`),
			`{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"AA=="}},{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"AQIDBAU="}}`,
			""},
		"a sound that is too short": {layout(`"content":"A","audio":{"data":"AAEC"}`,
			`{"index":0,"in":"audio","length":9},`+code),
			`{"text":"A"},{"inlineData":{"mimeType":"audio/L16;rate=24000","data":"AAEC"}}`, "/1"},
		"a text that says another": {layout(`"content":"A"`,
			`{"index":0,"in":"content","length":1,"part":{"text":"B"}},`+code),
			`{"text":"A"},{"executableCode":{"code":"1","language":"PYTHON"}}`, "/0/part/text"},
		"a text that is longer now": {layout(`"content":"AB"`, `{"index":0,"in":"content","length":1},`+code), `{"text":"AB"}`, "/1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sent, err := openai.DecodeRequest(
				[]byte(`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"?"},` +
					tc.message + `,{"role":"user","content":"?"}]}`))
			if err != nil {
				t.Fatal(err)
			}
			request, asked, err := forward.ToGemini(sent, forward.WithoutValidation())
			if err != nil {
				t.Fatal(err)
			}
			answer, answered := whole(t,
				`{"index":0,"message":`+tc.message+`,"finish_reason":"stop"}`, "")
			content := request.Contents[1]
			checkLayout(t, "asked", &content, asked, "/messages/1/extra_content/google/parts",
				tc.parts, tc.lost)
			checkLayout(t, "answered", answer.Candidates[0].Content, answered,
				"/choices/0/message/extra_content/google/parts", tc.parts, tc.lost)
		})
	}
}

// checkLayout checks the parts of a content, and the losses of a layout, "" for none.
func checkLayout(t *testing.T, name string, got *geminiapi.Content, entries report.Report, at,
	parts, lost string) {
	t.Helper()
	data, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	normal := strings.NewReplacer(`audio/wav`, `audio/L16;rate=24000`, `audio/pcm;rate=24000`,
		`audio/L16;rate=24000`, `audio/L16;codec=pcm;rate=24000`, `audio/L16;rate=24000`)
	if text := normal.Replace(string(data)); !strings.Contains(text, `"parts":[`+parts+`]`) {
		t.Errorf("%s: got %s, want %s", name, text, parts)
	}
	var found []string
	for _, e := range entries.Of(report.Lost) {
		if rest, ok := strings.CutPrefix(e.Pointer, at); ok {
			found = append(found, rest)
		}
	}
	if strings.Join(found, " ") != lost {
		t.Errorf("%s: lost %q, want %q", name, found, lost)
	}
}

// A layout describes a content that is a text. It does not fit a list of parts, and those parts are
// kept.
func TestALayoutDoesNotFitAContentOfParts(t *testing.T) {
	t.Parallel()
	out, entries := whole(t,
		`{"index":0,"message":{"role":"assistant","content":[{"type":"text","text":"A"}],"extra_content":{"google":{"parts":[`+
			`{"index":0,"part":{"executableCode":{"language":"PYTHON","code":"1"}}}]}}},"finish_reason":"stop"}`,
		"")
	checkLayout(t, "answered", out.Candidates[0].Content, entries,
		"/choices/0/message/extra_content/google/parts", `{"text":"A"}`, "/0")
}
