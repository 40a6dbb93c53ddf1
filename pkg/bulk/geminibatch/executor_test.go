package geminibatch_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/bulk"
	"github.com/gemwire/gemwire/pkg/bulk/geminibatch"
	"github.com/gemwire/gemwire/pkg/bulk/line"
	"github.com/gemwire/gemwire/pkg/bulk/live"
	"github.com/gemwire/gemwire/pkg/gateway"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/ratecard"
	"github.com/go-json-experiment/json/jsontext"
)

const chatURL = "/v1/chat/completions"

// linesOf returns lines that each ask for something else.
func linesOf(n int) []line.Line {
	lines := make([]line.Line, n)
	for i := range lines {
		body := fmt.Sprintf(`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"question %d."}]}`, i+1)
		lines[i] = line.Line{Number: i + 1, CustomID: fmt.Sprint("q", i+1), URL: chatURL, Body: jsontext.Value(body)}
	}
	return lines
}

// asked is a job of one range, with the server that answers it.
type asked struct {
	t        *testing.T
	server   *geminitest.Server
	executor *geminibatch.Executor
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
	a := &asked{t: t, server: geminitest.NewServer(t, opts...), lines: lines, results: map[int]line.Result{}}
	handler, err := gateway.New(gateway.WithMaxAttempts(1), gateway.WithRateCard(ratecard.Google()), gateway.WithUpstream(gateway.Upstream{
		Service: gateway.GeminiAPI, Accounts: []gateway.Account{gateway.KeyAccount("p", "a-key")},
		HTTPClient: a.server.HTTPClient(), BaseURL: "https://gemini.example",
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	a.executor, err = geminibatch.New(a.server.Client(), nil, live.New(handler), geminibatch.WithRateCard(ratecard.Google()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.executor.Close)
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

// check holds the results to the lines.
func (a *asked) check() {
	a.t.Helper()
	if len(a.results) != len(a.lines) || a.doubles > 0 {
		a.t.Errorf("%d lines have %d results, %d were written again", len(a.lines), len(a.results), a.doubles)
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

// ofQuestion has each question answered by its number.
func ofQuestions(n int) geminitest.Option {
	var script []*geminitest.Fixture
	for i := range n {
		script = append(script, geminitest.On(geminitest.Prompt(fmt.Sprintf("question %d.", i+1))).Reply(geminitest.Text(fmt.Sprintf("answer %d.", i+1))))
	}
	return geminitest.WithScript(script...)
}

// checkAnswers holds each result to the answer to its question.
func (a *asked) checkAnswers() {
	a.t.Helper()
	for _, l := range a.lines {
		got := a.results[l.Number]
		if got.Response.Status != 200 || !strings.Contains(string(got.Response.Body), fmt.Sprintf(`"answer %d."`, l.Number)) ||
			!strings.Contains(string(got.Response.Body), `"chat.completion"`) {
			a.t.Errorf("line %d: HTTP %d: %s", l.Number, got.Response.Status, got.Response.Body)
		}
	}
}

func TestLinesAreAnsweredByABatchAtHalfThePrice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		usage := &geminiapi.UsageMetadata{PromptTokenCount: new(1000), CandidatesTokenCount: new(100), TotalTokenCount: new(1100)}
		a := ask(t, linesOf(50), geminitest.WithBatchTime(3*time.Hour),
			geminitest.WithScript(geminitest.On().Reply(geminitest.Text("Well."), geminitest.Usage(usage))))
		start := time.Now()
		a.finish()
		if took := time.Since(start); took < 3*time.Hour || took > 3*time.Hour+10*time.Minute || a.looks > 70 {
			t.Errorf("it took %v and %d looks", took, a.looks)
		}
		if created, direct := a.count("batchGenerateContent"), a.count("generateContent"); created != 1 || direct != 0 {
			t.Errorf("%d batches, %d calls", created, direct)
		}
		price, err := ratecard.Google().Cost(ratecard.Call{
			Model: "gemini-2.5-flash", Surface: ratecard.GeminiAPI, Tier: ratecard.Batch, Usage: usageOf(1000, 100),
		})
		if err != nil {
			t.Fatal(err)
		}
		want := line.Usage{InputTokens: 1000, OutputTokens: 100, Cost: price.Amount, Currency: "USD"}
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
			if direct, batches := a.count("generateContent"), a.count("batchGenerateContent"); direct != test.direct || batches != test.batches {
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
		if took := time.Since(start); took < 24*time.Hour || took > 25*time.Hour || a.count("cancel") != 1 {
			t.Errorf("it took %v, the batch was cancelled %d times", took, a.count("cancel"))
		}
	})
}

func TestFailuresOfLinesAreResultsUnlessTheyMayPass(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := ask(t, linesOf(3), geminitest.WithScript(
			geminitest.On(geminitest.Prompt("question 1.")).Reply(geminitest.Error(400, geminiapi.ErrorStatusInvalidArgument, "too odd")),
			geminitest.On(geminitest.Prompt("question 2.")).Reply(geminitest.Unavailable()).Reply(geminitest.Text("answer 2.")),
		))
		a.finish()
		if got := a.results[1].Response; got.Status != 400 || !strings.Contains(string(got.Body), `"message":"too odd"`) || !strings.Contains(string(got.Body), "invalid_request_error") {
			t.Errorf("HTTP %d: %s", got.Status, got.Body)
		}
		if got := a.results[2].Response; got.Status != 200 || !strings.Contains(string(got.Body), "answer 2.") || a.count("generateContent") != 1 {
			t.Errorf("HTTP %d: %s, %d calls", got.Status, got.Body, a.count("generateContent"))
		}
	})
}

func TestWhatTheGatewayRefusesIsNotInABatch(t *testing.T) {
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

func TestEmbeddingsAreAskedLive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lines := linesOf(3)
		for i := range lines {
			lines[i].URL, lines[i].Body = "/v1/embeddings", jsontext.Value(`{"model":"gemini-embedding-001","input":"a"}`)
		}
		a := ask(t, lines)
		a.finish()
		if got := a.results[1].Response; got.Status != 200 || !strings.Contains(string(got.Body), `"embedding"`) {
			t.Errorf("HTTP %d: %s", got.Status, got.Body)
		}
	})
}

func TestABatchOfUnknownFateIsLookedForBeforeAnother(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]func(create func() (*http.Response, error)) (*http.Response, error){
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
				t.Errorf("%s: %d batches were made, %d calls", name, made, a.count("generateContent"))
			}
		})
	}
}

// withClient has the range asked by another client.
func (a *asked) withClient(client *gemini.Client) {
	a.t.Helper()
	executor, err := geminibatch.New(client, nil, noLive{})
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(executor.Close)
	a.executor = executor
}

// noLive is for tests in which nothing is to be asked live.
type noLive struct{}

func (noLive) Run(context.Context, *bulk.Item) error { return errors.New("asked live") }

func TestARangeWaitsForRoomAmongTheBatches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := ask(t, linesOf(5), geminitest.WithScript(
			geminitest.On(geminitest.Operation("batchGenerateContent")).Reply(geminitest.RateLimited(0)).Reply(geminitest.RateLimited(0)),
		))
		a.withClient(a.server.Client())
		a.finish()
		lists := 0
		for _, r := range a.server.Requests() {
			if strings.HasSuffix(r.URL.Path, "/batches") {
				lists++
			}
		}
		if a.count("batchGenerateContent") != 3 || lists > 0 { // as it is known that there is none
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
		if err := a.look(); !errors.As(err, new(*bulk.LaterError)) || a.count("batchGenerateContent") > 0 {
			t.Errorf("%v, %d batches", err, a.count("batchGenerateContent"))
		}
	})
}
