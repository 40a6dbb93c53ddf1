package genai_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cloud.google.com/go/auth"
	"google.golang.org/genai"
)

// emulate runs gemwire emulate until the test ends, and returns its address.
func emulate(t *testing.T, flags ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Getenv("GEMWIRE_COMMAND"), append([]string{"emulate", "--addr", "127.0.0.1:0"}, flags...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	stderr, err := cmd.StderrPipe()
	check(t, err)
	check(t, cmd.Start())
	lines := bufio.NewScanner(stderr)
	var before strings.Builder
	for lines.Scan() {
		if _, address, found := strings.Cut(lines.Text(), "listening on "); found {
			t.Cleanup(func() { _ = cmd.Wait() }) // runs behind the end of the test's context, which stops the command
			return address
		}
		before.WriteString(lines.Text() + "\n")
	}
	t.Fatalf("gemwire emulate does not say where it listens: %v, %s", cmd.Wait(), before.String())
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
	build := exec.Command("go", "build", "-o", path, "./cmd/gemwire")
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
		APIKey: key, Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: baseURL},
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
		APIKey: "any", Backend: genai.BackendVertexAI, HTTPOptions: genai.HTTPOptions{BaseURL: baseURL},
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
