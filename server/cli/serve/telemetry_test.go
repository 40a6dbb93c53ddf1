package serve_test

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
)

// TestACollectorOfOpenTelemetryGetsRequestsAndJobs is not parallel: the environment names the
// collector.
func TestACollectorOfOpenTelemetryGetsRequestsAndJobs(t *testing.T) {
	var mu sync.Mutex
	told := map[string]*bytes.Buffer{"/v1/traces": {}, "/v1/metrics": {}}
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body io.Reader = r.Body
		if r.Header.Get("Content-Encoding") == "gzip" {
			body, _ = gzip.NewReader(r.Body)
		}
		mu.Lock()
		defer mu.Unlock()
		if to := told[r.URL.Path]; to != nil {
			_, _ = io.Copy(to, body)
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_SERVICE_NAME", "my-gateway")
	r := serve(t, "--store", filepath.Join(t.TempDir(), "bulk"))
	r.endedBatch(t, r.beginBatch(t, 2).ID)
	text(t, r.ask(t, "gemini-3.6-flash", false))
	if code := r.Terminate(t); code != 0 {
		t.Errorf("exit code %d\n%s", code, r.Stderr)
	}
	mu.Lock()
	defer mu.Unlock()
	for path, wants := range map[string][]string{
		"/v1/traces":  {"chat gemini-3.6-flash", "bulk job", "bulk range", "my-gateway", "gen_ai.usage.output_tokens"},
		"/v1/metrics": {"gen_ai.server.request.duration", "gen_ai.client.token.usage"},
	} {
		for _, want := range wants {
			if got := told[path].String(); !strings.Contains(got, want) {
				t.Errorf("%s gets %d bytes, without %s", path, len(got), want)
			}
		}
	}
	if strings.Contains(told["/v1/traces"].String(), "You said") {
		t.Error("spans have answers")
	}
}
