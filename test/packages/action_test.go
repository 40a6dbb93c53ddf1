package packages_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"gopkg.in/yaml.v3"
)

// actionFolder is the folder of the Action, in the repository.
const actionFolder = ".github/actions/fake-gemini"

// action has the members of an action.yml that the test reads.
type action struct {
	Inputs  map[string]struct{ Description, Default string }
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, Shell, Run string
			Env            map[string]string
		}
	}
}

func readAction(t *testing.T) action {
	t.Helper()
	var out action
	file := filepath.Join(project, filepath.FromSlash(actionFolder), "action.yml")
	if err := yaml.Unmarshal(read(t, file), &out); err != nil {
		t.Fatal(err)
	}
	if out.Runs.Using != "composite" || len(out.Runs.Steps) != 1 || out.Runs.Steps[0].Shell != "bash" {
		t.Fatalf("the Action runs %+v; the test knows one step of bash", out.Runs)
	}
	return out
}

// expression is a part of a workflow that the runner evaluates.
var expression = regexp.MustCompile(`\$\{\{ (.*?) \}\}`)

// evaluate returns a text with the values of its expressions: inputs, the tag of the Action,
// outputs of the step, and a || b.
func (a action) evaluate(t *testing.T, text, tag string, inputs, outputs map[string]string) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(text, func(match string) string {
		for _, term := range strings.Split(expression.FindStringSubmatch(match)[1], " || ") {
			value := ""
			if name, ok := strings.CutPrefix(term, "inputs."); ok {
				input, known := a.Inputs[name]
				if !known {
					t.Errorf("the Action has no input %s", name)
				}
				if value, ok = inputs[name]; !ok {
					value = input.Default
				}
			} else if name, ok := strings.CutPrefix(term, "steps."+a.Runs.Steps[0].ID+".outputs."); ok {
				if value, ok = outputs[name]; !ok {
					t.Errorf("the step has no output %s", name)
				}
			} else if term == "github.action_ref" {
				value = tag
			} else {
				t.Errorf("the test does not know the expression %s", match)
			}
			if value != "" {
				return value
			}
		}
		return ""
	})
}

// job is the environment that later steps of a job see, and the outputs of the Action.
type job struct {
	log                  string
	environment, outputs map[string]string
	path                 string
}

// runAction runs the Action as a runner does. What it starts ends with the test.
func runAction(t *testing.T, tag string, inputs map[string]string) (job, error) {
	t.Helper()
	a, temp := readAction(t), t.TempDir()
	for name := range inputs {
		if _, ok := a.Inputs[name]; !ok {
			t.Fatalf("the Action has no input %s", name)
		}
	}
	step := a.Runs.Steps[0]
	cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
	cmd.Dir = temp
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + temp, "RUNNER_TEMP=" + temp,
		"RUNNER_OS=" + map[string]string{"linux": "Linux", "darwin": "macOS"}[runtime.GOOS],
		"RUNNER_ARCH=" + map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH],
		"GITHUB_ACTION_PATH=" + filepath.Join(project, filepath.FromSlash(actionFolder)),
	}
	files := map[string]string{}
	for _, name := range []string{"GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH"} {
		files[name] = filepath.Join(temp, name)
		cmd.Env = append(cmd.Env, name+"="+files[name])
	}
	for name, value := range step.Env {
		cmd.Env = append(cmd.Env, name+"="+a.evaluate(t, value, tag, inputs, nil))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	log, err := cmd.CombinedOutput()
	t.Cleanup(func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	if err != nil {
		return job{log: string(log)}, err
	}
	out := job{
		log: string(log), path: strings.TrimSpace(string(read(t, files["GITHUB_PATH"]))),
		environment: assignments(t, files["GITHUB_ENV"]), outputs: map[string]string{},
	}
	raw := assignments(t, files["GITHUB_OUTPUT"])
	for name, output := range a.Outputs {
		out.outputs[name] = a.evaluate(t, output.Value, tag, inputs, raw)
	}
	return out, nil
}

// assignments reads a file with a line NAME=VALUE for each variable.
func assignments(t *testing.T, file string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for line := range strings.Lines(string(read(t, file))) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !ok {
			t.Errorf("%s: %q", filepath.Base(file), line)
		}
		out[name] = value
	}
	return out
}

