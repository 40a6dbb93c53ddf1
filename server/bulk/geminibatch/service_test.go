package geminibatch_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/geminibatch"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// questions are the lines of an input.
func questions(n int) string {
	var in strings.Builder
	for i := range n {
		fmt.Fprintf(&in,
			`{"custom_id":"q%d","method":"POST","url":"/v1/chat/completions","body":{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"question %d."}]}}`+
				"\n", i+1, i+1)
	}
	return in.String()
}

// serviceOf returns a store with a job for batches, and a worker that runs until the test ends.
func serviceOf(t *testing.T, server *geminitest.Server, live bulk.Executor, lines int,
	opts ...geminibatch.Option) (*bulk.Service, *bulk.Job) {
	t.Helper()
	service, err := bulk.Open(t.Context(), bulk.WithDirectory(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	executor, err := geminibatch.New(server.Client(), gatewayOf(t), live,
		append(opts, geminibatch.WithPolling(100*time.Millisecond, time.Second),
			geminibatch.WithSweepEvery(0))...)
	if err != nil {
		t.Fatal(err)
	}
	job, err := service.Submit(t.Context(), bulk.Submission{
		Input: strings.NewReader(questions(lines)), Executor: bulk.ExecutorGeminiBatch,
		RangeLines: 10,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() {
		ended <- service.Work(ctx,
			bulk.Worker{Executors: map[string]bulk.Executor{bulk.ExecutorGeminiBatch: executor},
				Grace: time.Second})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := service.Close(); err != nil {
			t.Error(err)
		}
	})
	return service, job
}

// await waits until a job is in a state.
func await(t *testing.T, service *bulk.Service, id string, state bulk.State) *bulk.Job {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		job, err := service.Job(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if job.State == state {
			return job
		}
		if time.Now().After(deadline) || job.State.Ended() {
			t.Fatalf("the job is %s: %+v", job.State, job)
		}
	}
}

func TestAJobOfSeveralRangesIsDoneByBatches(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, ofQuestions(35),
		geminitest.WithBatchTrouble(geminitest.BatchTrouble{Reverses: true}),
		geminitest.WithBatchTime(300*time.Millisecond))
	service, job := serviceOf(t, server, noLive{}, 35)
	job = await(t, service, job.ID, bulk.Completed)
	if c := job.Counts; c.Completed != 35 || c.Failed != 0 || c.Repeated != 0 {
		t.Errorf("counts: %+v", c)
	}
	answers, err := service.Results(t.Context(), job.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answers.Close() }()
	all, err := io.ReadAll(answers)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range strings.Split(strings.TrimSpace(string(all)), "\n") {
		if !strings.Contains(text, fmt.Sprintf(`"custom_id":"q%d"`, i+1)) ||
			!strings.Contains(text, fmt.Sprintf(`"answer %d."`, i+1)) {
			t.Errorf("line %d: %s", i+1, text)
		}
	}
}

// freeLive answers live calls without token counts.
type freeLive struct{}

func (freeLive) Run(ctx context.Context, item *bulk.Item) error {
	for _, l := range item.Lines {
		result := line.Result{Number: l.Number, CustomID: l.CustomID, Attempts: 1,
			Response: &line.Response{Status: 200, Body: jsontext.Value("{}")}}
		if err := item.Write(ctx, result); err != nil {
			return err
		}
	}
	return nil
}

// If a key occurs twice, its answers cannot be assigned. Both are paid, and the two lines are
// called again.
func TestUsageOfDiscardedAnswersCountsForTheJob(t *testing.T) {
	t.Parallel()
	usage := geminitest.Usage(&geminiapi.UsageMetadata{PromptTokenCount: new(1000),
		CandidatesTokenCount: new(100), TotalTokenCount: new(1100)})
	server := geminitest.NewServer(t,
		geminitest.WithScript(geminitest.On().Reply(geminitest.Text("Well."), usage)),
		geminitest.WithBatchTrouble(geminitest.BatchTrouble{Doubles: 2}))
	service, job := serviceOf(t, server, freeLive{}, 10,
		geminibatch.WithRateCard(ratecard.Google()))
	job = await(t, service, job.ID, bulk.Completed)
	price, err := ratecard.Google().Cost(ratecard.Call{
		Model: "gemini-2.5-flash", Surface: ratecard.GeminiAPI, Tier: ratecard.Batch,
		Usage: normalize.Usage{InputTokens: 1000, OutputTokens: 100, TotalTokens: 1100},
	})
	if err != nil {
		t.Fatal(err)
	}
	// Every second answer has the key of the previous one, so all ten are useless.
	want := line.Usage{InputTokens: 10_000, OutputTokens: 1000, Cost: 10 * price.Amount,
		Currency: price.Currency}
	if diff := cmp.Diff(want, job.Usage, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("the job's usage: %s", diff)
	}
}

func TestOnlyBatchesOfJobsThatEndAreCancelled(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithBatchTime(time.Hour))
	service, err := bulk.Open(t.Context(), bulk.WithDirectory(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = service.Close() })
	file, err := service.PutFile(t.Context(), bulk.File{Name: "in.jsonl"},
		strings.NewReader(questions(1)))
	if err != nil {
		t.Fatal(err)
	}
	for id, submission := range map[string]bulk.Submission{
		"cancelled": {Input: strings.NewReader(questions(1))}, "runs": {Input: strings.NewReader(questions(1))}, "is-checked": {InputFile: file.ID},
	} {
		submission.ID = id
		if _, err := service.Submit(t.Context(), submission); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := service.Cancel(t.Context(), "cancelled"); err != nil {
		t.Fatal(err)
	}
	names := []string{
		"gemwire runs/0/0", "gemwire cancelled/0/0", "gemwire is-checked/0/0",
		"gemwire cancelled/1/0", "gemwire of-another-store/0/0", "somebody's",
	}
	for _, name := range names {
		requests, err := server.Client().Files.Upload(t.Context(),
			strings.NewReader(`{"key":"1","request":{"contents":[{"parts":[{"text":"?"}]}]}}`+"\n"),
			&geminiapi.File{MIMEType: new("application/jsonl")})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := server.Client().Batches.Create(t.Context(), &geminiapi.GenerateContentBatch{
			Model: new("gemini-2.5-flash"), DisplayName: new(name),
			InputConfig: &geminiapi.BatchInputConfig{FileName: requests.Name},
		}); err != nil {
			t.Fatal(err)
		}
	}
	executor, err := geminibatch.New(server.Client(), gatewayOf(t), noLive{},
		geminibatch.WithSweepEvery(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	cancelled := func() (out []string) {
		for batch, err := range server.Client().Batches.List(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if jsonx.Deref(batch.Metadata.State) == geminiapi.BatchStateCancelled {
				out = append(out, jsonx.Deref(batch.Metadata.DisplayName))
			}
		}
		slices.Sort(out)
		return out
	}
	for range 2 {
		if err := executor.Sweep(t.Context(), service); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(cancelled(),
			", "); got != "gemwire cancelled/0/0, gemwire cancelled/1/0" {
			t.Errorf("cancelled: %s", got)
		}
		// A second sweep within the hour makes no call.
		if _, err := service.Cancel(t.Context(), "runs"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBatchesOfACancelledJobAreCancelled(t *testing.T) {
	if testing.Short() {
		t.Skip("workers sweep every 15 seconds")
	}
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithBatchTime(time.Hour))
	service, job := serviceOf(t, server, noLive{}, 25)
	states := func(want geminiapi.BatchState) (n int) {
		for batch, err := range server.Client().Batches.List(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if jsonx.Deref(batch.Metadata.State) == want {
				n++
			}
		}
		return n
	}
	for states(geminiapi.BatchStatePending) < 3 {
		time.Sleep(50 * time.Millisecond)
	}
	if _, err := service.Cancel(t.Context(), job.ID); err != nil {
		t.Fatal(err)
	}
	if job = await(t, service, job.ID, bulk.Cancelled); job.Counts.Failed != 25 {
		t.Errorf("counts: %+v", job.Counts)
	}
	for deadline := time.Now().Add(time.Minute); states(
		geminiapi.BatchStateCancelled) < 3; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d batches of a cancelled job go on", states(geminiapi.BatchStatePending))
		}
	}
}
