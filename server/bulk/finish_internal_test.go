package bulk

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/gemwire/gemwire/server/bulk/internal/tally"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// The end of a job is tested inside the package, because only there a test can control the time of
// each step.

// takeRange takes a range like a worker.
func (s *swept) takeRange() jetstream.Msg {
	s.t.Helper()
	consumer, err := s.engine.Work.Consumer(s.t.Context(), engine.ConsumerNormal)
	if err != nil {
		s.t.Fatal(err)
	}
	message, err := consumer.Next()
	if err != nil {
		s.t.Fatal(err)
	}
	return message
}

func (s *swept) cancel(id string) {
	s.t.Helper()
	if _, err := s.Cancel(s.t.Context(), id); err != nil {
		s.t.Fatal(err)
	}
}

func TestAJobThatIsStoppedWaitsTenSecondsForRangesOfWorkers(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	stopped := s.at
	s.submit("other", Submission{})
	s.takeRange() // of any job
	jobs := map[string]struct {
		end   time.Duration
		state State
	}{
		"cancelled":         {drainTime, Cancelled},
		"expired":           {drainTime, Expired},
		"cancelled-earlier": {-1, Cancelled}, // by a clock that was set back
		"expired-earlier":   {-1, Expired},
	}
	for id, job := range jobs {
		s.submit(id, Submission{})
		if job.state == Cancelled {
			s.cancel(id)
		} else if err := s.expire(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		for _, after := range []time.Duration{0, drainTime - 1} {
			s.at = stopped.Add(after)
			var later *LaterError
			if err := s.finishTask(t.Context(), id); !errors.As(err, &later) ||
				later.After != idleTime {
				t.Errorf("%s, %v later: %v; expected a *LaterError", id, after, err)
			}
		}
		s.at = stopped.Add(job.end)
		if err := s.finishTask(t.Context(), id); err != nil {
			t.Errorf("%s, %v later: %v", id, job.end, err)
		}
		s.expectState("at the end", id, job.state)
		s.at = stopped
	}
}

func TestAJobThatIsStoppedEndsAtOnceIfNoWorkerHasARange(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	ranges := workSubject(s.record("job"), "*")
	s.cancel("job")
	if err := s.letDrain(t.Context(), s.record("job")); err != nil || s.hasWork(ranges) {
		t.Errorf("%v, workers can still get ranges: %v", err, s.hasWork(ranges))
	}
}

// The task may belong to a deleted job whose name is used again.
func TestAFinishTaskLeavesAJobAloneWhoseInputIsNotCheckedYet(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{InputFile: s.file()})
	if err := s.finishTask(t.Context(), "job"); err != nil {
		t.Fatal(err)
	}
	s.expectState("after the task", "job", Validating)
}

// newOutput writes the files of a job and returns them. The job has not ended yet.
func (s *swept) newOutput(job *jobRecord) *output {
	s.t.Helper()
	out := &output{ctx: s.t.Context(), service: s.Service, job: job,
		answers: outputFile{name: "answers"}, errors: outputFile{name: "errors"}}
	if err := errors.Join(out.writeAll(), out.keep()); err != nil {
		s.t.Fatal(err)
	}
	return out
}

func TestOfTwoThatFinishAJobTheSecondRemovesItsFiles(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	s.cancel("job")
	job := s.record("job")
	first, second, third := s.newOutput(job), s.newOutput(job), s.newOutput(job)
	if err := s.endJob(t.Context(), job, first); err != nil {
		t.Fatal(err)
	}
	if err := s.endJob(t.Context(), job, second); err != nil || s.countFiles() != 2 {
		t.Errorf("the second: %v, there are %d files; expected 2", err, s.countFiles())
	}
	third.giveUp()
	if s.countFiles() != 1 {
		t.Errorf("after the third gave up, there are %d files; expected 1", s.countFiles())
	}
	first.giveUp()
	if err := s.endJob(t.Context(), job, first); err != nil {
		t.Errorf("the first again: %v", err)
	}
	ended := s.record("job")
	if file, err := s.File(t.Context(), ended.ErrorFile); err != nil || file.Name != "errors" ||
		ended.OutputFile != "" || !ended.Cleared || ended.Counts.Failed != 4 {
		t.Errorf("%+v, %v, %+v", file, err, ended)
	}
	if again, err := s.Retry(t.Context(), "job", Submission{ID: "again"}); err != nil ||
		again.RetryOf != "job" {
		t.Errorf("%+v, %v", again, err)
	}
	if err := s.prepareTask(t.Context(), "again"); err != nil {
		t.Fatal(err)
	}
	if again := s.record("again"); again.State != InProgress || again.Total != 4 {
		t.Errorf("the retry: %+v", again)
	}
}

func TestAProcessThatGivesUpRemovesTheFilesOfAnUnfinishedJob(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	s.cancel("job")
	out := s.newOutput(s.record("job"))
	if s.countFiles() != 1 {
		t.Fatalf("there are %d files; expected 1", s.countFiles())
	}
	if out.giveUp(); s.countFiles() != 0 {
		t.Errorf("there are %d files; expected none", s.countFiles())
	}
}

