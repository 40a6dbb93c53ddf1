package serve_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gemwire/gemwire/server/cli/clitest"
)

// TestMain removes the user's own credentials from the tests' environment.
func TestMain(m *testing.M) {
	if arguments := os.Getenv(crashArguments); arguments != "" {
		os.Exit(runArguments(arguments))
	}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "GEMWIRE_") || strings.HasPrefix(name, "GEMINI_") ||
			strings.HasPrefix(name, "GOOGLE_") || strings.HasPrefix(name, "OTEL_") ||
			name == "NOTIFY_SOCKET" {
			os.Unsetenv(name)
		}
	}
	os.Exit(m.Run())
}

// running is a `gemwire serve`.
type running struct{ *clitest.Process }

// serve starts the command on a free port, and waits for its address.
func serve(t *testing.T, args ...string) *running {
	t.Helper()
	args = append([]string{"serve", "--addr", "127.0.0.1:0", "--log-level", "debug"}, args...)
	return &running{clitest.Start(t, `msg=listening url=(http://127\.0\.0\.1:[1-9][0-9]*) `,
		args...)}
}

// ask posts a chat completion for a model.
func (r *running) ask(t *testing.T, model string, stream bool) *http.Response {
	t.Helper()
	body := fmt.Sprintf(`{"model":%q,"stream":%v,"messages":[{"role":"user","content":"hello"}]}`,
		model, stream)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		r.URL+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reply.Body.Close() })
	return reply
}

// text reads a body to its end.
func text(t *testing.T, reply *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Errorf("%v after %q", err, body)
	}
	return string(body)
}

// slowGemini streams a first chunk at once, and the rest when it is released.
type slowGemini struct {
	*httptest.Server
	calls   atomic.Int64
	release chan struct{}
}

func newSlowGemini(t *testing.T) *slowGemini {
	t.Helper()
	s := &slowGemini{release: make(chan struct{})}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.calls.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		chunk := func(text, finish string) {
			fmt.Fprintf(w,
				"data: {\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":%q}]}%s}]}\n\n",
				text, finish)
			_ = http.NewResponseController(w).Flush()
		}
		chunk("first ", "")
		select {
		case <-s.release:
			chunk("last", `,"finishReason":"STOP"`)
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// upstream returns the flags that call it.
func (s *slowGemini) upstream(t *testing.T) []string {
	t.Helper()
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("key-of-a-test"), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"--base-url", s.URL, "--api-key-file", key}
}

// firstChunk reads a stream up to its first content.
func firstChunk(t *testing.T, reply *http.Response) *bufio.Reader {
	t.Helper()
	stream := bufio.NewReader(reply.Body)
	for {
		line, err := stream.ReadString('\n')
		if err != nil {
			t.Fatalf("%d: %q, %v", reply.StatusCode, line, err)
		}
		if strings.Contains(line, "first ") {
			return stream
		}
	}
}