// releasePage serves the files of the snapshot, as the page of a release does.
func releasePage(t *testing.T) string {
	t.Helper()
	snapshot(t, "checksums.txt")
	server := httptest.NewServer(http.FileServer(http.Dir(dist)))
	t.Cleanup(server.Close)
	return server.URL
}

const script = `fixtures:
  - match: {prompt: weather}
    reply: Sunny.
`

// clients ask the addresses in a job's environment, by its path, as the SDKs do.
var clients = map[string]string{
	"Gemini": `curl -sS --fail -H "x-goog-api-key: $GEMINI_API_KEY" -H 'Content-Type: application/json' \
		-d '{"contents":[{"role":"user","parts":[{"text":"weather"}]}]}' \
		"$GOOGLE_GEMINI_BASE_URL/v1beta/models/gemini-3.6-flash:generateContent"`,
	"chat_completions": `curl -sS --fail -H "Authorization: Bearer $OPENAI_API_KEY" -H 'Content-Type: application/json' \
		-d '{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"weather"}]}' \
		"$OPENAI_BASE_URL/chat/completions"`,
	"Responses": `curl -sS --fail -H "Authorization: Bearer $OPENAI_API_KEY" -H 'Content-Type: application/json' \
		-d '{"model":"gemini-3.6-flash","input":"weather"}' "$OPENAI_BASE_URL/responses"`,
	"Messages": `curl -sS --fail -H "x-api-key: $ANTHROPIC_API_KEY" -H 'Content-Type: application/json' \
		-d '{"model":"gemini-3.6-flash","max_tokens":99,"messages":[{"role":"user","content":"weather"}]}' \
		"$ANTHROPIC_BASE_URL/v1/messages"`,
	"the command": `gemwire --version`,
}

func TestTheActionStartsTheFakeForTheClientsOfAllAPIs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "answers.yaml")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	done, err := runAction(t, "v"+version(t), map[string]string{"download": releasePage(t), "script": file})
	if err != nil {
		t.Fatalf("%v\n%s", err, done.log)
	}
	for client, ask := range clients {
		cmd := exec.CommandContext(t.Context(), "bash", "-c", ask)
		cmd.Env = []string{"PATH=" + done.path + ":" + os.Getenv("PATH")}
		for name, value := range done.environment {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		want := "Sunny."
		if client == "the command" {
			want = "gemwire "
		}
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v: %s", client, err, out)
		}
	}
	for output, variable := range map[string]string{
		"gemini-url": "GOOGLE_GEMINI_BASE_URL", "openai-url": "OPENAI_BASE_URL", "anthropic-url": "ANTHROPIC_BASE_URL",
	} {
		if done.outputs[output] != done.environment[variable] || done.outputs[output] == "" {
			t.Errorf("%s is %q, and %s is %q", output, done.outputs[output], variable, done.environment[variable])
		}
	}
}

func TestTheActionReportsErrors(t *testing.T) {
	page := releasePage(t)
	changed := t.TempDir()
	name := "gemwire_" + version(t) + "_" + thisPlatform + ".tar.gz"
	for file, more := range map[string]string{"checksums.txt": "", name: "more"} {
		data := append(read(t, snapshot(t, file)), more...)
		if err := os.WriteFile(filepath.Join(changed, file), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		tag    string
		inputs map[string]string
		want   string
	}{
		{"main", nil, `::error::fake-gemini: the version "main" is not a tag such as v0.1.0`},
		{"main", map[string]string{"version": "v9.9.9", "download": page}, "::error::fake-gemini: cannot download "},
		{"v" + version(t), map[string]string{"download": "file://" + changed}, "does not have the SHA-256"},
		{"v" + version(t), map[string]string{"download": page, "script": "none.yaml"}, "the fake server does not start"},
	} {
		done, err := runAction(t, test.tag, test.inputs)
		if err == nil || !strings.Contains(done.log, test.want) {
			t.Errorf("%s: %v, want an error with %q:\n%s", fmt.Sprint(test.tag, test.inputs), err, test.want, done.log)
		}
	}
}
