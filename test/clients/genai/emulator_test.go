package genai_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"cloud.google.com/go/auth"
	"google.golang.org/genai"
)

// emulate runs gemwire emulate until the test ends, and returns its address. With
// GEMWIRE_THROUGH_GATEWAY that is the address of a gateway in front of it, or of one with a fake
// server of its own where there are no flags.
func emulate(t *testing.T, flags ...string) string {
	t.Helper()
	if !isThroughGateway() {
		return run(t, append([]string{"emulate"}, flags...)...)
	}
	if len(flags) == 0 {
		return run(t, "serve")
	}
	return run(t, "serve", "--callers-key", "--base-url",
		run(t, append([]string{"emulate"}, flags...)...))
}

func isThroughGateway() bool { return os.Getenv("GEMWIRE_THROUGH_GATEWAY") != "" }

// listening finds the address in what the commands say.
var listening = regexp.MustCompile(`listening (?:on |.*url=)(http:\S+)`)

// run runs the gemwire command until the test ends, and returns where it listens.
func run(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Getenv("GEMWIRE_COMMAND"),
		append(args, "--addr", "127.0.0.1:0")...)
	// without the keys of who runs the tests
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	stderr, err := cmd.StderrPipe()
	check(t, err)
	check(t, cmd.Start())
	lines := bufio.NewScanner(stderr)
	var before strings.Builder
	for lines.Scan() {
		if address := listening.FindStringSubmatch(lines.Text()); address != nil {
			go io.Copy(io.Discard, stderr)
			// runs after the end of the test's context, which stops the command
			t.Cleanup(func() { _ = cmd.Wait() })
			return address[1]
		}
		before.WriteString(lines.Text() + "\n")
	}
	t.Fatalf("gemwire %s does not say where it listens: %v, %s", args[0], cmd.Wait(),
		before.String())
	return ""
}

// TestMain builds the command when GEMWIRE_COMMAND does not name it.
func TestMain(m *testing.M) {
	os.Exit(runWithCommand(m))
}

func runWithCommand(m *testing.M) int {
	if os.Getenv("GEMWIRE_COMMAND") != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "gemwire-genai-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "gemwire")
	build := exec.Command("go", "build", "-o", path, "./server/cmd/gemwire")
	build.Dir = filepath.Join("..", "..", "..")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	os.Setenv("GEMWIRE_COMMAND", path)
	return m.Run()
}

// newClient returns a client of the Gemini API.
func newClient(t *testing.T, baseURL, key string) *genai.Client {
	t.Helper()
	client, err := genai.NewClient(t.Context(), &genai.ClientConfig{
		APIKey: key, Backend: genai.BackendGeminiAPI,
		HTTPOptions: genai.HTTPOptions{BaseURL: baseURL},
	})
	check(t, err)
	return client
}

// newVertexClient returns a client of Vertex AI, which identifies itself by a token.
func newVertexClient(t *testing.T, baseURL string) *genai.Client {
	t.Helper()
	client, err := genai.NewClient(t.Context(), &genai.ClientConfig{
		Backend: genai.BackendVertexAI, Project: "acme", Location: "europe-west4",
		Credentials: auth.NewCredentials(&auth.CredentialsOptions{TokenProvider: token{}}),
		HTTPOptions: genai.HTTPOptions{BaseURL: baseURL},
	})
	check(t, err)
	return client
}

// newExpressClient returns a client of Vertex AI that has a key and no project.
func newExpressClient(t *testing.T, baseURL string) *genai.Client {
	t.Helper()
	client, err := genai.NewClient(t.Context(), &genai.ClientConfig{
		APIKey: "any", Backend: genai.BackendVertexAI,
		HTTPOptions: genai.HTTPOptions{BaseURL: baseURL},
	})
	check(t, err)
	return client
}

type token struct{}

func (token) Token(context.Context) (*auth.Token, error) {
	return &auth.Token{Value: "ya29.none", Expiry: time.Now().Add(time.Hour)}, nil
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
