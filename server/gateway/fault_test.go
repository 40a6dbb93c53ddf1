package gateway_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/internal/test/descriptiontest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/server/gateway"
	"go.uber.org/goleak"
)

// The limits under which faults are tested.
const (
	faultFirstByte = 20 * time.Second
	faultIdle      = 10 * time.Second
	faultOverall   = time.Minute
	faultGrace     = 2 * time.Second
)

// outcome is the result that a client has received.
type outcome struct {
	status int
	header http.Header
	text   string
	isDone bool   // the stream has ended in [DONE]
	code   string // of an error, as answer or as last event
	failed string // the type of the error
	after  time.Duration
	err    error // of the connection
	body   []byte
}

// ask requests an answer and reads it to its end. It must match OpenAI's description.
func (g *pipedGateway) ask(ctx context.Context, t *testing.T, streams bool) outcome {
	body := hello
	if streams {
		body = streamed(hello)
	}
	start := time.Now()
	out := g.read(ctx, t, body, streams)
	out.after = time.Since(start)
	return out
}

func (g *pipedGateway) read(ctx context.Context, t *testing.T, body string, streams bool) outcome {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1"+chatPath,
		strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return outcome{err: err}
	}
	request.Header.Set("Content-Type", "application/json")
	reply, err := g.client.Do(request)
	if err != nil {
		return outcome{err: err}
	}
	defer reply.Body.Close()
	out := outcome{status: reply.StatusCode, header: reply.Header}
	if out.body, out.err = io.ReadAll(reply.Body); out.err != nil {
		return out
	}
	switch {
	case reply.StatusCode != http.StatusOK:
		out.readError(t, out.body)
	case streams:
		out.readStream(t)
	default:
		descriptiontest.OpenAI(t, "CreateChatCompletionResponse", out.body)
		completion, err := openai.DecodeResponse(out.body)
		if err != nil {
			t.Error(err)
			break
		}
		out.text = *completion.Choices[0].Message.Content
	}
	return out
}

func (o *outcome) readError(t *testing.T, body []byte) {
	descriptiontest.OpenAI(t, "ErrorResponse", body)
	e, err := openai.DecodeErrorResponse(body)
	if err != nil {
		t.Errorf("%v: %s", err, body)
		return
	}
	o.failed = e.Error.Type
	if e.Error.Code != nil {
		o.code = *e.Error.Code
	}
}

func (o *outcome) readStream(t *testing.T) {
	for _, event := range descriptiontest.OpenAIStream(t, o.body) {
		switch {
		case event == "[DONE]":
			o.isDone = true
		case strings.HasPrefix(event, `{"error"`):
			o.readError(t, []byte(event))
		default:
			chunk, err := openai.DecodeChunk([]byte(event))
			if err != nil {
				t.Errorf("%v: %s", err, event)
				return
			}
			for i := range chunk.Choices {
				if content := chunk.Choices[i].Delta.Content; content != nil {
					o.text += *content
				}
			}
		}
	}
}

// isWhole reports whether the answer is right and complete.
func (o *outcome) isWhole(streams bool) bool {
	return o.err == nil && o.status == http.StatusOK && o.text == "one two" && o.failed == "" &&
		o.isDone == streams
}

// isRefused reports whether the answer has a typed error, and nothing that looks like a normal end.
func (o *outcome) isRefused() bool { return o.err == nil && o.failed != "" && !o.isDone }

func (o *outcome) String() string {
	return fmt.Sprintf("HTTP %d after %s, %q, done %t, error %q %q, %v: %s", o.status, o.after,
		o.text, o.isDone, o.failed, o.code, o.err, o.body)
}

