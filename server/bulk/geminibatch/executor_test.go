package geminibatch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/geminibatch"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/bulk/live"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/go-json-experiment/json/jsontext"
)

const chatURL = "/v1/chat/completions"

// linesOf returns lines with different questions.
func linesOf(n int) []line.Line {
	lines := make([]line.Line, n)
	for i := range lines {
		body := fmt.Sprintf(`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"question %d."}]}`,
			i+1)
		lines[i] = line.Line{Number: i + 1, CustomID: fmt.Sprint("q", i+1), URL: chatURL,
			Body: jsontext.Value(body)}
	}
	return lines
}

// asked is a job with one range, and its server.
type asked struct {
	gateway  *gateway.Handler
	t        *testing.T
	server   *geminitest.Server
	executor *geminibatch.Executor
	live     bulk.Executor
	item     *bulk.Item
	lines    []line.Line
	mu       sync.Mutex // of results and doubles
	results  map[int]line.Result
	doubles  int
	looks    int
}

// ask prepares a job of lines. The server answers each by its question.
func ask(t *testing.T, lines []line.Line, opts ...geminitest.Option) *asked {
	t.Helper()
	a := &asked{t: t, server: geminitest.NewServer(t, opts...), lines: lines,
		results: map[int]line.Result{}}
	handler, err := gateway.New(gateway.WithMaxAttempts(1), gateway.WithRateCard(ratecard.Google()),
		gateway.WithUpstream(gateway.Upstream{
			Service:    gateway.GeminiAPI,
			Accounts:   []gateway.Account{gateway.KeyAccount("p", "a-key")},
			HTTPClient: a.server.HTTPClient(), BaseURL: "https://gemini.example",
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	a.gateway, a.live = handler, live.New(handler)
	a.executor, err = geminibatch.New(a.server.Client(), handler, a.live,
		geminibatch.WithRateCard(ratecard.Google()))
	if err != nil {
		t.Fatal(err)
	}
	a.item = bulk.NewItem(&bulk.Job{ID: "batch_1"}, 0, lines, nil, a.write)
	return a
}

func (a *asked) write(_ context.Context, result line.Result) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, has := a.results[result.Number]; has {
		a.doubles++
	}
	a.results[result.Number] = result
	return nil
}

// look runs the range once, with the lines that have no result.
func (a *asked) look() error {
	a.looks++
	a.item.Lines = slices.DeleteFunc(slices.Clone(a.lines), func(l line.Line) bool {
		_, has := a.results[l.Number]
		return has
	})
	return a.executor.Run(a.t.Context(), a.item)
}

// finish runs the range until it is done.
func (a *asked) finish() {
	a.t.Helper()
	for range 1000 {
		err := a.look()
		if err == nil {
			a.check()
			return
		}
		later, ok := errors.AsType[*bulk.LaterError](err)
		if !ok {
			a.t.Fatal(err)
		}
		time.Sleep(later.After)
	}
	a.t.Fatal("the range is never done")
}

// check compares the results with the lines.
func (a *asked) check() {
	a.t.Helper()
	if len(a.results) != len(a.lines) || a.doubles > 0 {
		a.t.Errorf("%d lines have %d results, %d were written again", len(a.lines), len(a.results),
			a.doubles)
	}
	for _, l := range a.lines {
		got := a.results[l.Number]
		if got.CustomID != l.CustomID || got.Response == nil || !got.Response.Body.IsValid() {
			a.t.Errorf("line %d: %+v", l.Number, got)
		}
	}
}

// count returns how many requests the server has had for an operation.
func (a *asked) count(operation string) (n int) {
	for _, r := range a.server.Requests() {
		if r.Operation == operation {
			n++
		}
	}
	return n
}

// ofQuestions answers each question with its number.
func ofQuestions(n int) geminitest.Option {
	var script []*geminitest.Fixture
	for i := range n {
		script = append(script,
			geminitest.On(geminitest.Prompt(fmt.Sprintf("question %d.", i+1))).Reply(
				geminitest.Text(fmt.Sprintf("answer %d.", i+1))))
	}
	return geminitest.WithScript(script...)
}

// checkAnswers checks that each result is the answer to its question.
func (a *asked) checkAnswers() {
	a.t.Helper()
	for _, l := range a.lines {
		got := a.results[l.Number]
		if got.Response.Status != 200 ||
			!strings.Contains(string(got.Response.Body), fmt.Sprintf(`"answer %d."`, l.Number)) ||
			!strings.Contains(string(got.Response.Body), `"chat.completion"`) {
			a.t.Errorf("line %d: HTTP %d: %s", l.Number, got.Response.Status, got.Response.Body)
		}
	}
}

func TestLinesAreAnsweredByABatchAtHalfThePrice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		usage := &geminiapi.UsageMetadata{PromptTokenCount: new(1000),
			CandidatesTokenCount: new(100), TotalTokenCount: new(1100)}
		a := ask(t, linesOf(50), geminitest.WithBatchTime(3*time.Hour),
			geminitest.WithScript(geminitest.On().Reply(geminitest.Text("Well."),
				geminitest.Usage(usage))))
		start := time.Now()
		a.finish()
		if took := time.Since(start); took < 3*time.Hour || took > 3*time.Hour+10*time.Minute ||
			a.looks > 70 {
			t.Errorf("it took %v and %d looks", took, a.looks)
		}
		if created, direct := a.count("batchGenerateContent"),
			a.count("generateContent"); created != 1 || direct != 0 {
			t.Errorf("%d batches, %d calls", created, direct)
		}
		unstored := 0
		for _, r := range a.server.Requests() {
			unstored += strings.Count(string(r.Body), `"store":false`)
		}
		if unstored != len(a.lines) {
			t.Errorf("%d lines ask Google not to store them, want %d", unstored, len(a.lines))
		}
		price, err := ratecard.Google().Cost(ratecard.Call{
			Model: "gemini-2.5-flash", Surface: ratecard.GeminiAPI, Tier: ratecard.Batch,
			Usage: usageOf(1000, 100),
		})
		if err != nil {
			t.Fatal(err)
		}
		want := line.Usage{InputTokens: 1000, OutputTokens: 100, Cost: price.Amount,
			Currency: "USD"}
		if got := a.results[7]; got.Usage != want || got.Attempts != 1 {
			t.Errorf("got %+v, want %+v", got.Usage, want)
		}
	})
}

