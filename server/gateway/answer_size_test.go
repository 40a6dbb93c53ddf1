package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// endlessUpstream is an upstream whose answers have no end.
type endlessUpstream struct {
	*httptest.Server
	begin, piece string
	written      atomic.Int64
}

func newEndless(t *testing.T, begin, piece string) *endlessUpstream {
	u := &endlessUpstream{begin: begin, piece: piece}
	u.Server = httptest.NewServer(http.HandlerFunc(u.serve))
	t.Cleanup(u.Close)
	return u
}

func (u *endlessUpstream) serve(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "text/event-stream")
	if !strings.HasPrefix(u.begin, "data:") && !strings.HasPrefix(u.piece, "data:") {
		w.Header().Set("Content-Type", "application/json")
	}
	n, err := io.WriteString(w, u.begin)
	u.written.Add(int64(n))
	block := strings.Repeat(u.piece, max(1, (16<<10)/len(u.piece)))
	for err == nil {
		n, err = io.WriteString(w, block)
		u.written.Add(int64(n))
	}
}

// The parts of endless answers.
var (
	words       = strings.Repeat("endless ", 100)
	geminiWhole = `{"candidates":[{"content":{"role":"model","parts":[{"text":"`
	geminiChunk = `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"` + words +
		`"}]}}]}` + "\n\n"
	geminiThought = `data: {"candidates":[{"content":{"role":"model","parts":[{"thought":true,"text":"` +
		words + `"}]}}]}` + "\n\n"
	geminiCall = `data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":"` +
		words + `"}}}]}}]}` + "\n\n"
	chatWhole = `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"`
	chatChunk = chatHead + `{"index":0,"delta":{"content":"` + words +
		`"},"finish_reason":null}]}` + "\n\n"
)

const (
	smallAnswer = 1 << 20
	// inFlight is the maximum size of data in the buffers of connections, in addition to the limit.
	inFlight = 16 << 20
)

// gatewayOfEndless returns a server of a gateway with a small limit.
func gatewayOfEndless(t *testing.T, u *endlessUpstream, service gateway.Service) *httptest.Server {
	handler, err := gateway.New(gateway.WithMaxAnswerSize(smallAnswer), gateway.WithMaxAttempts(1),
		gateway.WithUpstream(gateway.Upstream{
			Service: service, BaseURL: u.URL, Accounts: accounts("one"),
		}), gateway.WithResponseStore(responsestore.NewMemory(responsestore.Bounds{})))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(func() { server.Close(); handler.Close() })
	return server
}

// send posts a request and returns the status and the body, with an error if the body was cut off.
func send(t *testing.T, address, body string) (status int, text string, err error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address,
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	all, err := io.ReadAll(reply.Body)
	return reply.StatusCode, string(all), err
}

// An upstream that never ended an answer made an earlier gateway keep gigabytes.
func TestAnAnswerWithoutAnEndEndsAtItsLimit(t *testing.T) {
	t.Parallel()
	for service, answers := range map[gateway.Service]map[string][2]string{
		gateway.GeminiAPI: {
			"chunks": {"", geminiChunk}, "thoughts": {"", geminiThought}, "calls": {"", geminiCall},
			"one text": {geminiWhole, "x"}, "one chunk": {"data: " + geminiWhole, "x"}, "blank": {"", " "}, "comments": {"", ": x\n\n"},
			"an array": {"[" + geminiWhole + `"}]}}]}`, "," + geminiWhole + words + `"}]}}]}`},
		},
		gateway.OpenAI: {
			"chunks": {"", chatChunk}, "one text": {chatWhole, "x"}, "one chunk": {"data: " + chatWhole, "x"}, "blank": {"", " "}, "comments": {"", ": x\n\n"},
		},
	} {
		for what, answer := range answers {
			t.Run(string(service)+" "+what, func(t *testing.T) {
				t.Parallel()
				u := newEndless(t, answer[0], answer[1])
				server := gatewayOfEndless(t, u, service)
				for form, request := range requestsFor("gemini-2.5-pro") {
					u.written.Store(0)
					status, text, err := send(t, server.URL+request[0], request[1])
					if u.written.Load() > smallAnswer+inFlight {
						t.Errorf("%s: the upstream sent %d bytes", form, u.written.Load())
					}
					isCutOff := err != nil && strings.HasPrefix(form, "native") &&
						(service == gateway.GeminiAPI || form == "native array")
					isTyped := err == nil && strings.Contains(text, "--max-answer-size") &&
						(status == http.StatusBadGateway || status == http.StatusOK)
					isNotServed := service == gateway.OpenAI &&
						(status == http.StatusNotImplemented ||
							strings.Contains(text, "has no token count"))
					if !isCutOff && !isTyped && !isNotServed {
						t.Errorf("%s: HTTP %d, %v: %.300s … %s", form, status, err, text,
							text[max(0, len(text)-300):])
					}
				}
			})
		}
	}
}

