package remote_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/cli"
)

// result is the outcome of a call of the command.
type result struct {
	code           int
	stdout, stderr string
}

// secret is the key of all tests. No output may contain it.
const secret = "AIzaSy-a-secret-that-nobody-prints-0123456"

// at returns flags for a server.
func at(t *testing.T, server *geminitest.Server) []string {
	t.Helper()
	return []string{"--base-url", server.URL(), "--api-key-file",
		writeFile(t, "key.txt", secret+"\n"), "--max-attempts", "1"}
}

// ask calls the command for a server, and checks that its output does not contain the key.
func ask(t *testing.T, server *geminitest.Server, stdin string, args ...string) result {
	t.Helper()
	return gemwire(t, stdin, append(args, at(t, server)...)...)
}

func gemwire(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := cli.Run(t.Context(), args, strings.NewReader(stdin), &stdout, &stderr)
	if all := stdout.String() + stderr.String(); strings.Contains(all, secret) {
		t.Errorf("the key is in what was printed:\n%s", all)
	}
	return result{code, stdout.String(), stderr.String()}
}

// writeFile writes a file into a folder of the test and returns its path.
func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// scripted returns a server with one answer to everything.
func scripted(t *testing.T, blocks ...geminitest.Block) *geminitest.Server {
	t.Helper()
	return geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(blocks...)))
}

// wantResult compares the output. If an expectation ends in ..., only the beginning must match.
func wantResult(t *testing.T, got result, code int, stdout, stderr string) {
	t.Helper()
	if got.code != code {
		t.Errorf("exit code %d, want %d", got.code, code)
	}
	for _, stream := range []struct{ name, got, want string }{
		{"standard output", got.stdout, stdout}, {"standard error", got.stderr, stderr},
	} {
		beginning, isCut := strings.CutSuffix(stream.want, "...")
		if stream.got != stream.want && !(isCut && strings.HasPrefix(stream.got, beginning)) {
			t.Errorf("%s:\n%s\nwant:\n%s", stream.name, stream.got, stream.want)
		}
	}
}