func TestAJobHasEndedWithFilesOnlyIfAllAreItsOwn(t *testing.T) {
	t.Parallel()
	fileOf := func(id string) outputFile {
		return outputFile{writer: &fileWriter{record: fileRecord{File: File{ID: id}}}}
	}
	out := &output{answers: fileOf("a"), errors: fileOf("e"),
		failed: linesBlob{name: "f"}}
	for name, tt := range map[string]struct {
		state                   State
		answers, errors, failed string
		want                    bool
	}{
		"all":                    {Completed, "a", "e", "f", true},
		"it has not ended":       {Finalizing, "a", "e", "f", false},
		"other answers":          {Completed, "x", "e", "f", false},
		"other errors":           {Completed, "a", "x", "f", false},
		"other lines to retry":   {Completed, "a", "e", "x", false},
		"no files at all so far": {Cancelling, "", "", "", false},
	} {
		job := &jobRecord{Job: Job{State: tt.state, OutputFile: tt.answers, ErrorFile: tt.errors}}
		job.FailedBlob = tt.failed
		if got := out.isOf(job); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestAJobOfWhichLinesAreMissingEndsWithTheirNumber(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	s.cancel("job")
	if _, err := s.changeJob(t.Context(), "job",
		func(r *jobRecord) error { r.Total++; return nil }); err != nil {
		t.Fatal(err)
	}
	if err := s.finishTask(t.Context(), "job"); err != nil {
		t.Fatal(err)
	}
	s.expectState("with a line too few", "job", Cancelled)
	if ended := s.record("job"); ended.DamagedLines != 1 || ended.Counts.Failed != 5 ||
		s.countFiles() != 1 {
		t.Errorf("%+v, there are %d files; expected 1", ended, s.countFiles())
	}
}

func TestAFinishTaskClearsAJobThatHasEnded(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	s.cancel("job")
	for range 2 {
		if err := s.finishTask(t.Context(), "job"); err != nil {
			t.Fatal(err)
		}
		if job := s.record("job"); job.State != Cancelled || !job.Cleared {
			t.Errorf("%+v", job)
		}
		if _, err := s.changeJob(t.Context(), "job",
			func(r *jobRecord) error { r.Cleared = false; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if s.countFiles() != 1 {
		t.Errorf("there are %d files; expected 1", s.countFiles())
	}
}

func TestQueueGivesOnlyRangesThatAreNotDone(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{}) // with two ranges
	finish := engine.SubjectTask + taskFinish + ".job"
	for _, step := range []struct {
		done   int // ranges
		queued []int
	}{{0, []int{0, 1}}, {1, []int{1}}, {2, nil}} {
		job := s.record("job")
		if _, err := s.boards.Change(t.Context(), boardID("job", job.Generation),
			func(b *tally.Board) error {
				for number := range step.done {
					b.Finish(number, &tally.Sum{})
				}
				return nil
			}); err != nil {
			t.Fatal(err)
		}
		s.takeBack(workSubject(job, "*"))
		for range 2 { // what is already queued is no error
			if err := s.queue(t.Context(), "job"); err != nil {
				t.Fatal(err)
			}
		}
		var queued []int
		for number, name := range []string{"0", "1"} {
			if s.hasWork(workSubject(job, name)) {
				queued = append(queued, number)
			}
		}
		if !slices.Equal(queued, step.queued) || s.hasWork(finish) != (step.queued == nil) {
			t.Errorf("%d ranges are done: %v are queued, want %v; the end is a task: %v",
				step.done, queued, step.queued, s.hasWork(finish))
		}
	}
}

func TestFilesOfAJobExpireWhenItsSubmitterSaidSo(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	for id, after := range map[string]time.Duration{"kept": 0, "expires": time.Second} {
		s.submit(id, Submission{OutputExpiresAfter: after})
		s.cancel(id)
		if err := s.finishTask(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		file, err := s.File(t.Context(), s.record(id).ErrorFile)
		if err != nil {
			t.Fatal(err)
		}
		if want := s.at.Add(after); file.ExpiresAt.IsZero() != (after == 0) ||
			after > 0 && !file.ExpiresAt.Equal(want) {
			t.Errorf("%s: it expires at %v, want %v later than %v", id, file.ExpiresAt, after, s.at)
		}
	}
}

func TestAJobIsFinishedOnlyWhenAllItsRangesAreDone(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{}) // with two ranges
	for _, done := range []int{0, 1, 2} {
		if _, err := s.boards.Change(t.Context(), boardID("job", s.record("job").Generation),
			func(b *tally.Board) error {
				for number := range done {
					b.Finish(number, &tally.Sum{})
				}
				return nil
			}); err != nil {
			t.Fatal(err)
		}
		job, err := s.startFinish(t.Context(), "job")
		if err != nil {
			t.Fatal(err)
		}
		if isFinal := job.State == Finalizing; isFinal != (done == 2) ||
			isFinal && (job.Target != Completed || !job.FinalizingAt.Equal(s.at)) {
			t.Errorf("%d of 2 ranges are done: %+v", done, job)
		}
	}
}
