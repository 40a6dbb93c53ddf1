package cli_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// buildBinary builds the real command.
func buildBinary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gemwire")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, "github.com/gemwire/gemwire/cmd/gemwire")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

func TestTheBinaryPassesItsStreamsArgumentsAndExitCodeOn(t *testing.T) {
	t.Parallel()
	binary := buildBinary(t)
	run := func(stdin string, args ...string) result {
		var stdout, stderr bytes.Buffer
		cmd := exec.CommandContext(t.Context(), binary, args...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
		cmd.Run() // the exit code says more than the error
		return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	}
	if got := run(smallResponse, "convert", "--from", itself, "--to", itself); got != (result{0, smallResponse + "\n", ""}) {
		t.Errorf("convert: %+v", got)
	}
	if got := run("{", "convert", "--from", itself, "--to", itself); got.code != 1 || got.stdout != "" {
		t.Errorf("truncated input: %+v", got)
	}
	if got := run("", "convert"); got.code != 2 {
		t.Errorf("wrong usage: %+v", got)
	}
	if got := run("", "--version"); got.code != 0 || !strings.HasPrefix(got.stdout, "gemwire ") {
		t.Errorf("--version: %+v", got)
	}
	t.Run("a report goes to standard error", func(t *testing.T) { reportOfBinary(t, binary) })
	t.Run("a signal ends a wait for input", func(t *testing.T) { interruptBinary(t, binary) })
	t.Run("a closed pipe ends the process", func(t *testing.T) { breakPipeOfBinary(t, binary) })
}

// reportOfBinary sends the report to a standard error that the caller has put a file behind.
func reportOfBinary(t *testing.T, binary string) {
	log, err := os.Create(filepath.Join(t.TempDir(), "log.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	before, _ := log.Stat()
	cmd := exec.CommandContext(t.Context(), binary, "convert", "--from", itself, "--to", itself, "--report", "/dev/stderr")
	cmd.Stdin, cmd.Stderr = strings.NewReader(smallResponse), log
	if out, err := cmd.Output(); err != nil || string(out) != smallResponse+"\n" {
		t.Errorf("%v: %s", err, out)
	}
	io.WriteString(log, "more\n") // goes on where the command stopped
	if got := readFile(t, log.Name()); got != "[]\nmore\n" {
		t.Errorf("standard error: %q", got)
	}
	if after, err := os.Stat(log.Name()); err != nil || !os.SameFile(before, after) {
		t.Errorf("the file behind standard error was replaced: %v", err)
	}
}

func interruptBinary(t *testing.T, binary string) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send")
	}
	report := filepath.Join(t.TempDir(), "report.json")
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, "convert", "--from", itself, "--to", itself, "--report", report)
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// More than a pipe holds: when all is written, the command is past its start and reading.
	if _, err := io.WriteString(stdin, strings.Repeat(" ", 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || stderr.String() != "gemwire: -: interrupted\n" {
		t.Errorf("exit code %d, standard error %q", code, &stderr)
	}
	if names := fileNames(t, filepath.Dir(report)); len(names) != 0 {
		t.Errorf("left behind: %q", names)
	}
}

func breakPipeOfBinary(t *testing.T, binary string) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, "convert", "--from", itself, "--to", itself)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(smallResponse), write, &stderr
	if err := cmd.Run(); err == nil || strings.Contains(stderr.String(), "panic") {
		t.Errorf("error %v, standard error %q", err, &stderr)
	}
	write.Close()
}
