package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/cli"
	"github.com/gemwire/gemwire/internal/cli/process"
)

// TestMain leaves the tests no credentials of who runs them.
func TestMain(m *testing.M) {
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "GEMWIRE_") || strings.HasPrefix(name, "GEMINI_") || strings.HasPrefix(name, "GOOGLE_") || strings.HasPrefix(name, "OTEL_") || name == "NOTIFY_SOCKET" {
			os.Unsetenv(name)
		}
	}
	os.Exit(m.Run())
}

// running is a `gemwire serve`.
type running struct {
	url    string
	stop   context.CancelCauseFunc
	hangUp func() bool
	exit   chan int
	log    *lines
	stdout *lines
}

// lines is a text that one writes and another reads.
type lines struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// forget empties the text.
func (l *lines) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = bytes.Buffer{}
}

// waitFor waits until a text matches, and returns the groups.
func (l *lines) waitFor(t *testing.T, pattern string) []string {
	t.Helper()
	wanted := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if found := wanted.FindStringSubmatch(l.String()); found != nil {
			return found
		}
	}
	t.Fatalf("no %s in\n%s", pattern, l)
	return nil
}

// serve starts the command on a free port, and waits for its address.
func serve(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, stop := context.WithCancelCause(t.Context())
	ctx, interrupts := process.WithInterrupts(ctx)
	r := &running{stop: stop, exit: make(chan int, 1), log: new(lines), stdout: new(lines)}
	r.hangUp = func() bool { return interrupts.Caught(syscall.SIGHUP) }
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.exit <- cli.Run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0", "--log-level", "debug"}, args...), strings.NewReader(""), r.stdout, r.log)
	}()
	t.Cleanup(func() {
		stop(nil)
		<-ended
	})
	r.url = r.log.waitFor(t, `msg=listening url=(http://127\.0\.0\.1:[1-9][0-9]*) `)[1]
	return r
}

// terminate ends the command as SIGTERM does, and returns its exit code.
func (r *running) terminate() int {
	r.stop(&process.SignalError{Signal: syscall.SIGTERM})
	return <-r.exit
}

// get returns the status and the body of a path.
func (r *running) get(t *testing.T, path string) (int, string) {
	t.Helper()
	reply, err := http.Get(r.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, string(body)
}

// ask posts a chat completion for a model.
func (r *running) ask(t *testing.T, model string, stream bool) *http.Response {
	t.Helper()
	body := fmt.Sprintf(`{"model":%q,"stream":%v,"messages":[{"role":"user","content":"hello"}]}`, model, stream)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+"/v1/chat/completions", strings.NewReader(body))
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
		t.Errorf("%v behind %q", err, body)
	}
	return string(body)
}

// slowGemini streams a first chunk at once, and the rest when it may go on.
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
			fmt.Fprintf(w, "data: {\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":%q}]}%s}]}\n\n", text, finish)
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