// The upstream's answers in these tests.
const (
	wholeAnswer = `{"candidates":[{"content":{"role":"model","parts":[{"text":"one two"}]},"finishReason":"STOP","index":0}],` +
		`"usageMetadata":{"promptTokenCount":2,"candidatesTokenCount":2,"totalTokenCount":4},"modelVersion":"m","responseId":"r"}`
	firstChunk = `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"one "}]},"index":0}],"modelVersion":"m","responseId":"r"}` +
		"\r\n\r\n"
	secondChunk = `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"two"}]},"finishReason":"STOP","index":0}],` +
		`"usageMetadata":{"promptTokenCount":2,"candidatesTokenCount":2,"totalTokenCount":4},"modelVersion":"m","responseId":"r"}` +
		"\r\n\r\n"
	rateLimited = `{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED","details":[` +
		`{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7s"}]}}`
	internalError = `{"error":{"code":500,"message":"An internal error has occurred","status":"INTERNAL"}}`
)

// bodyOfAnswer returns the answer to a request.
func bodyOfAnswer(r *http.Request) string {
	if isStreamed(r) {
		return firstChunk + secondChunk
	}
	return wholeAnswer
}

func isStreamed(r *http.Request) bool { return strings.Contains(r.URL.Path, ":stream") }

// answerWell is an upstream without a fault.
func answerWell(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	contentType := "application/json"
	if isStreamed(r) {
		contentType = "text/event-stream"
	}
	w.Header().Set("Content-Type", contentType)
	_, _ = io.WriteString(w, bodyOfAnswer(r))
}

// Each fault leads to the right answer or to a typed error, within the time limit, whole and
// streamed.
func TestFaultsEndInAnAnswerOrATypedErrorWithinTheirLimits(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		upstream func(w http.ResponseWriter, r *http.Request)
		// whole and stream are the codes of the errors, "" for the right answer.
		whole, stream string
		// wholeLimit and streamLimit are the maximum times of each.
		wholeLimit, streamLimit time.Duration
	}{
		"slow head": {
			func(w http.ResponseWriter,
				r *http.Request) {
				time.Sleep(15 * time.Second)
				answerWell(w, r)
			},
			"", "", 15 * time.Second, 15 * time.Second,
		},
		"no head": {
			func(w http.ResponseWriter,
				r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
			},
			"timeout", "timeout", faultOverall, faultFirstByte,
		},
		"head and silence": {
			func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.WriteHeader(http.StatusOK)
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			},
			"timeout", "timeout", faultOverall, faultFirstByte,
		},
		"silence after the beginning": {
			func(w http.ResponseWriter, r *http.Request) {
				writeHalf(w, r)
				<-r.Context().Done()
			},
			"timeout", "timeout", faultOverall, faultIdle,
		},
		"cut in the middle": {
			func(w http.ResponseWriter, r *http.Request) {
				writeHalf(w, r)
				panic(http.ErrAbortHandler)
			},
			"upstream_unreachable", "upstream_unreachable", 2 * time.Second, 2 * time.Second,
		},
		"bytes one by one": {
			func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				for _, b := range []byte(bodyOfAnswer(r)) {
					_, _ = w.Write([]byte{b})
					_ = http.NewResponseController(w).Flush()
				}
			},
			"", "", 0, 0,
		},
		"always 500": {
			func(w http.ResponseWriter, r *http.Request) {
				refuseWith(w, r, http.StatusInternalServerError, internalError)
			},
			"server_error", "server_error", 2 * time.Second, 2 * time.Second,
		},
		"always 429": {
			func(w http.ResponseWriter, r *http.Request) {
				refuseWith(w, r, http.StatusTooManyRequests, rateLimited)
			},
			"rate_limit_exceeded", "rate_limit_exceeded", time.Second, time.Second,
		},
	} {
		for _, streams := range []bool{false, true} {
			code, limit := tc.whole, tc.wholeLimit
			if streams {
				code, limit = tc.stream, tc.streamLimit
			}
			synctest.Test(t, func(t *testing.T) {
				var under atomic.Int64
				g := newPipedGateway(t, func(w http.ResponseWriter, r *http.Request) {
					under.Add(1)
					defer under.Add(-1)
					tc.upstream(w, r)
				}, faultOptions()...)
				defer g.close()
				got := g.ask(t.Context(), t, streams)
				switch {
				case code == "" && !got.isWhole(streams):
					t.Errorf("%s, streams %t: %s", name, streams, &got)
				case code != "" && (!got.isRefused() || got.code != code):
					t.Errorf("%s, streams %t: expected %q: %s", name, streams, code, &got)
				}
				if got.after > limit {
					t.Errorf("%s, streams %t: took %s, at most %s", name, streams, got.after, limit)
				}
				time.Sleep(100 * time.Millisecond)
				if n := under.Load(); n != 0 {
					t.Errorf("%s, streams %t: the upstream is still asked", name, streams)
				}
			})
		}
	}
}

