package gateway_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// streamPaths are the streams of Google's own form.
var streamPaths = []string{nativeSSE, nativeArray}

// An attempt that is slow and empty comes before the answer. The client has had heartbeats.
func TestAStreamWithHeartbeatsIsRepeated(t *testing.T) {
	for name, second := range map[string][]geminitest.Block{
		"an answer": {geminitest.Text("It rains.")}, "an error": {geminitest.Unavailable()},
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				server := geminitest.NewServer(t, geminitest.WithScript(
					geminitest.On(geminitest.Prompt("hello")).Reply(geminitest.Chunk(emptyBegin),
						geminitest.Pause(2*time.Minute), geminitest.Chunk(emptyStop)).Times(1),
					geminitest.On(geminitest.Prompt("hello")).Reply(second...)))
				d := &diary{}
				answer := post(gatewayOf(t, server, gateway.WithObserver(d), gateway.WithMaxAttempts(1)),
					nativeSSE, nativeHello)
				body := answer.Body.String()
				if answer.Code != http.StatusOK || len(server.Requests()) != 2 ||
					answer.Header().Get("Content-Type") != "text/event-stream" ||
					!strings.HasPrefix(body, "\r\n\r\n\r\n\r\n") || strings.Contains(body, `"text": ""`) {
					t.Errorf("HTTP %d, %v: %q", answer.Code, answer.Header(), body)
				}
				if name == "an answer" {
					hasAll(t, body, "It rains.")
				} else {
					hasAll(t, body, `"code":503`)
				}
			})
		})
	}
}

// A stream that is not held back begins at once.
func TestALargeChunkThatShowsNothingIsNotHeldBack(t *testing.T) {
	const wait = time.Minute
	large := `{"candidates":[{"content":{"role":"model","parts":[{"text":""}]}}],"responseId":"` +
		strings.Repeat("x", 1<<20) + `"}`
	for _, path := range streamPaths {
		t.Run(path, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				d, server := &diary{}, geminitest.NewServer(t, geminitest.WithScript(
					geminitest.On(geminitest.Prompt("hello")).Reply(geminitest.Chunk(large),
						geminitest.Pause(wait), geminitest.Text("two"))))
				answer := post(gatewayOf(t, server, gateway.WithObserver(d)), path, nativeHello)
				if first := d.last().end.FirstToken; answer.Code != http.StatusOK || first >= wait {
					t.Errorf("HTTP %d, began after %v", answer.Code, first)
				}
				hasAll(t, answer.Body.String(), "two", "xxx")
			})
		})
	}
}

// Each candidate of a stream has its own end.
func TestACandidateWithoutContentDoesNotHideAnother(t *testing.T) {
	t.Parallel()
	const first = `{"candidates":[{"index":0,"content":{"role":"model","parts":[]},` +
		`"finishReason":"STOP"}]}`
	const second = `{"candidates":[{"index":1,"content":{"role":"model",` +
		`"parts":[{"text":"Hail."}]},"finishReason":"STOP"}]}`
	for _, path := range append(streamPaths, chatPath) {
		body := nativeHello
		if path == chatPath {
			body = `{"model":"gemini-3.6-flash","n":2,"stream":true,` +
				`"messages":[{"role":"user","content":"hello"}]}`
		}
		server := geminitest.NewServer(t, geminitest.WithScript(
			geminitest.On().Reply(geminitest.Chunk(first), geminitest.Chunk(second))))
		answer := post(gatewayOf(t, server), path, body)
		if calls := len(server.Requests()); calls != 1 {
			t.Errorf("%s: %d calls", path, calls)
		}
		hasAll(t, answer.Body.String(), "Hail.")
	}
}

func TestABlockedPromptOfGooglesFormIsNotRepeated(t *testing.T) {
	t.Parallel()
	for way, path := range nativeWays {
		server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
			geminitest.Chunk(`{"promptFeedback":{"blockReason":"SAFETY"}}`))))
		answer := post(gatewayOf(t, server), path, nativeHello)
		if calls := len(server.Requests()); answer.Code != http.StatusOK || calls != 1 {
			t.Errorf("%s: HTTP %d after %d calls", way, answer.Code, calls)
		}
	}
}

// The recorder gets the chunks of an attempt that fails before it shows anything.
func TestChunksBeforeAnErrorAreRecorded(t *testing.T) {
	t.Parallel()
	for _, path := range streamPaths {
		d, server := &diary{wantsBodies: true}, geminitest.NewServer(t, geminitest.WithScript(
			geminitest.On().Reply(geminitest.Chunk(emptyBegin), geminitest.Cut()).Times(1),
			geminitest.On().Reply(geminitest.Chunk(usableReply))))
		answer := post(gatewayOf(t, server, gateway.WithObserver(d)), path, nativeHello)
		if got := d.last().told(); answer.Code != http.StatusOK || len(server.Requests()) != 2 ||
			strings.Count(got, "upstream chunk") != 2 {
			t.Errorf("%s: HTTP %d after %d calls: %s", path, answer.Code, len(server.Requests()), got)
		}
	}
}
