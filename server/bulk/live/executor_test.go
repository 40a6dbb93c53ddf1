package live_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/bulk/live"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/go-json-experiment/json/jsontext"
)

// gatewayOf returns a gateway in front of a fake server that answers by a script.
func gatewayOf(t testing.TB, script ...*geminitest.Fixture) *gateway.Handler {
	t.Helper()
	server := geminitest.NewServer(t, geminitest.WithScript(script...),
		geminitest.WithoutRequestLog())
	handler, err := gateway.New(gateway.WithMaxAttempts(1), gateway.WithRateCard(ratecard.Google()),
		gateway.WithUpstream(gateway.Upstream{
			Service:    gateway.GeminiAPI,
			Accounts:   []gateway.Account{gateway.KeyAccount("p", "a-key")},
			HTTPClient: server.HTTPClient(), BaseURL: "https://gemini.example",
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	return handler
}

const (
	chatURL  = "/v1/chat/completions"
	chatBody = `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"How are you?"}]}`
)

// httpGateway is a gateway that answers with an HTTP handler. Each answer is one call of the
// upstream.
type httpGateway http.HandlerFunc

// Answer implements [live.Gateway].
func (g httpGateway) Answer(ctx context.Context, in *gateway.Request) (*gateway.Answer, error) {
	out := httptest.NewRecorder()
	g(out, httptest.NewRequestWithContext(ctx, http.MethodPost, in.Path, bytes.NewReader(in.Body)))
	answer := &gateway.Answer{RequestID: "r-1", Attempts: 1}
	if out.Code < http.StatusBadRequest {
		answer.Body = out.Body.Bytes()
		return answer, nil
	}
	seconds, _ := strconv.Atoi(out.Header().Get("Retry-After"))
	return answer, &gateway.Error{Status: out.Code, Body: out.Body.Bytes(),
		RetryAfter: time.Duration(seconds) * time.Second}
}

// linesOf returns lines with the same question.
func linesOf(n int, url, body string) []line.Line {
	lines := make([]line.Line, n)
	for i := range lines {
		lines[i] = line.Line{Number: i + 1, CustomID: fmt.Sprint("q", i+1), URL: url,
			Body: jsontext.Value(body)}
	}
	return lines
}

// written collects the results of an item.
type written struct {
	mu      sync.Mutex
	results []line.Result
}

func (w *written) write(_ context.Context, result line.Result) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.results = append(w.results, result)
	return nil
}

// run runs an item of lines, and returns the results by the order of the lines.
func run(t testing.TB, e *live.Executor, lines []line.Line,
	stopping <-chan struct{}) ([]line.Result, error) {
	t.Helper()
	kept := &written{}
	err := e.Run(t.Context(),
		bulk.NewItem(&bulk.Job{ID: "batch_1"}, 0, lines, stopping, kept.write))
	slices.SortFunc(kept.results, func(a, b line.Result) int { return a.Number - b.Number })
	return kept.results, err
}

func TestEveryFormIsAnswered(t *testing.T) {
	t.Parallel()
	for url, test := range map[string]struct{ body, part string }{
		chatURL:          {chatBody, `"object":"chat.completion"`},
		"/v1/responses":  {`{"model":"gemini-2.5-flash","input":"How are you?"}`, `"object":"response"`},
		"/v1/messages":   {`{"model":"gemini-2.5-flash","max_tokens":100,"messages":[{"role":"user","content":"How are you?"}]}`, `"type":"message"`},
		"/v1/embeddings": {`{"model":"gemini-embedding-001","input":"How are you?"}`, `"object":"embedding"`},
		"/v1beta/models/gemini-2.5-flash:generateContent": {
			`{"contents":[{"role":"user","parts":[{"text":"How are you?"}]}]}`, `"candidates"`,
		},
	} {
		results, err := run(t, live.New(gatewayOf(t)), linesOf(3, url, test.body), nil)
		if err != nil || len(results) != 3 {
			t.Fatalf("%s: %d results, %v", url, len(results), err)
		}
		for i, result := range results {
			if result.CustomID != fmt.Sprint("q", i+1) || result.Response.Status != 200 ||
				result.Attempts != 1 ||
				!strings.Contains(string(result.Response.Body), test.part) {
				t.Errorf("%s: %+v: %s", url, result, result.Response.Body)
			}
			if u := result.Usage; u.InputTokens == 0 || u.Cost <= 0 || u.Currency != "USD" ||
				u.Unpriced > 0 {
				t.Errorf("%s: the usage is %+v", url, u)
			}
		}
	}
}

func TestARefusalOfTheRequestIsAResult(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		url, body string
		status    int
		part      string
	}{
		"an unknown model":       {chatURL, strings.Replace(chatBody, "2.5-flash", "nonesuch", 1), 404, "model_not_found"},
		"a body without input":   {"/v1/embeddings", `{"model":"gemini-embedding-001"}`, 400, "invalid_request_error"},
		"Gemini's own form":      {"/v1beta/models/gemini-2.5-flash:generateContent", `{"contents":[]}`, 400, "INVALID_ARGUMENT"},
		"a path that is invalid": {"/v1/nothing", `{}`, 404, "unknown_url"},
	} {
		results, err := run(t, live.New(gatewayOf(t)), linesOf(1, test.url, test.body), nil)
		if err != nil || len(results) != 1 {
			t.Fatalf("%s: %d results, %v", name, len(results), err)
		}
		if got := results[0]; !got.Failed() || got.Response.Status != test.status ||
			!strings.Contains(string(got.Response.Body), test.part) {
			t.Errorf("%s: HTTP %d: %s", name, got.Response.Status, got.Response.Body)
		}
	}
}

func TestFailedLinesAreRetried(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		blocks []geminitest.Block
		status int
		calls  int
	}{
		"once":                     {[]geminitest.Block{geminitest.InternalError()}, 200, 2},
		"overloaded, then timeout": {[]geminitest.Block{geminitest.Unavailable(), geminitest.DeadlineExceeded()}, 200, 3},
		"a page of a proxy":        {[]geminitest.Block{geminitest.HTMLPage(502)}, 200, 2},
		"all attempts":             {slices.Repeat([]geminitest.Block{geminitest.Unavailable()}, 9), 503, 5},
		"too many, often":          {slices.Repeat([]geminitest.Block{geminitest.RateLimited(0)}, 9), 200, 10},
	} {
		synctest.Test(t, func(t *testing.T) {
			script := geminitest.On()
			for _, block := range test.blocks {
				script.Reply(block)
			}
			script.Reply(geminitest.Text("Well."))
			results, err := run(t, live.New(gatewayOf(t, script)), linesOf(1, chatURL, chatBody),
				nil)
			if err != nil || len(results) != 1 {
				t.Fatalf("%s: %d results, %v", name, len(results), err)
			}
			if got := results[0]; got.Response.Status != test.status || got.Attempts != test.calls {
				t.Errorf("%s: HTTP %d after %d calls: %s", name, got.Response.Status, got.Attempts,
					got.Response.Body)
			}
		})
	}
}

