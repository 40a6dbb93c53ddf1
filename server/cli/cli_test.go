package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/cli"
	"github.com/google/go-cmp/cmp"
)

// result is the outcome of a call of the command.
type result struct {
	code           int
	stdout, stderr string
}

// gemwire calls the command with stdin on standard input.
func gemwire(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := cli.Run(t.Context(), args, strings.NewReader(stdin), &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// convert calls convert between two formats.
func convert(t *testing.T, stdin, from, to string, args ...string) result {
	t.Helper()
	return gemwire(t, stdin, append([]string{"convert", "--from", from, "--to", to}, args...)...)
}

func payload(name string) string { return filepath.Join("..", "..", "examples", "payloads", name) }

// writeFile writes a file into a test's folder and returns its path.
func writeFile(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// fileNames lists a folder with its hidden files, because a temporary file must not remain.
func fileNames(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// smallResponse is a whole answer in one line, canonical, so that converting it to itself gives the
// same bytes.
const smallResponse = `{"candidates":[{"content":{"parts":[{"text":"Hi"}],"role":"model"},"finishReason":"STOP"}]}`

var allowUnexported = cmp.AllowUnexported(result{})
