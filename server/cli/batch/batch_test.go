package batch_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/server/cli"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) {
	for _, name := range []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY",
		"GEMWIRE_CONFIG", "GOOGLE_GEMINI_BASE_URL", "OTEL_EXPORTER_OTLP_ENDPOINT"} {
		os.Unsetenv(name) // so that the fake server answers
	}
	os.Exit(m.Run())
}

// result is the outcome of a call of the command.
type result struct {
	code           int
	stdout, stderr string
}

// gemwire calls the command.
func gemwire(ctx context.Context, args ...string) result {
	var stdout, stderr bytes.Buffer
	code := cli.Run(ctx, args, strings.NewReader(""), &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// example is the input of the repository.
func example(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "..", "examples", "batch",
		"questions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// write writes a file of lines, and returns its path.
func write(t *testing.T, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// chat returns a line that asks for a chat completion, with further members of its body.
func chat(id, text, further string) string {
	return `{"custom_id":"` + id +
		`","method":"POST","url":"/v1/chat/completions","body":{"model":"gemini-3.6-flash",` +
		further +
		`"messages":[{"role":"user","content":"` + text + `"}]}}`
}

// resultLine is a line of answers or errors.
type resultLine struct {
	ID       string `json:"id"`
	CustomID string `json:"custom_id"`
	Key      string `json:"key"`
	Response struct {
		StatusCode int             `json:"status_code"`
		Body       json.RawMessage `json:"body"`
	} `json:"response"`
	Error *struct {
		Code string `json:"code"`
	} `json:"error"`
}

// linesOf reads lines of results.
func linesOf(t *testing.T, text string) []resultLine {
	t.Helper()
	var out []resultLine
	for data := range strings.Lines(text) {
		var l resultLine
		if err := json.Unmarshal([]byte(data), &l); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		out = append(out, l)
	}
	return out
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// idsOf returns the ids of the lines of a file of requests.
func idsOf(t *testing.T, path string) []string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var ids []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var l struct {
			CustomID string `json:"custom_id"`
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, l.CustomID)
	}
	return ids
}

// checkAnswers checks that a file has the answer to each request once, in order.
func checkAnswers(t *testing.T, in, out string) {
	t.Helper()
	var ids []string
	for _, l := range linesOf(t, readFile(t, out)) {
		if l.Response.StatusCode != 200 ||
			!strings.Contains(string(l.Response.Body), "You said: ") ||
			!strings.HasPrefix(l.ID, "batch_req_") {
			t.Errorf("%+v", l)
		}
		ids = append(ids, l.CustomID)
	}
	if diff := cmp.Diff(idsOf(t, in), ids); diff != "" {
		t.Error(diff)
	}
}

const fakeAnswers = "gemwire: no API key in GEMINI_API_KEY; the built-in fake server answers\n"

func TestRunAnswersAllLinesInTheirOrder(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "answers.jsonl")
	got := gemwire(t.Context(), "batch", "run", example(t), "--out", out, "--store", t.TempDir())
	want := result{0, "",
		fakeAnswers + "gemwire: " + out + ": 100 answers: 1613 tokens in, 8380 out\n"}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(result{})); diff != "" {
		t.Error(diff)
	}
	checkAnswers(t, example(t), out)
	if files, _ := filepath.Glob(filepath.Join(filepath.Dir(out), "*")); len(files) != 1 {
		t.Errorf("there are %s", files)
	}
}

func TestJobsInAnEncryptedFolderNeedItsKey(t *testing.T) {
	t.Parallel()
	store, in := filepath.Join(t.TempDir(), "store"), example(t)
	key := write(t, "key", "a key of the store, long enough")
	run := func(command string, more ...string) result {
		return gemwire(t.Context(), append([]string{"batch", command, "--store", store}, more...)...)
	}
	if got := run("run", in, "--out", filepath.Join(t.TempDir(), "out.jsonl"), "--upstream",
		"embedded", "--store-key-file", key); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	if got := run("list", "--store-key-file", key); got.code != 0 ||
		!strings.Contains(got.stdout, "completed") {
		t.Errorf("with the key: %+v", got)
	}
	other := write(t, "other", "another key, long enough too")
	for name, more := range map[string][]string{"no key": nil,
		"another key": {"--store-key-file", other}} {
		if got := run("list", more...); got.code != 1 || !strings.Contains(got.stderr, "key") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := gemwire(t.Context(), "batch", "list", "--store", "nats://127.0.0.1:1",
		"--store-key-file", key); got.code != 2 ||
		!strings.Contains(got.stderr, "needs --store with a folder") {
		t.Errorf("with servers: %+v", got)
	}
}

func TestRunAsksTheModelThatIsGiven(t *testing.T) {
	t.Parallel()
	in, out := write(t, "in.jsonl", chat("a", "hi", ""),
		strings.ReplaceAll(chat("b", "hi", ""), "gemini-3.6-flash", "gpt-4o")),
		filepath.Join(t.TempDir(), "out.jsonl")
	got := gemwire(t.Context(), "batch", "run", in, "--out", out, "--store", t.TempDir(), "-m",
		"gemini-3.1-pro-preview")
	if text := readFile(t, out); got.code != 0 ||
		strings.Count(text, `"model":"gemini-3.1-pro-preview"`) != 2 {
		t.Error(got, text)
	}
}

func TestRunAsksByGeminisBatchMode(t *testing.T) {
	t.Parallel()
	out, store := filepath.Join(t.TempDir(), "answers.jsonl"), t.TempDir()
	got := gemwire(t.Context(), "batch", "run", example(t), "--out", out, "--store", store,
		"--batch-mode", "gemini")
	if row := status(t, store); got.code != 0 || row.Executor != "gemini_batch" ||
		row.Currency != "USD" {
		t.Error(got, row)
	}
	checkAnswers(t, example(t), out)
}

func TestRunTakesGeminisFormAndAnswersInIt(t *testing.T) {
	t.Parallel()
	in := write(t, "in.jsonl", `{"key":"a","request":{"contents":[{"parts":[{"text":"hi"}]}]}}`)
	out := filepath.Join(t.TempDir(), "out.jsonl")
	got := gemwire(t.Context(), "batch", "run", in, "--out", out, "--store", t.TempDir(), "-m",
		"gemini-3.6-flash")
	if text := readFile(t, out); got.code != 0 ||
		!strings.HasPrefix(text, `{"key":"a","response":{"candidates":[`) {
		t.Error(got, text)
	}
}

func TestRunMakesRequestsOfATemplate(t *testing.T) {
	t.Parallel()
	template := write(t, "kind.json",
		`{"url":"/v1/responses","body":{"model":"gemini-3.6-flash","input":"Is this kind? {{review}}"}}`)
	variables := write(t, "reviews.csv", "custom_id,review", `r1,"nice, really"`, "r2,so so")
	out := filepath.Join(t.TempDir(), "out.jsonl")
	got := gemwire(t.Context(), "batch", "run", "--template", template, "--variables", variables,
		"--out", out, "--store", t.TempDir())
	text := readFile(t, out)
	if got.code != 0 || !strings.Contains(text, "Is this kind? nice, really") ||
		linesOf(t, text)[1].CustomID != "r2" {
		t.Error(got, text)
	}
}

func TestAJobThatHasEndedIsNotRunAgain(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "answers.jsonl")
	run := []string{"batch", "run", example(t), "--out", out, "--store", t.TempDir()}
	if got := gemwire(t.Context(), run...); got.code != 0 {
		t.Fatal(got)
	}
	first := readFile(t, out)
	got := gemwire(t.Context(), run...)
	if got.code != 0 || !strings.Contains(got.stderr, "has ended already (completed)\n") ||
		!strings.Contains(got.stderr, "answers.jsonl: 100 answers") {
		t.Error(got)
	}
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	if got := gemwire(t.Context(), run...); got.code != 0 || readFile(t, out) != first {
		t.Errorf("the answers are not written again: %v", got)
	}
	other := append(slices.Clone(run), "-m", "gemini-3.1-pro-preview")
	if got := gemwire(t.Context(), other...); got.code != 0 || readFile(t, out) == first {
		t.Errorf("another model is no other job: %v", got)
	}
}

func TestAnInterruptParksAJobAndTheSameCommandContinues(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "answers.jsonl")
	store := t.TempDir()
	run := []string{"batch", "run", example(t), "--out", out, "--store", store, "--limit-requests",
		"1200"}
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan result, 1)
	go func() { ended <- gemwire(ctx, run...) }()
	done := waitForLines(t, store, 10, ended)
	cancel(&process.SignalError{Signal: syscall.SIGINT})
	got := <-ended
	var parked int
	_, found, _ := strings.Cut(got.stderr, "parked: ")
	if _, err := fmt.Sscanf(found, "%d of 100 lines are done; run the same command to continue\n",
		&parked); err != nil || got.code != 130 || parked < done || parked >= 100 {
		t.Fatalf("%v; %d lines were done", got, done)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the file of answers is there")
	}
	if kept := gemwire(t.Context(), "batch", "results", "--store",
		store); strings.Count(kept.stdout, "\n") != parked {
		t.Errorf("%d answers are kept, it said %d", strings.Count(kept.stdout, "\n"), parked)
	}
	got = gemwire(t.Context(), run...)
	if want := fmt.Sprintf(": %d of 100 lines are done\n", parked); got.code != 0 ||
		!strings.Contains(got.stderr, "continuing the job of ") ||
		!strings.Contains(got.stderr, want) {
		t.Errorf("%v; want %q", got, want)
	}
	if strings.Contains(got.stderr, "repeated") {
		t.Error("calls that were ended in time are made again:", got.stderr)
	}
	checkAnswers(t, example(t), out)
}

