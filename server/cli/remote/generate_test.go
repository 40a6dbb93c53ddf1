package remote_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/google/go-cmp/cmp"
)

// tokens is the usage of scripted answers in these tests.
var tokens = geminitest.Usage(&geminiapi.UsageMetadata{PromptTokenCount: new(3),
	CandidatesTokenCount: new(2), TotalTokenCount: new(5)})

const tokensLine = "gemwire: gemini-3.6-flash: 3 tokens in, 2 out\n"

var sources = &geminiapi.GroundingMetadata{
	GroundingChunks: []geminiapi.GroundingChunk{
		{Web: &geminiapi.GroundingChunkWeb{URI: new("https://a.example/1"), Title: new("A page")}},
		{Web: &geminiapi.GroundingChunkWeb{URI: new("https://b.example/2")}},
	},
}

func TestGenerateShowsWhatAnAnswerHolds(t *testing.T) {
	t.Parallel()
	code := geminiapi.Part{ExecutableCode: &geminiapi.ExecutableCode{Language: new(geminiapi.CodeLanguagePython),
		Code: new("print(6*7)\n")}}
	outcome := geminiapi.Part{CodeExecutionResult: &geminiapi.CodeExecutionResult{Outcome: new(geminiapi.CodeExecutionOutcomeOK),
		Output: new("42\n")}}
	tests := map[string]struct {
		blocks         []geminitest.Block
		code           int
		stdout, stderr string
	}{
		"text":                   {[]geminitest.Block{geminitest.Text("Hello, ", "world."), tokens}, 0, "Hello, world.\n", tokensLine},
		"a text with a line end": {[]geminitest.Block{geminitest.Text("Hello.\n"), tokens}, 0, "Hello.\n", tokensLine},
		"thoughts are for terminals": {
			[]geminitest.Block{geminitest.Thought("Hm."), geminitest.Text("Hello."), tokens}, 0,
			"Hello.\n", tokensLine,
		},
		"calls": {
			[]geminitest.Block{geminitest.Text("Let me see."),
				geminitest.Call("get_weather", `{"city":"Porto"}`), geminitest.Call("now", `{}`),
				tokens},
			0, "Let me see.\n\nget_weather({\"city\":\"Porto\"})\n\nnow({})\n", tokensLine,
		},
		"code": {
			[]geminitest.Block{geminitest.Part(code), geminitest.Part(outcome),
				geminitest.Text("It is 42."), tokens},
			0, "```python\nprint(6*7)\n```\n\n```\n42\n```\n\nIt is 42.\n", tokensLine,
		},
		"sources": {
			[]geminitest.Block{geminitest.Text("So it is."), geminitest.Grounding(sources), tokens},
			0, "So it is.\n\nSources:\n[1] A page https://a.example/1\n[2] https://b.example/2\n",
			tokensLine,
		},
		"an image": {
			[]geminitest.Block{geminitest.Image("image/png", []byte("12345")), tokens},
			0, "", "gemwire: image/png of 5 bytes omitted; --out DIR saves it in a folder\n" +
				tokensLine,
		},
		"the limit of tokens": {
			[]geminitest.Block{geminitest.Text("Once upon"),
				geminitest.Finish(geminiapi.FinishReasonMaxTokens), tokens},
			0, "Once upon\n", "gemwire: the answer is cut off: MAX_TOKENS\n" + tokensLine,
		},
		"a filter": {
			[]geminitest.Block{geminitest.Text("Once"),
				geminitest.Finish(geminiapi.FinishReasonSafety), tokens},
			1, "Once\n", tokensLine + "gemwire: the answer was withheld: SAFETY\n",
		},
		"a malformed call": {
			[]geminitest.Block{geminitest.Text("Hm."),
				geminitest.Finish(geminiapi.FinishReasonMalformedFunctionCall), tokens},
			1, "Hm.\n", tokensLine +
				"gemwire: the answer ended in an error: MALFORMED_FUNCTION_CALL\n",
		},
	}
	for name, test := range tests {
		for mode, flags := range map[string][]string{"whole": nil, "streamed": {"--stream"}} {
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				got := ask(t, scripted(t, test.blocks...), "",
					append([]string{"generate", "Go"}, flags...)...)
				wantResult(t, got, test.code, test.stdout, test.stderr)
			})
		}
	}
}