func TestAllLinesWaitAsLongAsTheServerSays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var refused, early atomic.Int64
		handler := httpGateway(func(w http.ResponseWriter, _ *http.Request) {
			switch since := time.Since(start); {
			case since == 0:
				refused.Add(1)
				time.Sleep(100 * time.Millisecond)
				w.Header().Set("Retry-After", "20")
				w.WriteHeader(http.StatusTooManyRequests)
				_, _ = w.Write([]byte(`{"error":{}}`))
				return
			case since < 20*time.Second:
				early.Add(1)
			}
			_, _ = w.Write([]byte(`{}`))
		})
		results, err := run(t, live.New(handler, live.WithConcurrency(10)),
			linesOf(50, chatURL, chatBody), nil)
		if err != nil || len(results) != 50 || refused.Load() != 10 || early.Load() > 0 {
			t.Errorf("%d results, %v, %d calls were refused, %d came too early", len(results), err,
				refused.Load(), early.Load())
		}
		if took := time.Since(start); took > 21*time.Second {
			t.Errorf("all took %v", took)
		}
	})
}

func TestAQuotaOfTheDayParksTheJob(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // which begins at midnight UTC
		handler := gatewayOf(t, geminitest.On().Reply(geminitest.Text("Well.")).Times(1),
			geminitest.On().Reply(geminitest.DailyQuota(5*time.Second)))
		e := live.New(handler, live.WithConcurrency(1))
		results, err := run(t, e, linesOf(10, chatURL, chatBody), nil)
		parked, ok := errors.AsType[*bulk.LaterError](err)
		if !ok || !parked.Park || parked.After != time.Hour ||
			!strings.Contains(parked.Reason, "daily quota") {
			t.Fatalf("the error is %#v", err)
		}
		if len(results) > 1 {
			t.Errorf("there are %d results: %s", len(results), results[1].Response.Body)
		}
		if _, err := run(t, e, linesOf(1, chatURL, chatBody), nil); !errors.As(err, &parked) ||
			!parked.Park {
			t.Errorf("while the job rests: %v", err)
		}
		time.Sleep(7*time.Hour + 30*time.Minute)
		_, err = run(t, e, linesOf(1, chatURL, chatBody), nil)
		if !errors.As(err, &parked) || parked.After != 30*time.Minute {
			t.Errorf("before the renewal of the quota: %v", err)
		}
	})
}

