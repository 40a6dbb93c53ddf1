package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

// completion converts an input to a chat completion and decodes it.
func completion(t *testing.T, stdin string,
	args ...string) *openaiapi.CreateChatCompletionResponse {
	t.Helper()
	got := convert(t, stdin, "gemini-response", "openai-response", args...)
	if got.code != 0 || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	out, err := openai.DecodeResponse([]byte(got.stdout))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTheFlagsOfACompletionSetWhatTheyName(t *testing.T) {
	t.Parallel()
	file := payload("response-text.json")
	got := completion(t, "", "--model", "my-model", "--id", "chatcmpl-7", "--created", "1788000000",
		file)
	if got.Model != "my-model" || got.ID != "chatcmpl-7" || got.Created != 1788000000 {
		t.Errorf("model %q, id %q, created %d", got.Model, got.ID, got.Created)
	}
	got = completion(t, "", file)
	if got.Model != "gemini-3.5-flash-lite" || got.ID == "" || got.ID == "chatcmpl-7" ||
		got.Created != 0 {
		t.Errorf("without flags: model %q, id %q, created %d", got.Model, got.ID, got.Created)
	}
	vertex := payload("response-vertex.json")
	if got := completion(t, "", "--created", "0", vertex); got.Created != 0 {
		t.Errorf("--created 0: %d", got.Created)
	}
	if got := completion(t, "", vertex); got.Created != 1787996487 {
		t.Errorf("the time of the response: %d", got.Created)
	}
}

func TestNoExtensionsLeavesPlainChatCompletions(t *testing.T) {
	t.Parallel()
	file := payload("response-thinking.json")
	with := convert(t, "", "gemini-response", "openai-response", file).stdout
	without := convert(t, "", "gemini-response", "openai-response", "--no-extensions", file).stdout
	for _, member := range []string{`"extra_content"`, `"native_finish_reason"`,
		`"reasoning_content"`} {
		if !strings.Contains(with, member) || strings.Contains(without, member) {
			t.Errorf("%s:\nwith extensions %s\nwithout %s", member, with, without)
		}
	}
}

func TestTheFlagsOfOtherOutputsAreAccepted(t *testing.T) {
	t.Parallel()
	got := convert(t, smallResponse, itself, itself,
		"--model", "m", "--id", "i", "--created", "1", "--no-extensions", "--include-usage=false",
		"--strict")
	if diff := cmp.Diff(result{0, smallResponse + "\n", ""}, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
}

func TestARefusedPromptBecomesACompletionWithARefusal(t *testing.T) {
	t.Parallel()
	choice := completion(t, "", payload("response-blocked.json")).Choices[0]
	if choice.FinishReason != openaiapi.FinishReasonContentFilter ||
		choice.Message.Content != nil ||
		choice.Message.Refusal == nil || !strings.Contains(*choice.Message.Refusal, "SAFETY") {
		t.Errorf("%+v", choice)
	}
}

func TestARefusalInWordsAloneIsOneInEveryFormat(t *testing.T) {
	t.Parallel()
	const body = `{"candidates":[],"promptFeedback":{"blockReasonMessage":"Not allowed."},"responseId":"r"}`
	for from, outputs := range map[string]map[string]string{
		"gemini-response": {"openai-response": `"refusal":"The prompt was blocked. Not allowed."`, "normalized": `"prompt_feedback":{"blockReasonMessage":"Not allowed."}`},
		"gemini-stream": {
			"openai-response":   `"refusal":"The prompt was blocked. Not allowed."`,
			"openai-stream":     `"refusal":"The prompt was blocked. Not allowed."`,
			"normalized":        `"prompt_feedback":{"blockReasonMessage":"Not allowed."}`,
			"normalized-stream": `"error":{"category":"content_filter"`,
			"aisdk-stream":      `"finishReason":{"unified":"content-filter"}`,
		},
	} {
		for to, want := range outputs {
			got := convert(t, body, from, to)
			if got.code != 0 ||
				!strings.Contains(strings.ReplaceAll(got.stdout, ": ", ":"),
					strings.ReplaceAll(want, ": ", ":")) {
				t.Errorf("%s to %s ended with %d, %s: %s", from, to, got.code, got.stderr,
					got.stdout)
			}
		}
	}
}

func TestACallThatIsNotCompleteIsNotToBeRunInAnyFormat(t *testing.T) {
	t.Parallel()
	const chunks = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a.x","numberValue":1},{"jsonPath":"$.b","numberValue":2}],"willContinue":true}}]}}]}
		{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a.y","numberValue":3}]}}]},"finishReason":"STOP"}]}`
	for to, want := range map[string]string{
		"normalized": `"incomplete":true`, "normalized-stream": `"incomplete":true`,
		"aisdk-stream":    `"incomplete":true`,
		"openai-response": `"finish_reason":"length"`, "openai-stream": `"finish_reason":"length"`,
	} {
		if got := convert(t, chunks, "gemini-stream", to); got.code != 0 ||
			!strings.Contains(strings.ReplaceAll(got.stdout, ": ", ":"), want) {
			t.Errorf("to %s: %+v", to, got)
		}
	}
	for _, to := range []string{"openai-response", "openai-stream"} {
		if got := convert(t, chunks, "gemini-stream", to, "--no-extensions",
			"--strict"); got.code != 1 || !strings.Contains(got.stderr, "/functionCall") {
			t.Errorf("to %s, strict: %+v", to, got)
		}
	}
}

func TestACallInPiecesIsTheSameInAWholeAnswer(t *testing.T) {
	t.Parallel()
	const body = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","id":"1","willContinue":true}},
		{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x"}],"willContinue":true}}]},"finishReason":"STOP"}]}`
	for from, to := range map[string]string{"gemini-response": "openai-response",
		"gemini-stream": "openai-stream"} {
		got := convert(t, body, from, to, "--no-extensions", "--strict")
		text := strings.ReplaceAll(got.stdout, ": ", ":")
		if got.code != 0 || !strings.Contains(text, `{\"a\":\"x`) ||
			!strings.Contains(text, `"finish_reason":"tool_calls"`) {
			t.Errorf("%s to %s: %+v", from, to, got)
		}
	}
}

// Clients of a completion read its first choice without a check. Users of the normalised form see
// that there are no candidates. A stream without a finish reason is incomplete.
func TestAnAnswerWithoutCandidatesIsNoCompletion(t *testing.T) {
	t.Parallel()
	const body = `{"usageMetadata":{"totalTokenCount":5},"modelVersion":"m"}`
	for from, outputs := range map[string]map[string]int{
		"gemini-response": {"openai-response": 1, "normalized": 0},
		"gemini-stream":   {"openai-response": 1, "openai-stream": 1, "aisdk-stream": 1, "normalized-stream": 1, "normalized": 1},
	} {
		for to, want := range outputs {
			if got := convert(t, body, from, to); got.code != want {
				t.Errorf("%s to %s ended with %d, want %d: %s", from, to, got.code, want,
					got.stdout+got.stderr)
			}
		}
	}
}

func TestAnErrorInPlaceOfAnAnswerIsNoCompletion(t *testing.T) {
	t.Parallel()
	envelope := readFile(t, payload("error-rate-limit.json"))
	for name, input := range map[string]string{"envelope": envelope,
		"list of an envelope": "[" + envelope + "]"} {
		for _, to := range []string{"openai-response", "normalized"} {
			got := convert(t, input, "gemini-response", to)
			want := "gemwire: -: not an answer but an error: 429 RESOURCE_EXHAUSTED: The quota for this model is used up."
			if got.code != 1 || got.stdout != "" || !strings.HasPrefix(got.stderr, want) ||
				strings.Count(got.stderr, "\n") != 1 {
				t.Errorf("%s to %s: %+v", name, to, got)
			}
		}
	}
	if got := convert(t, envelope, itself, itself); got.code != 0 ||
		!strings.Contains(got.stdout, `"retryDelay":"23.471s"`) {
		t.Errorf("an envelope to itself: %+v", got)
	}
	if got := gemwire(t, envelope, "validate", "--as", "gemini-response"); got != (result{}) {
		t.Errorf("an envelope is valid on the wire: %+v", got)
	}
}

// reported is a report entry in the output of --report.
type reported struct {
	File string `json:"file,omitzero"`
	report.Entry
}

func readReport(t *testing.T, data string) []reported {
	t.Helper()
	var entries []reported
	if err := json.Unmarshal([]byte(data), &entries, json.RejectUnknownMembers(true)); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return entries
}

func TestReportListsWhatHappenedToAnInput(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "report.json")
	args := []string{"--no-extensions", "--quiet", "--report", path,
		payload("response-code-execution.json")}
	if got := convert(t, "", "gemini-response", "openai-response", args...); got.code != 0 ||
		got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	var lost []string
	for _, entry := range readReport(t, readFile(t, path)) {
		if entry.File != "" || entry.Detail == "" {
			t.Errorf("%+v", entry)
		}
		if entry.Kind == report.Lost && strings.HasPrefix(entry.Pointer, "/candidates") {
			lost = append(lost, entry.Pointer)
		}
	}
	if diff := cmp.Diff([]string{"/candidates/0/content/parts/1", "/candidates/0/content/parts/2"},
		lost); diff != "" {
		t.Error(diff)
	}
}

func TestReportIsAnEmptyListWhenNothingHappened(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "report.json")
	convert(t, smallResponse, itself, itself, "--report", path)
	if got := readFile(t, path); got != "[]\n" {
		t.Errorf("got %q", got)
	}
}

func TestReportOfSeveralInputsNamesThem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	broken := writeFile(t, dir+"/broken.json", "{")
	calls, text := payload("response-tool-calls-no-ids.json"), payload("response-text.json")
	got := convert(t, "", "gemini-response", "normalized", "--out", dir+"/out", "--report", "-",
		text, broken, calls)
	if got.code != 1 {
		t.Errorf("%+v", got)
	}
	want := []reported{
		{calls, report.Entry{Pointer: "/candidates/0/content/parts/1/functionCall/id", Kind: report.Added}},
		{calls, report.Entry{Pointer: "/candidates/0/content/parts/2/functionCall/id", Kind: report.Added}},
	}
	entries := readReport(t, got.stdout)
	for i := range entries {
		entries[i].Detail = ""
	}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Error(diff)
	}
}

func TestStrictRefusesALossAndStillReportsIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lossy, harmless := payload("response-code-execution.json"), payload("response-max-tokens.json")
	entries := filepath.Join(dir, "report.json")

	got := convert(t, "", "gemini-response", "openai-response", "--strict", "--report", entries,
		lossy)
	if got.code != 0 || got.stderr != "" {
		t.Errorf("with extensions nothing is lost: %+v", got)
	}
	got = convert(t, "", "gemini-response", "openai-response",
		"--strict", "--no-extensions", "--report", entries, "--out", dir+"/out", lossy, harmless)
	if got.code != 1 || got.stdout != "" {
		t.Errorf("%+v", got)
	}
	lost := 0
	for _, entry := range readReport(t, readFile(t, entries)) {
		line := "gemwire: " + entry.File + ": " + entry.Pointer + ": lost: " + entry.Detail + "\n"
		if entry.Kind == report.Lost {
			lost++
			if !strings.Contains(got.stderr, line) {
				t.Errorf("standard error lacks %s", line)
			}
		}
	}
	if lost < 3 || strings.Count(got.stderr, "\n") != lost {
		t.Errorf("%d losses in the report, on standard error\n%s", lost, got.stderr)
	}
	if names := fileNames(t, dir+"/out"); len(names) != 0 {
		t.Errorf("refused outputs were written: %q", names)
	}
}

func TestALargeImagePassesThroughUnchanged(t *testing.T) {
	t.Parallel()
	data := strings.Repeat("iVBORw0KGgo+", 5<<20/12)
	response := `{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"` +
		data + `"}}],"role":"model"},"finishReason":"STOP"}]}`
	path := writeFile(t, filepath.Join(t.TempDir(), "large.json"), response)
	if got := convert(t, "", itself, itself, path); got.stdout != response+"\n" {
		t.Errorf("exit code %d, %d bytes of %d, standard error %q", got.code, len(got.stdout),
			len(response), got.stderr)
	}
	image := completion(t, response).Choices[0].Message.Images[0]
	if _, got, _ := image.ImageURL.URL.Inline(); got != data {
		t.Errorf("%d bytes of %d", len(got), len(data))
	}
}
