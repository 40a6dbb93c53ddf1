package inspector_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/inspector"
	"github.com/go-json-experiment/json"
)

// jobBook has the jobs that a test sets.
type jobBook struct {
	mu       sync.Mutex
	jobs     []inspector.Job
	failures []inspector.Failure
}

func (b *jobBook) set(jobs ...inspector.Job) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.jobs = jobs
}

func (b *jobBook) Jobs(context.Context, int) ([]inspector.Job, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]inspector.Job(nil), b.jobs...), nil
}

func (b *jobBook) Failures(_ context.Context, id string, most int) ([]inspector.Failure, error) {
	if id != "batch_1" {
		return nil, errors.New("there is no job " + id)
	}
	return b.failures[:min(len(b.failures), most)], nil
}

// jobAnswer is the page's data about jobs.
type jobAnswer struct {
	Shown bool `json:"shown"`
	Jobs  []struct {
		inspector.Job
		Progress [][3]int64 `json:"progress"`
	} `json:"jobs"`
}

func (b *browser) jobs() (out jobAnswer) {
	b.t.Helper()
	status, _, body := b.do(http.MethodGet, "/api/jobs", "")
	if err := json.Unmarshal([]byte(body), &out); err != nil || status != http.StatusOK {
		b.t.Fatalf("%d %v: %s", status, err, body)
	}
	return out
}

func TestJobsAreShownWithHowTheyWentOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		book := &jobBook{}
		start := time.Now()
		job := inspector.Job{ID: "batch_1", State: "in_progress", CreatedAt: start, Total: 1000}
		book.set(job)
		ins, err := inspector.New(inspector.WithJobs(book))
		if err != nil {
			t.Fatal(err)
		}
		defer ins.Close()
		time.Sleep(time.Second / 2)
		for range 10 {
			time.Sleep(time.Second)
			job.Completed, job.Failed = job.Completed+99, job.Failed+1
			book.set(job)
		}
		job.State, job.HasEnded, job.EndedAt = "completed", true, time.Now()
		book.set(job)
		time.Sleep(time.Minute)
		points := inspector.ProgressOf(ins, "batch_1")
		if len(points) != 12 || points[0] != [3]int64{start.UnixMilli(), 0, 0} ||
			points[11] != [3]int64{job.EndedAt.UnixMilli(), 990, 10} {
			t.Errorf("%v", points)
		}
	})
}

// A day has 86,400 seconds. The page does not need a value for each.
func TestALongJobHasNoMorePointsThanAShortOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		book := &jobBook{}
		job := inspector.Job{ID: "batch_1", State: "in_progress", CreatedAt: time.Now()}
		book.set(job)
		ins, err := inspector.New(inspector.WithJobs(book))
		if err != nil {
			t.Fatal(err)
		}
		defer ins.Close()
		time.Sleep(time.Hour)
		points := inspector.ProgressOf(ins, "batch_1")
		if first := points[0][0]; len(points) > 240 || len(points) < 120 ||
			first != job.CreatedAt.UnixMilli() {
			t.Errorf("%d points from %d", len(points), first)
		}
		book.set()
		time.Sleep(2 * time.Second)
		if points := inspector.ProgressOf(ins, "batch_1"); points != nil {
			t.Errorf("%d points of a job that is gone", len(points))
		}
	})
}

func TestThePageAsksForJobsAndTheirFailedLines(t *testing.T) {
	t.Parallel()
	const secret = "a-very-secret-key"
	book := &jobBook{failures: []inspector.Failure{{Line: 3, CustomID: "c", Status: 400,
		Code: "invalid", Message: "not with " + secret}}}
	book.set(inspector.Job{ID: "batch_1", State: "in_progress", CreatedAt: morning, Total: 3,
		Completed: 1, Failed: 1})
	b := open(t, inspector.WithJobs(book), inspector.WithSecrets(secret))
	answer := b.jobs()
	if !answer.Shown || len(answer.Jobs) != 1 || answer.Jobs[0].Completed != 1 ||
		len(answer.Jobs[0].Progress) == 0 {
		t.Errorf("%+v", answer)
	}
	status, _, body := b.do(http.MethodGet, "/api/jobs/batch_1/failures", "")
	if status != http.StatusOK ||
		!strings.Contains(body, `"line":3,"customID":"c","status":400,"code":"invalid"`) ||
		strings.Contains(body, secret) {
		t.Errorf("%d: %s", status, body)
	}
	if status, _, body := b.do(http.MethodGet, "/api/jobs/batch_2/failures",
		""); status != http.StatusNotFound {
		t.Errorf("%d: %s", status, body)
	}
	without := open(t)
	if answer := without.jobs(); answer.Shown || len(answer.Jobs) != 0 {
		t.Errorf("without jobs: %+v", answer)
	}
}
