package bulk_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/nats-io/nats-server/v2/server"
)

// gate answers lines below a number, and blocks all others until it is stopped.
type gate struct {
	open atomic.Int64 // lines up to this number are answered
}

func (g *gate) Run(ctx context.Context, item *bulk.Item) error {
	for _, l := range item.Lines {
		for int64(l.Number) > g.open.Load() {
			select {
			case <-item.Stopping():
				return &bulk.LaterError{Reason: "stopped"}
			case <-time.After(time.Millisecond):
			}
		}
		if err := item.Write(ctx, answered(l)); err != nil {
			return err
		}
	}
	return nil
}

// awaitCount waits until n lines have a result.
func awaitCount(t *testing.T, service *bulk.Service, id string, n int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for progress, err := range service.Watch(ctx, id) {
		if err != nil {
			t.Fatalf("waiting for %d results: %v", n, err)
		}
		if progress.Counts.Done() >= n {
			return
		}
	}
}

func TestACancelledJobKeepsWhatWasAnsweredAndNamesTheRest(t *testing.T) {
	t.Parallel()
	service := open(t)
	g := &gate{}
	g.open.Store(25)
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(100)), RangeLines: 10})
	work(t, service, live(g))
	awaitCount(t, service, job.ID, 25)
	cancelling, err := service.Cancel(t.Context(), job.ID)
	if err != nil || cancelling.State != bulk.Cancelling {
		t.Fatalf("cancelling: %+v, %v", cancelling, err)
	}
	ended := await(t, service, job.ID, bulk.Cancelled)
	if c := ended.Counts; c.Total != 100 || c.Completed != 25 || c.Failed != 75 || c.Repeated != 0 {
		t.Errorf("counts: %+v", c)
	}
	expectAll(t, results(t, service, job.ID), 0, 25)
	expectNotRun(t, failures(t, service, job.ID), line.CodeCancelled, 25, 100)
	if _, err := service.Cancel(t.Context(), job.ID); !errors.As(err, new(*bulk.StateError)) {
		t.Errorf("cancelled again: %v; expected a *StateError", err)
	}
}

func TestOnlyLinesWithoutAResultAreNamedAsNotRun(t *testing.T) {
	t.Parallel()
	service := open(t)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(10))})
	work(t, service, live(executorFunc(func(ctx context.Context, item *bulk.Item) error {
		for i, result := range []line.Result{answered(item.Lines[3]), refused(item.Lines[5]),
			answered(item.Lines[9])} {
			if err := item.Write(ctx, result); err != nil {
				return fmt.Errorf("result %d: %w", i, err)
			}
		}
		<-item.Stopping()
		return &bulk.LaterError{Reason: "stopped"}
	})))
	awaitCount(t, service, job.ID, 3)
	if _, err := service.Cancel(t.Context(), job.ID); err != nil {
		t.Fatal(err)
	}
	ended := await(t, service, job.ID, bulk.Cancelled)
	if c := ended.Counts; c.Completed != 2 || c.Failed != 8 ||
		ended.Failures[line.CodeCancelled] != 7 {
		t.Errorf("counts: %+v, failures %v", c, ended.Failures)
	}
	if done := results(t, service, job.ID); len(done) != 2 || done[0].CustomID != "q-3" ||
		done[1].CustomID != "q-9" {
		t.Errorf("results: %+v", done)
	}
	var failed []string
	for _, o := range failures(t, service, job.ID) {
		failed = append(failed, o.CustomID)
		if (o.Response != nil) != (o.CustomID == "q-5") {
			t.Errorf("%+v", o)
		}
	}
	slices.Sort(failed)
	if got := strings.Join(failed, " "); got != "q-0 q-1 q-2 q-4 q-5 q-6 q-7 q-8" {
		t.Errorf("failed: %s", got)
	}
}

func expectNotRun(t *testing.T, all []outcome, code string, from, to int) {
	t.Helper()
	expectAll(t, all, from, to)
	for _, o := range all {
		if o.Response != nil || o.Error == nil || o.Error.Code != code {
			t.Fatalf("line of %s: %+v; expected the error %s", o.CustomID, o, code)
		}
	}
}

// clock is a clock that a test sets.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time          { return time.Now().Add(time.Duration(c.ahead.Load())) }
func (c *clock) advance(d time.Duration) { c.ahead.Add(int64(d)) }