// status returns the state of the newest job of a store, or nil.
func status(t *testing.T, store string) *jobRow {
	t.Helper()
	got := gemwire(t.Context(), "batch", "status", "--store", store, "--output", "json")
	if got.code != 0 {
		return nil
	}
	var rows []jobRow
	if err := json.Unmarshal([]byte(got.stdout), &rows); err != nil || len(rows) != 1 {
		t.Fatal(got, err)
	}
	return &rows[0]
}

type jobRow struct {
	ID, State, Model, Endpoint, Executor, Priority, Currency string
	Total, Completed, Failed                                 int
	InputTokens                                              int    `json:"input_tokens"`
	RetryOf                                                  string `json:"retry_of"`
}

// waitForLines waits until n lines of a job are done, and returns the number of done lines. Another
// process or goroutine does the work, and must not end before.
func waitForLines(t *testing.T, store string, lines int, ended <-chan result) int {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(
		deadline); time.Sleep(20 * time.Millisecond) {
		select {
		case early := <-ended:
			t.Fatalf("it has ended: %v", early)
		default:
		}
		if _, err := os.Stat(filepath.Join(store, "socket")); err != nil {
			continue // it has not opened the store yet, and is to be the first who does
		}
		if row := status(t, store); row != nil && row.Completed >= lines {
			return row.Completed
		}
	}
	t.Fatal("the lines are not done")
	return 0
}