func TestAKeyThatIsRefusedParksTheJob(t *testing.T) {
	t.Parallel()
	for _, url := range []string{chatURL, "/v1beta/models/gemini-2.5-flash:generateContent"} {
		results, err := run(t,
			live.New(gatewayOf(t, geminitest.On().Reply(geminitest.InvalidKey()))),
			linesOf(3, url, chatBody), nil)
		if parked, ok := errors.AsType[*bulk.LaterError](err); !ok || !parked.Park ||
			len(results) > 0 {
			t.Errorf("%s: %d results, %v", url, len(results), err)
		}
	}
}

// An outage must not make all lines of a file fail.
func TestAnUpstreamThatIsAwayParksTheJob(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var isThere atomic.Bool
		server := geminitest.NewServer(t)
		handler, err := gateway.New(gateway.WithUpstream(gateway.Upstream{
			Service:  gateway.GeminiAPI,
			Accounts: []gateway.Account{gateway.KeyAccount("p", "a-key")},
			BaseURL:  "https://gemini.example",
			HTTPClient: gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
				if isThere.Load() {
					return server.HTTPClient().Do(r)
				}
				return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
			}),
		}))
		if err != nil {
			t.Fatal(err)
		}
		defer handler.Close()
		e := live.New(handler)
		results, err := run(t, e, linesOf(100, chatURL, chatBody), nil)
		parked, ok := errors.AsType[*bulk.LaterError](err)
		if !ok || !parked.Park || parked.After <= 0 || len(results) > 0 ||
			parked.Reason != "cannot connect to gemini.example:443: dial tcp: connection refused" {
			t.Errorf("%d results, %v", len(results), err)
		}
		isThere.Store(true)
		if results, err := run(t, e, linesOf(100, chatURL, chatBody), nil); err != nil ||
			len(results) != 100 || results[0].Response.Status != 200 {
			t.Errorf("%d results, %v", len(results), err)
		}
	})
}

func TestNoCallBeginsWhenTheWorkerStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stopping := make(chan struct{})
		time.AfterFunc(1500*time.Millisecond, func() { close(stopping) })
		handler := httpGateway(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(time.Second)
			_, _ = w.Write([]byte(`{}`))
		})
		start := time.Now()
		results, err := run(t, live.New(handler, live.WithConcurrency(3)),
			linesOf(100, chatURL, chatBody), stopping)
		if later, ok := errors.AsType[*bulk.LaterError](err); !ok || later.Park ||
			len(results) != 6 || time.Since(start) != 2*time.Second {
			t.Errorf("%d results after %v, %v", len(results), time.Since(start), err)
		}
	})
}

func TestCallsEndWithTheContextAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler := gatewayOf(t,
			geminitest.On().Reply(geminitest.Pause(time.Hour), geminitest.Text("late")))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		kept, start := &written{}, time.Now()
		err := live.New(handler).Run(ctx,
			bulk.NewItem(&bulk.Job{}, 0, linesOf(100, chatURL, chatBody), nil, kept.write))
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) ||
			took > 1100*time.Millisecond || len(kept.results) > 0 {
			t.Errorf("after %v: %v, %d results", took, err, len(kept.results))
		}
	})
}

