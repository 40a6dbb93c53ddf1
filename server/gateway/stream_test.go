package gateway_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/server/gateway"
)

// timedAnswer is an answer that records the time and the content of each flush.
type timedAnswer struct {
	*httptest.ResponseRecorder
	start   time.Time
	mu      sync.Mutex
	flushed int
	flushes []flush
}

type flush struct {
	at   time.Duration
	data string
}

func newTimedAnswer() *timedAnswer {
	return &timedAnswer{ResponseRecorder: httptest.NewRecorder(), start: time.Now()}
}

func (a *timedAnswer) Flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ResponseRecorder.Flush()
	a.flushes = append(a.flushes, flush{time.Since(a.start), a.Body.String()[a.flushed:]})
	a.flushed = a.Body.Len()
}

// chat posts a request whose answer is timed.
func (a *timedAnswer) chat(ctx context.Context, handler http.Handler, body string) {
	handler.ServeHTTP(a,
		httptest.NewRequestWithContext(ctx, http.MethodPost, chatPath, strings.NewReader(body)))
}

// Load balancers close connections that are silent for a minute, and some clients after 20 s.
func TestSilentStreamIsKeptAlive(t *testing.T) {
	t.Parallel()
	silence := geminitest.On().Reply(geminitest.Pause(46500*time.Millisecond),
		geminitest.Text("late"))
	for name, tc := range map[string]struct {
		opt        gateway.Option
		heartbeats int // at 5, 15, 25, 35 and 45 s
		begins     time.Duration
	}{
		"by default":   {nil, 5, 5 * time.Second},
		"by chunks":    {gateway.WithHeartbeat(gateway.HeartbeatChunk, 10*time.Second), 5, 5 * time.Second},
		"not at all":   {gateway.WithHeartbeat(gateway.HeartbeatOff, 10*time.Second), 0, 5 * time.Second},
		"often":        {gateway.WithHeartbeat(gateway.HeartbeatComment, time.Second), 42, 5 * time.Second},
		"longer grace": {gateway.WithFirstChunkWait(30 * time.Second), 2, 30 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := geminitest.NewServer(t, geminitest.WithScript(silence))
			answer := newTimedAnswer()
			answer.chat(t.Context(), gatewayOf(t, server, tc.opt), streamed(hello))
			chunks := chunksOf(t, answer.Body.Bytes())
			if got := textOf(chunks); got != "late" {
				t.Errorf("%s: answered %q", name, got)
			}
			heartbeats := strings.Count(answer.Body.String(), ": keep-alive\n\n")
			for _, chunk := range chunks {
				if chunk.ID != chunks[0].ID || chunk.Model != chunks[0].Model ||
					chunk.Created != chunks[0].Created {
					t.Errorf("%s: the chunks are of several answers: %s", name, answer.Body)
				}
				if len(chunk.Choices) == 0 {
					heartbeats++
				}
			}
			if heartbeats != tc.heartbeats {
				t.Errorf("%s: %d heartbeats, expected %d", name, heartbeats, tc.heartbeats)
			}
			if first := answer.flushes[0].at; first != tc.begins {
				t.Errorf("%s: the answer began after %s", name, first)
			}
		})
	}
}

// Intermediaries between gateway and client may only pass on what they received.
func TestEachChunkIsFlushedAsItComes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
			geminitest.Text("one "), geminitest.Pause(time.Second), geminitest.Text("two "),
			geminitest.Pause(time.Second), geminitest.Text("three"))))
		answer := newTimedAnswer()
		answer.chat(t.Context(), gatewayOf(t, server), streamed(hello))
		for i, word := range []string{"one", "two", "three"} {
			if f := answer.flushes[i]; f.at != time.Duration(i)*time.Second ||
				!strings.Contains(f.data, word) {
				t.Errorf("flush %d is at %s: %s", i, f.at, f.data)
			}
		}
		if got := textOf(chunksOf(t, answer.Body.Bytes())); got != "one two three" {
			t.Errorf("answered %q", got)
		}
	})
}

