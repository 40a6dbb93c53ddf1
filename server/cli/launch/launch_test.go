package launch_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/cli"
	"github.com/gemwire/gemwire/server/cli/clitest"
	"github.com/gemwire/gemwire/server/cli/process"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// run runs the command with empty standard input.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	out, errs := new(clitest.Output), new(clitest.Output)
	code = cli.Run(t.Context(), args, strings.NewReader(""), out, errs)
	return code, out.String(), errs.String()
}

// standIn writes a program that uses its settings like the named agent. Its exit code is 7.
func standIn(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "agent")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\nexit 7\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// This test does not run in parallel, because it sets the environment.
func TestAnAgentIsAnsweredByAGatewayOfItsOwn(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GEMWIRE_CONFIG",
		"GEMWIRE_KEY"} {
		t.Setenv(name, "")
	}
	ask := `curl -sS --fail -H 'Content-Type: application/json' -d `
	for agent, script := range map[string]string{
		"claude": ask + `'{"model":"'$ANTHROPIC_MODEL'","max_tokens":99,"messages":[{"role":"user","content":"'"$*"'"}]}' -H "Authorization: Bearer $ANTHROPIC_AUTH_TOKEN" $ANTHROPIC_BASE_URL/v1/messages`,
		"gemini": ask + `'{"contents":[{"role":"user","parts":[{"text":"'"$*"'"}]}]}' -H "x-goog-api-key: $GEMINI_API_KEY" $GOOGLE_GEMINI_BASE_URL/v1beta/models/$GEMINI_MODEL:generateContent`,
		"codex": `url=$(echo "$6" | sed 's/.*base_url = "\([^"]*\)".*/\1/'); shift 8
` + ask + `'{"model":"gemini-3.6-flash","input":"'"$*"'"}' -H "Authorization: Bearer $GEMWIRE_KEY" $url/responses`,
		"opencode": `url=$(echo "$OPENCODE_CONFIG_CONTENT" | sed 's/.*"baseURL":"\([^"]*\)".*/\1/')
` + ask + `'{"model":"gemini-3.6-flash","input":"'"$*"'"}' -H "Authorization: Bearer any" $url/responses`,
	} {
		code, stdout, stderr := run(t, "launch", "--program", standIn(t, script), agent, "--",
			"plain", "words")
		if code != 7 || !strings.Contains(stdout, "You said: plain words") ||
			!strings.Contains(stderr, "the built-in fake server answers") {
			t.Errorf("%s: exit code %d\n%s\n%s", agent, code, stdout, stderr)
		}
	}
}

// This test does not run in parallel, because it sets the environment.
func TestAnAgentHasTheStandardOutputOfTheCommandAndNoKeyForAnthropic(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "of-anthropic")
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	script := `[ /dev/fd/1 -ef ` + out.Name() +
		` ] && echo "the same file, key '$ANTHROPIC_API_KEY'"`
	args := []string{"launch", "--url", "http://127.0.0.1:9", "--program", standIn(t, script),
		"claude"}
	errs := new(clitest.Output)
	if code := cli.Run(t.Context(), args, strings.NewReader(""), out, errs); code != 7 {
		t.Errorf("exit code %d, %s", code, errs)
	}
	if got, err := os.ReadFile(out.Name()); err != nil || string(got) != "the same file, key ''\n" {
		t.Errorf("%v: %q", err, got)
	}
}

func TestAnInterruptIsForTheAgent(t *testing.T) {
	t.Parallel()
	ctx, interrupts := process.WithInterrupts(t.Context())
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	args := []string{"launch", "--url", "http://127.0.0.1:9", "--program",
		standIn(t, "echo up; read answer; echo $answer"), "claude"}
	stdin, answer := io.Pipe()
	ended := make(chan int)
	go func() {
		defer writer.Close()
		ended <- cli.Run(ctx, args, stdin, writer, new(clitest.Output))
	}()
	up := make([]byte, 3)
	if _, err := io.ReadFull(reader, up); err != nil {
		t.Fatal(err)
	}
	if !interrupts.Caught(os.Interrupt) {
		t.Error("an interrupt ends the command while the agent runs")
	}
	_, _ = io.WriteString(answer, "yes\n")
	answer.Close()
	if code := <-ended; code != 7 {
		t.Errorf("exit code %d", code)
	}
}