func TestResultsBelongToLinesByTheirKeys(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		trouble geminitest.BatchTrouble
		direct  int // calls of what the batch has no result for
		batches int
	}{
		"in order":                {geminitest.BatchTrouble{}, 0, 1},
		"in another order":        {geminitest.BatchTrouble{Reverses: true}, 0, 1},
		"some are missing":        {geminitest.BatchTrouble{Loses: 4}, 5, 1},
		"keys are there twice":    {geminitest.BatchTrouble{Doubles: 5, Reverses: true}, 8, 1},
		"the batch failed":        {geminitest.BatchTrouble{Ends: geminiapi.BatchStateFailed}, 0, 2},
		"the batch expired":       {geminitest.BatchTrouble{Ends: geminiapi.BatchStateExpired, Loses: 2}, 10, 1},
		"the batch was cancelled": {geminitest.BatchTrouble{Ends: geminiapi.BatchStateCancelled, Loses: 1}, 20, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := ask(t, linesOf(20), geminitest.WithBatchTrouble(test.trouble), ofQuestions(20))
			a.finish()
			a.checkAnswers()
			if direct, batches := a.count("generateContent"),
				a.count("batchGenerateContent"); direct != test.direct || batches != test.batches {
				t.Errorf("%s: %d calls, %d batches", name, direct, batches)
			}
		})
	}
}

func TestABatchThatFailsAgainIsAskedLive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fails := geminitest.BatchTrouble{Ends: geminiapi.BatchStateFailed}
		a := ask(t, linesOf(5), geminitest.WithBatchTrouble(fails, fails), ofQuestions(5))
		a.finish()
		a.checkAnswers()
	})
}