func faultOptions() []gateway.Option {
	return []gateway.Option{
		gateway.WithModelSettings(map[string]gateway.ModelSettings{"": {FirstByte: faultFirstByte,
			Idle: faultIdle, Overall: faultOverall}}),
		gateway.WithFirstChunkWait(faultGrace),
	}
}

// writeHalf writes a whole chunk and the beginning of the next, or half of a whole answer.
func writeHalf(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	half := wholeAnswer[:len(wholeAnswer)/2]
	if isStreamed(r) {
		half = firstChunk + secondChunk[:len(secondChunk)/2]
	}
	_, _ = io.WriteString(w, half)
	_ = http.NewResponseController(w).Flush()
}

func refuseWith(w http.ResponseWriter, r *http.Request, status int, body string) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func TestStormOf429IsPassedOnWithItsHintAndSparesTheUpstream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var asked atomic.Int64
		g := newPipedGateway(t, func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			if time.Since(start) < 7*time.Second {
				refuseWith(w, r, http.StatusTooManyRequests, rateLimited)
				return
			}
			answerWell(w, r)
		}, faultOptions()...)
		defer g.close()
		for range 10 {
			var storm sync.WaitGroup
			for i := range 20 {
				storm.Go(func() {
					got := g.ask(t.Context(), t, i%2 == 0)
					if got.status != http.StatusTooManyRequests ||
						got.code != "rate_limit_exceeded" || got.header.Get("Retry-After") == "" {
						t.Errorf("%s %v", &got, got.header)
					}
				})
			}
			storm.Wait()
			time.Sleep(500 * time.Millisecond)
		}
		if n := asked.Load(); n > 20 { // the calls of the first moment
			t.Errorf("200 requests asked the upstream %d times", n)
		}
		time.Sleep(5 * time.Second)
		if got := g.ask(t.Context(), t, true); !got.isWhole(true) {
			t.Errorf("after the storm: %s", &got)
		}
	})
}

func TestBurstOf500IsOverWhenItIsOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		g := newPipedGateway(t, func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) <= 60 {
				refuseWith(w, r, http.StatusInternalServerError, internalError)
				return
			}
			answerWell(w, r)
		}, faultOptions()...)
		defer g.close()
		var burst sync.WaitGroup
		for i := range 40 {
			burst.Go(func() {
				if got := g.ask(t.Context(), t, i%2 == 0); !got.isWhole(i%2 == 0) &&
					(!got.isRefused() || got.status != http.StatusInternalServerError) {
					t.Error(&got)
				}
			})
		}
		burst.Wait()
		if n := asked.Load(); n > 80 {
			t.Errorf("40 requests asked the upstream %d times", n)
		}
		if got := g.ask(t.Context(), t, false); !got.isWhole(false) {
			t.Errorf("after the burst: %s", &got)
		}
	})
}

// An error body of 114 MB stalled another gateway (github.com/BerriAI/litellm/issues/34031).
func TestErrorBodyOf100MegabytesIsNotRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var written atomic.Int64
		g := newPipedGateway(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.WriteHeader(http.StatusBadRequest)
			piece := []byte(strings.Repeat("x", 64<<10))
			for range 100 << 20 / len(piece) {
				n, err := w.Write(piece)
				written.Add(int64(n))
				if err != nil {
					return
				}
			}
		}, faultOptions()...)
		defer g.close()
		for _, streams := range []bool{false, true} {
			written.Store(0)
			got := g.ask(t.Context(), t, streams)
			if !got.isRefused() || got.after > time.Second {
				t.Error(&got)
			}
			synctest.Wait()
			if n := written.Load(); n > 2<<20 {
				t.Errorf("%d bytes of an error were read", n)
			}
			if len(got.body) > 4<<10 {
				t.Errorf("the client gets %d bytes of it", len(got.body))
			}
		}
	})
}