// A scanner with the usual limit of 64 KiB for a line cuts such a stream.
func TestSignatureOfAMegabyteComesThrough(t *testing.T) {
	t.Parallel()
	signature := strings.Repeat("c2lnbmF0dXJl", 1<<20/12)
	server := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Signed(signature,
			geminitest.Text("x"))).Unchecked()))
	answer := post(gatewayOf(t, server), chatPath, streamed(hello))
	if chunksOf(t, answer.Body.Bytes()); !strings.Contains(answer.Body.String(), signature) {
		t.Error("the signature is not in the stream")
	}
}

func TestAFailureAfterTheGraceIsTheLastEvent(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reply []geminitest.Block
		code  string
		text  string
	}{
		"before the first chunk": {[]geminitest.Block{geminitest.TTFT(20 * time.Second), geminitest.Text("late"), geminitest.Unavailable()}, "server_error", "late"},
		"an error after a text":  {[]geminitest.Block{geminitest.Text("some"), geminitest.RateLimited(time.Second)}, "rate_limit_exceeded", "some"},
		"a cut":                  {[]geminitest.Block{geminitest.Text("some "), geminitest.Text("more"), geminitest.Cut()}, "", "some"},
		"a stream that stops":    {[]geminitest.Block{geminitest.Text("some"), geminitest.Truncate()}, "", "some"},
		"garbage":                {[]geminitest.Block{geminitest.Text("some"), geminitest.Garbage()}, "", "some"},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := geminitest.NewServer(t,
				geminitest.WithScript(geminitest.On().Reply(tc.reply...)))
			answer := newTimedAnswer()
			answer.chat(t.Context(), gatewayOf(t, server), streamed(hello))
			if answer.Code != http.StatusOK || answer.Header().Get("Retry-After") != "" {
				t.Errorf("%s: HTTP %d, %v", name, answer.Code, answer.Header())
			}
			events := descriptiontest.OpenAIStream(t, answer.Body.Bytes())
			last := events[len(events)-1]
			e, err := openai.DecodeErrorResponse([]byte(last))
			if err != nil || e.Error.Message == "" ||
				e.Error.Type != "server_error" && e.Error.Type != "rate_limit_error" {
				t.Fatalf("%s: the last event is %s", name, last)
			}
			if tc.code != "" && jsonx.Deref(e.Error.Code) != tc.code {
				t.Errorf("%s: the error is %s", name, last)
			}
			if !strings.Contains(answer.Body.String(), tc.text) ||
				strings.Contains(answer.Body.String(), "[DONE]") {
				t.Errorf("%s: the stream is %s", name, answer.Body)
			}
		})
	}
}

func TestAFailureAfterAHeartbeatIsAnEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		doer := gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			time.Sleep(20 * time.Second)
			return nil, errors.New("connection refused")
		})
		answer := newTimedAnswer()
		answer.chat(t.Context(),
			newGateway(t, gateway.WithUpstream(upstreamBy(doer)), gateway.WithMaxAttempts(1)),
			streamed(hello))
		events := descriptiontest.OpenAIStream(t, answer.Body.Bytes())
		if answer.Code != 200 || len(events) != 1 || !strings.HasPrefix(events[0], `{"error":{`) {
			t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
		}
		if got := len(answer.flushes); got != 3 { // at 5, 15 and 20 s
			t.Errorf("%d flushes", got)
		}
	})
}

func upstreamBy(doer gemini.Doer) gateway.Upstream {
	return gateway.Upstream{
		Service:  gateway.GeminiAPI,
		Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")}, HTTPClient: doer,
	}
}