func TestAJobExpiresAndCanBeRetried(t *testing.T) {
	t.Parallel()
	clock := &clock{}
	service := open(t, bulk.WithClock(clock.now))
	g := &gate{}
	g.open.Store(5)
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(20)), RangeLines: 10, Window: time.Hour})
	stop := work(t, service, live(g))
	awaitCount(t, service, job.ID, 5)
	stop()
	clock.advance(time.Hour + time.Minute)
	work(t, service, live(&answerer{}))
	ended := await(t, service, job.ID, bulk.Expired)
	if c := ended.Counts; c.Completed != 5 || c.Failed != 15 ||
		ended.Failures[line.CodeExpired] != 15 {
		t.Errorf("counts: %+v, failures %v", c, ended.Failures)
	}
	expectAll(t, results(t, service, job.ID), 0, 5)
	expectNotRun(t, failures(t, service, job.ID), line.CodeExpired, 5, 20)

	again, err := service.Retry(t.Context(), job.ID, bulk.Submission{})
	if err != nil {
		t.Fatal(err)
	}
	retried := await(t, service, again.ID, bulk.Completed)
	if retried.RetryOf != job.ID || retried.Counts.Completed != 15 {
		t.Errorf("retried: %+v", retried)
	}
	expectAll(t, results(t, service, again.ID), 5, 20)
	if _, err := service.Retry(t.Context(), again.ID, bulk.Submission{}); !errors.As(err,
		new(*bulk.StateError)) {
		t.Errorf("retry of a job without failures: %v; expected a *StateError", err)
	}
}

func TestOnlyTheFailedLinesAreRetried(t *testing.T) {
	t.Parallel()
	service := open(t)
	var heals atomic.Bool
	asked := &answerer{answer: func(l line.Line) line.Result {
		if l.Number%3 == 0 && !heals.Load() {
			return refused(l)
		}
		return answered(l)
	}}
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(30)), RangeLines: 7})
	work(t, service, live(asked))
	await(t, service, job.ID, bulk.Completed)
	heals.Store(true)
	again, err := service.Retry(t.Context(), job.ID, bulk.Submission{ID: "again"})
	if err != nil {
		t.Fatal(err)
	}
	if retried := await(t, service, again.ID, bulk.Completed); retried.Counts.Completed != 10 {
		t.Errorf("counts: %+v", retried.Counts)
	}
	asked.mu.Lock()
	defer asked.mu.Unlock()
	if asked.asked["q-2"] != 2 || asked.asked["q-3"] != 1 {
		t.Errorf("q-2 was asked %d times, q-3 %d times", asked.asked["q-2"], asked.asked["q-3"])
	}
}

func TestARetryKeepsPriorityAndMetadataUnlessItHasItsOwn(t *testing.T) {
	t.Parallel()
	service := open(t)
	job := submit(t, service, bulk.Submission{
		Input: strings.NewReader(questions(2)), Priority: bulk.PriorityLow,
		Metadata: map[string]string{"team": "sea"},
	})
	work(t, service, live(&answerer{answer: refused}))
	await(t, service, job.ID, bulk.Completed)
	for id, tt := range map[string]struct {
		submission bulk.Submission
		priority   bulk.Priority
		metadata   map[string]string
	}{
		"as-it-was": {bulk.Submission{}, bulk.PriorityLow, map[string]string{"team": "sea"}},
		"of-its-own": {
			bulk.Submission{Priority: bulk.PriorityHigh,
				Metadata: map[string]string{"team": "land"}},
			bulk.PriorityHigh, map[string]string{"team": "land"},
		},
	} {
		tt.submission.ID = id
		again, err := service.Retry(t.Context(), job.ID, tt.submission)
		if err != nil {
			t.Fatal(err)
		}
		if again.Priority != tt.priority || !maps.Equal(again.Metadata, tt.metadata) ||
			again.RetryOf != job.ID {
			t.Errorf("%s: %+v", id, again)
		}
		// Repeating the retry returns the same job.
		if same, err := service.Retry(t.Context(), job.ID, tt.submission); err != nil ||
			same.ID != again.ID {
			t.Errorf("%s: again: %+v, %v", id, same, err)
		}
	}
}

