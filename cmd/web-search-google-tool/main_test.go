package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/internal/test/customsearchtest"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// TestMain also checks that no run leaks a goroutine.
func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "web-search-google-tool")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	binaryPath = filepath.Join(folder, "web-search-google-tool.exe")
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(folder)
		os.Exit(code)
	}))
}

const (
	apiKey   = "AIza/Secret+Key=42"
	engineID = "0123456789:engine"
	// credentialsQuery is how every query string begins: the credentials, percent-encoded.
	credentialsQuery = "key=AIza%2FSecret%2BKey%3D42&cx=0123456789%3Aengine&"
)

// invocation is one run of the command: what it is given, and what must come of it.
type invocation struct {
	args    []string
	stdin   string
	env     map[string]string // in place of both credentials, if it is not nil
	file    string            // the credentials file
	baseURL string            // in place of the double's
	replies customsearchtest.Replies

	stdout  string   // without the line feed
	code    int      // the exit code
	queries []string // the queries that Google receives, without credentials; nil means no query
}

// check runs the invocation in this process and as a process of its own.
func (i invocation) check(t *testing.T) {
	t.Helper()
	for name, start := range map[string]func(*testing.T, []string, string,
		map[string]string) (string, string, int){
		"in process": runHere,
		"the binary": runBinary,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			google := customsearchtest.New(t, i.replies)
			stdout, stderr, code := start(t, i.args, i.stdin, i.environment(t, google.URL))

			if diff := cmp.Diff(i.stdout+"\n", stdout); diff != "" {
				t.Errorf("standard output:\n%s", diff)
			}
			if code != i.code {
				t.Errorf("exit code %d, want %d", code, i.code)
			}
			if stderr != "" {
				t.Errorf("standard error: %q", stderr)
			}
			assertNoSecret(t, stdout)
			var want []string
			for _, query := range i.queries {
				want = append(want, credentialsQuery+query)
			}
			slices.Sort(want)
			if diff := cmp.Diff(want, google.Queries()); diff != "" {
				t.Errorf("queries:\n%s", diff)
			}
		})
	}
}

func (i invocation) environment(t *testing.T, googleURL string) map[string]string {
	t.Helper()
	out := map[string]string{"HOME": t.TempDir(), "GOOGLE_SEARCH_BASE_URL": googleURL}
	if i.baseURL != "" {
		out["GOOGLE_SEARCH_BASE_URL"] = i.baseURL
	}
	if i.env == nil {
		out["GOOGLE_SEARCH_API_KEY"], out["GOOGLE_SEARCH_ENGINE_ID"] = apiKey, engineID
	}
	maps.Copy(out, i.env)
	if i.file != "" {
		folder := filepath.Join(out["HOME"], ".config", "ikigai")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "credentials.json"), []byte(i.file),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func runHere(t *testing.T, args []string, stdin string, env map[string]string) (string, string,
	int) {
	var stdout bytes.Buffer
	code := run(t.Context(), args, strings.NewReader(stdin), &stdout,
		func(name string) (string, bool) {
			value, ok := env[name]
			return value, ok
		})
	return stdout.String(), "", code
}

func runBinary(t *testing.T, args []string, stdin string, env map[string]string) (string, string,
	int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary(t), args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	cmd.Env = []string{"GOCOVERDIR=" + os.Getenv("GOCOVERDIR")}
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Run() // the exit code says more than the error
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

var (
	binaryPath string
	build      sync.Once
)

// binary returns the path of the command, built once. When GOCOVERDIR names a directory, its runs
// write there what they covered.
func binary(t *testing.T) string {
	t.Helper()
	build.Do(func() {
		args := []string{"build", "-o", binaryPath}
		if os.Getenv("GOCOVERDIR") != "" {
			args = append(args, "-cover",
				"-coverpkg=./...,github.com/gemwire/gemwire/pkg/websearch")
		}
		if out, err := exec.Command("go", append(args, ".")...).CombinedOutput(); err != nil {
			t.Errorf("go build: %v\n%s", err, out)
		}
	})
	return binaryPath
}

func assertNoSecret(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{apiKey, engineID, "AIza%2FSecret%2BKey%3D42",
		"0123456789%3Aengine"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in %q", secret, text)
		}
	}
}