func TestAResponseInTheBackgroundWithoutAnEndFailsAtItsLimit(t *testing.T) {
	t.Parallel()
	u := newEndless(t, "", geminiChunk)
	server := gatewayOfEndless(t, u, gateway.GeminiAPI)
	_, text, err := send(t, server.URL+responsesPath,
		asked("hello", `,"background":true,"stream":true`))
	if err != nil || !strings.Contains(text, string(openaiapi.ResponseEventTypeFailed)) ||
		!strings.Contains(text, "--max-answer-size") {
		t.Errorf("%v: %s", err, text[max(0, len(text)-500):])
	}
	if u.written.Load() > smallAnswer+inFlight {
		t.Errorf("the upstream sent %d bytes", u.written.Load())
	}
}

// Each reply is below the limit, and says that more replies follow.
func TestRepliesOfOneAnswerCountTogether(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		reply := fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[{"text":"%s"}]},"finishReason":"CONTINUATION","continuationToken":"t%d"}]}`,
			strings.Repeat("x", smallAnswer/4), asked.Add(1))
		if isStreamed(r) {
			w.Header().Set("Content-Type", "text/event-stream")
			reply = "data: " + reply + "\r\n\r\n"
		}
		_, _ = io.WriteString(w, reply)
	}))
	defer upstream.Close()
	server := gatewayOfEndless(t, &endlessUpstream{Server: upstream}, gateway.GeminiAPI)
	for form, request := range requestsFor("gemini-4-argon") {
		if strings.HasPrefix(form, "native") || strings.Contains(form, "embed") ||
			strings.Contains(form, "tokens") {
			continue // which pass one reply
		}
		asked.Store(0)
		if _, text, err := send(t, server.URL+request[0], request[1]); err != nil ||
			!strings.Contains(text, "--max-answer-size") || asked.Load() > 4 {
			t.Errorf("%s: asked %d times, %v: %s", form, asked.Load(), err,
				text[max(0, len(text)-300):])
		}
	}
}

func TestAnAnswerAtItsLimitIsWhole(t *testing.T) {
	t.Parallel()
	for _, size := range []int{smallAnswer, smallAnswer + 1} {
		body := geminiWhole + `"}]},"finishReason":"STOP"}]}`
		body += strings.Repeat(" ", size-len(body))
		upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
			r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			_, _ = io.WriteString(w, body)
		}))
		server := gatewayOfEndless(t, &endlessUpstream{Server: upstream}, gateway.GeminiAPI)
		want := map[int]int{smallAnswer: 200, smallAnswer + 1: 502}[size]
		if status, text, _ := send(t, server.URL+nativeWhole, nativeHello); status != want {
			t.Errorf("%d bytes: HTTP %d: %.200s", size, status, text)
		}
		upstream.Close()
	}
}

// Downloads are forwarded and not held in memory.
func TestADownloadHasNoLimit(t *testing.T) {
	t.Parallel()
	const size = 3 * smallAnswer
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(make([]byte, size))
	}))
	defer upstream.Close()
	server := gatewayOfEndless(t, &endlessUpstream{Server: upstream}, gateway.GeminiAPI)
	for path, isWhole := range map[string]bool{"/v1beta/files/f:download?alt=media": true,
		"/download/v1beta/files/f": true, "/v1beta/files/f": false} {
		reply, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, reply.Body)
		_ = reply.Body.Close()
		if (err == nil && n == size) != isWhole || n > size {
			t.Errorf("%s: %d bytes, %v", path, n, err)
		}
	}
}

// A server of OpenAI's API may also send an error body of any length.
func TestAnErrorWithoutAnEndIsReadInPart(t *testing.T) {
	t.Parallel()
	for _, service := range []gateway.Service{gateway.GeminiAPI, gateway.OpenAI} {
		var written atomic.Int64
		upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
			r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.WriteHeader(http.StatusBadRequest)
			for piece, err := strings.Repeat("x", 16<<10), error(nil); err == nil; {
				var n int
				n, err = io.WriteString(w, piece)
				written.Add(int64(n))
			}
		}))
		server := gatewayOfEndless(t, &endlessUpstream{Server: upstream}, service)
		for form, request := range requestsFor("gemini-2.5-pro") {
			written.Store(0)
			status, text, err := send(t, server.URL+request[0], request[1])
			if status < 400 || err != nil || len(text) > 2<<20 || written.Load() > inFlight {
				t.Errorf("%s, %s: HTTP %d, %d bytes of %d, %v", service, form, status, len(text),
					written.Load(), err)
			}
		}
		upstream.Close()
	}
}

// The limit bounds the memory for an answer. The test does not run in parallel, because it measures
// the process.
func TestMemoryOfAnAnswerWithoutAnEndIsBounded(t *testing.T) {
	for service, chunk := range map[gateway.Service]string{gateway.GeminiAPI: geminiChunk,
		gateway.OpenAI: chatChunk} {
		u := newEndless(t, "", chunk)
		server := gatewayOfEndless(t, u, service)
		for _, form := range []string{"chat_completions stream", "Responses stream",
			"Messages stream", "native stream"} {
			request := requestsFor("gemini-2.5-pro")[form]
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, _, _ = send(t, server.URL+request[0], request[1])
			runtime.ReadMemStats(&after)
			if all := after.TotalAlloc - before.TotalAlloc; all > 100*smallAnswer {
				t.Errorf("%s, %s: %d MiB were allocated for an answer of 1 MiB", service, form,
					all>>20)
			}
			t.Logf("%s, %s: %d MiB in %s", service, form, (after.TotalAlloc-before.TotalAlloc)>>20,
				time.Since(start))
		}
	}
}