func TestAnImpossibleRetryIsRefused(t *testing.T) {
	t.Parallel()
	service := open(t)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(2))})
	if _, err := service.Retry(t.Context(), job.ID, bulk.Submission{}); !errors.As(err,
		new(*bulk.StateError)) {
		t.Errorf("retry of a job in progress: %v; expected a *StateError", err)
	}
	work(t, service, live(&answerer{answer: refused}))
	await(t, service, job.ID, bulk.Completed)
	if same, err := service.Continue(t.Context(), job.ID); err != nil ||
		same.State != bulk.Completed {
		t.Errorf("a job that has ended is to go on: %+v, %v", same, err)
	}
	if _, err := service.Park(t.Context(), job.ID, bulk.Parking{}); !errors.As(err,
		new(*bulk.StateError)) {
		t.Errorf("a job that has ended is to rest: %v; expected a *StateError", err)
	}
	for name, submission := range map[string]bulk.Submission{
		"a bad name": {ID: "a.b"}, "a priority": {Priority: "urgent"}, "a time below": {Window: -1},
	} {
		if _, err := service.Retry(t.Context(), job.ID, submission); !errors.As(err,
			new(*bulk.SubmissionError)) {
			t.Errorf("%s: error %v; expected a *SubmissionError", name, err)
		}
	}
}

func TestAParkedJobWaitsForItsResume(t *testing.T) {
	t.Parallel()
	service := open(t)
	g := &gate{}
	g.open.Store(5)
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(30)), RangeLines: 3})
	work(t, service, live(g))
	awaitCount(t, service, job.ID, 5)
	parked, err := service.Park(t.Context(), job.ID, bulk.Parking{Reason: "lunch"})
	if err != nil || parked.State != bulk.InProgress || parked.Parking == nil ||
		parked.Parking.Reason != "lunch" {
		t.Fatalf("parked: %+v, %v", parked, err)
	}
	time.Sleep(3 * idle)
	g.open.Store(100)
	time.Sleep(3 * idle)
	if job, _ := service.Job(t.Context(), job.ID); job.Counts.Done() > 6 {
		t.Errorf("%d lines were answered while the job was parked", job.Counts.Done())
	}
	if _, err := service.Continue(t.Context(), job.ID); err != nil {
		t.Fatal(err)
	}
	ended := await(t, service, job.ID, bulk.Completed)
	if ended.Counts.Repeated != 0 {
		t.Errorf("counts: %+v", ended.Counts)
	}
	expectAll(t, results(t, service, job.ID), 0, 30)
}

// idle is a time in which a worker would surely have taken available work.
const idle = 250 * time.Millisecond

// quota pauses the job at its first call.
type quota struct {
	answerer
	once sync.Once
}

func (q *quota) Run(ctx context.Context, item *bulk.Item) (err error) {
	q.once.Do(func() {
		err = &bulk.LaterError{After: 2 * time.Second, Park: true,
			Reason: "the daily quota is used up"}
	})
	if err != nil {
		return err
	}
	return q.answerer.Run(ctx, item)
}

func TestAnExecutorParksTheJobUntilAQuotaIsNew(t *testing.T) {
	t.Parallel()
	clock := &clock{}
	service := open(t, bulk.WithClock(clock.now))
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(30)), RangeLines: 30})
	stop := work(t, service, live(&quota{}))
	awaitJob(t, service, job.ID, "parking", func(job *bulk.Job) bool {
		return job.Parking != nil && job.Parking.Reason == "the daily quota is used up"
	})
	stop()
	clock.advance(time.Minute)
	work(t, service, live(&answerer{})) // which looks after jobs at once
	if ended := await(t, service, job.ID, bulk.Completed); ended.Counts.Repeated != 0 {
		t.Errorf("counts: %+v", ended.Counts)
	}
}

func TestRangesOfAHigherPriorityGoFirst(t *testing.T) {
	t.Parallel()
	service := open(t)
	var mu sync.Mutex
	var order []string
	for _, priority := range []bulk.Priority{bulk.PriorityLow, bulk.PriorityNormal,
		bulk.PriorityHigh} {
		submit(t, service,
			bulk.Submission{ID: string(priority), Input: strings.NewReader(questions(4)),
				RangeLines: 2, Priority: priority})
	}
	worker := live(executorFunc(func(ctx context.Context, item *bulk.Item) error {
		mu.Lock()
		order = append(order, item.Job.ID)
		mu.Unlock()
		return (&answerer{}).Run(ctx, item)
	}))
	worker.Items = 1
	work(t, service, worker)
	await(t, service, "low", bulk.Completed)
	if got := strings.Join(order, " "); got != "high high normal normal low low" {
		t.Errorf("order: %s", got)
	}
}