// A received answer costs money, even if the work has ended in the meantime. So it must be kept.
func TestAnAnswerThatComesAsTheWorkEndsIsKept(t *testing.T) {
	t.Parallel()
	for status, results := range map[int]int{200: 1, 400: 0, 500: 0} {
		ctx, cancel := context.WithCancel(t.Context())
		handler := httpGateway(func(w http.ResponseWriter, _ *http.Request) {
			cancel()
			w.WriteHeader(status)
			_, _ = w.Write([]byte(`{}`))
		})
		kept := &written{}
		err := live.New(handler).Run(ctx,
			bulk.NewItem(&bulk.Job{}, 0, linesOf(1, chatURL, chatBody), nil, kept.write))
		if len(kept.results) != results || (err == nil) != (results == 1) ||
			err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("HTTP %d: %d results, %v", status, len(kept.results), err)
		}
	}
}

func TestAnAnswerWithoutAPriceIsCountedAsUnpriced(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	handler, err := gateway.New(gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, Accounts: []gateway.Account{gateway.KeyAccount("p", "a-key")},
		HTTPClient: server.HTTPClient(), BaseURL: "https://gemini.example",
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer handler.Close()
	// the second is refused and has no tokens
	for body, unpriced := range map[string]int64{chatBody: 1, `{}`: 0} {
		results, err := run(t, live.New(handler), linesOf(1, chatURL, body), nil)
		if err != nil || len(results) != 1 {
			t.Fatalf("%d results, %v", len(results), err)
		}
		if u := results[0].Usage; u.Unpriced != unpriced || u.Cost != 0 ||
			(u.InputTokens > 0) != (unpriced == 1) {
			t.Errorf("%s: the usage is %+v", body, u)
		}
	}
}

func TestALineWhoseURLIsMalformedFailsAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lines := append(linesOf(1, "/v1/%zz", chatBody), linesOf(1, chatURL, chatBody)...)
		lines[1].Number = 2
		results, err := run(t, live.New(gatewayOf(t)), lines, nil)
		if err != nil || len(results) != 2 || results[1].Response.Status != 200 {
			t.Fatalf("%+v, %v", results, err)
		}
		if got := results[0]; got.Response.Status != 400 ||
			!strings.Contains(string(got.Response.Body), "invalid_request_error") {
			t.Errorf("HTTP %d: %s", got.Response.Status, got.Response.Body)
		}
	})
}

// Lines that wait in a worker keep other lines out of it.
func TestAWaitAboveAMinuteParksTheJob(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status, seconds int
		isParked        bool
	}{
		"too many, a minute":        {429, 60, false},
		"too many, a second longer": {429, 61, true},
		"unavailable, a minute":     {503, 60, false},
		"unavailable, an hour":      {503, 3600, true},
		"a refusal, an hour":        {400, 3600, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			start, calls := time.Now(), 0
			handler := httpGateway(func(w http.ResponseWriter, _ *http.Request) {
				if calls++; calls == 1 {
					w.Header().Set("Retry-After", fmt.Sprint(tt.seconds))
					w.WriteHeader(tt.status)
				}
				_, _ = w.Write([]byte(`{}`))
			})
			results, err := run(t, live.New(handler), linesOf(1, chatURL, chatBody), nil)
			if parked, ok := errors.AsType[*bulk.LaterError](err); tt.isParked {
				if !ok || !parked.Park || parked.After != time.Duration(tt.seconds)*time.Second ||
					len(results) > 0 {
					t.Errorf("%s: %d results, %v", name, len(results), err)
				}
				return
			}
			took := time.Duration(tt.seconds) * time.Second
			if tt.status == 400 {
				took = 0
			}
			if err != nil || len(results) != 1 || time.Since(start) != took {
				t.Errorf("%s: %d results after %v, %v", name, len(results), time.Since(start), err)
			}
		})
	}
}

func TestCallsAreBoundedOverAllItems(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int64
		e := live.New(httpGateway(func(w http.ResponseWriter, _ *http.Request) {
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(time.Second)
			now.Add(-1)
			_, _ = w.Write([]byte(`{}`))
		}), live.WithConcurrency(7))
		start := time.Now()
		var items sync.WaitGroup
		for range 4 {
			items.Go(func() { _, _ = run(t, e, linesOf(21, chatURL, chatBody), nil) })
		}
		items.Wait()
		if took := time.Since(start); most.Load() != 7 || took != 12*time.Second {
			t.Errorf("%d calls at a time, all took %v", most.Load(), took)
		}
	})
}