func TestEveryBadLineIsNamedAndNothingIsSent(t *testing.T) {
	t.Parallel()
	in := write(t, "in.jsonl", chat("a", "hi", ""), "oops", chat("a", "hi", ""),
		chat("b", "hi", `"temperature":9,`))
	out, store := filepath.Join(t.TempDir(), "out.jsonl"), t.TempDir()
	want := result{1, "", fakeAnswers +
		"gemwire: " + in + ": line 2: byte 1: not JSON (invalid_json_line)\n" +
		"gemwire: " + in +
		": line 3: /custom_id: must be unique; line 1 has the same (duplicate_custom_id)\n" +
		"gemwire: " + in + ": line 4: /body/temperature: must be from 0 to 2 (invalid_request)\n" +
		"gemwire: " + in + ": 3 problems; nothing was sent\n"}
	for range 2 {
		got := gemwire(t.Context(), "batch", "run", in, "--out", out, "--store", store)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(result{})); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("there is a file of answers")
	}
	if got := gemwire(t.Context(), "batch", "list", "--store", store); got.stdout != "" ||
		got.code != 0 {
		t.Errorf("there is a job: %v", got)
	}
}

func TestATableInPlaceOfRequestsIsSaidToGoWithATemplate(t *testing.T) {
	t.Parallel()
	in := write(t, "in.csv", "id,text", "1,hi")
	got := gemwire(t.Context(), "batch", "run", in, "--out",
		filepath.Join(t.TempDir(), "out.jsonl"), "--store", t.TempDir())
	if got.code != 1 || !strings.HasSuffix(got.stderr,
		"gemwire: use --template and --variables to make requests from a table\n") {
		t.Error(got)
	}
}