func TestUpstreamThatIsKilledAndRestartedIsAskedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newPipedGateway(t, func(w http.ResponseWriter, r *http.Request) {
			writeHalf(w, r)
			<-r.Context().Done()
		}, faultOptions()...)
		defer g.close()
		var underWay sync.WaitGroup
		for i := range 20 {
			underWay.Go(func() {
				if got := g.ask(t.Context(), t, i%2 == 0); !got.isRefused() ||
					got.after > 3*time.Second {
					t.Errorf("in flight: %s", &got)
				}
			})
		}
		time.Sleep(time.Second)
		g.upstream.kill()
		underWay.Wait()
		for _, streams := range []bool{false, true} {
			if got := g.ask(t.Context(), t, streams); !got.isRefused() || got.status < 500 ||
				got.after > 2*time.Second {
				t.Errorf("while it is away: %s", &got)
			}
		}
		g.upstream.listen(http.HandlerFunc(answerWell))
		for _, streams := range []bool{false, true} {
			if got := g.ask(t.Context(), t, streams); !got.isWhole(streams) {
				t.Errorf("after the restart: %s", &got)
			}
		}
	})
}

func TestStormOfDisconnectsCancelsTheUpstreamAndHarmsNoOtherClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var under, left atomic.Int64
		g := newPipedGateway(t, func(w http.ResponseWriter, r *http.Request) {
			under.Add(1)
			defer under.Add(-1)
			_, _ = io.Copy(io.Discard, r.Body)
			body := bodyOfAnswer(r)
			for _, piece := range []string{body[:10], body[10 : len(body)/2], body[len(body)/2:]} {
				select {
				case <-time.After(time.Second):
				case <-r.Context().Done():
					left.Add(1)
					return
				}
				_, _ = io.WriteString(w, piece)
				_ = http.NewResponseController(w).Flush()
			}
		}, faultOptions()...)
		defer g.close()
		var storm sync.WaitGroup
		for i := range 200 {
			storm.Go(func() {
				streams := i%2 == 0
				ctx, leave := context.WithCancel(t.Context())
				defer leave()
				if i%4 != 0 { // these leave within the three seconds of the answer
					time.AfterFunc(time.Duration(1+i)*14*time.Millisecond, leave)
				}
				if got := g.ask(ctx, t, streams); i%4 == 0 && !got.isWhole(streams) ||
					i%4 != 0 && got.err == nil {
					t.Errorf("request %d: %s", i, &got)
				}
			})
		}
		storm.Wait()
		time.Sleep(100 * time.Millisecond)
		if under.Load() != 0 || left.Load() != 150 {
			t.Errorf("of 150 that were left, %d were canceled; %d are in flight", left.Load(),
				under.Load())
		}
	})
}

// This is the same test over real connections, which also shows leaks.
func TestFaultsLeaveNoGoroutine(t *testing.T) {
	before := goleak.IgnoreCurrent()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		writeHalf(w, r)
		select {
		case <-r.Context().Done():
		case <-time.After(50 * time.Millisecond):
			panic(http.ErrAbortHandler)
		}
	}))
	handler, err := gateway.New(append(faultOptions(), gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, BaseURL: upstream.URL,
		Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
	}))...)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(handler)
	var storm sync.WaitGroup
	for i := range 40 {
		storm.Go(func() {
			ctx, leave := context.WithTimeout(t.Context(), time.Duration(5+5*i)*time.Millisecond)
			defer leave()
			body := hello
			if i%2 == 0 {
				body = streamed(hello)
			}
			request, err := http.NewRequestWithContext(ctx, http.MethodPost, front.URL+chatPath,
				strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			if reply, err := front.Client().Do(request); err == nil { // or it has left before
				_, _ = io.Copy(io.Discard, reply.Body)
				_ = reply.Body.Close()
			}
		})
	}
	storm.Wait()
	front.Close()
	handler.Close()
	upstream.Close()
	goleak.VerifyNone(t, before)
}