func TestAResultThatCannotBeWrittenEndsTheItem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lost := errors.New("another worker has the range")
		e := live.New(gatewayOf(t), live.WithConcurrency(1))
		calls := 0
		err := e.Run(t.Context(),
			bulk.NewItem(&bulk.Job{}, 0, linesOf(50, chatURL, chatBody), nil,
				func(context.Context, line.Result) error {
					calls++
					return lost
				}))
		if !errors.Is(err, lost) || calls > 2 {
			t.Errorf("%v, %d results were written", err, calls)
		}
	})
}

func TestCallsObeyTheLimitsByWhatTheyUse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler := gatewayOf(t, geminitest.On().Reply(geminitest.Text("Well.")))
		e := live.New(handler,
			live.WithLimiter(limit.New("p", limit.Limits{Requests: 60, TokensIn: 100_000},
				limit.NewMemory())))
		start := time.Now()
		results, err := run(t, e, linesOf(240, chatURL, chatBody), nil)
		if took := time.Since(start); err != nil || len(results) != 240 || took < 3*time.Minute ||
			took > 4*time.Minute {
			t.Errorf("%d results after %v, %v", len(results), took, err)
		}
	})
}

// brokenLedger is a ledger whose server is not reachable.
type brokenLedger struct{ err error }

func (b brokenLedger) Load(context.Context, string) ([]byte, uint64, error) { return nil, 0, b.err }

func (b brokenLedger) Store(context.Context, string, []byte, uint64) (uint64, error) {
	return 0, b.err
}

// Without the ledger, the use of the other workers of the project is unknown.
func TestNoCallIsMadeWithoutTheLedger(t *testing.T) {
	t.Parallel()
	broken, calls := errors.New("the ledger is away"), 0
	handler := httpGateway(func(http.ResponseWriter, *http.Request) { calls++ })
	e := live.New(handler, live.WithLimiter(
		limit.New("p", limit.Limits{Requests: 10}, brokenLedger{broken})))
	if results, err := run(t, e, linesOf(3, chatURL, chatBody), nil); !errors.Is(err, broken) ||
		len(results) != 0 || calls != 0 {
		t.Errorf("%d results, %d calls, %v; expected %v", len(results), calls, err, broken)
	}
}

func TestAJobIsAskedInTheNameOfItsOwner(t *testing.T) {
	t.Parallel()
	keys, err := clientkey.Read([]byte(`keys: [{name: ann, hash: "` +
		clientkey.Hash(clientkey.New()) + `"}]`))
	if err != nil {
		t.Fatal(err)
	}
	keyed, err := gateway.New(gateway.WithClientKeys(keys))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(keyed.Close)
	for owner, status := range map[string]int{"ann": 200, "bob": 401} {
		kept := &written{}
		item := bulk.NewItem(&bulk.Job{Owner: owner}, 0, linesOf(1, chatURL, chatBody), nil,
			kept.write)
		if err := live.New(keyed).Run(t.Context(), item); err != nil ||
			kept.results[0].Response.Status != status {
			t.Errorf("%s: %v, %+v", owner, err, kept.results)
		}
	}
}

// A gateway that retries would call more often than the limits allow, because the limits count its
// retries too late.
func TestACallIsOneAttemptAlsoIfTheGatewayRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var calls []time.Time
		server := geminitest.NewServer(t, geminitest.WithScript(
			geminitest.On().Reply(geminitest.Unavailable()).Reply(
				geminitest.InternalError()).Reply(geminitest.Text("Well."))))
		handler, err := gateway.New(gateway.WithMaxAttempts(3),
			gateway.WithUpstream(gateway.Upstream{
				Service:  gateway.GeminiAPI,
				Accounts: []gateway.Account{gateway.KeyAccount("p", "a-key")},
				BaseURL:  "https://gemini.example",
				HTTPClient: gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
					calls = append(calls, time.Now())
					return server.HTTPClient().Do(r)
				}),
			}))
		if err != nil {
			t.Fatal(err)
		}
		defer handler.Close()
		e := live.New(handler,
			live.WithLimiter(limit.New("p", limit.Limits{Requests: 1}, limit.NewMemory())))
		results, err := run(t, e, linesOf(1, chatURL, chatBody), nil)
		if err != nil || results[0].Response.Status != 200 || results[0].Attempts != 3 ||
			len(calls) != 3 {
			t.Fatalf("%+v, %v, calls at %v", results, err, calls)
		}
		for i := range calls[1:] {
			if between := calls[i+1].Sub(calls[i]); between < time.Minute {
				t.Errorf("between two calls are %v", between)
			}
		}
	})
}

