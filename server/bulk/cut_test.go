package bulk_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// mostWrites is more than the number of messages that a job of [someLines] writes to streams.
const (
	mostWrites = 30
	someLines  = 6
)

// everyWrite runs a test for each of the first messages to streams.
func everyWrite(t *testing.T, test func(t *testing.T, address string, number int)) {
	t.Helper()
	step := 1
	if testing.Short() {
		step = 5
	}
	for number := 1; number <= mostWrites; number += step {
		t.Run(fmt.Sprint(number), func(t *testing.T) {
			t.Parallel()
			test(t, startServer(t, &server.Options{StoreDir: t.TempDir()}).ClientURL(), number)
		})
	}
}

// halfRefused refuses every other line, so that the job has both output files and lines to retry.
func halfRefused() *answerer {
	return &answerer{answer: func(l line.Line) line.Result {
		if l.Number%2 == 0 {
			return refused(l)
		}
		return answered(l)
	}}
}

// expectHalves fails unless a job has ended with the expected answers and errors.
func expectHalves(t *testing.T, service *bulk.Service, job string) {
	t.Helper()
	ended := await(t, service, job, bulk.Completed)
	if c := ended.Counts; c.Total != someLines || c.Completed != someLines/2 ||
		c.Failed != someLines/2 {
		t.Errorf("counts: %+v", c)
	}
	if n := len(results(t, service, job)); n != someLines/2 {
		t.Errorf("%d answers", n)
	}
	if n := len(failures(t, service, job)); n != someLines/2 {
		t.Errorf("%d errors", n)
	}
	if again, err := service.Retry(t.Context(), job, bulk.Submission{}); err != nil {
		t.Errorf("retry: %v", err)
	} else if retried := await(t, service, again.ID,
		bulk.Completed); retried.Counts.Total != someLines/2 {
		t.Errorf("counts of the retry: %+v", retried.Counts)
	}
}

func TestNothingIsLostAtWhicheverWriteAWorkerStops(t *testing.T) {
	t.Parallel()
	everyWrite(t, func(t *testing.T, address string, number int) {
		service := openAt(t, address)
		job := submit(t, service,
			bulk.Submission{Input: strings.NewReader(questions(someLines)), RangeLines: 2})
		worker := live(halfRefused())
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		first := openBy(t, address, endBehind(number, stop))
		done := make(chan error, 1)
		go func() { done <- first.Work(ctx, worker) }()
		for progress, err := range service.Watch(t.Context(), job.ID) {
			if err != nil || ctx.Err() != nil || progress.Job.State == bulk.Completed {
				break
			}
		}
		stop()
		if err := <-done; err != nil {
			t.Errorf("Work: %v", err)
		}
		work(t, service, worker)
		expectHalves(t, service, job.ID)
	})
}

func TestNothingIsLostWhicheverWriteASubmissionIsCutOffAt(t *testing.T) {
	t.Parallel()
	everyWrite(t, func(t *testing.T, address string, number int) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		submission := bulk.Submission{ID: "cut", RangeLines: 2}
		submission.Input = strings.NewReader(questions(someLines))
		_, err := openBy(t, address, endBehind(number, stop)).Submit(ctx, submission)
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		service := openAt(t, address)
		submission.Input = strings.NewReader(questions(someLines))
		job := submit(t, service, submission)
		work(t, service, live(halfRefused()))
		expectHalves(t, service, job.ID)
	})
}

func TestAFileIsStoredCompletelyOrNotAtAllForAnyFailedWrite(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("0123456789abcdef", 100_000)
	everyWrite(t, func(t *testing.T, address string, number int) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		owner := fmt.Sprint(number)
		kept, err := openBy(t, address, endBehind(number, stop)).PutFile(ctx,
			bulk.File{Owner: owner}, strings.NewReader(content))
		service := openAt(t, address)
		found := 0
		for file, err := range service.Files(t.Context(), bulk.Page{Owner: owner}) {
			if err != nil {
				t.Fatal(err)
			}
			opened, err := service.OpenFile(t.Context(), file.ID)
			if err != nil {
				t.Fatal(err)
			}
			if all, err := io.ReadAll(opened); err != nil || string(all) != content {
				t.Errorf("a file of %d bytes is read as %d bytes, %v", file.Bytes, len(all), err)
			}
			found++
		}
		if err == nil && (found != 1 || kept == nil) {
			t.Errorf("there are %d files", found)
		}
	})
}

func TestNoCallIsRepeatedWhicheverWriteTheConnectionBreaksAt(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]func(int) *tap{"before": cutBefore, "behind": cutBehind} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			everyWrite(t, func(t *testing.T, address string, number int) {
				tap := cut(number)
				service := openBy(t, address, tap)
				asked := halfRefused()
				job := submit(t, service,
					bulk.Submission{Input: strings.NewReader(questions(someLines)), RangeLines: 2})
				work(t, service, live(asked))
				ended := await(t, service, job.ID, bulk.Completed)
				if c := ended.Counts; c.Completed+c.Failed != someLines || c.Repeated != 0 {
					t.Errorf("counts: %+v", c)
				}
				for id, n := range asked.asked {
					if n != 1 {
						t.Errorf("%s was asked %d times", id, n)
					}
				}
				if tap.seen() < number {
					t.Logf("there were %d writes", tap.seen())
				}
			})
		})
	}
}