func TestATemplateWithoutVariablesIsPointedAt(t *testing.T) {
	t.Parallel()
	template := write(t, "kind.json",
		`{"url":"/v1/responses","body":{"model":"gemini-3.6-flash","input":"Is this kind? {review}"}}`)
	variables := write(t, "reviews.csv", "review", "nice")
	got := gemwire(t.Context(), "batch", "run", "--template", template, "--variables", variables,
		"--out", filepath.Join(t.TempDir(), "out.jsonl"), "--store", t.TempDir())
	if got.code != 0 || !strings.Contains(got.stderr,
		"kind.json has no variable, such as {{name}}") {
		t.Error(got)
	}
}

func TestManyBadLinesAreAllNamed(t *testing.T) {
	t.Parallel()
	in := write(t, "in.jsonl", strings.Repeat("oops\n", 2500))
	got := gemwire(t.Context(), "batch", "run", in, "--out",
		filepath.Join(t.TempDir(), "out.jsonl"), "--store", t.TempDir())
	if n := strings.Count(got.stderr, "not JSON (invalid_json_line)\n"); n != 2500 ||
		!strings.Contains(got.stderr, "line 2500: ") || got.code != 1 {
		t.Errorf("%d lines are named, exit code %d", n, got.code)
	}
}

func TestFailedLinesAreInAFileOfTheirOwnAndCanBeAskedAgain(t *testing.T) {
	t.Parallel()
	in := write(t, "in.jsonl", chat("a", "hi", ""), chat("b", "hi", `"temperature":9,`),
		chat("c", "hi", ""))
	folder, store := t.TempDir(), t.TempDir()
	out := filepath.Join(folder, "out.jsonl")
	got := gemwire(t.Context(), "batch", "run", in, "--out", out, "--store", store,
		"--no-validation")
	row := status(t, store)
	if got.code != 1 || !strings.Contains(got.stderr,
		filepath.Join(folder, "out.errors.jsonl")+": 1 line failed (1 × 400") ||
		!strings.Contains(got.stderr, "gemwire batch retry "+row.ID) {
		t.Error(got)
	}
	failed := linesOf(t, readFile(t, filepath.Join(folder, "out.errors.jsonl")))
	if len(failed) != 1 || failed[0].CustomID != "b" || failed[0].Response.StatusCode != 400 ||
		len(linesOf(t, readFile(t, out))) != 2 {
		t.Errorf("%+v", failed)
	}
	again := gemwire(t.Context(), "batch", "retry", row.ID, "--store", store, "--out",
		filepath.Join(folder, "again.jsonl"))
	second := status(t, store)
	if again.code != 1 || again.stdout != second.ID+"\n" || second.RetryOf != row.ID ||
		second.Total != 1 || second.Failed != 1 {
		t.Error(again, second)
	}
	if printed := gemwire(t.Context(), "batch", "errors", "--store", store); printed.code != 0 ||
		linesOf(t, printed.stdout)[0].CustomID != "b" {
		t.Error(printed)
	}
}

func TestTheJobOfAnotherUpstreamIsLeftAlone(t *testing.T) {
	t.Parallel()
	store := t.TempDir()
	in := write(t, "in.jsonl", chat("a", "for Gemini itself", ""))
	if got := gemwire(t.Context(), "batch", "submit", in, "--store", store, "--upstream",
		"gemini"); got.code != 0 {
		t.Fatal(got)
	}
	other := status(t, store)
	if got := gemwire(t.Context(), "batch", "run", example(t), "--out",
		filepath.Join(t.TempDir(), "out.jsonl"), "--store", store); got.code != 0 {
		t.Fatal(got)
	}
	got := gemwire(t.Context(), "batch", "status", other.ID, "--store", store)
	if !strings.Contains(got.stdout, "0 of 1 lines, 0 failed") {
		t.Error(got)
	}
}