func TestABatchThatIsStuckIsCancelledAndAskedLive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := ask(t, linesOf(5), geminitest.WithBatchTime(1000*time.Hour), ofQuestions(5))
		start := time.Now()
		a.finish()
		a.checkAnswers()
		if took := time.Since(start); took < 24*time.Hour || took > 25*time.Hour ||
			a.count("cancel") != 1 {
			t.Errorf("it took %v, the batch was cancelled %d times", took, a.count("cancel"))
		}
	})
}

// The executor checks a range again after a tenth of the batch's time so far, within the limits. A
// batch may take as long as the patience, and then has ten minutes to stop.
func TestABatchIsLookedAtWhenItsTimesAreOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := ask(t, linesOf(5), geminitest.WithBatchTime(1000*time.Hour), ofQuestions(5))
		a.withClient(a.server.Client(gemini.WithMiddleware(func(next gemini.Doer) gemini.Doer {
			return gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
				if !strings.HasSuffix(r.URL.Path, ":cancel") {
					return next.Do(r)
				}
				return &http.Response{StatusCode: 200, Header: http.Header{},
					Body: io.NopCloser(strings.NewReader("{}")), Request: r}, nil
			})
		})), a.live)
		const underWay = "the batch is in progress"
		const stops = "the batch took too long and is being cancelled"
		const patience, least, most = 24 * time.Hour, 30 * time.Second, 5 * time.Minute
		start := time.Now()
		for _, want := range []struct {
			at     time.Duration
			after  time.Duration
			reason string
		}{
			{0, least, "the batch was created"},
			{5*time.Minute - 1, least, underWay},
			{10 * time.Minute, time.Minute, underWay},
			{40 * time.Minute, 4 * time.Minute, underWay},
			{time.Hour, most, underWay},
			{patience - 1, most, underWay},
			{patience, least, stops},
			{patience + 6*time.Minute, 36 * time.Second, stops},
			{patience + 10*time.Minute - 1, time.Minute, stops},
		} {
			time.Sleep(time.Until(start.Add(want.at)))
			later, ok := errors.AsType[*bulk.LaterError](a.look())
			if !ok || later.Reason != want.reason || later.After.Round(time.Second) != want.after {
				t.Errorf("after %v: got %+v; want %q, after %v", want.at, later, want.reason, want.after)
			}
		}
		time.Sleep(time.Until(start.Add(patience + 10*time.Minute)))
		if err := a.look(); err != nil {
			t.Errorf("when the batch had its time to stop: %v; want it asked live", err)
		}
		a.check()
	})
}

func TestFailuresOfLinesAreResultsUnlessTheyMayPass(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := ask(t, linesOf(3), geminitest.WithScript(
			geminitest.On(geminitest.Prompt("question 1.")).Reply(geminitest.Error(400,
				geminiapi.ErrorStatusInvalidArgument, "too odd")),
			geminitest.On(geminitest.Prompt("question 2.")).Reply(
				geminitest.Unavailable()).Reply(geminitest.Text("answer 2.")),
		))
		a.finish()
		if got := a.results[1].Response; got.Status != 400 ||
			!strings.Contains(string(got.Body), `"message":"too odd"`) ||
			!strings.Contains(string(got.Body), "invalid_request_error") {
			t.Errorf("HTTP %d: %s", got.Status, got.Body)
		}
		if got := a.results[2].Response; got.Status != 200 ||
			!strings.Contains(string(got.Body), "answer 2.") || a.count("generateContent") != 1 {
			t.Errorf("HTTP %d: %s, %d calls", got.Status, got.Body, a.count("generateContent"))
		}
	})
}

