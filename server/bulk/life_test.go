package bulk_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
)

func TestAJobOfSeveralRangesEndsWithTheResultsInTheOrderOfTheInput(t *testing.T) {
	t.Parallel()
	service := open(t)
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(1003)), RangeLines: 100})
	if job.State != bulk.InProgress || job.Counts.Total != 1003 ||
		job.Endpoint != "/v1/chat/completions" || job.Model != "gemini-3.6-flash" {
		t.Fatalf("submitted: %+v", job)
	}
	work(t, service, live(&answerer{}))
	ended := await(t, service, job.ID, bulk.Completed)
	if c := ended.Counts; c.Completed != 1003 || c.Failed != 0 || c.Repeated != 0 {
		t.Errorf("counts: %+v", c)
	}
	if u := ended.Usage; u.InputTokens != 3009 || u.OutputTokens != 2006 || u.Cost != 501.5 {
		t.Errorf("usage: %+v", u)
	}
	if ended.ErrorFile != "" {
		t.Errorf("there is an error file %q", ended.ErrorFile)
	}
	expectAll(t, results(t, service, job.ID), 0, 1003)
}

func TestRefusedLinesAreInTheFileOfErrorsAndCountedByKind(t *testing.T) {
	t.Parallel()
	service := open(t)
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(10)), RangeLines: 4})
	work(t, service, live(&answerer{answer: func(l line.Line) line.Result {
		if l.Number%2 == 0 {
			return refused(l)
		}
		return answered(l)
	}}))
	ended := await(t, service, job.ID, bulk.Completed)
	if c := ended.Counts; c.Completed != 5 || c.Failed != 5 || ended.Failures["400 bad"] != 5 {
		t.Errorf("counts: %+v, failures %v", c, ended.Failures)
	}
	for _, o := range failures(t, service, job.ID) {
		if o.Response == nil || o.Response.Status != 400 || o.Error != nil {
			t.Errorf("error line: %+v", o)
		}
	}
}

func TestAJobOfRefusalsAloneHasNoFileOfAnswers(t *testing.T) {
	t.Parallel()
	service := open(t)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(3))})
	work(t, service, live(&answerer{answer: refused}))
	ended := await(t, service, job.ID, bulk.Completed)
	if ended.OutputFile != "" || ended.ErrorFile == "" {
		t.Errorf("files %q and %q", ended.OutputFile, ended.ErrorFile)
	}
	expectAll(t, failures(t, service, job.ID), 0, 3)
	expectAll(t, results(t, service, job.ID), 0, 0)
}

// warnings counts log messages above the level info.
type warnings struct {
	slog.Handler
	mu    sync.Mutex
	lines []string
}

func (w *warnings) Enabled(_ context.Context,
	level slog.Level) bool {
	return level > slog.LevelInfo
}

func (w *warnings) Handle(_ context.Context, record slog.Record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, record.Message)
	return nil
}

func (w *warnings) WithAttrs([]slog.Attr) slog.Handler { return w }

func TestAJobThatGoesWellWarnsOfNothing(t *testing.T) {
	t.Parallel()
	logged := &warnings{}
	service := open(t, bulk.WithLogger(slog.New(logged)))
	stop := work(t, service, live(&answerer{}))
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(20)), RangeLines: 5})
	await(t, service, job.ID, bulk.Completed)
	stop()
	logged.mu.Lock()
	defer logged.mu.Unlock()
	if len(logged.lines) > 0 {
		t.Errorf("warned of %q", logged.lines)
	}
}

// A range that a stopped worker gives back has not failed. Another worker takes it at once, and
// nothing is logged as a warning.
func TestARangeOfAStoppedWorkerHasNotFailed(t *testing.T) {
	t.Parallel()
	logged := &warnings{}
	service := open(t, bulk.WithLogger(slog.New(logged)))
	begun := make(chan struct{})
	hangs := live(executorFunc(func(ctx context.Context, _ *bulk.Item) error {
		close(begun)
		<-ctx.Done()
		return ctx.Err()
	}))
	hangs.Grace = 10 * time.Millisecond
	stop := work(t, service, hangs)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(3))})
	<-begun
	stop()
	work(t, service, live(&answerer{}))
	await(t, service, job.ID, bulk.Completed)
	logged.mu.Lock()
	defer logged.mu.Unlock()
	if len(logged.lines) > 0 {
		t.Errorf("warned of %q", logged.lines)
	}
}
