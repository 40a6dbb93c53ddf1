package cli_test

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/server/cli/clitest"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/go-json-experiment/json/jsontext"
)

// emulator is a running `gemwire emulate`.
type emulator struct{ *clitest.Process }

// emulate starts the command on a free port, and waits for its address.
func emulate(t *testing.T, args ...string) *emulator {
	t.Helper()
	args = append([]string{"emulate", "--addr", "127.0.0.1:0"}, args...)
	e := &emulator{clitest.Start(t, `^gemwire: listening on (http://127\.0\.0\.1:[1-9][0-9]*)\n$`,
		args...)}
	e.Stderr.Forget()
	return e
}

// generate asks for an answer with a key, and returns the status and the body.
func (e *emulator) generate(t *testing.T, key string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		e.URL+"/v1beta/models/gemini-2.5-flash:generateContent",
		strings.NewReader(`{"contents":[{"parts":[{"text":"hello"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Goog-Api-Key", key)
	return clitest.Do(t, request)
}

func TestEmulateAnswersUntilASignalEndsIt(t *testing.T) {
	t.Parallel()
	for signal, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		e := emulate(t)
		if status, body := e.generate(t, "any"); status != http.StatusOK ||
			!strings.Contains(body, `"candidates"`) {
			t.Errorf("%d %s", status, body)
		}
		e.Stop(&process.SignalError{Signal: signal})
		if got := e.Wait(t); got != code {
			t.Errorf("%v: exit code %d, want %d", signal, got, code)
		}
		if rest := e.Stderr.String(); rest != "" {
			t.Errorf("standard error: %q", rest)
		}
	}
}

func TestEmulateEndsAlthoughAClientWaits(t *testing.T) {
	t.Parallel()
	e := emulate(t)
	conn, err := net.Dial("tcp", strings.TrimPrefix(e.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn,
		"POST /v1beta/models/gemini-2.5-flash:generateContent HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	e.Stop(nil)
	if code := e.Wait(t); code != 1 {
		t.Errorf("exit code %d", code)
	}
}

func TestEmulateLogsARequestInOneLineWithoutItsKey(t *testing.T) {
	t.Parallel()
	e := emulate(t, "--verbose")
	e.generate(t, "secret-in-a-header")
	e.Stderr.WaitFor(t, `^gemwire: POST /v1beta/models/gemini-2\.5-flash:generateContent 200 [0-9.µm]+s\n$`)
	e.Stderr.Forget()
	e.Get(t, "/v1beta/nothing%0Ahere?key=secret-in-a-query")
	e.Stderr.WaitFor(t, `^gemwire: GET /v1beta/nothing\\u000ahere 404: .+ [0-9.µm]+s\n$`)
}

func TestEmulateSaysWhyItCannotListen(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	address := taken.Addr().String()
	for _, address := range []string{address, "127.0.0.1:no-such-port"} {
		got := gemwire(t, "", "emulate", "--addr", address)
		if got.code != 1 || got.stdout != "" ||
			!strings.HasPrefix(got.stderr, "gemwire: "+address+": cannot listen there: ") ||
			strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%+v", got)
		}
	}
}

func TestEmulateAnswersByAScriptOfAFile(t *testing.T) {
	t.Parallel()
	fixtures := writeFile(t, t.TempDir()+"/fixtures.yaml",
		"fixtures:\n  - match: {prompt: hello}\n    reply: {blocks: [{text: Hello yourself.}]}\n")
	e := emulate(t, "--script", fixtures, "--strict")
	if status, body := e.generate(t, "any"); status != http.StatusOK ||
		!strings.Contains(body, "Hello yourself.") {
		t.Errorf("%d %s", status, body)
	}
	got := gemwire(t, "", "emulate", "--script", "no-such-file.yaml")
	if want := "gemwire: open no-such-file.yaml: no such file or directory\n"; got.code != 1 ||
		got.stderr != want {
		t.Errorf("%+v", got)
	}
}

func TestEmulateReportsWhichRequestAStrictScriptDoesNotMatch(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "script.yaml")
	if err := os.WriteFile(file, []byte("fixtures:\n- match: {prompt: rain}\n  reply: x\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	e := emulate(t, "--strict", "--script", file)
	if status, body := e.generate(t, "any"); status != http.StatusBadRequest ||
		!strings.Contains(body, "NO_FIXTURE_MATCHES") {
		t.Errorf("%d %s", status, body)
	}
	e.Stderr.WaitFor(t, `^gemwire: no fixture of the script matches generateContent of gemini-2\.5-flash with the prompt "hello", turn 0; the nearest is fixture 1:`)
}

func TestEmulateNamesTheFileAndThePlaceOfAWrongScript(t *testing.T) {
	t.Parallel()
	fixtures := writeFile(t, t.TempDir()+"/fixtures.yaml",
		"fixtures:\n  - match: {promt: hello}\n    reply: {blocks: [{text: Hello}]}\n")
	got := gemwire(t, "", "emulate", "--script", fixtures)
	if got.code != 1 || !strings.HasPrefix(got.stderr, "gemwire: "+fixtures+": ") ||
		!strings.Contains(got.stderr, "promt") {
		t.Errorf("%+v", got)
	}
}

func TestEmulateRecordsAServerAndReplaysIt(t *testing.T) {
	t.Parallel()
	cassette := t.TempDir() + "/cassette.yaml"
	upstream := emulate(t)
	recorder := emulate(t, "--record", cassette, "--upstream", upstream.URL)
	_, recorded := recorder.generate(t, "key-of-the-recorder")
	upstream.Stop(nil)
	upstream.Wait(t)
	if file := readFile(t, cassette); strings.Contains(file, "key-of-the-recorder") {
		t.Errorf("the cassette holds the key:\n%s", file)
	}
	replayer := emulate(t, "--replay", cassette)
	if status, replayed := replayer.generate(t, "any"); status != http.StatusOK ||
		replayed != recorded {
		t.Errorf("%d %s, recorded %s", status, replayed, recorded)
	}
}

func TestEmulateRefusesAFileThatHoldsNothing(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--script", "--replay"} {
		for content, reason := range map[string]string{
			"":                     "line 1: the file is empty\n",
			"null\n":               "line 1: a null is not valid here\n",
			"# nothing but this\n": "line 1: the file is empty\n",
			"{}\n---\n{}\n":        "line 2: a second document begins; expected one in a file\n",
		} {
			file := writeFile(t, t.TempDir()+"/file.yaml", content)
			got := gemwire(t, "", "emulate", "--addr", "127.0.0.1:0", flag, file)
			if got.code != 1 || !strings.HasPrefix(got.stderr, "gemwire: "+file+": ") ||
				!strings.HasSuffix(got.stderr, reason) {
				t.Errorf("%s %q: %+v", flag, content, got)
			}
		}
	}
}

func TestEmulateRecordsWhatIsMissing(t *testing.T) {
	t.Parallel()
	cassette := t.TempDir() + "/cassette.yaml"
	upstream := emulate(t)
	first := emulate(t, "--record", cassette, "--replay", cassette, "--upstream", upstream.URL)
	_, recorded := first.generate(t, "any")
	first.Stop(nil)
	first.Wait(t)
	upstream.Stop(nil)
	upstream.Wait(t)
	// Without the upstream, recorded answers are replayed, and all other requests fail.
	second := emulate(t, "--record", cassette, "--replay", cassette, "--upstream", upstream.URL)
	if status, replayed := second.generate(t, "any"); status != http.StatusOK ||
		replayed != recorded {
		t.Errorf("%d %s, recorded %s", status, replayed, recorded)
	}
	if status, body := second.generate(t, "any"); status != http.StatusBadRequest ||
		!strings.Contains(body, "NO_UPSTREAM") {
		t.Errorf("%d %s", status, body)
	}
}

func TestEmulatePrintsTheSchemaOfScripts(t *testing.T) {
	t.Parallel()
	got := gemwire(t, "", "emulate", "--script-schema")
	if got.code != 0 || got.stdout != fakegemini.ScriptSchema() || got.stderr != "" ||
		!jsontext.Value(got.stdout).IsValid() {
		t.Errorf("%+v", got)
	}
}

func TestEmulateTakesOnlyTheKeysThatAreGiven(t *testing.T) {
	t.Parallel()
	e := emulate(t, "--key", "first", "--key", "second")
	for key, want := range map[string]int{"first": http.StatusOK, "second": http.StatusOK,
		"third": http.StatusBadRequest} {
		status, body := e.generate(t, key)
		if refused := strings.Contains(body, "API_KEY_INVALID"); status != want ||
			refused != (want != http.StatusOK) {
			t.Errorf("%s: %d %s", key, status, body)
		}
	}
}