func TestAWorkerAnswersWhatIsSubmitted(t *testing.T) {
	t.Parallel()
	store := t.TempDir()
	submitted := gemwire(t.Context(), "batch", "submit", example(t), "--store", store, "--priority",
		"high")
	id := strings.TrimSpace(submitted.stdout)
	if submitted.code != 0 || !strings.HasPrefix(id, "batch_") {
		t.Fatal(submitted)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan result, 1)
	go func() { ended <- gemwire(ctx, "worker", "--store", store, "--upstream", "embedded") }()
	watched := gemwire(t.Context(), "batch", "watch", id, "--store", store)
	if watched.code != 0 || !strings.Contains(watched.stdout, id+": completed\n") ||
		!strings.Contains(watched.stdout, "100 of 100 lines, 0 failed") {
		t.Error(watched)
	}
	results := gemwire(t.Context(), "batch", "results", "--store", store)
	out := filepath.Join(t.TempDir(), "results.jsonl")
	if written := gemwire(t.Context(), "batch", "results", id, "--store", store, "--out",
		out); written.code != 0 || readFile(t, out) != results.stdout {
		t.Error(written)
	}
	checkAnswers(t, example(t), out)
	cancel(&process.SignalError{Signal: syscall.SIGTERM})
	if got := <-ended; !strings.HasPrefix(got.stderr, "gemwire: working on jobs with the upstream embedded\n") || got.code != 0 {
		t.Error(got)
	}
	row := status(t, store)
	want := jobRow{ID: id, State: "completed", Model: "gemini-3.6-flash",
		Endpoint: "/v1/chat/completions", Executor: "live", Priority: "high", Total: 100, Completed: 100, InputTokens: 1613}
	if diff := cmp.Diff(&want, row); diff != "" {
		t.Error(diff)
	}
}

func TestAJobThatIsCancelledKeepsWhatItHas(t *testing.T) {
	t.Parallel()
	store := t.TempDir()
	if got := gemwire(t.Context(), "batch", "submit", example(t), "--store", store); got.code != 0 {
		t.Fatal(got)
	}
	got := gemwire(t.Context(), "batch", "cancel", "--store", store)
	if got.code != 0 || !strings.Contains(got.stdout, ": cancelled\n") {
		t.Fatal(got)
	}
	failed := gemwire(t.Context(), "batch", "errors", "--store", store)
	lines := linesOf(t, failed.stdout)
	if len(lines) != 100 || lines[99].Error == nil || lines[99].Error.Code != "batch_cancelled" {
		t.Error(failed)
	}
	if again := gemwire(t.Context(), "batch", "cancel", "--store", store); again.code != 1 ||
		!strings.Contains(again.stderr, "cancelled") {
		t.Error(again)
	}
}

func TestJobsAreListedTheNewestFirst(t *testing.T) {
	t.Parallel()
	store := t.TempDir()
	none := gemwire(t.Context(), "batch", "status", "--store", store)
	if none.code != 1 ||
		none.stderr != "gemwire: there are no jobs yet; make one with gemwire batch run\n" {
		t.Error(none)
	}
	var ids []string
	for _, name := range []string{"a", "b"} {
		got := gemwire(t.Context(), "batch", "submit", write(t, "in.jsonl", chat(name, "hi", "")),
			"--store", store)
		ids = append(ids, strings.TrimSpace(got.stdout))
	}
	got := gemwire(t.Context(), "batch", "list", "--store", store)
	rows := strings.Split(got.stdout, "\n")
	if len(rows) != 3 || !strings.HasPrefix(rows[0], ids[1]) ||
		!strings.HasPrefix(rows[1], ids[0]) ||
		!strings.Contains(rows[0], "in_progress  0 of 1  0 failed  gemini-3.6-flash") {
		t.Error(got)
	}
	if got := gemwire(t.Context(), "batch", "status", "batch_none", "--store",
		store); got.code != 1 || !strings.Contains(got.stderr, "batch_none") {
		t.Error(got)
	}
}

