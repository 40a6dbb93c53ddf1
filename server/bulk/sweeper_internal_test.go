package bulk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// sweeper is an executor whose work happens outside of the process.
type sweeper struct {
	executor
	calls int
	err   error
}

func (s *sweeper) Sweep(context.Context, *Service) error {
	s.calls++
	return s.err
}

// warnings counts the log messages.
type warnings struct {
	slog.Handler
	count int
}

func (*warnings) Enabled(context.Context, slog.Level) bool { return true }

func (w *warnings) Handle(context.Context, slog.Record) error {
	w.count++
	return nil
}

func (s *swept) workplace(executors map[string]Executor) (*workplace, *warnings) {
	s.t.Helper()
	w, err := s.newWorkplace(s.t.Context(), Worker{Executors: executors})
	if err != nil {
		s.t.Fatal(err)
	}
	logged := &warnings{Handler: slog.DiscardHandler}
	w.logger = slog.New(logged)
	return w, logged
}

func TestASweepCallsEachExecutorThatHasWorkElsewhere(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	first, second := &sweeper{}, &sweeper{}
	executors := map[string]Executor{"first": first, "second": second}
	for i := range 5 {
		executors[fmt.Sprint("other-", i)] = executor(func(*Item) error { return nil })
	}
	w, logged := s.workplace(executors)
	const times = 20 // each in another order
	for range times {
		w.sweepElsewhere(t.Context())
	}
	if first.calls != times || second.calls != times || logged.count != 0 {
		t.Errorf("called %d and %d times of %d, %d warnings", first.calls, second.calls, times,
			logged.count)
	}
	first.err = errors.New("the server does not answer")
	w.sweepElsewhere(t.Context())
	if second.calls != times+1 || logged.count != 1 {
		t.Errorf("with a failure: the other is called %d times, %d warnings", second.calls,
			logged.count)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	w.sweepElsewhere(ended)
	if logged.count != 1 {
		t.Errorf("the worker stops: %d warnings; expected 1", logged.count)
	}
}

func TestASweepLeavesAJobAloneWhileAnyOfItsRangesIsQueued(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	begun := s.at
	s.submit("job", Submission{})
	job := s.record("job")
	s.takeBack(workSubject(job, "0"))
	s.after(patience, begun)
	if s.hasWork(workSubject(job, "0")) {
		t.Error("a range is queued anew")
	}
	s.takeBack(workSubject(job, "1"))
	s.after(patience, begun)
	if !s.hasWork(workSubject(job, "0")) || !s.hasWork(workSubject(job, "1")) {
		t.Error("no range is queued anew")
	}
}

func TestMarkersOfDeletedJobsAndFilesStayForTheRetention(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.at = time.Now() // markers have the store's time
	s.submit("job", Submission{})
	s.submit("stays", Submission{})
	s.cancel("job")
	if err := s.finishTask(t.Context(), "job"); err != nil {
		t.Fatal(err)
	}
	file := s.file()
	if err := errors.Join(s.DeleteFile(t.Context(), file),
		s.Delete(t.Context(), "job")); err != nil {
		t.Fatal(err)
	}
	isMarked := func(table *engine.Table, key string) bool {
		t.Helper()
		_, err := table.Get(t.Context(), key)
		if err != nil && !engine.IsNotFound(err) {
			t.Fatal(err)
		}
		return err == nil
	}
	deleted := s.at
	for _, step := range []struct {
		after time.Duration
		want  bool
	}{{47 * time.Hour, true}, {49 * time.Hour, false}} {
		s.at = deleted.Add(step.after)
		if err := s.forget(t.Context()); err != nil {
			t.Fatal(err)
		}
		job, file := isMarked(s.engine.Jobs, "job.job"), isMarked(s.engine.FileIndex, "file."+file)
		if job != step.want || file != step.want {
			t.Errorf("%v later: marked are the job: %v, the file: %v; want %v", step.after, job, file,
				step.want)
		}
	}
	s.expectState("a job that was not deleted", "stays", InProgress)
}

func TestATaskIsQueuedOnce(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	for range 2 {
		if err := s.giveTask(t.Context(), taskFinish, "job"); err != nil {
			t.Fatal(err)
		}
	}
	if !s.hasWork(engine.SubjectTask + taskFinish + ".job") {
		t.Error("no worker has to do it")
	}
}

func TestAnExecutorThatParksAJobHasItsRangeDelayed(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	later := &LaterError{After: time.Hour, Park: true, Reason: "the daily quota is used up"}
	for id, isCancelled := range map[string]bool{"runs": false, "cancelled": true} {
		s.submit(id, Submission{})
		w, _ := s.workplace(map[string]Executor{ExecutorLive: executor(func(*Item) error {
			if isCancelled { // without a notice, which would stop the executor
				if _, err := s.jobs.Change(t.Context(), id, func(r *jobRecord) error {
					r.enter(Cancelling, s.at)
					return nil
				}); err != nil {
					t.Error(err)
				}
			}
			return later
		})})
		err := w.tryRange(t.Context(), t.Context().Done(), id, 0)
		if got := (*LaterError)(nil); !errors.As(err, &got) || got != later {
			t.Errorf("%s: %v; expected the executor's error", id, err)
		}
		job := s.record(id)
		if isCancelled != (job.Parking == nil) ||
			job.Parking != nil && (!job.Parking.Until.Equal(s.at.Add(time.Hour)) ||
				job.Parking.Reason != later.Reason) {
			t.Errorf("%s: %+v", id, job.Parking)
		}
	}
}

func TestARangeIsOnlyForAWorkerThatTakesItsJob(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	w, _ := s.workplace(map[string]Executor{ExecutorLive: executor(func(*Item) error {
		return errors.New("the network is gone")
	})})
	refuses := func(*Job) bool { return false }
	for name, tt := range map[string]struct {
		executor string
		state    State
		parking  *Parking
		takes    func(*Job) bool
		want     error // nil for a *notTakenError if it has an executor
		isTaken  bool
	}{
		"a job in progress":       {ExecutorLive, InProgress, nil, nil, nil, true},
		"a job that it takes":     {ExecutorLive, InProgress, nil, func(*Job) bool { return true }, nil, true},
		"a job that it refuses":   {ExecutorLive, InProgress, nil, refuses, nil, false},
		"an unknown executor":     {"other", InProgress, nil, nil, nil, false},
		"a job that is parked":    {ExecutorLive, InProgress, &Parking{}, nil, errNotNow, false},
		"a job that is cancelled": {ExecutorLive, Cancelling, nil, nil, errNoWork, false},
	} {
		job := *s.record("job")
		job.Executor, job.State, job.Parking, w.worker.Takes = tt.executor, tt.state, tt.parking,
			tt.takes
		_, err := w.executor(&job)
		isRefused := errors.As(err, new(*notTakenError))
		if (err == nil) != tt.isTaken || tt.want != nil && !errors.Is(err, tt.want) ||
			isRefused != (tt.want == nil && !tt.isTaken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.tryRange(t.Context(), t.Context().Done(), "no-such-job", 0); !errors.Is(err,
		errNoWork) {
		t.Errorf("a range of a job that was deleted: %v; expected %v", err, errNoWork)
	}
}

// signalling is an executor whose sweep stops the worker. The sweep is the last step of a worker's
// sweeps.
type signalling struct {
	executor
	end context.CancelFunc
}

func (s *signalling) Sweep(context.Context, *Service) error {
	s.end()
	return nil
}

// sweepOnce runs a worker's sweeps until the first has ended, and returns the number of warnings.
func (s *swept) sweepOnce() int {
	s.t.Helper()
	ctx, end := context.WithCancel(s.t.Context())
	defer end()
	w, logged := s.workplace(map[string]Executor{ExecutorLive: &signalling{end: end}})
	if err := w.sweepNowAndThen(ctx); !errors.Is(err, context.Canceled) {
		s.t.Errorf("%v; expected %v", err, context.Canceled)
	}
	return logged.count
}

func TestAWorkerSweepsAndForgetsAtOnce(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.at = time.Now() // markers have the store's time
	file := s.file()
	if err := s.DeleteFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	s.submit("job", Submission{Window: time.Hour})
	s.at = s.at.Add(49 * time.Hour)
	if warned := s.sweepOnce(); warned != 0 {
		t.Errorf("%d warnings", warned)
	}
	s.expectState("after its window", "job", Finalizing)
	if _, err := s.engine.FileIndex.Get(t.Context(), "file."+file); !engine.IsNotFound(err) {
		t.Errorf("the marker of a file: %v; expected that it is gone", err)
	}
}

func TestAWorkerContinuesAfterAFailedSweep(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	if _, err := s.engine.FileIndex.Put(t.Context(), "file.damaged", []byte("{"), 0); err != nil {
		t.Fatal(err)
	}
	s.submit("job", Submission{Window: time.Hour})
	s.at = s.at.Add(time.Hour + 1)
	if warned := s.sweepOnce(); warned != 1 {
		t.Errorf("%d warnings; expected 1", warned)
	}
	s.expectState("after its window", "job", Finalizing)
}
