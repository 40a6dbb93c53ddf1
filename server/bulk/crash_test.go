package bulk_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gemwire/gemwire/server/bulk"
)

// crashDirectory is the variable with the directory of a process that the test kills.
const crashDirectory = "GEMWIRE_BULK_CRASH_DIRECTORY"

func TestMain(m *testing.M) {
	if directory := os.Getenv(crashDirectory); directory != "" {
		if err := runToTheEnd(directory); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// runToTheEnd submits the input of a directory, unless it was submitted before. Then it works until
// the job has ended.
func runToTheEnd(directory string) error {
	ctx := context.Background()
	input, err := os.Open(filepath.Join(directory, "input.jsonl"))
	if err != nil {
		return err
	}
	service, err := bulk.Open(ctx, bulk.WithDirectory(filepath.Join(directory, "store")),
		bulk.WithMaxBytes(1<<30))
	if err != nil {
		return err
	}
	defer func() { _ = service.Close() }()
	job, err := service.Submit(ctx, bulk.Submission{ID: "crash", Input: input, RangeLines: 20})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- service.Work(ctx, live(executorFunc(slowly))) }()
	for progress, err := range service.Watch(ctx, job.ID) {
		if err != nil {
			return err
		}
		if progress.Job.State == bulk.Completed {
			fmt.Println("completed")
		}
	}
	cancel()
	return <-done
}

// slowly answers lines, each after a moment.
func slowly(ctx context.Context, item *bulk.Item) error {
	for _, l := range item.Lines {
		time.Sleep(rand.N(2 * time.Millisecond))
		if err := item.Write(ctx, answered(l)); err != nil {
			return err
		}
	}
	return nil
}

func TestEveryLineHasOneResultWheneverTheProcessIsKilled(t *testing.T) {
	t.Parallel()
	lines, kills := 6000, 12
	if testing.Short() {
		lines, kills = 1500, 3
	}
	directory := t.TempDir()
	if err := os.WriteFile(filepath.Join(directory, "input.jsonl"), []byte(questions(lines)),
		0o600); err != nil {
		t.Fatal(err)
	}
	for range kills {
		killAfter(t, directory, 100*time.Millisecond+rand.N(700*time.Millisecond))
	}
	output, err := crashProcess(directory).Output()
	if err != nil || !strings.Contains(string(output), "completed") {
		t.Fatalf("the last process: %v, %s", err, output)
	}
	service := openIn(t, filepath.Join(directory, "store"))
	job, err := service.Job(t.Context(), "crash")
	if err != nil {
		t.Fatal(err)
	}
	if c := job.Counts; c.Completed != int64(lines) || c.Failed != 0 {
		t.Errorf("counts: %+v", c)
	}
	t.Logf("%d calls may have been repeated", job.Counts.Repeated)
	expectAll(t, results(t, service, "crash"), 0, lines)
}

func crashProcess(directory string) *exec.Cmd {
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), crashDirectory+"="+directory)
	command.Stderr = os.Stderr
	return command
}

func killAfter(t *testing.T, directory string, after time.Duration) {
	t.Helper()
	process := crashProcess(directory)
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	_ = process.Process.Kill()
	_ = process.Wait()
}
