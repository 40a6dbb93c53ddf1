package batch_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/server/cli/clitest"
)

// startWorker starts a worker for a folder, with an address for metrics. It waits until the worker
// prints the address.
func startWorker(t *testing.T, store string) *clitest.Process {
	t.Helper()
	return clitest.Start(t, `at (http://127\.0\.0\.1:[1-9][0-9]*)\n`,
		"worker", "--store", store, "--upstream", "embedded", "--metrics-addr", "127.0.0.1:0")
}

func TestAWorkerAnswersScrapesAndProbes(t *testing.T) {
	t.Parallel()
	store := t.TempDir()
	submitted := gemwire(t.Context(), "batch", "submit", example(t), "--store", store)
	w := startWorker(t, store)
	if watched := gemwire(t.Context(), "batch", "watch", strings.TrimSpace(submitted.stdout),
		"--store", store); watched.code != 0 {
		t.Fatal(watched)
	}
	for path, want := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n"} {
		if status, body := w.Get(t, path); status != http.StatusOK || body != want {
			t.Errorf("%s: %d %q", path, status, body)
		}
		if code := gemwire(t.Context(), "health", "--addr", strings.TrimPrefix(w.URL, "http://"),
			"--ready").code; code != 0 {
			t.Errorf("gemwire health: %d", code)
		}
	}
	_, text := w.Get(t, "/metrics")
	for _, want := range []string{
		`gemwire_bulk_jobs_total{state="completed"} 1`,
		`gemwire_bulk_lines_total{executor="live",status="200"} 100`,
		`gemwire_requests_total{client="",form="chat_completions",model="gemini-3.6-flash",status="200"} 100`,
		"go_goroutines ",
	} {
		if !strings.Contains(text, "\n"+want) {
			t.Errorf("/metrics has no %s\n%s", want, text)
		}
	}
	if code := w.Terminate(t); code != 0 {
		t.Errorf("exit code %d\n%s", code, w.Stderr)
	}
}

func TestAnAddressForScrapesThatIsTakenIsReported(t *testing.T) {
	t.Parallel()
	taken := httptest.NewServer(nil)
	defer taken.Close()
	addr := strings.TrimPrefix(taken.URL, "http://")
	got := gemwire(t.Context(), "worker", "--store", t.TempDir(), "--upstream", "embedded",
		"--metrics-addr", addr)
	if want := "gemwire: " + addr + ": cannot listen there: "; got.code != 1 ||
		!strings.HasPrefix(got.stderr, want) {
		t.Error(got)
	}
}

// collector is an OpenTelemetry collector that records what it receives.
type collector struct {
	mu       sync.Mutex
	reported map[string]*bytes.Buffer // by the path
}

func newCollector(t *testing.T) *collector {
	c := &collector{reported: map[string]*bytes.Buffer{"/v1/traces": {}, "/v1/metrics": {}}}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	return c
}

// ServeHTTP implements [http.Handler].
func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		body, _ = gzip.NewReader(r.Body)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if to := c.reported[r.URL.Path]; to != nil {
		_, _ = io.Copy(to, body)
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// wasTold fails if the collector did not receive a text at a path.
func (c *collector) wasTold(t *testing.T, path string, wants ...string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, want := range wants {
		if got := c.reported[path].String(); !strings.Contains(got, want) {
			t.Errorf("%s gets %d bytes, without %s", path, len(got), want)
		}
	}
	if strings.Contains(c.reported[path].String(), "You said") {
		t.Errorf("%s gets answers", path)
	}
}

// TestACollectorOfOpenTelemetryGetsJobs does not run in parallel, because it sets the collector in
// the environment.
func TestACollectorOfOpenTelemetryGetsJobs(t *testing.T) {
	t.Run("by a worker", func(t *testing.T) {
		c, store := newCollector(t), t.TempDir()
		submitted := gemwire(t.Context(), "batch", "submit", example(t), "--store", store)
		w := startWorker(t, store)
		if watched := gemwire(t.Context(), "batch", "watch", strings.TrimSpace(submitted.stdout),
			"--store", store); watched.code != 0 {
			t.Fatal(watched)
		}
		if code := w.Terminate(t); code != 0 {
			t.Errorf("exit code %d\n%s", code, w.Stderr)
		}
		c.wasTold(t, "/v1/traces", "bulk job", "bulk range", "chat gemini-3.6-flash",
			strings.TrimSpace(submitted.stdout))
		c.wasTold(t, "/v1/metrics", "gen_ai.client.token.usage")
	})
	t.Run("by run and retry", func(t *testing.T) {
		c, store, out := newCollector(t), t.TempDir(), filepath.Join(t.TempDir(), "out.jsonl")
		in := write(t, "in.jsonl", chat("good", "hello", ""),
			chat("bad", "hello", `"temperature":9,`))
		if got := gemwire(t.Context(), "batch", "run", in, "--out", out, "--store", store,
			"--no-validation"); got.code != 1 {
			t.Fatal(got)
		}
		c.wasTold(t, "/v1/traces", "bulk job", "bulk range", "chat gemini-3.6-flash")
		c.reported["/v1/traces"].Reset()
		if got := gemwire(t.Context(), "batch", "retry", "--out", out+".again", "--store",
			store); got.code != 1 {
			t.Fatal(got)
		}
		c.wasTold(t, "/v1/traces", "bulk job", "bulk range")
	})
}
