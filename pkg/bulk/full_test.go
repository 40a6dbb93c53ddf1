package bulk_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gemwire/gemwire/pkg/bulk"
	"github.com/gemwire/gemwire/pkg/bulk/line"
)

// lengthy answers with 8 KB.
var lengthy = answersOf(8 << 10)

// answersOf answers with so many bytes.
func answersOf(size int) *answerer {
	return &answerer{answer: func(l line.Line) line.Result {
		result := answered(l)
		result.Response.Body = jsontext.Value(`"` + strings.Repeat("much ", size/5) + `"`)
		return result
	}}
}

// workUntilFull works until the store is full.
func workUntilFull(t *testing.T, service *bulk.Service, executor bulk.Executor) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := service.Work(ctx, live(executor))
	var full *bulk.StorageError
	if !errors.As(err, &full) || !full.Full {
		t.Fatalf("Work: %v; expected a *StorageError that says full", err)
	}
}

func TestWorkStopsWhenTheStoreIsFullAndGoesOnWhenThereIsRoom(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	service := openIn(t, directory, bulk.WithMaxBytes(8<<20)) // 2 MB for results
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(500)), RangeLines: 10})
	workUntilFull(t, service, lengthy)
	if err := service.Close(); err != nil {
		t.Fatal(err)
	}
	service = openIn(t, directory)
	work(t, service, live(lengthy))
	if ended := await(t, service, job.ID, bulk.Completed); ended.Counts.Completed != 500 {
		t.Errorf("counts: %+v", ended.Counts)
	}
	expectAll(t, results(t, service, job.ID), 0, 500)
}

func TestAJobOfWhichTheResultsAreFullCanBeCancelled(t *testing.T) {
	t.Parallel()
	service := open(t, bulk.WithMaxBytes(8<<20)) // 2 MB for results
	// What is left is less than a result, and closing all other ranges takes more than that.
	brief := answersOf(700)
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(6000)), RangeLines: 10})
	workUntilFull(t, service, brief)
	if _, err := service.Cancel(t.Context(), job.ID); err != nil {
		t.Fatal(err)
	}
	work(t, service, live(brief))
	ended := await(t, service, job.ID, bulk.Cancelled)
	if c := ended.Counts; c.Completed < 1000 || c.Completed+c.Failed != 6000 {
		t.Errorf("counts: %+v", c)
	}
	if got := len(results(t, service, job.ID)); int64(got) != ended.Counts.Completed {
		t.Errorf("%d results; expected %d", got, ended.Counts.Completed)
	}
	// There is room for another one then, and no more than before.
	next := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(100))})
	await(t, service, next.ID, bulk.Completed)
}

// TestWorkStopsWhenTheDiskIsFull needs a small disk, such as
//
//	mount -t tmpfs -o size=64m tmpfs /mnt && GEMWIRE_SMALL_DISK=/mnt go test -run DiskIsFull ./pkg/bulk
func TestWorkStopsWhenTheDiskIsFull(t *testing.T) {
	disk := os.Getenv("GEMWIRE_SMALL_DISK")
	if disk == "" {
		t.Skip("there is no small disk")
	}
	service := openIn(t, disk+"/store")
	job := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(1000)), RangeLines: 10})
	ballast := disk + "/ballast"
	if err := os.WriteFile(ballast, make([]byte, 54<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	workUntilFull(t, service, lengthy)
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	work(t, service, live(lengthy))
	if ended := await(t, service, job.ID, bulk.Completed); ended.Counts.Completed != 1000 {
		t.Errorf("counts: %+v", ended.Counts)
	}
	expectAll(t, results(t, service, job.ID), 0, 1000)
}
