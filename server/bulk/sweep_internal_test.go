package bulk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// The timing of a sweep is tested inside the package. From outside, a sweep takes seconds, and a
// sweep without changes is invisible.

// swept is a service with a clock that the test sets.
type swept struct {
	*Service
	t  *testing.T
	at time.Time
}

func openSwept(t *testing.T) *swept {
	t.Helper()
	s := &swept{t: t, at: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
	service, err := Open(t.Context(), WithDirectory(t.TempDir()), WithMaxBytes(1<<30),
		WithRetention(48*time.Hour),
		WithClock(func() time.Time { return s.at }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = service.Close() })
	s.Service = service
	return s
}

// after sets the clock to a duration after a given time, and sweeps.
func (s *swept) after(d time.Duration, begun time.Time) {
	s.t.Helper()
	s.at = begun.Add(d)
	if err := s.sweep(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// input is n lines.
func inputOf(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"custom_id":"q-%d","method":"POST","url":"/v1/chat/completions",`+
			`"body":{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"?"}]}}`+"\n",
			i)
	}
	return b.String()
}

// executor runs items.
type executor func(*Item) error

func (e executor) Run(_ context.Context, item *Item) error { return e(item) }

func (s *swept) submit(id string, submission Submission) *Job {
	s.t.Helper()
	submission.ID, submission.RangeLines = id, 2
	if submission.Input == nil && submission.InputFile == "" {
		submission.Input = strings.NewReader(inputOf(4))
	}
	job, err := s.Submit(s.t.Context(), submission)
	if err != nil {
		s.t.Fatal(err)
	}
	return job
}

// file stores a file with lines.
func (s *swept) file() string {
	s.t.Helper()
	file, err := s.PutFile(s.t.Context(), File{Name: "in.jsonl"}, strings.NewReader(inputOf(4)))
	if err != nil {
		s.t.Fatal(err)
	}
	return file.ID
}

// record returns the stored record of a job, or nil.
func (s *swept) record(id string) *jobRecord {
	s.t.Helper()
	found, err := s.jobRecord(s.t.Context(), id)
	if errors.As(err, new(*NotFoundError)) {
		return nil
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return found
}

// expectState fails unless a job is in a state.
func (s *swept) expectState(what, id string, state State) {
	s.t.Helper()
	if found := s.record(id); found == nil || found.State != state {
		s.t.Errorf("%s: %+v; expected it to be %s", what, found, state)
	}
}

// hasWork reports whether a subject has work for workers.
func (s *swept) hasWork(subject string) bool {
	s.t.Helper()
	has, err := s.engine.Work.HasAny(s.t.Context(), subject)
	if err != nil {
		s.t.Fatal(err)
	}
	return has
}

func (s *swept) takeBack(subject string) {
	s.t.Helper()
	if err := s.engine.Work.Purge(s.t.Context(), subject); err != nil {
		s.t.Fatal(err)
	}
}

func TestASubmissionThatWasCutOffFailsAfterAnHourAndCanStillBeginAnew(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	begun, broken := s.at, errors.New("the disk of the input is gone")
	input := io.MultiReader(strings.NewReader(inputOf(3)), iotest.ErrReader(broken))
	if _, err := s.Submit(t.Context(),
		Submission{ID: "cut", Input: input, RangeLines: 2}); !errors.Is(err, broken) {
		t.Fatalf("error %v; expected %v", err, broken)
	}
	s.after(cutOffTime-1, begun)
	s.expectState("within the hour", "cut", Validating)
	s.after(cutOffTime, begun)
	s.expectState("after an hour", "cut", Failed)
	if job := s.record("cut"); job.ProblemCount != 1 || job.Problems[0].Code != CodeInterrupted ||
		job.Input.Lease != nil {
		t.Errorf("%+v", job)
	}
	if job := s.submit("cut", Submission{}); job.State != InProgress || job.Counts.Total != 4 ||
		job.ProblemCount != 0 {
		t.Errorf("begun anew: %+v", job)
	}
}

// A submitter renews its lease during the whole time that it reads.
func TestAnInputThatIsReadForLongStaysWithItsSubmitter(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	lines := strings.SplitAfter(inputOf(12), "\n")
	second := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 2*idleTime)
		defer cancel()
		_, err := s.Submit(ctx, Submission{ID: "long", Input: strings.NewReader(inputOf(1))})
		return err
	}
	read, file := 0, s.file()
	input := readerFunc(func(p []byte) (int, error) {
		if read == len(lines) {
			return 0, io.EOF
		}
		switch read++; read {
		case 4, 8: // of which the ranges that are complete are kept with the next ones
			s.at = s.at.Add(leaseTime - time.Second)
		case 11:
			s.after(0, s.at)
			if err := second(); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("another submission of the job: %v; expected it to wait", err)
			}
			if job, err := s.Submit(t.Context(),
				Submission{ID: "long", InputFile: file}); err != nil || job.State != Validating {
				t.Errorf("a submission of a file under its name: %+v, %v", job, err)
			}
		}
		return copy(p, lines[read-1]), nil
	})
	job := s.submit("long", Submission{Input: input})
	if job.State != InProgress || job.Counts.Total != 12 || s.record("long").Input.Lease != nil {
		t.Errorf("%+v", job)
	}
	if err := second(); err != nil {
		t.Errorf("another submission when the job runs: %v", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// A client that submits a long input soon gets an error if the job is cancelled in the meantime.
func TestAJobThatIsCancelledWhileItsInputIsReadKeepsNoLines(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	lines, read := strings.SplitAfter(inputOf(12), "\n"), 0
	input := readerFunc(func(p []byte) (int, error) {
		if read == len(lines) {
			t.Error("the input is read to its end")
			return 0, io.EOF
		}
		if read++; read == 4 {
			if _, err := s.Cancel(t.Context(), "gone"); err != nil {
				t.Error(err)
			}
			s.at = s.at.Add(leaseTime / 2)
		}
		return copy(p, lines[read-1]), nil
	})
	if job := s.submit("gone", Submission{Input: input}); job.State != Cancelling ||
		job.Counts.Total != 0 {
		t.Errorf("%+v", job)
	}
	if has, err := s.engine.Lines.HasAny(t.Context(), engine.SubjectLines+"gone.>"); err != nil ||
		has {
		t.Errorf("lines of the job are left: %v, %v", has, err)
	}
}

func TestAFileThatIsSubmittedIsCheckedEvenWhenItsTaskWasLost(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("lost", Submission{InputFile: s.file()})
	if job := s.submit("lost", Submission{}); job.State != Validating || job.InputFile == "" {
		t.Errorf("another submission while the file is to be checked: %+v", job)
	}
	task := engine.SubjectTask + taskPrepare + ".lost"
	if !s.hasWork(task) {
		t.Error("no worker has to check the file")
	}
	s.takeBack(task)
	s.after(0, s.at)
	if !s.hasWork(task) {
		t.Error("no worker has to check the file, whose task was lost")
	}
}

func TestRangesThatWereLostAreGivenToWorkersAgain(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	begun, ranges := s.at, ""
	for _, queued := range []bool{true, false} {
		s.submit("lost", Submission{})
		ranges = workSubject(s.record("lost"), "*")
		s.takeBack(ranges)
		if _, err := s.changeJob(t.Context(), "lost",
			func(r *jobRecord) error { r.Queued = queued; return nil }); err != nil {
			t.Fatal(err)
		}
		s.after(patience-1, begun)
		if s.hasWork(ranges) {
			t.Errorf("queued %v: they are given at once, while their submitter may do so", queued)
		}
		s.after(patience, begun)
		if !s.hasWork(ranges) || !s.record("lost").Queued {
			t.Errorf("queued %v: no worker has to work at them", queued)
		}
	}
}

func TestAParkedJobContinuesAtItsTimeOrWhenItIsResumed(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	begun := s.at
	for id, until := range map[string]time.Time{"timed": begun.Add(time.Hour), "untimed": {}} {
		s.submit(id, Submission{})
		if _, err := s.Park(t.Context(), id, Parking{Until: until}); err != nil {
			t.Fatal(err)
		}
		if s.hasWork(workSubject(s.record(id), "*")) || s.record(id).Queued {
			t.Errorf("%s: its ranges are still given to workers", id)
		}
	}
	s.after(time.Hour-1, begun)
	if s.record("timed").Parking == nil {
		t.Error("it continues too soon")
	}
	s.after(time.Hour, begun)
	if job := s.record("timed"); job.Parking != nil || !s.hasWork(workSubject(job, "*")) {
		t.Errorf("it rests beyond its time: %+v", job)
	}
	if s.record("untimed").Parking == nil {
		t.Error("a job continues that is parked until it is resumed")
	}
}

func TestContinueQueuesNothingForAJobThatIsNotInProgress(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("validating", Submission{InputFile: s.file()})
	s.submit("cancelled", Submission{})
	if _, err := s.Cancel(t.Context(), "cancelled"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"validating", "cancelled"} {
		ranges, finish := workSubject(s.record(id), "*"), engine.SubjectTask+taskFinish+"."+id
		s.takeBack(ranges)
		s.takeBack(finish)
		if job, err := s.Continue(t.Context(), id); err != nil || job.ID != id {
			t.Fatalf("%s: %+v, %v", id, job, err)
		}
		if s.hasWork(ranges) || s.hasWork(finish) {
			t.Errorf("%s: Continue has queued work", id)
		}
	}
}

func TestAJobExpiresWhenItsWindowIsOver(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	begun := s.at
	for id, submission := range map[string]Submission{"running": {},
		"validating": {InputFile: s.file()}, "parked": {}} {
		submission.Window = time.Hour
		s.submit(id, submission)
	}
	if _, err := s.Park(t.Context(), "parked", Parking{}); err != nil {
		t.Fatal(err)
	}
	s.after(time.Hour, begun)
	s.expectState("at the end of its window", "running", InProgress)
	s.after(time.Hour+1, begun)
	for _, id := range []string{"running", "validating", "parked"} {
		s.expectState("after its window", id, Finalizing)
		if job := s.record(id); job.Target != Expired || job.Parking != nil ||
			!s.hasWork(engine.SubjectTask+taskFinish+"."+id) {
			t.Errorf("%+v", job)
		}
	}
	if _, err := s.Cancel(t.Context(), "running"); !errors.As(err, new(*StateError)) {
		t.Errorf("cancelled when it has expired: %v; expected a *StateError", err)
	}
	if err := s.expire(t.Context(), "running"); err != nil {
		t.Errorf("expired twice: %v", err)
	}
}

func TestAJobThatEndsIsEndedEvenWhenItsTaskWasLost(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("ends", Submission{})
	if _, err := s.Cancel(t.Context(), "ends"); err != nil {
		t.Fatal(err)
	}
	task := engine.SubjectTask + taskFinish + ".ends"
	s.takeBack(task)
	s.after(0, s.at)
	if !s.hasWork(task) {
		t.Error("no worker has to end the job")
	}
}

func TestAnEndedJobIsClearedSoonAndDeletedAfterItsRetention(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	begun := s.at
	if job, err := s.Submit(t.Context(),
		Submission{ID: "ended", Input: strings.NewReader("oops\n")}); job == nil ||
		job.State != Failed {
		t.Fatalf("%+v, %v", job, err)
	}
	for _, step := range []struct {
		after              time.Duration
		isCleared, isThere bool
	}{
		{patience - 1, false, true}, {patience, true, true}, {48 * time.Hour, true, true}, {48*time.Hour + 1, false, false},
	} {
		s.after(step.after, begun)
		if found := s.record("ended"); (found != nil) != step.isThere ||
			found != nil && found.Cleared != step.isCleared {
			t.Errorf("after %v: %+v", step.after, found)
		}
	}
}

func TestAFileIsDeletedWhenItExpiresOrWasNeverFinished(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	begun := s.at
	unfinished, err := s.newFileWriter(t.Context(), File{Name: "unfinished"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unfinished.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	expires, err := s.PutFile(t.Context(), File{ExpiresAt: begun.Add(uploadTime)},
		strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	stays := s.file()
	for after, want := range map[time.Duration]int{0: 3, uploadTime - 1: 3} {
		if s.after(after, begun); s.countFiles() != want {
			t.Errorf("after %v there are %d files; expected %d", after, s.countFiles(), want)
		}
	}
	s.after(uploadTime, begun)
	if _, err := s.File(t.Context(), expires.ID); !errors.As(err, new(*NotFoundError)) ||
		s.countFiles() != 2 {
		t.Errorf("at its end: %v, %d files", err, s.countFiles())
	}
	s.after(uploadTime+1, begun)
	if _, err := s.File(t.Context(), stays); err != nil || s.countFiles() != 1 {
		t.Errorf("a day later: %v, %d files", err, s.countFiles())
	}
}

// countFiles counts all files, including those that are not ready.
func TestDeleteRemovesTheFilesOfAJobThatHasOnlyOne(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(r *jobRecord, file string){
		"answers": func(r *jobRecord, file string) { r.OutputFile = file },
		"errors":  func(r *jobRecord, file string) { r.ErrorFile = file },
	} {
		s := openSwept(t)
		s.submit("job", Submission{})
		file := s.file()
		if _, err := s.changeJob(t.Context(), "job", func(r *jobRecord) error {
			r.enter(Completed, s.at)
			set(r, file)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if err := s.Delete(t.Context(), "job"); err != nil || s.countFiles() != 0 {
			t.Errorf("%s: %d files remain: %v", name, s.countFiles(), err)
		}
	}
}

func (s *swept) countFiles() int {
	s.t.Helper()
	all, err := s.files.All(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return len(all)
}