func TestLinesThatTheGatewayRefusesAreNotInABatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lines := linesOf(3)
		lines[1].Body = jsontext.Value(`{"model":"gemini-2.5-flash","messages":[{"role":"narrator","content":"x"}]}`)
		a := ask(t, lines)
		a.finish()
		if got := a.results[2].Response; got.Status != 400 || a.results[3].Response.Status != 200 {
			t.Errorf("HTTP %d: %s", got.Status, got.Body)
		}
	})
}

// vectorLines returns lines that ask for vectors: of one text, of two texts, and of more texts than
// one call accepts.
func vectorLines() []line.Line {
	many := make([]string, 150)
	for i := range many {
		many[i] = fmt.Sprintf(`"text %d"`, i)
	}
	var lines []line.Line
	for i, input := range []string{`"one"`, `["two","three"]`,
		"[" + strings.Join(many, ",") + "]"} {
		body := `{"model":"gemini-embedding-001","dimensions":16,"input":` + input + `}`
		lines = append(lines,
			line.Line{Number: i + 1, CustomID: fmt.Sprint("v", i+1), URL: "/v1/embeddings",
				Body: jsontext.Value(body)})
	}
	return lines
}

func TestVectorsAreMadeByABatchOfTheirOwn(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		trouble geminitest.BatchTrouble
		direct  int // calls of what the batch has no result for
	}{
		"in order":         {geminitest.BatchTrouble{}, 0},
		"in another order": {geminitest.BatchTrouble{Reverses: true}, 0},
		// one call for two lines, and two calls for the longer one
		"one is missing": {geminitest.BatchTrouble{Loses: 2}, 3},
		"keys are twice": {geminitest.BatchTrouble{Doubles: 3}, 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := ask(t, vectorLines(), geminitest.WithBatchTrouble(test.trouble))
			a.finish()
			if direct := a.count("embedContent") +
				a.count("batchEmbedContents"); direct != test.direct ||
				a.count("asyncBatchEmbedContent") != 1 {
				t.Errorf("%s: %d batches, %d calls", name, a.count("asyncBatchEmbedContent"),
					direct)
			}
			same := ask(t, vectorLines())
			if err := same.live.Run(t.Context(), same.item); err != nil {
				t.Fatal(err)
			}
			for number, want := range same.results {
				got := a.results[number]
				if string(got.Response.Body) != string(want.Response.Body) ||
					got.Usage.InputTokens != want.Usage.InputTokens {
					t.Errorf("%s: line %d: HTTP %d: %.300s\nwant %.300s", name, number,
						got.Response.Status, got.Response.Body, want.Response.Body)
				}
				if test.direct == 0 &&
					(got.Usage.Cost == 0 || got.Usage.Cost*2-want.Usage.Cost > 1e-12 ||
						got.Usage.Unpriced > 0) {
					t.Errorf("%s: line %d costs %v, live it is %v", name, number, got.Usage,
						want.Usage)
				}
			}
		})
	}
}

func TestAVectorThatIsRefusedIsTheResultOfItsLine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := ask(t, vectorLines(), geminitest.WithScript(
			geminitest.On(geminitest.Operation("embedContent"),
				geminitest.Where(func(r *geminitest.Request) bool { return strings.Contains(string(r.Body), `"three"`) })).
				Reply(geminitest.Error(400, geminiapi.ErrorStatusInvalidArgument, "too odd")),
		))
		a.finish()
		if got := a.results[2].Response; got.Status != 400 ||
			!strings.Contains(string(got.Body), "too odd") || a.results[3].Response.Status != 200 {
			t.Errorf("HTTP %d: %s", got.Status, got.Body)
		}
	})
}

// through returns a client whose replies a function changes.
func (a *asked) through(change func(r *http.Request, reply *http.Response)) *gemini.Client {
	return a.server.Client(gemini.WithMiddleware(func(next gemini.Doer) gemini.Doer {
		return gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			reply, err := next.Do(r)
			if err == nil {
				change(r, reply)
			}
			return reply, err
		})
	}))
}

// setBody replaces the body of a reply.
func setBody(reply *http.Response, body string) {
	_ = reply.Body.Close()
	reply.Body, reply.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	reply.Header.Set("Content-Length", fmt.Sprint(len(body)))
}

