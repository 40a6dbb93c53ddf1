package bulk_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats-server/v2/server"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// lengthy answers with 8 KB.
var lengthy = answersOf(8 << 10)

// answersOf answers with n bytes.
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

func TestWorkStopsWhenTheStoreIsFullAndContinuesWhenThereIsRoom(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	service := openIn(t, directory, bulk.WithMaxBytes(8<<20)) // 2 MB for results
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(500)), RangeLines: 10})
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

// brief answers with 700 bytes. When the results are full, there is less space than for one such
// answer. Closing all ranges of [manyRanges] needs more than that.
var brief = answersOf(700)

// manyRanges is a job whose results do not fit into 2 MB.
func manyRanges() bulk.Submission {
	return bulk.Submission{Input: strings.NewReader(questions(6000)), RangeLines: 10}
}

// boundOfResults returns the maximum size of results on a server.
func boundOfResults(t *testing.T, address string) int64 {
	t.Helper()
	stream, err := lookInto(t, address).Stream(t.Context(), "GEMWIRE_BULK_RESULTS")
	if err != nil {
		t.Fatal(err)
	}
	return stream.CachedInfo().Config.MaxBytes
}

func TestAJobOfWhichTheResultsAreFullCanBeCancelled(t *testing.T) {
	t.Parallel()
	address := startServer(t, &server.Options{StoreDir: t.TempDir()}).ClientURL()
	logged := &messages{Handler: slog.DiscardHandler}
	service := openAt(t, address, bulk.WithMaxBytes(8<<20), // 2 MB for results
		bulk.WithLogger(slog.New(logged)))
	before := boundOfResults(t, address)
	job := submit(t, service, manyRanges())
	workUntilFull(t, service, brief)
	if _, err := service.Cancel(t.Context(), job.ID); err != nil {
		t.Fatal(err)
	}
	stop := work(t, service, live(brief))
	ended := await(t, service, job.ID, bulk.Cancelled)
	if c := ended.Counts; c.Completed < 1000 || c.Completed+c.Failed != 6000 {
		t.Errorf("counts: %+v", c)
	}
	if got := len(results(t, service, job.ID)); int64(got) != ended.Counts.Completed {
		t.Errorf("%d results; expected %d", got, ended.Counts.Completed)
	}
	// Then there is room for another job, and the limit is the same as before.
	next := submit(t, service, bulk.Submission{Input: strings.NewReader(questions(100))})
	await(t, service, next.ID, bulk.Completed)
	stop()
	if after := boundOfResults(t, address); after != before ||
		logged.count("may stay raised") != 0 {
		t.Errorf("results may take %d bytes; expected %d; logged %q", after, before, logged.all)
	}
}

// retries is a log handler that reports a failed task that will be retried.
type retries struct {
	slog.Handler
	seen chan struct{}
}

func (r retries) Enabled(context.Context, slog.Level) bool { return true }

func (r retries) Handle(_ context.Context, record slog.Record) error {
	if record.Message == "bulk: a task will be retried" {
		select {
		case r.seen <- struct{}{}:
		default:
		}
	}
	return nil
}

func TestALimitThatCannotBeRaisedIsNotLowered(t *testing.T) {
	t.Parallel()
	// The streams reserve this, so the server has little space left and grants no more.
	const most = 8 << 20
	address := startServer(t,
		&server.Options{StoreDir: t.TempDir(), JetStreamMaxStore: most + 1<<10}).ClientURL()
	tried := retries{slog.DiscardHandler, make(chan struct{}, 1)}
	service := openAt(t, address, bulk.WithMaxBytes(most), bulk.WithLogger(slog.New(tried)))
	before := boundOfResults(t, address)
	job := submit(t, service, manyRanges())
	workUntilFull(t, service, brief)
	if _, err := service.Cancel(t.Context(), job.ID); err != nil {
		t.Fatal(err)
	}
	work(t, service, live(brief))
	select {
	case <-tried.seen:
	case <-time.After(time.Minute):
		t.Fatal("the job ends although its ranges cannot be closed, or no worker tries it")
	}
	if after := boundOfResults(t, address); after != before {
		t.Errorf("results may take %d bytes; expected %d", after, before)
	}
}

// TestWorkStopsWhenTheDiskIsFull needs a small disk, such as
//
//	mount -t tmpfs -o size=64m tmpfs /mnt && GEMWIRE_SMALL_DISK=/mnt go test -run DiskIsFull ./server/bulk
func TestWorkStopsWhenTheDiskIsFull(t *testing.T) {
	disk := os.Getenv("GEMWIRE_SMALL_DISK")
	if disk == "" {
		t.Skip("there is no small disk")
	}
	service := openIn(t, disk+"/store")
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(1000)), RangeLines: 10})
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