func TestGenerateSaysInOneLineWhatWentWrongAndWhatToDo(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		block geminitest.Block
		want  string // the beginning of a line on standard error; ... is the server's text
		ends  string
	}{
		"a wrong key":        {geminitest.InvalidKey(), "gemwire: 400 INVALID_ARGUMENT: API key not valid.", "; check the key in GEMINI_API_KEY or --api-key-file, and its permissions"},
		"no right":           {geminitest.PermissionDenied(), "gemwire: 403 PERMISSION_DENIED: ", "and its permissions"},
		"a quota":            {geminitest.RateLimited(17 * time.Second), "gemwire: 429 RESOURCE_EXHAUSTED: ", "; try again in 17s"},
		"a quota for long":   {geminitest.RateLimited(1 << 60), "gemwire: 429 RESOURCE_EXHAUSTED: ", "; try again in 365 days"},
		"the quota of a day": {geminitest.DailyQuota(time.Hour), "gemwire: 429 RESOURCE_EXHAUSTED: ", "; the daily quota is used up"},
		"a failure":          {geminitest.InternalError(), "gemwire: 500 INTERNAL: ", "; try again later"},
		"overload":           {geminitest.Unavailable(), "gemwire: 503 UNAVAILABLE: ", "ry again later"},
		"a page":             {geminitest.HTMLPage(http.StatusBadGateway), "gemwire: 502", "; try again later"},
		"an empty body":      {geminitest.EmptyBody(http.StatusOK), "gemwire: ", "the body is empty"},
	}
	for name, test := range tests {
		for mode, flags := range map[string][]string{"whole": nil, "streamed": {"--stream"}} {
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				got := ask(t, scripted(t, test.block), "",
					append([]string{"generate", "Go"}, flags...)...)
				line := strings.TrimSuffix(got.stderr, "\n")
				if got.code != 1 || got.stdout != "" || strings.Contains(line, "\n") ||
					!strings.HasPrefix(line, test.want) || !strings.HasSuffix(line, test.ends) {
					t.Errorf("%+v", got)
				}
			})
		}
	}
}

func TestGenerateNamesTheModelThatWasMeant(t *testing.T) {
	t.Parallel()
	got := ask(t, geminitest.NewServer(t), "", "generate", "-m", "gemini36-flash", "Go")
	if got.code != 1 || got.stdout != "" ||
		!strings.HasPrefix(got.stderr, "gemwire: 404 NOT_FOUND: models/gemini36-flash ") ||
		!strings.HasSuffix(got.stderr, "; did you mean gemini-3.6-flash?\n") {
		t.Errorf("%+v", got)
	}
}

func TestGenerateSaysWhatReplacesAModelThatIsGone(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]string{
		"gemini-2.0-flash": "; gemini-2.0-flash was shut down on 2026-06-01; Google names gemini-3.5-flash-lite in its place\n",
		"gemini-2.0-flsh":  "; did you mean gemini-2.5-flash?\n",
		// This model is not released yet.
		"gemini-4-argn": "; 'gemwire models --remote' lists models\n",
	} {
		got := ask(t, geminitest.NewServer(t), "", "generate", "-m", model, "Go")
		if got.code != 1 || !strings.HasSuffix(got.stderr, want) {
			t.Errorf("%s: %+v", model, got)
		}
	}
}

// An existing model is not suggested for its own name.
func TestGenerateSaysByWhichAPIAModelIsCalled(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]string{
		"gemini-embedding-2": "; gemini-embedding-2 needs embedContent\n",
		"gemini-3.8-live":    "; gemini-3.8-live needs the Live API\n",
		"gemini-omni-flash":  "; gemini-omni-flash needs the Interactions API\n",
	} {
		got := ask(t, geminitest.NewServer(t), "", "generate", "-m", model, "Go")
		if got.code != 1 || !strings.HasPrefix(got.stderr, "gemwire: 404 ") ||
			!strings.HasSuffix(got.stderr, want) {
			t.Errorf("%s: %+v", model, got)
		}
	}
}

func TestGenerateSaysWhyAPromptWasRefused(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{nil, {"--stream"}, {"--json"}, {"--json", "--stream"}} {
		got := ask(t, geminitest.NewServer(t), "",
			append([]string{"generate", "--quiet", "[block prompt: SAFETY]"}, flags...)...)
		if got.code != 1 || got.stderr != "gemwire: the prompt was refused: SAFETY\n" {
			t.Errorf("%q: %+v", flags, got)
		}
	}
}

