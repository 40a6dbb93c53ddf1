//go:build unix

package batch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gemwire/gemwire/server/cli/clitest"
)

// TestANewcomersJobContinuesHoweverItIsKilled runs the example like a new user with a fresh clone.
// It kills the run twice, interrupts it once, and runs it again.
func TestANewcomersJobContinuesHoweverItIsKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds the command")
	}
	folder := t.TempDir()
	binary := filepath.Join(folder, "gemwire")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary,
		"github.com/gemwire/gemwire/server/cmd/gemwire").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	state := t.TempDir()
	store := filepath.Join(state, "gemwire", "bulk")
	start := func() (*exec.Cmd, *clitest.Output, <-chan result) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), binary, "batch", "run", example(t), "--out",
			filepath.Join(folder, "answers.jsonl"), "--limit-requests", "900")
		stderr := new(clitest.Output)
		cmd.Stderr = stderr
		cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+state)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan result, 1)
		go func() {
			_ = cmd.Wait() // the exit code says it all
			ended <- result{cmd.ProcessState.ExitCode(), "", stderr.String()}
		}()
		return cmd, stderr, ended
	}
	done := 0
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGKILL} {
		// a killed process leaves this file, so the test must wait for the next process
		_ = os.Remove(filepath.Join(store, "socket"))
		cmd, stderr, ended := start()
		done = waitForLines(t, store, done+16, ended)
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		got := <-ended
		if signal == syscall.SIGINT &&
			(got.code != 130 ||
				!strings.Contains(got.stderr,
					" of 100 lines are done; run the same command to continue\n")) {
			t.Error(got)
		}
		if !strings.HasPrefix(stderr.String(), fakeAnswers) {
			t.Error(got)
		}
		if _, err := os.Stat(filepath.Join(folder, "answers.jsonl")); err == nil {
			t.Fatal("the answers are there before all lines are done")
		}
	}
	_, stderr, ended := start()
	got := <-ended
	if got.code != 0 || !strings.Contains(stderr.String(), "continuing the job of ") ||
		!strings.Contains(stderr.String(), "answers.jsonl: 100 answers: 1613 tokens in, ") {
		t.Fatal(got)
	}
	checkAnswers(t, example(t), filepath.Join(folder, "answers.jsonl"))
}