// Lines that are called live during a running batch would be paid twice.
func TestAnUnknownStateIsNotTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := ask(t, linesOf(5), ofQuestions(5), geminitest.WithBatchTime(time.Hour))
		a.withClient(a.through(func(r *http.Request, reply *http.Response) {
			if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/batches/") {
				body, _ := io.ReadAll(reply.Body)
				setBody(reply,
					strings.ReplaceAll(string(body), "BATCH_STATE_RUNNING", "BATCH_STATE_PAUSED"))
			}
		}))
		a.finish()
		a.checkAnswers()
	})
}

func TestABatchThatIsDoneHasEndedInAnyState(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := ask(t, linesOf(5), ofQuestions(5), geminitest.WithBatchTime(time.Hour))
		a.withClient(a.through(func(r *http.Request, reply *http.Response) {
			if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/batches/") {
				body, _ := io.ReadAll(reply.Body)
				setBody(reply,
					strings.ReplaceAll(string(body), "BATCH_STATE_SUCCEEDED", "BATCH_STATE_FINE"))
			}
		}))
		start := time.Now()
		a.finish()
		a.checkAnswers()
		if took := time.Since(start); took > 2*time.Hour {
			t.Errorf("it took %v", took)
		}
	})
}

func TestABatchThatDoesNotStopIsAskedLive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := ask(t, linesOf(5), ofQuestions(5), geminitest.WithBatchTime(1000*time.Hour))
		a.withClient(a.server.Client(gemini.WithMiddleware(func(next gemini.Doer) gemini.Doer {
			return gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
				if !strings.HasSuffix(r.URL.Path, ":cancel") {
					return next.Do(r)
				}
				return &http.Response{StatusCode: 200, Header: http.Header{},
					Body: io.NopCloser(strings.NewReader("{}")), Request: r}, nil
			})
		})), a.live)
		start := time.Now()
		a.finish()
		a.checkAnswers()
		if took := time.Since(start); took < 24*time.Hour+10*time.Minute || took > 25*time.Hour {
			t.Errorf("it took %v", took)
		}
	})
}

func TestResultsThatCannotBeReadNowAreReadLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		downloads := 0
		a := ask(t, linesOf(5), ofQuestions(5))
		a.withClient(a.through(func(r *http.Request, reply *http.Response) {
			if !strings.HasSuffix(r.URL.Path, ":download") {
				return
			}
			if downloads++; downloads == 1 {
				reply.StatusCode = http.StatusForbidden
				setBody(reply,
					`{"error":{"code":403,"message":"not now","status":"PERMISSION_DENIED"}}`)
			}
		}))
		a.finish()
		a.checkAnswers()
	})
}

func TestAnExecutorNeedsAClientAndALiveExecutor(t *testing.T) {
	t.Parallel()
	client := geminitest.NewServer(t).Client()
	handler := gatewayOf(t)
	if _, err := geminibatch.New(nil, handler, noLive{}); err == nil {
		t.Error("there is one without a client")
	}
	if _, err := geminibatch.New(client, nil, noLive{}); err == nil {
		t.Error("there is one without a gateway")
	}
	if _, err := geminibatch.New(client, handler, nil); err == nil {
		t.Error("there is one without an executor of the rest")
	}
}

func TestResultsThatAreGoneAreAskedLive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := ask(t, linesOf(5), ofQuestions(5))
		a.withClient(a.through(func(r *http.Request, reply *http.Response) {
			if strings.HasSuffix(r.URL.Path, ":download") {
				reply.StatusCode = http.StatusNotFound
				setBody(reply, `{"error":{"code":404,"message":"gone","status":"NOT_FOUND"}}`)
			}
		}), a.live)
		a.finish()
		a.checkAnswers()
	})
}