func TestGenerateKeepsTheTextBeforeAStreamBreaks(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]geminitest.Block{"cut": geminitest.Cut(),
		"reset": geminitest.Reset(), "error": geminitest.Unavailable()} {
		got := ask(t, scripted(t, geminitest.Text("Once upon "), fault), "", "generate", "--stream",
			"--quiet", "Go")
		if got.code != 1 || got.stdout != "Once upon \n" || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestGenerateReadsThePromptFromStandardInput(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		words []string
		want  string
	}{
		"alone":       {[]string{"-"}, "line 1\nline 2"},
		"after words": {[]string{"Summarise", "this:", "-"}, "Summarise this:\n\nline 1\nline 2"},
		"between":     {[]string{"Summarise:", "-", "In German."}, "Summarise:\n\nline 1\nline 2\n\nIn German."},
		"words":       {[]string{"Why", "is it?"}, "Why is it?"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := scripted(t, geminitest.Text("Yes."))
			ask(t, server, "line 1\nline 2\n", append([]string{"generate"}, test.words...)...)
			if got := *server.Requests()[0].Content.Contents[0].Parts[0].Text; got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestGenerateAsksByItsFlags(t *testing.T) {
	t.Parallel()
	function := `{"name":"f","description":"d","parameters":{"type":"OBJECT","properties":{"a":{"type":"STRING"}}}}`
	openai := `[{"type":"function","function":{"name":"g","description":"e","parameters":{"type":"object"}}}]`
	mcp := `{"name":"h","description":"i","inputSchema":{"type":"object"}}`
	tests := map[string]struct {
		flags []string
		want  string
	}{
		"nothing": {nil, `{"contents":[{"parts":[{"text":"Go"}],"role":"user"}]}`},
		"that it is stored": {
			[]string{"--store-at-google", "on"},
			`{"contents":[{"parts":[{"text":"Go"}],"role":"user"}]}`,
		},
		"an instruction": {
			[]string{"--system", "Be brief."},
			`{"contents":[{"parts":[{"text":"Go"}],"role":"user"}],"systemInstruction":{"parts":[{"text":"Be brief."}]}}`,
		},
		"a level of thinking": {
			[]string{"--thinking", "low"},
			`{"contents":[{"parts":[{"text":"Go"}],"role":"user"}],"generationConfig":{"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"LOW"}}}`,
		},
		"no thinking": {
			[]string{"--thinking", "none", "-m", "gemini-2.5-flash"},
			`{"contents":[{"parts":[{"text":"Go"}],"role":"user"}],"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}}`,
		},
		"functions of all forms": {
			[]string{"--tool", writeFile(t, "a.json", function), "--tool",
				writeFile(t, "b.json", openai), "--tool", writeFile(t, "c.json", mcp)},
			`{"contents":[{"parts":[{"text":"Go"}],"role":"user"}],"tools":[{"functionDeclarations":[` +
				function +
				`,{"name":"g","description":"e","parametersJsonSchema":{"type":"object"}},{"name":"h","description":"i","parametersJsonSchema":{"type":"object"}}]}]}`,
		},
		"a tool of the server": {
			[]string{"--tool", writeFile(t, "s.json", `{"googleSearch":{}}`)},
			`{"contents":[{"parts":[{"text":"Go"}],"role":"user"}],"tools":[{"googleSearch":{}}]}`,
		},
		"a text": {
			[]string{"--file", writeFile(t, "main.go", "package main\n")},
			`{"contents":[{"parts":[{"inlineData":{"data":"cGFja2FnZSBtYWluCg==","mimeType":"text/plain"}},{"text":"Go"}],"role":"user"}]}`,
		},
		"an address": {
			[]string{"--file", "gs://bucket/report.pdf", "-m", "gemini-2.5-flash"},
			`{"contents":[{"parts":[{"fileData":{"fileUri":"gs://bucket/report.pdf","mimeType":"application/pdf"}},{"text":"Go"}],"role":"user"}]}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := geminitest.NewServer(t,
				geminitest.WithScript(geminitest.On().Reply(geminitest.Text("Yes.")).Unchecked()))
			if got := ask(t, server, "",
				append([]string{"generate", "Go"}, test.flags...)...); got.code != 0 {
				t.Fatalf("%+v", got)
			}
			want, err := gemini.DecodeRequest([]byte(test.want))
			if err != nil {
				t.Fatal(err)
			}
			want.Store = new(slices.Contains(test.flags, "on")) // of --store-at-google
			if diff := cmp.Diff(want, server.Requests()[0].Content); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestGenerateDrawsTheAnswerAsItsFlagsSay(t *testing.T) {
	t.Parallel()
	server := scripted(t, geminitest.Text("Fine."), tokens)
	flags := []string{"--temperature", "0", "--top-p", "0.5", "--top-k", "9", "--max-tokens", "99",
		"--seed", "0", "--stop", "END", "--stop", "."}
	ask(t, server, "", append([]string{"generate"}, append(flags, "Go")...)...)
	want := &geminiapi.GenerationConfig{
		Temperature: new(0.0), TopP: new(0.5), TopK: new(9), MaxOutputTokens: new(99), Seed: new(0),
		StopSequences: []string{"END", "."},
	}
	if diff := cmp.Diff(want, server.Requests()[0].Content.GenerationConfig); diff != "" {
		t.Error(diff)
	}
	plain := scripted(t, geminitest.Text("Fine."), tokens)
	ask(t, plain, "", "generate", "Go")
	if config := plain.Requests()[0].Content.GenerationConfig; config != nil {
		t.Errorf("without flags: %+v", config)
	}
}

func TestGenerateHoldsAnAnswerToASchema(t *testing.T) {
	t.Parallel()
	schema := writeFile(t, "schema.json",
		`{"type":"object","properties":{"n":{"type":"integer","minimum":1}},"required":["n"]}`)
	good := scripted(t, geminitest.Text("```json\n{\"n\": 2}\n```"), tokens)
	wantResult(t, ask(t, good, "", "generate", "--schema", schema, "Go"), 0, "{\"n\": 2}\n",
		tokensLine)
	config := good.Requests()[0].Content.GenerationConfig
	if *config.ResponseMIMEType != "application/json" ||
		!strings.Contains(string(config.ResponseJSONSchema), `"minimum":1`) {
		t.Errorf("%+v", config)
	}
	bad := scripted(t, geminitest.Text(`{"n": 0}`), tokens)
	wrong := "gemwire: the answer: /n: offset 6: must be at least 1, found 0\n"
	wantResult(t, ask(t, bad, "", "generate", "--schema", schema, "Go"), 1, "", tokensLine+wrong)
	wantResult(t, ask(t, bad, "", "generate", "--schema", schema, "--stream", "Go"), 1,
		"{\"n\": 0}\n", tokensLine+wrong)
	got := ask(t, geminitest.NewServer(t), "", "generate", "--schema", schema, "Go")
	if got.code != 0 || !strings.HasPrefix(got.stdout, `{`) {
		t.Errorf("%+v", got)
	}
}

func TestGenerateOldModelsAreAskedInTheirOwnSchema(t *testing.T) {
	t.Parallel()
	schema := writeFile(t, "schema.json", `{"type":"object","properties":{"n":{"type":"integer"}}}`)
	server := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text(`{"n":1}`)).Unchecked()))
	ask(t, server, "", "generate", "-m", "gemini-1.5-flash", "--schema", schema, "Go")
	config := server.Requests()[0].Content.GenerationConfig
	if config.ResponseSchema == nil || config.ResponseJSONSchema != nil {
		t.Errorf("%+v", config)
	}
}

func TestGeneratePrintsAnswersAsTheyCame(t *testing.T) {
	t.Parallel()
	server := scripted(t, geminitest.Text("Hello, ", "world."), tokens)
	got := ask(t, server, "", "generate", "--json", "Go")
	if response, err := gemini.DecodeResponse([]byte(got.stdout)); err != nil || got.code != 0 ||
		!strings.HasPrefix(got.stdout, "{\n  \"candidates\"") {
		t.Errorf("%+v: %+v, %v", got, response, err)
	}
	got = ask(t, server, "", "generate", "--json", "--stream", "Go")
	lines := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
	if got.code != 0 || len(lines) < 2 {
		t.Errorf("%+v", got)
	}
	for _, line := range lines {
		if _, err := gemini.DecodeResponse([]byte(line)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestGenerateShowsImages(t *testing.T) {
	t.Parallel()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	server := scripted(t, geminitest.Image("image/png", picture.Bytes()),
		geminitest.Image("image/png", picture.Bytes()))
	shown := writeFile(t, "no-extension", picture.String())
	out := filepath.Join(t.TempDir(), "out")
	got := ask(t, server, "", "generate", "--quiet", "--image", shown, "--out", out, "Go")
	first, second := filepath.Join(out, "answer-1.png"), filepath.Join(out, "answer-2.png")
	wantResult(t, got, 0, "", "gemwire: wrote "+first+"\ngemwire: wrote "+second+"\n")
	if data, err := os.ReadFile(second); err != nil || !bytes.Equal(data, picture.Bytes()) {
		t.Errorf("%q, %v", data, err)
	}
	sent := server.Requests()[0].Content.Contents[0].Parts[0].InlineData
	if *sent.MIMEType != "image/png" ||
		*sent.Data != base64.StdEncoding.EncodeToString(picture.Bytes()) {
		t.Errorf("%+v", sent)
	}
	text := writeFile(t, "text.png", "no image")
	got = ask(t, server, "", "generate", "--image", text, "Go")
	wantResult(t, got, 1, "", "gemwire: "+text+": is text/plain, not an image; use --file\n")
}

func TestGenerateUploadsWhatIsTooLargeForARequest(t *testing.T) {
	t.Parallel()
	large := writeFile(t, "large.txt", strings.Repeat("0123456789abcde\n", 1<<20))
	server := geminitest.NewServer(t)
	got := ask(t, server, "", "generate", "--quiet", "--file", large, "What is it?")
	if got.code != 0 || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	requests := server.Requests()
	parts := requests[len(requests)-1].Content.Contents[0].Parts
	if parts[0].FileData == nil || *parts[0].FileData.MIMEType != "text/plain" ||
		!strings.Contains(*parts[0].FileData.FileURI, "/files/") {
		t.Errorf("%+v", parts[0])
	}
}

func TestGenerateReadsAFileFromANamedPipe(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	path := fmt.Sprintf("/dev/fd/%d", read.Fd()) // as of <(command)
	if _, err := os.Stat(path); err != nil {
		t.Skip("no /dev/fd here")
	}
	write.WriteString("a text")
	write.Close()
	server := scripted(t, geminitest.Text("Yes."))
	if got := ask(t, server, "", "generate", "--file", path, "Go"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	if sent := server.Requests()[0].Content.Contents[0].Parts[0].InlineData; *sent.Data != base64.StdEncoding.EncodeToString([]byte("a text")) {
		t.Errorf("%+v", sent)
	}
}

func TestGenerateFailsWithTheFileThatItCannotRead(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	missing, broken := filepath.Join(t.TempDir(), "missing"),
		writeFile(t, "broken.json", `{"name": 1`)
	nothing, empty := writeFile(t, "nothing.json", "[]"), writeFile(t, "empty.txt", "")
	for flag, want := range map[string]string{
		"--file " + missing:     "gemwire: " + missing + ": no such file or directory\n",
		"--image " + missing:    "gemwire: " + missing + ": no such file or directory\n",
		"--tool " + missing:     "gemwire: " + missing + ": no such file or directory\n",
		"--schema " + missing:   "gemwire: " + missing + ": no such file or directory\n",
		"--file " + t.TempDir(): "...",
		"--tool " + broken:      "gemwire: " + broken + ": ...",
		"--schema " + broken:    "gemwire: " + broken + ": ...",
		"--tool " + writeFile(t, "empty.json", `{"googleSerach":{}}`): "...",
		"--tool " + nothing: "gemwire: " + nothing + ": is an empty list; expected at least one tool\n",
		"--file " + empty:   "gemwire: " + empty + ": is empty\n",
	} {
		got := ask(t, server, "", append([]string{"generate", "Go"}, strings.Fields(flag)...)...)
		wantResult(t, got, 1, "", want)
	}
	if len(server.Requests()) > 0 {
		t.Error("something was sent all the same")
	}
}

func TestCallsRefuseWrongUsage(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"generate":                                "a prompt is missing; use - to read it from standard input",
		"generate - -":                            "standard input (-) can be read only once",
		"generate -":                              "the prompt is empty",
		"generate Go --model=":                    "--model is empty",
		"generate Go --thinking hihg":             `--thinking: unknown level "hihg"; the levels are none, low, medium and high`,
		"generate Go --thinking low -m gemma":     "--thinking: gemma does not think",
		"generate Go --json --out x":              "--json prints the answer with its media",
		"generate Go --timeout soon":              `--timeout: "soon" is not a duration; want one such as 90s or 5m`,
		"generate Go --max-attempts 0":            "--max-attempts must be 1 or more",
		"generate Go --timeout -1s":               "--timeout must not be negative",
		"generate Go --location here":             "--location is for Vertex AI and needs --vertex PROJECT",
		"generate Go --vertex p --api-key-file x": "--vertex takes no API key",
		"generate Go --header x":                  "--header must have the form NAME:VALUE",
		"count":                                   "a prompt is missing",
		"embed":                                   "a text is missing",
		"embed a --lines b":                       "--lines and TEXT exclude each other",
		"embed a --size -1":                       "--size must not be negative",
		"files":                                   "files needs a command: upload, list, get, delete or download",
		"files upload":                            "an argument is missing; use gemwire files upload",
		"files list --output yaml --base-url http://127.0.0.1:1": "the forms are text and json",
		"models --base-url http://127.0.0.1:1":                   "flags that select a server need --remote",
		"chat --thinking x":                                      "--thinking: unknown level",
	} {
		got := gemwire(t, "", strings.Fields(args)...)
		if got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %+v", args, got)
		}
	}
}

func TestAKeyThatIsRefusedIsNotPrinted(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithAPIKeys("another"))
	for _, args := range []string{"generate Go", "generate --stream Go", "generate --json Go",
		"count Go", "embed Go", "models --remote", "files list", "files get x"} {
		if got := ask(t, server, "", strings.Fields(args)...); got.code != 1 ||
			!strings.Contains(got.stderr, "API key not valid") {
			t.Errorf("%s: %+v", args, got)
		}
	}
	file := writeFile(t, "two words.txt", secret+" "+secret)
	got := gemwire(t, "", "generate", "Go", "--api-key-file", file)
	wantResult(t, got, 1, "", "gemwire: "+file+": does not contain an API key; expected one word\n")
}

func TestAServerThatIsMissingIsReported(t *testing.T) {
	t.Parallel()
	key := writeFile(t, "key", secret)
	got := gemwire(t, "", "generate", "Go", "--base-url", "http://127.0.0.1:1", "--api-key-file",
		key, "--max-attempts", "1")
	if got.code != 1 || !strings.HasPrefix(got.stderr, "gemwire: 127.0.0.1:") ||
		!strings.Contains(got.stderr, ": connection refused") ||
		strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("%+v", got)
	}
}

func TestHeadersGoAlong(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	ask(t, server, "", "generate", "Go", "--header", "X-Trace: a b")
	if got := server.Requests()[0].Header.Get("X-Trace"); got != "a b" {
		t.Errorf("%q", got)
	}
}

// This test does not run in parallel, because it changes the environment.
func TestWithoutAKeyTheFakeServerAnswers(t *testing.T) {
	for _, name := range []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL",
		"GOOGLE_BASE_URL"} {
		t.Setenv(name, "")
	}
	const note = "gemwire: no API key in GEMINI_API_KEY; the built-in fake server answers\n"
	got := gemwire(t, "", "generate", "--quiet", "hello")
	wantResult(t, got, 0, "You said: hello\n", note)
	wantResult(t, gemwire(t, "", "count", "hello"), 0, "1\n", note)
	server := scripted(t, geminitest.Text("Yes."))
	t.Setenv("GOOGLE_GEMINI_BASE_URL", server.URL())
	t.Setenv("GEMINI_API_KEY", secret)
	wantResult(t, gemwire(t, "", "generate", "--quiet", "hello"), 0, "Yes.\n", "")
}

func TestGenerateWarnsOfAModelThatEnds(t *testing.T) {
	t.Parallel()
	got := ask(t, geminitest.NewServer(t), "", "generate", "--quiet", "-m", "gemini-3.5-flash",
		"Go")
	const want = "gemwire: gemini-3.5-flash ends on 2026-10-08; Google names gemini-3.6-flash in its place\n"
	if got.code != 0 || got.stderr != want {
		t.Errorf("%+v", got)
	}
}