// The limit of a client must not become a result of its lines, and must not make other jobs wait.
func TestTheLimitOfAClientIsWaitedForByItsLinesAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		keys, err := clientkey.Read([]byte(`keys: [{name: ann, requests_per_minute: 60, hash: "` +
			clientkey.Hash(clientkey.New()) +
			`"}, {name: bob, hash: "` + clientkey.Hash(clientkey.New()) + `"}]`))
		if err != nil {
			t.Fatal(err)
		}
		handler, err := gateway.New(gateway.WithClientKeys(keys))
		if err != nil {
			t.Fatal(err)
		}
		defer handler.Close()
		e := live.New(handler,
			live.WithLimiter(limit.New("p", limit.Limits{Requests: 100_000}, limit.NewMemory())),
			live.WithConcurrency(100))
		start := time.Now()
		took := map[string]time.Duration{}
		var mu sync.Mutex
		var jobs sync.WaitGroup
		for owner, lines := range map[string]int{"ann": 600, "bob": 1000} {
			jobs.Go(func() {
				kept := &written{}
				if owner == "bob" {
					time.Sleep(10 * time.Second) // until ann's burst is over
				}
				item := bulk.NewItem(&bulk.Job{ID: owner, Owner: owner}, 0,
					linesOf(lines, chatURL, chatBody), nil, kept.write)
				if err := e.Run(t.Context(), item); err != nil || len(kept.results) != lines {
					t.Errorf("%s: %d results, %v", owner, len(kept.results), err)
				}
				for _, result := range kept.results {
					if result.Response.Status != 200 {
						t.Errorf("%s: HTTP %d: %s", owner, result.Response.Status,
							result.Response.Body)
						break
					}
				}
				mu.Lock()
				defer mu.Unlock()
				took[owner] = time.Since(start)
			})
		}
		jobs.Wait()
		if took["ann"] < 9*time.Minute || took["ann"] > 10*time.Minute {
			t.Errorf("ann's lines took %v", took["ann"])
		}
	})
}

// A gateway with keys also answers its operator's jobs, which have no owner.
func TestAJobWithoutAnOwnerNeedsNoClientKey(t *testing.T) {
	t.Parallel()
	keys, err := clientkey.Read([]byte(`keys: [{name: ann, hash: "` +
		clientkey.Hash(clientkey.New()) + `"}]`))
	if err != nil {
		t.Fatal(err)
	}
	keyed, err := gateway.New(gateway.WithClientKeys(keys))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(keyed.Close)
	results, err := run(t, live.New(keyed), linesOf(1, chatURL, chatBody), nil)
	if err != nil || results[0].Response.Status != 200 {
		t.Errorf("%+v, %v", results, err)
	}
}

// turns answers one call per second. It never answers a line with the text "never".
func turns() httpGateway {
	var mu sync.Mutex
	var next time.Time
	return httpGateway(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		if now := time.Now(); now.Before(next) || strings.Contains(string(body), "never") {
			w.Header().Set("Retry-After-Ms", "1000")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = w.Write([]byte(`{"error":{}}`))
			return
		}
		next = time.Now().Add(time.Second)
		_, _ = w.Write([]byte(`{}`))
	})
}

// With many lines and a small quota, some lines wait for long. They must not fail because of that.
func TestALineIsNotGivenUpWhileOtherLinesAreAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		results, err := run(t, live.New(turns()), linesOf(400, chatURL, chatBody), nil)
		if err != nil || len(results) != 400 {
			t.Fatalf("%d results, %v", len(results), err)
		}
		for _, result := range results {
			if result.Response.Status != 200 {
				t.Fatalf("line %d: HTTP %d after %d calls", result.Number, result.Response.Status,
					result.Attempts)
			}
		}
	})
}