// If a client disconnects, the upstream continues and charges for it.
func TestClientThatLeavesEndsTheCallWithin100Milliseconds(t *testing.T) {
	t.Parallel()
	const chunk = "data: {\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"some\"}]}}]}\n\n"
	for name, tc := range map[string]struct {
		path, body string
		first      string // what the upstream has sent before
	}{
		"whole answer":                {chatPath, hello, ""},
		"before the first token":      {chatPath, streamed(hello), ""},
		"within the stream":           {chatPath, streamed(hello), chunk},
		"embeddings":                  {"/v1/embeddings", `{"model":"gemini-embedding-001","input":"x"}`, ""},
		"native, whole":               {nativeWhole, nativeHello, ""},
		"native, before the first":    {nativeSSE, nativeHello, ""},
		"native, within the stream":   {nativeSSE, nativeHello, chunk},
		"native, what is not a model": {"/v1beta/files", `{}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				begun, ended := make(chan struct{}), make(chan time.Time, 1)
				g := newPipedGateway(t, func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					if tc.first != "" {
						w.Header().Set("Content-Type", "text/event-stream")
						_, _ = io.WriteString(w, tc.first)
						w.(http.Flusher).Flush()
					}
					close(begun)
					select {
					case <-r.Context().Done():
					case <-time.After(20 * time.Second):
					}
					ended <- time.Now()
				})
				defer g.close()

				ctx, leave := context.WithCancel(t.Context())
				defer leave()
				request, err := http.NewRequestWithContext(ctx, http.MethodPost,
					"http://127.0.0.1"+tc.path, strings.NewReader(tc.body))
				if err != nil {
					t.Fatal(err)
				}
				go func() {
					reply, err := g.client.Do(request)
					if err == nil {
						_, _ = io.Copy(io.Discard, reply.Body)
						_ = reply.Body.Close()
					}
				}()
				<-begun
				synctest.Wait()
				left := time.Now()
				leave()
				if took := (<-ended).Sub(left); took > 100*time.Millisecond {
					t.Errorf("the upstream ended after %s", took)
				}
			})
		})
	}
}

func TestLimitsOfAModelEndWhatTakesTooLong(t *testing.T) {
	t.Parallel()
	limits := gateway.WithModelSettings(map[string]gateway.ModelSettings{
		"":               {FirstByte: time.Hour, Idle: time.Hour, Overall: 3 * time.Hour},
		"gemini-2.5-pro": {FirstByte: 30 * time.Second, Idle: 10 * time.Second, Overall: time.Minute},
	})
	stall := geminitest.On().Reply(geminitest.Stall()).Times(9)
	stallBehindText := geminitest.On().Reply(geminitest.Text("some"), geminitest.Stall())
	steady := []geminitest.Block{geminitest.Text("x")}
	for range 30 {
		steady = append(steady, geminitest.Pause(9*time.Second), geminitest.Text("x"))
	}
	for name, tc := range map[string]struct {
		script  *geminitest.Fixture
		body    string
		after   time.Duration
		code    string
		message string
	}{
		"first byte of the model":   {stall, streamed(helloPro), 30 * time.Second, "timeout", "30s"},
		"idle":                      {stallBehindText, streamed(helloPro), 10 * time.Second, "timeout", "10s"},
		"overall":                   {geminitest.On().Reply(steady...), streamed(helloPro), time.Minute, "timeout", "1m0s"},
		"overall of a whole answer": {stall, helloPro, time.Minute, "timeout", "1m0s"},
		"another model":             {stall, streamed(hello), time.Hour, "timeout", "1h0m0s"},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := geminitest.NewServer(t, geminitest.WithScript(tc.script))
			handler := gatewayOf(t, server, limits)
			answer := newTimedAnswer()
			answer.chat(t.Context(), handler, tc.body)
			if took := time.Since(answer.start); took != tc.after {
				t.Errorf("%s: ended after %s", name, took)
			}
			body := answer.Body.String()
			if !strings.Contains(body, `"code":"`+tc.code+`"`) ||
				!strings.Contains(body, tc.message) {
				t.Errorf("%s: answered %s", name, body)
			}
			if tc.body[2] != 's' && answer.Code != http.StatusGatewayTimeout {
				t.Errorf("%s: HTTP %d", name, answer.Code)
			}
		})
	}
}

var helloPro = strings.Replace(hello, "2.5-flash", "2.5-pro", 1)

// A stream depends only on its chunks, however the upstream's connection splits the bytes.
func TestBytesOfTheUpstreamMayComeOneByOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On().Reply(geminitest.Slow(1, time.Millisecond),
				geminitest.Text("some words"))))
		answer := newTimedAnswer()
		answer.chat(t.Context(), gatewayOf(t, server), streamed(hello))
		if got := textOf(chunksOf(t, answer.Body.Bytes())); got != "some words" {
			t.Errorf("answered %q", got)
		}
		if bytes.Contains(answer.Body.Bytes(), []byte("null")) &&
			bytes.Contains(answer.Body.Bytes(), []byte(`"error"`)) {
			t.Errorf("the stream is %s", answer.Body)
		}
	})
}