// Two jobs may have the same output file. Each command writes its own answers there.
func TestTheFilesAreThoseOfTheCommandThatRanLast(t *testing.T) {
	t.Parallel()
	first, second := write(t, "a.jsonl", chat("a", "one", "")),
		write(t, "b.jsonl", chat("b", "two", ""))
	out, store := filepath.Join(t.TempDir(), "out.jsonl"), t.TempDir()
	for _, in := range []string{first, second, first} {
		if got := gemwire(t.Context(), "batch", "run", in, "--out", out, "--store",
			store); got.code != 0 || !strings.Contains(got.stderr, "out.jsonl: 1 answer: ") {
			t.Error(got)
		}
		checkAnswers(t, in, out)
	}
}

func TestAJobThatHasEndedStillSaysWhatFailed(t *testing.T) {
	t.Parallel()
	in := write(t, "in.jsonl", chat("a", "hi", ""), chat("b", "hi", `"temperature":9,`))
	out, store := filepath.Join(t.TempDir(), "out.jsonl"), t.TempDir()
	for range 2 {
		got := gemwire(t.Context(), "batch", "run", in, "--out", out, "--store", store,
			"--no-validation")
		if got.code != 1 ||
			!strings.Contains(got.stderr, "out.errors.jsonl: 1 line failed (1 × 400") ||
			!strings.Contains(got.stderr, " --out "+out) {
			t.Error(got)
		}
	}
	failures := filepath.Join(filepath.Dir(out), "out.errors.jsonl")
	if err := os.Remove(failures); err != nil {
		t.Fatal(err)
	}
	if got := gemwire(t.Context(), "batch", "run", in, "--out", out, "--store", store,
		"--no-validation"); got.code != 1 || len(linesOf(t, readFile(t, failures))) != 1 {
		t.Errorf("the failed lines are not written again: %v", got)
	}
}

// As root one could remove /dev/null.
func TestAnInvalidFileIsNotRemoved(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	if err := os.Symlink(os.DevNull, out); err != nil {
		t.Skip(err)
	}
	in := write(t, "in.jsonl", chat("a", "hi", `"temperature":9,`))
	if got := gemwire(t.Context(), "batch", "run", in, "--out", out, "--store", t.TempDir(),
		"--no-validation"); got.code != 1 {
		t.Error(got)
	}
	if _, err := os.Lstat(out); err != nil {
		t.Error(err)
	}
}

func TestARetryContinuesByTheSameCommand(t *testing.T) {
	t.Parallel()
	lines := make([]string, 40)
	for i := range lines {
		lines[i] = chat(fmt.Sprint(i), "hi", `"temperature":9,`)
	}
	in, folder, store := write(t, "in.jsonl", lines...), t.TempDir(), t.TempDir()
	run := gemwire(t.Context(), "batch", "run", in, "--out", filepath.Join(folder, "out.jsonl"),
		"--store", store, "--no-validation")
	failed := status(t, store)
	if run.code != 1 || failed.Failed != 40 {
		t.Fatal(run)
	}
	retry := []string{"batch", "retry", "--out", filepath.Join(folder, "again.jsonl"), "--store",
		store, "--limit-requests", "600"}
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan result, 1)
	go func() { ended <- gemwire(ctx, retry...) }()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(
		deadline); time.Sleep(20 * time.Millisecond) {
		if row := status(t, store); row != nil && row.RetryOf == failed.ID && row.Failed > 4 {
			break
		}
	}
	cancel(&process.SignalError{Signal: syscall.SIGINT})
	if got := <-ended; got.code != 130 ||
		!strings.Contains(got.stderr, "run the same command to continue") {
		t.Fatal(got)
	}
	got := gemwire(t.Context(), append(retry, "--limit-requests", "100000")...)
	if row := status(t, store); got.code != 1 || row.RetryOf != failed.ID || row.Failed != 40 ||
		!strings.Contains(got.stderr, "continuing the job") {
		t.Error(got, row)
	}
	if list := gemwire(t.Context(), "batch", "list", "--store", store); strings.Count(list.stdout,
		"\n") != 2 {
		t.Error(list)
	}
}