func TestALineThatWaitsTooLongIsGivenUp(t *testing.T) {
	t.Parallel()
	for name, others := range map[string]int{"alone": 0, "next to others": 3000} {
		synctest.Test(t, func(t *testing.T) {
			lines := append(linesOf(1, chatURL, strings.Replace(chatBody, "How", "never", 1)),
				linesOf(others, chatURL, chatBody)...)
			results, err := run(t, live.New(turns(), live.WithConcurrency(2)), lines, nil)
			if err != nil || len(results) != others+1 {
				t.Fatalf("%s: %d results, %v", name, len(results), err)
			}
			for _, result := range results {
				if result.Response.Status == 429 &&
					(result.Attempts < live.MaxRateLimitErrors ||
						result.Attempts > 10*live.MaxRateLimitErrors+1) {
					t.Errorf("%s: given up after %d calls", name, result.Attempts)
				}
			}
		})
	}
}

func TestTokensAndCostAreThoseOfTheAnswer(t *testing.T) {
	t.Parallel()
	usage := &geminiapi.UsageMetadata{
		PromptTokenCount: new(1000), CachedContentTokenCount: new(400),
		CandidatesTokenCount: new(200),
		ThoughtsTokenCount:   new(50), TotalTokenCount: new(1250),
	}
	handler := gatewayOf(t,
		geminitest.On().Reply(geminitest.Text("Well."), geminitest.Usage(usage)))
	price, err := ratecard.Google().Cost(ratecard.Call{
		Model: "gemini-2.5-flash", Surface: ratecard.GeminiAPI, Usage: normalize.NewUsage(usage),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := line.Usage{
		InputTokens: 1000, CachedTokens: 400, OutputTokens: 250, ThinkingTokens: 50,
		Cost: price.Amount, Currency: price.Currency,
	}
	for url, body := range map[string]string{
		chatURL: chatBody,
		"/v1beta/models/gemini-2.5-flash:generateContent": `{"contents":[{"role":"user","parts":[{"text":"How are you?"}]}]}`,
	} {
		results, err := run(t, live.New(handler), linesOf(1, url, body), nil)
		if err != nil || len(results) != 1 || results[0].Usage != want {
			t.Errorf("%s: %+v, %v; want %+v", url, results, err, want)
		}
	}
}

func BenchmarkLines(b *testing.B) {
	for name, handler := range map[string]live.Gateway{
		"gateway of nothing": httpGateway(func(w http.ResponseWriter,
			_ *http.Request) {
			_, _ = w.Write([]byte(`{}`))
		}),
		"gateway": gatewayOf(b),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			e, lines := live.New(handler), linesOf(200, chatURL, chatBody)
			for b.Loop() {
				item := bulk.NewItem(&bulk.Job{}, 0, lines, nil,
					func(context.Context, line.Result) error { return nil })
				if err := e.Run(b.Context(), item); err != nil {
					b.Error(err)
				}
			}
			b.ReportMetric(float64(b.N)*200/b.Elapsed().Seconds(), "lines/s")
		})
	}
}

// asked collects the requests of lines.
type asked struct {
	live.Gateway
	requests chan gateway.Request
}

func (a asked) Answer(ctx context.Context, in *gateway.Request) (*gateway.Answer, error) {
	a.requests <- *in
	return a.Gateway.Answer(ctx, in)
}

// Observers of the gateway can tell the lines of a job from other requests.
func TestTheGatewayLearnsTheJobAndTheNumberOfALine(t *testing.T) {
	t.Parallel()
	a := asked{gatewayOf(t), make(chan gateway.Request, 2)}
	if _, err := run(t, live.New(a, live.WithConcurrency(1)), linesOf(2, chatURL, chatBody),
		nil); err != nil {
		t.Fatal(err)
	}
	for want := 1; want <= 2; want++ {
		if got := <-a.requests; got.Job != "batch_1" || got.Line != want {
			t.Errorf("line %d: job %q, line %d", want, got.Job, got.Line)
		}
	}
}
