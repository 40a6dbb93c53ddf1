package bulk

import (
	"context"
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gemwire/gemwire/server/bulk/internal/rangelog"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// writeAll answers the first n lines of an item.
func writeAll(item *Item, n int) error {
	for _, l := range item.Lines[:n] {
		if err := item.Write(context.Background(), line.Result{Number: l.Number,
			CustomID: l.CustomID, Attempts: 1,
			Response: &line.Response{Status: 200, Body: jsontext.Value(`{}`)}}); err != nil {
			return err
		}
	}
	return nil
}

func TestHowAWorkerTakesWhatAnExecutorReturns(t *testing.T) {
	t.Parallel()
	failed := errors.New("the network is gone")
	later := &LaterError{Reason: "the batch runs"}
	for name, tt := range map[string]struct {
		isStopping bool
		lines      int // that are answered, of 2
		err, want  error
	}{
		"all lines":                            {false, 2, nil, nil},
		"all lines as the worker stops":        {true, 2, nil, nil},
		"a line too few":                       {false, 1, nil, errOmission},
		"a failure":                            {false, 1, failed, failed},
		"a failure as the worker stops":        {true, 1, failed, errStopped},
		"it has to wait":                       {false, 1, later, later},
		"it has to wait as the worker stops":   {true, 1, later, errStopped},
		"a failure after the last line":        {false, 2, failed, failed},
		"it has to wait after the last line":   {false, 2, later, later},
		"a line too few as the worker is done": {true, 1, nil, errOmission},
	} {
		s := openSwept(t)
		s.submit("job", Submission{})
		w, _ := s.workplace(map[string]Executor{ExecutorLive: executor(func(item *Item) error {
			if tt.isStopping {
				<-item.Stopping()
			}
			return errors.Join(writeAll(item, tt.lines), tt.err)
		})})
		stop := make(chan struct{})
		if tt.isStopping {
			close(stop)
		}
		if err := w.tryRange(t.Context(), stop, "job", 0); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
		board, err := s.board(t.Context(), s.record("job"))
		if err != nil || board.Has(0) != (tt.want == nil) {
			t.Errorf("%s: the range is done: %v, %v", name, board.Has(0), err)
		}
	}
}

func TestARangeWithoutWorkIsNotGivenToAnExecutor(t *testing.T) {
	t.Parallel()
	s := openSwept(t)
	s.submit("job", Submission{})
	w, _ := s.workplace(map[string]Executor{ExecutorLive: executor(func(item *Item) error {
		return writeAll(item, len(item.Lines))
	})})
	try := func(number int) error {
		return w.tryRange(t.Context(), t.Context().Done(), "job", number)
	}
	finish := engine.SubjectTask + taskFinish + ".job"
	if err := try(0); err != nil || s.hasWork(finish) {
		t.Fatalf("%v, the end is a task: %v", err, s.hasWork(finish))
	}
	answer := w.worker.Executors[ExecutorLive]
	w.worker.Executors[ExecutorLive] = executor(func(*Item) error {
		t.Error("the executor is asked")
		return nil
	})
	if err := try(0); err != nil { // it was done before its message was removed
		t.Errorf("a range that is done: %v", err)
	}
	job := s.record("job")
	out := &output{ctx: t.Context(), service: s.Service, job: job}
	var logs [2]*rangelog.Log // the second is read before the first is closed
	for i := range logs {
		var err error
		if logs[i], err = rangelog.Open(t.Context(), s.engine, job.log(), 1); err != nil {
			t.Fatal(err)
		}
	}
	for _, log := range logs {
		if err := out.seal(log); err != nil {
			t.Errorf("a range that two close: %v", err)
		}
	}
	if err := try(1); !errors.Is(err, errNoWork) {
		t.Errorf("a range that is closed: %v; expected %v", err, errNoWork)
	}
	s.submit("whole", Submission{})
	w.worker.Executors[ExecutorLive] = answer
	for number := range 2 {
		if err := w.tryRange(t.Context(), t.Context().Done(), "whole", number); err != nil {
			t.Fatal(err)
		}
	}
	if !s.hasWork(engine.SubjectTask + taskFinish + ".whole") {
		t.Error("after the last range, no worker has to end the job")
	}
	s.submit("deleted", Submission{})
	if err := s.boards.Delete(t.Context(),
		boardID("deleted", s.record("deleted").Generation)); err != nil {
		t.Fatal(err)
	}
	ended := executor(func(item *Item) error {
		_, err := s.changeJob(t.Context(), "deleted",
			func(r *jobRecord) error { r.enter(Cancelled, s.at); return nil })
		return errors.Join(writeAll(item, len(item.Lines)), err)
	})
	w.worker.Executors[ExecutorLive] = ended
	if err := w.tryRange(t.Context(), t.Context().Done(), "deleted", 0); !errors.Is(err,
		errNoWork) {
		t.Errorf("a job that is being deleted: %v; expected %v", err, errNoWork)
	}
}
