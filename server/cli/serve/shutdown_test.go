package serve_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func TestStreamsInFlightFinishAtTheEnd(t *testing.T) {
	t.Parallel()
	upstream := newSlowGemini(t)
	r := serve(t, append(upstream.upstream(t), "--shutdown-delay", "300ms", "--shutdown-grace",
		"30s")...)
	stream := firstChunk(t, r.ask(t, "gemini-x", true))
	code := make(chan int, 1)
	go func() { code <- r.Terminate(t) }()

	// First /readyz fails, while requests are still accepted.
	r.Stderr.WaitFor(t, `msg="shutting down: no longer ready" delay=300ms`)
	if status, _ := r.Get(t, "/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("/readyz is %d at the end", status)
	}
	if status, _ := r.Get(t, "/healthz"); status != http.StatusOK {
		t.Errorf("/healthz is %d at the end", status)
	}
	late := firstChunk(t, r.ask(t, "gemini-x", true))

	// Then the streams continue to their end.
	r.Stderr.WaitFor(t, `msg="shutting down: waiting for requests in flight"`)
	select {
	case code := <-code:
		t.Fatalf("the command has ended by %d, and streams are open", code)
	case <-time.After(50 * time.Millisecond):
	}
	close(upstream.release)
	for _, open := range []io.Reader{stream, late} {
		if rest, err := io.ReadAll(open); err != nil || !strings.Contains(string(rest), "last") ||
			!strings.HasSuffix(string(rest), "data: [DONE]\n\n") {
			t.Errorf("%s, %v", rest, err)
		}
	}
	if code := <-code; code != 0 {
		t.Errorf("exit code %d\n%s", code, r.Stderr)
	}
}

func TestStreamsAreCutOffWhenTheirTimeIsOver(t *testing.T) {
	t.Parallel()
	upstream := newSlowGemini(t) // which never continues
	r := serve(t, append(upstream.upstream(t), "--shutdown-grace", "100ms")...)
	stream := firstChunk(t, r.ask(t, "gemini-x", true))
	began := time.Now()
	// as for any command that a signal ended before it was done
	if code := r.Terminate(t); code != 143 {
		t.Errorf("exit code %d", code)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	if rest, _ := io.ReadAll(stream); strings.Contains(string(rest), "[DONE]") {
		t.Errorf("a stream that was cut off looks complete: %s", rest)
	}
	if !strings.Contains(r.Stderr.String(), "requests were cut off") {
		t.Error(r.Stderr)
	}
}

// The HTTP server does not know the connections of WebSockets, so the gateway ends them itself.
func TestWebSocketsEndAtTheEnd(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		grace  string
		code   int
		frame  string
		isHeld bool // the upstream answers only after the end of the grace
	}{
		"in time":  {"30s", 0, "response.completed", false},
		"too late": {"100ms", 143, "shutting down", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			upstream := newSlowGemini(t)
			r := serve(t, append(upstream.upstream(t), "--shutdown-grace", tc.grace)...)
			conn, _, err := websocket.Dial(t.Context(), r.URL+"/v1/responses", nil)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.CloseNow()
			conn.SetReadLimit(-1)
			message := `{"type":"response.create","model":"gemini-x","input":"hello"}`
			if err := conn.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
				t.Fatal(err)
			}
			if _, _, err := conn.Read(t.Context()); err != nil { // the response has begun
				t.Fatal(err)
			}
			code := make(chan int, 1)
			go func() { code <- r.Terminate(t) }()
			r.Stderr.WaitFor(t, `msg="shutting down: waiting for requests in flight"`)
			if !tc.isHeld {
				close(upstream.release)
			}
			var last string
			for {
				_, data, err := conn.Read(t.Context())
				if err != nil {
					if got := websocket.CloseStatus(err); got != websocket.StatusGoingAway {
						t.Errorf("closed with %d: %v", got, err)
					}
					break
				}
				last = string(data)
			}
			if !strings.Contains(last, tc.frame) {
				t.Errorf("the last frame is %s", last)
			}
			if got := <-code; got != tc.code {
				t.Errorf("the process ended with %d", got)
			}
		})
	}
}