func TestALineWithAnInvalidAnswerIsAskedLive(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"nothing":           `{"key":"2"}`,
		"no answer":         `{"key":"2","response":{"candidates":7}}`,
		"neither":           `{"key":"2","response":7,"error":"x"}`,
		"a refused key":     `{"key":"2","error":{"code":3,"message":"API key not valid","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}`,
		"a key of no line":  `{"key":"99","response":{}}`,
		"a key of no batch": `{"key":"2-1","response":{}}`,
		"no JSON":           `{"key":"2",`,
		"a quota":           `{"key":"2","error":{"code":8,"message":"too many"}}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			a := ask(t, linesOf(3), ofQuestions(3))
			a.withClient(a.through(func(r *http.Request, reply *http.Response) {
				if !strings.HasSuffix(r.URL.Path, ":download") {
					return
				}
				body, _ := io.ReadAll(reply.Body)
				lines := strings.Split(string(body), "\n")
				lines[1] = answer
				setBody(reply, strings.Join(lines, "\n"))
			}), a.live)
			a.finish()
			a.checkAnswers()
			if n := a.count("generateContent"); n != 1 {
				t.Errorf("%s: %d calls", name, n)
			}
		})
	}
}

func TestTheLastLineOfTheResultsNeedsNoNewline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := ask(t, linesOf(3), ofQuestions(3))
		a.withClient(a.through(func(r *http.Request, reply *http.Response) {
			if strings.HasSuffix(r.URL.Path, ":download") {
				body, _ := io.ReadAll(reply.Body)
				setBody(reply, strings.TrimRight(string(body), "\n"))
			}
		})) // no line may be asked live
		a.finish()
		a.checkAnswers()
	})
}

// heapInUse returns the size of the live heap.
func heapInUse() uint64 {
	var memory runtime.MemStats
	runtime.GC()
	runtime.GC() // the first one keeps what is in pools
	runtime.ReadMemStats(&memory)
	return memory.HeapAlloc
}

// The answers of a range may be larger than the memory.
func TestAnswersAreNotHeldTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes 256 MB")
	}
	const lines, size = 256, 1 << 20
	a := ask(t, linesOf(lines))
	before, most := heapInUse(), uint64(0) // earlier tests may hold memory too
	a.item = bulk.NewItem(&bulk.Job{ID: "batch_1"}, 0, a.lines, nil,
		func(ctx context.Context, result line.Result) error {
			if len(result.Response.Body) < size {
				t.Errorf("line %d: %.200s", result.Number, result.Response.Body)
			}
			result.Response.Body = jsontext.Value(`{}`)
			if result.Number%16 == 0 {
				most = max(most, heapInUse())
			}
			return a.write(ctx, result)
		})
	text := strings.Repeat("x", size)
	a.withClient(a.through(func(r *http.Request, reply *http.Response) {
		if !strings.HasSuffix(r.URL.Path, ":download") {
			return
		}
		_ = reply.Body.Close()
		from, to := io.Pipe()
		reply.Body, reply.ContentLength = from, -1
		reply.Header.Del("Content-Length")
		go func() {
			for i := range lines {
				fmt.Fprintf(to,
					`{"key":"%d","response":{"candidates":[{"content":{"role":"model","parts":[{"text":"%s"}]},"finishReason":"STOP"}]}}`+
						"\n", i+1, text)
			}
			_ = to.Close()
		}()
	}))
	for range 10 {
		if err := a.look(); err == nil {
			break
		} else if !errors.As(err, new(*bulk.LaterError)) {
			t.Fatal(err)
		}
	}
	t.Logf("at most %d MB were held, before the test %d MB", most>>20, before>>20)
	if len(a.results) != lines || most > before+lines*size/2 {
		t.Errorf("%d results, %d MB were held, before the test %d MB", len(a.results), most>>20,
			before>>20)
	}
}

func TestABatchOfUnknownFateIsLookedForBeforeAnother(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]func(create func() (*http.Response, error)) (*http.Response,
		error){
		"it was created": func(create func() (*http.Response, error)) (*http.Response, error) {
			if reply, err := create(); err == nil {
				_ = reply.Body.Close()
			}
			return nil, errors.New("connection reset")
		},
		"it was not": func(func() (*http.Response, error)) (*http.Response, error) {
			return nil, errors.New("connection refused")
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			isCut := false
			a := ask(t, linesOf(5), ofQuestions(5), geminitest.WithBatchTime(time.Minute))
			client := a.server.Client(gemini.WithMiddleware(func(next gemini.Doer) gemini.Doer {
				return gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
					if isCut || !strings.HasSuffix(r.URL.Path, ":batchGenerateContent") {
						return next.Do(r)
					}
					isCut = true
					return cut(func() (*http.Response, error) { return next.Do(r) })
				})
			}))
			a.withClient(client)
			a.finish()
			a.checkAnswers()
			made := 0
			for range a.server.Client().Batches.List(t.Context()) {
				made++
			}
			if made != 1 || a.count("generateContent") > 0 {
				t.Errorf("%s: %d batches were made, %d calls", name, made,
					a.count("generateContent"))
			}
		})
	}
}

// A second batch would be paid twice.
func TestNoBatchIsMadeWhileTheFateOfOneCannotBeLookedUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		created, isDown := 0, false
		a := ask(t, linesOf(5), ofQuestions(5), geminitest.WithBatchTime(time.Minute))
		a.withClient(a.server.Client(gemini.WithMaxAttempts(1),
			gemini.WithMiddleware(func(next gemini.Doer) gemini.Doer {
				return gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
					if strings.HasSuffix(r.URL.Path, ":batchGenerateContent") {
						created++
						return nil, errors.New("connection reset")
					}
					if isDown {
						return nil, errors.New("connection refused")
					}
					return next.Do(r)
				})
			})))
		for range 3 {
			if err := a.look(); !errors.As(err, new(*bulk.LaterError)) {
				t.Errorf("got %v, want a *LaterError", err)
			}
			isDown = true
			time.Sleep(time.Hour)
		}
		if created != 1 {
			t.Errorf("a batch was created %d times", created)
		}
	})
}

// withClient runs the range with another client, and with a live executor for the rest. Without a
// live executor there must be no remaining lines.
func (a *asked) withClient(client *gemini.Client, live ...bulk.Executor) {
	a.t.Helper()
	executor, err := geminibatch.New(client, a.gateway, append(live, noLive{})[0])
	if err != nil {
		a.t.Fatal(err)
	}
	a.executor = executor
}

// gatewayOf returns a gateway that converts lines. A fake server answers calls to its own upstream.
func gatewayOf(t *testing.T) *gateway.Handler {
	t.Helper()
	handler, err := gateway.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	return handler
}

// noLive is for tests in which no live call may occur.
type noLive struct{}

func (noLive) Run(context.Context, *bulk.Item) error { return errors.New("asked live") }

func TestARangeWaitsForRoomAmongTheBatches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := ask(t, linesOf(5), geminitest.WithScript(
			geminitest.On(geminitest.Operation("batchGenerateContent")).Reply(
				geminitest.RateLimited(0)).Reply(geminitest.RateLimited(0)),
		))
		a.withClient(a.server.Client())
		a.finish()
		lists := 0
		for _, r := range a.server.Requests() {
			if strings.HasSuffix(r.URL.Path, "/batches") {
				lists++
			}
		}
		if a.count("batchGenerateContent") != 3 || lists > 0 { // it is known that no batch exists
			t.Errorf("%d tries, %d looks for a batch", a.count("batchGenerateContent"), lists)
		}
	})
}

func TestAWorkerThatStopsCreatesNoBatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stopping := make(chan struct{})
		close(stopping)
		a := ask(t, linesOf(5))
		a.item = bulk.NewItem(&bulk.Job{ID: "batch_1"}, 0, a.lines, stopping, a.write)
		if err := a.look(); !errors.As(err, new(*bulk.LaterError)) ||
			a.count("batchGenerateContent") > 0 {
			t.Errorf("%v, %d batches", err, a.count("batchGenerateContent"))
		}
	})
}