type executorFunc func(ctx context.Context, item *bulk.Item) error

func (f executorFunc) Run(ctx context.Context, item *bulk.Item) error { return f(ctx, item) }

func TestAnItemThatHasToWaitContinuesWithItsNoteAndWithoutRepeating(t *testing.T) {
	t.Parallel()
	service := open(t)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(10))})
	var runs atomic.Int64
	work(t, service, live(executorFunc(func(ctx context.Context, item *bulk.Item) error {
		switch runs.Add(1) {
		case 1:
			if err := item.SetNote(ctx, []byte("batches/1")); err != nil {
				return err
			}
			if err := item.Write(ctx, answered(item.Lines[3])); err != nil {
				return err
			}
			return &bulk.LaterError{After: 10 * time.Millisecond, Reason: "the batch runs"}
		case 2:
			if string(item.Note()) != "batches/1" || len(item.Lines) != 9 || item.Repeated {
				t.Errorf("second run: note %q, %d lines, repeated %v", item.Note(), len(item.Lines),
					item.Repeated)
			}
		}
		return (&answerer{}).Run(ctx, item)
	})))
	if ended := await(t, service, job.ID, bulk.Completed); ended.Counts.Repeated != 0 {
		t.Errorf("counts: %+v", ended.Counts)
	}
	expectAll(t, results(t, service, job.ID), 0, 10)
}

func TestANoteHasALimit(t *testing.T) {
	t.Parallel()
	service := open(t)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(1))})
	const most = 64 << 10
	work(t, service, live(executorFunc(func(ctx context.Context, item *bulk.Item) error {
		if err := item.SetNote(ctx, make([]byte, most+1)); err == nil {
			t.Error("a longer note is kept")
		}
		if err := item.SetNote(ctx, make([]byte, most)); err != nil || len(item.Note()) != most {
			t.Errorf("a note of 64 KiB: %v, %d bytes", err, len(item.Note()))
		}
		return (&answerer{}).Run(ctx, item)
	})))
	await(t, service, job.ID, bulk.Completed)
}

func TestAnExecutorThatFailsIsTriedAgainAndItsLinesCountAsRepeated(t *testing.T) {
	t.Parallel()
	service := open(t)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(10))})
	var runs atomic.Int64
	work(t, service, live(executorFunc(func(ctx context.Context, item *bulk.Item) error {
		if runs.Add(1) == 1 {
			_ = item.Write(ctx, answered(item.Lines[0]))
			return errors.New("the network is gone")
		}
		if !item.Repeated {
			t.Error("the item does not say that its lines may have been asked before")
		}
		return (&answerer{}).Run(ctx, item)
	})))
	ended := await(t, service, job.ID, bulk.Completed)
	if c := ended.Counts; c.Repeated != 9 || c.RepeatedCost != 4.5 {
		t.Errorf("counts: %+v", c)
	}
}

func TestAWorkerLeavesJobsThatItDoesNotTake(t *testing.T) {
	t.Parallel()
	service := open(t)
	other := submit(t, service,
		bulk.Submission{ID: "other", Input: strings.NewReader(questions(10))})
	mine := submit(t, service, bulk.Submission{ID: "mine", Input: strings.NewReader(questions(10))})
	worker := live(&answerer{})
	worker.Takes = func(job *bulk.Job) bool { return job.ID == "mine" }
	work(t, service, worker)
	await(t, service, mine.ID, bulk.Completed)
	if job, err := service.Job(t.Context(), other.ID); err != nil || job.Counts.Done() != 0 {
		t.Errorf("the other job: %+v, %v", job, err)
	}
}

// A job of a million lines that no worker takes has thousands of ranges.
func TestAWorkerIsNotBusyWithJobsThatItDoesNotTake(t *testing.T) {
	if testing.Short() {
		t.Skip("ranges are offered again after 5 seconds at the earliest")
	}
	t.Parallel()
	service := open(t)
	submit(t, service, bulk.Submission{ID: "other", Input: strings.NewReader(questions(1000)),
		RangeLines: 1})
	var offered atomic.Int64
	worker := live(&answerer{})
	worker.Takes = func(job *bulk.Job) bool { offered.Add(1); return false }
	begun := time.Now()
	work(t, service, worker)
	for deadline := begun.Add(time.Minute); offered.Load() < 1000; time.Sleep(
		10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d ranges were offered", offered.Load())
		}
	}
	time.Sleep(8 * time.Second)
	took := time.Since(begun)
	// Each range waits 20 seconds until it is offered again. This limits the number of calls even
	// on a slow machine.
	if n, most := offered.Load(), 1000*(1+int64(took/(20*time.Second))); n > most {
		t.Errorf("1000 ranges were offered %d times within %v; expected at most %d", n, took, most)
	}
}