func TestAnAgentThatASignalEndsHasTheExitCodeOfShells(t *testing.T) {
	for _, name := range []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GEMWIRE_CONFIG"} {
		t.Setenv(name, "")
	}
	if code, _, stderr := run(t, "launch", "--program", standIn(t, "kill -TERM $$"),
		"claude"); code != 128+15 {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

func TestLaunchReportsErrors(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		`unknown agent "clod"; the agents are claude, codex, opencode and gemini`: {"launch",
			"clod"},
		"an agent is missing; the agents are claude, codex, opencode and gemini": {"launch"},
		`unknown agent "claud"; did you mean claude?; the agents are claude`: {"launch",
			"claud"},
		"arguments of the agent belong after --, such as gemwire launch codex -- exec PROMPT": {"launch", "codex", "exec"},
		`--url: "not-a-url" is not the URL of a gateway; use one such as http://127.0.0.1:8080`: {"launch",
			"--url", "not-a-url", "claude"},
		`--url: "ftp://x" is not the URL of a gateway; use one such as http://127.0.0.1:8080`: {"env",
			"--url", "ftp://x", "claude"},
		"--program: ": {"launch", "--program", "/nowhere/codex", "codex"},
		`unknown agent "clod"; the agents are claude, codex, opencode and gemini` +
			"\nRun 'gemwire env --help'": {"env", "clod"},
	} {
		if code, stdout, stderr := run(t, args...); code == 0 || stdout != "" ||
			!strings.HasPrefix(stderr, "gemwire: "+want) {
			t.Errorf("%v: exit code %d, %q", args, code, stderr)
		}
	}
}

func TestEnvPrintsWhatAShellTakes(t *testing.T) {
	t.Setenv("GEMWIRE_KEY", "it's")
	code, stdout, stderr := run(t, "env", "claude", "--url", "http://127.0.0.1:9/", "-m",
		"models/gemini-3.6-flash")
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	script := stdout + `printf '%s ' "$ANTHROPIC_BASE_URL" "$ANTHROPIC_AUTH_TOKEN" "$ANTHROPIC_MODEL"`
	got, err := exec.CommandContext(t.Context(), "sh", "-c", script).CombinedOutput()
	if want := "http://127.0.0.1:9 it's models/gemini-3.6-flash "; err != nil ||
		string(got) != want {
		t.Errorf("%v: %q, want %q", err, got, want)
	}
	_, stdout, _ = run(t, "env", "codex")
	script = "cd " + t.TempDir() +
		"; printf '#!/bin/sh\\necho \"$#: $6 $9\"' > codex; chmod +x codex; PATH=.:$PATH\n" +
		stdout + "codex exec"
	got, err = exec.CommandContext(t.Context(), "sh", "-c", script).CombinedOutput()
	if want := `9: model_providers.gemwire={ name = "gemwire", base_url = "http://127.0.0.1:8080/v1", env_key = "GEMWIRE_KEY", wire_api = "responses", ` +
		`supports_websockets = true, model_catalog_url = "http://127.0.0.1:8080/v1/models" } exec` +
		"\n"; err != nil || string(got) != want {
		t.Errorf("%v: %q, want %q", err, got, want)
	}
}

// This test does not run in parallel, because it sets the environment.
func TestAGatewayThatRejectsTheKeyIsReported(t *testing.T) {
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer of-the-team" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer gateway.Close()
	for key, want := range map[string]string{
		"": "gemwire: the gateway at " + gateway.URL +
			" rejects the key; set GEMWIRE_KEY to one of its client keys\n",
		"of-the-team": "",
	} {
		t.Setenv("GEMWIRE_KEY", key)
		code, _, stderr := run(t, "launch", "--url", gateway.URL, "--program",
			standIn(t, "true"), "codex")
		if code != 7 || stderr != want {
			t.Errorf("with the key %q: exit code %d, %q", key, code, stderr)
		}
	}
}

func TestAGatewayThatDoesNotRunIsReported(t *testing.T) {
	t.Parallel()
	code, _, stderr := run(t, "launch", "--url", "http://127.0.0.1:9/v1", "--program",
		standIn(t, "true"), "codex")
	want := "gemwire: no gateway answers at http://127.0.0.1:9; start it with gemwire serve\n"
	if code != 7 || stderr != want {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

func TestTheVersionAtTheEndOfAURLIsDropped(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1/"} {
		if code, out, _ := run(t, "env", "claude", "--url", url); code != 0 ||
			!strings.Contains(out, "ANTHROPIC_BASE_URL='http://127.0.0.1:9'\n") {
			t.Errorf("%s: exit code %d, %s", url, code, out)
		}
	}
}
