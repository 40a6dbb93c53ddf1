package bulk_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// open opens a store in a directory of the test.
func open(t *testing.T, opts ...bulk.Option) *bulk.Service {
	t.Helper()
	return openIn(t, t.TempDir(), opts...)
}

func openIn(t *testing.T, directory string, opts ...bulk.Option) *bulk.Service {
	t.Helper()
	service, err := bulk.Open(t.Context(),
		append([]bulk.Option{bulk.WithDirectory(directory), bulk.WithMaxBytes(1 << 30)},
			opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = service.Close() })
	return service
}

// questions is an input of n lines.
func questions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"custom_id":"q-%d","method":"POST","url":"/v1/chat/completions","body":{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"How much is %d and 1?"}]}}`+
			"\n", i, i)
	}
	return b.String()
}

// answerer answers lines, each with its own id, and counts the calls for each.
type answerer struct {
	answer func(l line.Line) line.Result // nil is a short answer

	mu    sync.Mutex
	asked map[string]int
}

func (a *answerer) Run(ctx context.Context, item *bulk.Item) error {
	for _, l := range item.Lines {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		a.mu.Lock()
		if a.asked == nil {
			a.asked = map[string]int{}
		}
		a.asked[l.CustomID]++
		a.mu.Unlock()
		result := answered(l)
		if a.answer != nil {
			result = a.answer(l)
		}
		if err := item.Write(ctx, result); err != nil {
			return err
		}
	}
	return nil
}

func answered(l line.Line) line.Result {
	return line.Result{
		Number: l.Number, CustomID: l.CustomID, Attempts: 1,
		Usage: line.Usage{InputTokens: 3, OutputTokens: 2, Cost: 0.5, Currency: "USD"},
		Response: &line.Response{Status: 200, RequestID: "r-" + l.CustomID,
			Body: jsontext.Value(`{"ok":true}`)},
	}
}

func refused(l line.Line) line.Result {
	return line.Result{
		Number: l.Number, CustomID: l.CustomID, Attempts: 1,
		Response: &line.Response{Status: 400,
			Body: jsontext.Value(`{"error":{"message":"no","type":"invalid_request_error","code":"bad"}}`)},
	}
}

// work runs a worker until the test or the returned function stops it.
func work(t *testing.T, service *bulk.Service, worker bulk.Worker) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- service.Work(ctx, worker) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Work: %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

func live(executor bulk.Executor) bulk.Worker {
	return bulk.Worker{Executors: map[string]bulk.Executor{bulk.ExecutorLive: executor},
		Grace: time.Second}
}

func submit(t *testing.T, service *bulk.Service, submission bulk.Submission) *bulk.Job {
	t.Helper()
	job, err := service.Submit(t.Context(), submission)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// await waits until a job is in a state.
func await(t *testing.T, service *bulk.Service, id string, state bulk.State) bulk.Job {
	t.Helper()
	return awaitJob(t, service, id, string(state),
		func(job *bulk.Job) bool { return job.State == state })
}

func awaitJob(t *testing.T, service *bulk.Service, id, what string,
	is func(*bulk.Job) bool) bulk.Job {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var last bulk.Job
	for progress, err := range service.Watch(ctx, id) {
		if err != nil {
			t.Fatalf("waiting for %s, the job was %s: %v", what, last.State, err)
		}
		last = progress.Job
		if is(&last) {
			return last
		}
	}
	t.Fatalf("waiting for %s, the job ended %s with %d problems", what, last.State,
		last.ProblemCount)
	return last
}

// outcome is a line of an output or error file.
type outcome struct {
	CustomID string `json:"custom_id"`
	Response *struct {
		Status int            `json:"status_code"`
		Body   jsontext.Value `json:"body"`
	} `json:"response"`
	Error *line.Error `json:"error"`
}

// read reads a file of results.
func read(t *testing.T, from io.ReadCloser, err error) []outcome {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }()
	var all []outcome
	dec := jsontext.NewDecoder(from)
	for {
		var o outcome
		err := json.UnmarshalDecode(dec, &o)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
}

func results(t *testing.T, service *bulk.Service, id string) []outcome {
	t.Helper()
	from, err := service.Results(t.Context(), id)
	return read(t, from, err)
}

func failures(t *testing.T, service *bulk.Service, id string) []outcome {
	t.Helper()
	from, err := service.Errors(t.Context(), id)
	return read(t, from, err)
}

// expectAll fails unless the outcomes belong to the lines from..to-1 of questions, in that order.
func expectAll(t *testing.T, all []outcome, from, to int) {
	t.Helper()
	if len(all) != to-from {
		t.Fatalf("%d results; expected %d", len(all), to-from)
	}
	for i, o := range all {
		if want := fmt.Sprintf("q-%d", from+i); o.CustomID != want {
			t.Fatalf("result %d is of %s; expected %s", i, o.CustomID, want)
		}
	}
}
