package engine_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/cli/clitest"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// reopen opens and closes a directory, and returns what is logged.
func reopen(t *testing.T, directory string, fill func(e *engine.Engine)) (log string, err error) {
	t.Helper()
	out := new(clitest.Output)
	e, err := engine.Open(t.Context(), engine.Settings{Directory: directory, MaxBytes: 1 << 30,
		Replicas: 1, Logger: slog.New(slog.NewTextHandler(out, nil))})
	if err == nil {
		if fill != nil {
			fill(e)
		}
		e.Close()
	}
	return out.String(), err
}

// damagedBlock fills the streams of a directory, and flips a byte of one.
func damagedBlock(t *testing.T, directory, stream string, flip func(size int) int) (path string) {
	t.Helper()
	if _, err := reopen(t, directory, func(e *engine.Engine) {
		for i := range 5 {
			for prefix, stream := range map[string]*engine.Stream{engine.SubjectFiles: e.Files,
				engine.SubjectDocument: e.Documents} {
				if err := stream.Create(t.Context(), message(fmt.Sprint(prefix, "f.", i),
					strings.Repeat("x", 100))); err != nil {
					t.Fatal(err)
				}
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(directory, "jetstream", "$G", "streams", stream, "msgs", "1.blk")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[flip(len(data))] ^= 4
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAFlippedByteIsAnErrorWithItsFile(t *testing.T) {
	t.Parallel()
	for name, flip := range map[string]func(int) int{
		"of the first record's length": func(int) int { return 1 },
		"of a subject":                 func(size int) int { return size/5 + 30 },
		"of data":                      func(size int) int { return size/2 + 60 },
		"of the last record":           func(size int) int { return size - 20 },
	} {
		directory := t.TempDir()
		path := damagedBlock(t, directory, "GEMWIRE_STORE_DOCUMENTS", flip)
		for range 2 { // the first try changes nothing
			if _, err := reopen(t, directory, nil); !errors.Is(err, engine.ErrDamaged) ||
				!strings.Contains(err.Error(), filepath.Dir(path)) ||
				!strings.Contains(err.Error(), "move it away with the file") {
				t.Errorf("a byte %s: %v", name, err)
			}
		}
		if err := errors.Join(os.Remove(path),
			os.Remove(filepath.Join(directory, "checkpoint"))); err != nil {
			t.Fatal(err)
		}
		if _, err := reopen(t, directory, nil); err != nil {
			t.Errorf("the file was moved away: %v", err)
		}
	}
}

// A user who moved only the first one away, with the checkpoint, would lose the others silently.
func TestAllDamagedFilesAreNamed(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	flipped := damagedBlock(t, directory, "GEMWIRE_STORE_DOCUMENTS",
		func(size int) int { return size / 2 })
	streams := filepath.Join(directory, "jetstream", "$G", "streams")
	missing := filepath.Join(streams, "KV_gemwire_usage", "msgs", "1.blk")
	cut := filepath.Join(streams, "KV_gemwire_limits", "msgs", "1.blk")
	for _, err := range []error{os.Remove(missing), os.WriteFile(cut, []byte("cut"), 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	log, err := reopen(t, directory, nil)
	want := fmt.Sprintf("store: data in the store is damaged: the file %s has 3 bytes and had 0; "+
		"the file %s is missing; the file %s is damaged at byte ", cut, missing, flipped)
	if !errors.Is(err, engine.ErrDamaged) || !strings.HasPrefix(err.Error(), want) ||
		!strings.Contains(err.Error(), "; restore them from a backup, or, to lose what they had, ") {
		t.Errorf("%v; want %s...", err, want)
	}
	if log != "" { // the caller has the error
		t.Error(log)
	}
}

// Jobs name the lines that they have lost.
func TestADamagedFileOfJobsIsLogged(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	path := damagedBlock(t, directory, "GEMWIRE_BULK_FILES", func(size int) int { return size / 2 })
	log, err := reopen(t, directory, nil)
	if err != nil || !strings.Contains(log, path) || !strings.Contains(log, "level=ERROR") {
		t.Errorf("%v, %s", err, log)
	}
}

func TestARecordThatWasBeingWrittenIsNotDamage(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	path := damagedBlock(t, directory, "GEMWIRE_STORE_DOCUMENTS", func(int) int { return 1 })
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[1] ^= 4 // restored
	half := append(data, data[:50]...)
	// a process that was killed leaves a checkpoint without the files
	if err := errors.Join(os.WriteFile(path, half, 0o600),
		os.Remove(filepath.Join(directory, "checkpoint"))); err != nil {
		t.Fatal(err)
	}
	if _, err := reopen(t, directory, func(e *engine.Engine) {
		if _, err := e.Documents.Get(t.Context(), engine.SubjectDocument+"f.4"); err != nil {
			t.Error(err)
		}
	}); err != nil {
		t.Error(err)
	}
}
