package bulk_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/internal/engine"
)

func TestSeveralProcessesShareADirectoryAndOneContinuesWhenAnotherEnds(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	first := openIn(t, directory)
	second := openIn(t, directory) // by the socket of the first
	g := &gate{}
	g.open.Store(10)
	job := submit(t, first, bulk.Submission{Input: strings.NewReader(questions(50)), RangeLines: 5})
	work(t, second, live(g))
	awaitCount(t, first, job.ID, 10)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * idle) // the server delivers the task again
	g.open.Store(50)
	ended := await(t, second, job.ID, bulk.Completed)
	if ended.Counts.Completed != 50 || ended.Counts.Repeated != 0 {
		t.Errorf("counts: %+v", ended.Counts)
	}
	expectAll(t, results(t, second, job.ID), 0, 50)
}

func TestADirectoryIsForItsOwnerAlone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no such modes")
	}
	directory := filepath.Join(t.TempDir(), "store")
	openIn(t, directory)
	for name, mode := range map[string]os.FileMode{"": 0o700, "lock": 0o600, "socket": 0o600} {
		info, err := os.Stat(filepath.Join(directory, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != mode {
			t.Errorf("the mode of %q is %v; expected %v", name, info.Mode().Perm(), mode)
		}
	}
}

func TestADirectoryWithALongPathIsShared(t *testing.T) {
	t.Parallel()
	directory := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	first := openIn(t, directory)
	second := openIn(t, directory)
	job := submit(t, first, bulk.Submission{Input: strings.NewReader(questions(5))})
	if found, err := second.Job(t.Context(), job.ID); err != nil || found.Counts.Total != 5 {
		t.Errorf("the other process finds %+v, %v", found, err)
	}
}

// The path of a socket has at most 103 bytes on every system.
func TestTheSocketIsInTheDirectoryUnlessItsPathIsTooLong(t *testing.T) {
	t.Parallel()
	const most = 103
	for size, isInside := range map[int]bool{most: true, most + 1: false} {
		base := t.TempDir()
		rest := size - len(base) - len("//socket")
		if rest < 1 {
			t.Skipf("the folder for temporary files has too long a path: %s", base)
		}
		directory := filepath.Join(base, strings.Repeat("x", rest))
		openIn(t, directory)
		_, err := os.Lstat(filepath.Join(directory, "socket"))
		if got := err == nil; got != isInside {
			t.Errorf("a path of %d bytes: %v; expected it there: %v", size, err, isInside)
		}
	}
}

func TestAJobContinuesWhenItsDirectoryIsOpenedAgain(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	g := &gate{}
	g.open.Store(10)
	service := openIn(t, directory)
	job := submit(t, service,
		bulk.Submission{Input: strings.NewReader(questions(50)), RangeLines: 5})
	stop := work(t, service, live(g))
	awaitCount(t, service, job.ID, 10)
	stop()
	if err := service.Close(); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	service = openIn(t, directory)
	work(t, service, live(&answerer{}))
	ended := await(t, service, job.ID, bulk.Completed)
	// it does not wait for the tasks that were taken before
	if took := time.Since(start); took > engine.AckWait*2/3 {
		t.Errorf("it took %v", took)
	}
	if ended.Counts.Completed != 50 || ended.Counts.Repeated != 0 {
		t.Errorf("counts: %+v", ended.Counts)
	}
}

func TestTheDefaultDirectoryIsNoTemporaryOne(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("HOME", "")
	if directory, err := bulk.DefaultDirectory(); err == nil {
		t.Errorf("the default is %s; expected an error", directory)
	}
	t.Setenv("XDG_STATE_HOME", "/var/lib/state")
	if directory, err := bulk.DefaultDirectory(); err != nil ||
		filepath.ToSlash(directory) != "/var/lib/state/gemwire/bulk" {
		t.Errorf("the default is %s, %v", directory, err)
	}
}

func TestAJobContinuesWhileOthersOpenAndCloseTheDirectory(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	lines := 1500
	if testing.Short() {
		lines = 400
	}
	visits, leave := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(leave); <-visits })
	go func() {
		defer close(visits)
		ctx := context.Background()
		for {
			select {
			case <-leave:
				return
			case <-time.After(20 * time.Millisecond):
				visitor, err := bulk.Open(ctx, bulk.WithDirectory(directory),
					bulk.WithMaxBytes(1<<30))
				if err != nil {
					t.Errorf("a visitor: %v", err)
					return
				}
				for _, err := range visitor.Jobs(ctx, bulk.Page{}) {
					if err != nil {
						t.Errorf("a visitor: %v", err)
					}
				}
				_ = visitor.Close()
			}
		}
	}()
	for range 3 {
		time.Sleep(30 * time.Millisecond)
		service := openIn(t, directory)
		job := submit(t, service,
			bulk.Submission{Input: strings.NewReader(questions(lines)), RangeLines: 20})
		stop := work(t, service, live(executorFunc(slowly)))
		ended := await(t, service, job.ID, bulk.Completed)
		if ended.Counts.Completed != int64(lines) {
			t.Errorf("counts: %+v", ended.Counts)
		}
		stop()
		_ = service.Close()
	}
}