// A retry has only some of the answers, so it must not overwrite the others.
func TestARetryWithoutAnswersKeepsTheFile(t *testing.T) {
	t.Parallel()
	in := write(t, "in.jsonl", chat("a", "hi", ""), chat("b", "hi", `"temperature":9,`))
	out, store := filepath.Join(t.TempDir(), "out.jsonl"), t.TempDir()
	gemwire(t.Context(), "batch", "run", in, "--out", out, "--store", store, "--no-validation")
	before := readFile(t, out)
	got := gemwire(t.Context(), "batch", "retry", "--out", out, "--store", store)
	if got.code != 1 || !strings.Contains(got.stderr, "0 answers merged") ||
		readFile(t, out) != before {
		t.Error(got)
	}
}

func TestDeleteRemovesAnEndedJob(t *testing.T) {
	t.Parallel()
	store := t.TempDir()
	out := filepath.Join(t.TempDir(), "answers.jsonl")
	in := write(t, "in.jsonl", chat("a", "hi", ""))
	if got := gemwire(t.Context(), "batch", "run", in, "--out", out, "--store", store); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	listed := gemwire(t.Context(), "batch", "list", "--store", store)
	id, _, _ := strings.Cut(listed.stdout, " ")
	if got := gemwire(t.Context(), "batch", "delete", id, "--store", store); got.code != 0 {
		t.Errorf("delete: %+v", got)
	}
	if got := gemwire(t.Context(), "batch", "list", "--store", store); got.stdout != "" ||
		got.code != 0 {
		t.Errorf("list: %+v", got)
	}
}