func TestADeletedJobLeavesNothing(t *testing.T) {
	t.Parallel()
	service := open(t)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(10))})
	if err := service.Delete(t.Context(), job.ID); !errors.As(err, new(*bulk.StateError)) {
		t.Errorf("delete of a job in progress: %v; expected a *StateError", err)
	}
	work(t, service, live(&answerer{}))
	ended := await(t, service, job.ID, bulk.Completed)
	if err := service.Delete(t.Context(), job.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := service.Job(t.Context(), job.ID); !errors.As(err, new(*bulk.NotFoundError)) {
		t.Errorf("the job: %v; expected a *NotFoundError", err)
	}
	if _, err := service.File(t.Context(), ended.OutputFile); !errors.As(err,
		new(*bulk.NotFoundError)) {
		t.Errorf("its file: %v; expected a *NotFoundError", err)
	}
}

// The files of a job hold its answers, its errors, or both.
func TestADeletedJobLeavesNoPieceOfItsFiles(t *testing.T) {
	t.Parallel()
	address := startServer(t, &server.Options{StoreDir: t.TempDir()}).ClientURL()
	service := openAt(t, address)
	pieces := func() uint64 {
		t.Helper()
		stream, err := lookInto(t, address).Stream(t.Context(), "GEMWIRE_BULK_FILES")
		if err != nil {
			t.Fatal(err)
		}
		info, err := stream.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return info.State.Msgs
	}
	before := pieces()
	for name, answerer := range map[string]*answerer{
		"answers alone": {}, "both": halfRefused(), "errors alone": {answer: refused},
	} {
		job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(4))})
		stop := work(t, service, live(answerer))
		ended := await(t, service, job.ID, bulk.Completed)
		stop()
		if ended.OutputFile == "" && ended.ErrorFile == "" || pieces() == before {
			t.Errorf("%s: the job has no file", name)
		}
		if err := service.Delete(t.Context(), job.ID); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{ended.OutputFile, ended.ErrorFile} {
			if _, err := service.File(t.Context(), file); !errors.As(err,
				new(*bulk.NotFoundError)) {
				t.Errorf("%s: the file %q: %v; expected a *NotFoundError", name, file, err)
			}
		}
		if after := pieces(); after != before {
			t.Errorf("%s: %d messages are left of files; expected %d", name, after, before)
		}
	}
}

func TestOldJobsAreDeleted(t *testing.T) {
	t.Parallel()
	clock := &clock{}
	service := open(t, bulk.WithClock(clock.now), bulk.WithRetention(24*time.Hour))
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(10))})
	stop := work(t, service, live(&answerer{}))
	await(t, service, job.ID, bulk.Completed)
	stop()
	clock.advance(25 * time.Hour)
	work(t, service, bulk.Worker{})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		_, err := service.Job(t.Context(), job.ID)
		if errors.As(err, new(*bulk.NotFoundError)) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the job is still there: %v", err)
		}
	}
}

// An executor that polls a daily batch every minute must not be called a thousand times a second.
func TestAWaitingRangeIsNotTaken(t *testing.T) {
	t.Parallel()
	service := open(t)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(10))})
	const wait = time.Second
	var times []time.Time // of the one range, which one worker has at a time
	work(t, service, live(executorFunc(func(ctx context.Context, item *bulk.Item) error {
		if times = append(times, time.Now()); len(times) == 3 {
			return (&answerer{}).Run(ctx, item)
		}
		return &bulk.LaterError{After: wait, Reason: "the batch runs"}
	})))
	await(t, service, job.ID, bulk.Completed)
	for i := 1; i < len(times); i++ {
		if waited := times[i].Sub(times[i-1]); waited < wait-50*time.Millisecond {
			t.Errorf("it is asked again after %s, and has to wait %s", waited, wait)
		}
	}
	if len(times) != 3 {
		t.Errorf("it was asked %d times", len(times))
	}
}
