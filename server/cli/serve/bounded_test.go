package serve_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// heap returns the bytes that are in use when all garbage is gone.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // what pools held over the first
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// settle waits until there are at most n goroutines, and returns their number.
func settle(want int) int {
	for deadline := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > want &&
		time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	return runtime.NumGoroutine()
}

// connections is the number of goroutines of the connections between 8 clients, the gateway and the
// server. It varies a little. A leak in some hundred requests would be larger.
const connections = 50

// TestMemoryAndGoroutinesAreFlat is BerriAI/litellm#12685, #15128, #27954, #38193 and #18367: mixed
// traffic, images in it, with the inspector keeping bodies, does not make the process grow. Not
// parallel, as it counts.
func TestMemoryAndGoroutinesAreFlat(t *testing.T) {
	r := serve(t, "--inspect", "--inspect-addr", "127.0.0.1:0", "--inspect-bodies",
		"--inspect-count", "500", "--alias",
		"gpt-4o=gemini-3.6-flash")
	image := strings.Repeat("iVBORw0KGgoA", 4096)
	bodies := []string{
		`{"model":"gpt-4o","messages":[{"role":"user","content":"hello"}]}`,
		`{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"hello"}]}`,
		`{"model":"gpt-4o","messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}}]}`,
		`{"model":"gpt-4o","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,` +
			image + `"}}]}]}`,
		`{"model":"no-such-model","messages":[{"role":"user","content":"x"}]}`,
		`{"model":`,
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	defer client.CloseIdleConnections()
	traffic := func(requests int) {
		var wait sync.WaitGroup
		for worker := range 8 {
			wait.Go(func() {
				for i := range requests / 8 {
					ctx, cancel := context.WithCancel(t.Context())
					request, err := http.NewRequestWithContext(ctx, http.MethodPost,
						r.URL+"/v1/chat/completions",
						strings.NewReader(bodies[(worker+i)%len(bodies)]))
					if err != nil {
						t.Error(err)
					} else if reply, err := client.Do(request); err == nil {
						if i%7 != 0 { // or the client leaves
							_, _ = io.Copy(io.Discard, reply.Body)
						}
						reply.Body.Close()
					}
					cancel()
				}
			})
		}
		wait.Wait()
	}
	rounds, requests := 3, 800
	if testing.Short() {
		rounds, requests = 2, 600 // which fills the inspector
	}
	traffic(requests)
	client.CloseIdleConnections()
	time.Sleep(200 * time.Millisecond) // until both sides have seen that
	r.Stderr.Forget()
	before, goroutines := heap(), runtime.NumGoroutine()
	for range rounds {
		traffic(requests)
	}
	client.CloseIdleConnections()
	left := settle(goroutines + connections)
	r.Stderr.Forget()
	after := heap()
	t.Logf("%d requests: heap from %d to %d KiB, goroutines from %d to %d", rounds*requests,
		before>>10, after>>10, goroutines, left)
	if after > before+before/4+(4<<20) {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
	if left > goroutines+connections {
		t.Errorf("there are %d goroutines, and were %d", left, goroutines)
	}
}

// TestAServerThatNeverAnswersHoldsNothing is QuantumNous/new-api#6947: goroutines that wait for
// headers for ever. Not parallel, as it counts.
func TestAServerThatNeverAnswersHoldsNothing(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	defer silent.Close()
	folder := t.TempDir()
	key, file := filepath.Join(folder, "key"), filepath.Join(folder, "gateway.yaml")
	if err := os.WriteFile(key, []byte("key-of-a-test"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file,
		[]byte("models: {default: {first_byte: 200ms, overall: 500ms}}\nmax_attempts: 1"),
		0o600); err != nil {
		t.Fatal(err)
	}
	r := serve(t, "--base-url", silent.URL, "--api-key-file", key, "--config", file)
	text(t, r.ask(t, "gemini-x", false))
	http.DefaultClient.CloseIdleConnections()
	goroutines := runtime.NumGoroutine()
	for i := range 20 {
		began := time.Now()
		reply := r.ask(t, "gemini-x", i%2 == 0)
		body := text(t, reply)
		if reply.StatusCode < 500 || !strings.Contains(body, `"error"`) ||
			time.Since(began) > 20*time.Second {
			t.Errorf("%d %s after %v", reply.StatusCode, body, time.Since(began))
		}
		reply.Body.Close()
	}
	http.DefaultClient.CloseIdleConnections()
	if left := settle(goroutines); left > goroutines {
		buf := make([]byte, 1<<20)
		t.Errorf("there are %d goroutines, and were %d\n%s", left, goroutines,
			buf[:runtime.Stack(buf, true)])
	}
}

// A client that asks for metrics and reads none, which needs no key, is cut off.
func TestAClientThatDoesNotReadMetricsIsCutOff(t *testing.T) {
	t.Parallel()
	shared := serve(t, "--write-timeout", "300ms")
	own := serve(t, "--write-timeout", "300ms", "--metrics-addr", "127.0.0.1:0")
	ownURL := own.Stderr.WaitFor(t, `msg=metrics url=(http://127\.0\.0\.1:[0-9]+)/metrics`)[1]
	for r, url := range map[*running]string{shared: shared.URL, own: ownURL} {
		address := strings.TrimPrefix(url, "http://")
		text(t, r.ask(t, "gemini-3.6-flash", false))
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		// The client asks again and again and reads nothing, until the server closes the
		// connection.
		_ = conn.SetWriteDeadline(time.Now().Add(time.Minute))
		for err == nil {
			_, err = io.WriteString(conn, "GET /metrics HTTP/1.1\r\nHost: "+address+"\r\n\r\n")
		}
		if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
			t.Errorf("%s: the connection is still open after a minute: %v", address, err)
		}
	}
}