func TestAJobStopsBeforeItCostsMoreThanTheMaximumAndContinues(t *testing.T) {
	t.Parallel()
	in, store := example(t), t.TempDir()
	out := filepath.Join(t.TempDir(), "answers.jsonl")
	priced := pricedUpstream(t)
	run := func(further ...string) result {
		return gemwire(t.Context(), slices.Concat([]string{"batch", "run", in, "--out", out,
			"--store", store}, priced, further)...)
	}
	stopped := run("--max-cost", "0.02USD")
	if stopped.code != 1 || !strings.Contains(stopped.stderr, "higher --max-cost") {
		t.Fatalf("%+v", stopped)
	}
	status := gemwire(t.Context(), "batch", "status", "--store", store, "--output", "json")
	var rows []struct {
		Completed, Total int64
		Cost             float64
	}
	if err := json.Unmarshal([]byte(status.stdout), &rows); err != nil || len(rows) != 1 ||
		rows[0].Cost > 0.02 || rows[0].Completed == 0 || rows[0].Completed == rows[0].Total {
		t.Errorf("%v, %+v", err, status)
	}
	if got := gemwire(t.Context(), "batch", "status", "--store", store); !strings.Contains(got.stdout,
		"paused: another call may exceed --max-cost 0.0200 USD; to continue, run the same command "+
			"with a higher --max-cost, or without it") {
		t.Errorf("status: %+v", got)
	}
	if got := run("--max-cost", "5 USD"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	checkAnswers(t, in, out)
}

func TestWithAMaximumCostOnlyOneProcessWorksAtAJob(t *testing.T) {
	t.Parallel()
	flags, word := refusing(t)
	reached, release := make(chan struct{}, 100), make(chan struct{})
	wait := func() { reached <- struct{}{}; <-release }
	word.wait.Store(&wait)
	run := slices.Concat([]string{"batch", "run", example(t), "--store", t.TempDir(), "--out",
		filepath.Join(t.TempDir(), "a.jsonl"), "--max-cost", "5USD"}, flags)
	ended := make(chan result, 1)
	go func() { ended <- gemwire(t.Context(), run...) }()
	<-reached
	if got := gemwire(t.Context(), run...); got.code != 1 ||
		!strings.Contains(got.stderr, "works at the job already") {
		t.Errorf("%+v", got)
	}
	close(release)
	if got := <-ended; got.code != 0 {
		t.Errorf("%+v", got)
	}
}

func TestTheMaximumCostNeedsAPriceInItsCurrency(t *testing.T) {
	t.Parallel()
	priced := pricedUpstream(t)
	for text, want := range map[string]string{"5EUR": "is in USD", "x": "--max-cost",
		"0USD": "--max-cost"} {
		got := gemwire(t.Context(), append([]string{"batch", "run", example(t), "--out",
			filepath.Join(t.TempDir(), "a.jsonl"), "--store", t.TempDir(), "--max-cost", text},
			priced...)...)
		if got.code == 0 || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// pricedUpstream starts a fake server, and returns the flags that make it the Gemini API, whose
// answers have a price.
func pricedUpstream(t *testing.T) []string {
	t.Helper()
	fake, err := fakegemini.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fake.Close)
	address, err := fake.URL()
	if err != nil {
		t.Fatal(err)
	}
	return []string{"--upstream", "gemini", "--base-url", address, "--api-key-file",
		write(t, "key", "test-key")}
}

func TestAChangedInputPointsAtTheUnfinishedJobOfItsOutput(t *testing.T) {
	t.Parallel()
	store, out := t.TempDir(), filepath.Join(t.TempDir(), "answers.jsonl")
	priced := pricedUpstream(t)
	run := func(in string, further ...string) result {
		return gemwire(t.Context(), slices.Concat([]string{"batch", "run", in, "--out", out,
			"--store", store}, priced, further)...)
	}
	if got := run(example(t), "--max-cost", "0.02USD"); got.code != 1 {
		t.Fatalf("%+v", got)
	}
	in := write(t, "in.jsonl", chat("a", "hi", ""))
	if got := run(in); got.code != 1 || !strings.Contains(got.stderr, "unfinished job batch_") ||
		!strings.Contains(got.stderr, "--new") {
		t.Errorf("%+v", got)
	}
	listed := gemwire(t.Context(), "batch", "list", "--store", store)
	if strings.Count(listed.stdout, "\n") != 1 || !strings.Contains(listed.stdout, out) ||
		!strings.Contains(listed.stdout, "questions.jsonl") {
		t.Errorf("%+v", listed)
	}
	if got := run(in, "--new"); got.code != 0 {
		t.Errorf("with --new: %+v", got)
	}
}

func TestSubmittingTheSameTwiceNeedsAFlag(t *testing.T) {
	t.Parallel()
	in, store := write(t, "in.jsonl", chat("a", "hi", "")), t.TempDir()
	submit := func(further ...string) result {
		return gemwire(t.Context(), append([]string{"batch", "submit", in, "--store", store},
			further...)...)
	}
	first := submit()
	if again := submit(); first.code != 0 || again.code != 1 ||
		!strings.Contains(again.stderr, strings.TrimSpace(first.stdout)) {
		t.Errorf("%+v, %+v", first, again)
	}
	if got := submit("--again"); got.code != 0 {
		t.Errorf("with --again: %+v", got)
	}
}

func TestReuseSendsOnlyTheRequestsWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	store, out := t.TempDir(), filepath.Join(t.TempDir(), "answers.jsonl")
	priced := pricedUpstream(t)
	run := func(in string, further ...string) result {
		return gemwire(t.Context(), slices.Concat([]string{"batch", "run", in, "--out", out,
			"--store", store}, priced, further)...)
	}
	status := func() (rows []struct{ Completed, Total int }, cost []struct{ Cost float64 }) {
		text := gemwire(t.Context(), "batch", "status", "--store", store, "--output", "json").stdout
		if err := errors.Join(json.Unmarshal([]byte(text), &rows),
			json.Unmarshal([]byte(text), &cost)); err != nil {
			t.Fatal(err)
		}
		return rows, cost
	}
	if got := run(example(t), "--max-cost", "0.02USD"); got.code != 1 {
		t.Fatalf("%+v", got)
	}
	rows, first := status()
	in := write(t, "in.jsonl", strings.TrimSpace(readFile(t, example(t))), chat("new", "hi", ""))
	if got := run(in, "--reuse"); got.code != 0 || !strings.Contains(got.stderr, "reusing") {
		t.Fatalf("%+v", got)
	}
	checkAnswers(t, in, out)
	all := t.TempDir()
	if got := gemwire(t.Context(), slices.Concat([]string{"batch", "run", in, "--out", out,
		"--store", all}, priced)...); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	_, second := status()
	store = all
	_, whole := status()
	if rows[0].Completed == 0 || second[0].Cost+first[0].Cost > whole[0].Cost*1.001 {
		t.Errorf("%d lines for %v, then the rest for %v; all cost %v", rows[0].Completed, first,
			second, whole)
	}
}
