package cli_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

// buildBinary builds the real command.
func buildBinary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gemwire")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path,
		"github.com/gemwire/gemwire/server/cmd/gemwire")
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
	if got := run(smallResponse, "convert", "--from", itself, "--to",
		itself); got != (result{0, smallResponse + "\n", ""}) {
		t.Errorf("convert: %+v", got)
	}
	if got := run("{", "convert", "--from", itself, "--to", itself); got.code != 1 ||
		got.stdout != "" {
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
	t.Run("a signal ends a wait for a named pipe",
		func(t *testing.T) { interruptAtNamedPipe(t, binary) })
	t.Run("a signal ends a wait for a reader", func(t *testing.T) { interruptAtOutput(t, binary) })
	t.Run("a closed pipe ends the process", func(t *testing.T) { breakPipeOfBinary(t, binary) })
	t.Run("an interrupt cancels an answer of a chat",
		func(t *testing.T) { interruptChat(t, binary) })
}

// reportOfBinary sends the report to a standard error that the caller has redirected to a file.
func reportOfBinary(t *testing.T, binary string) {
	log, err := os.Create(filepath.Join(t.TempDir(), "log.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	before, _ := log.Stat()
	cmd := exec.CommandContext(t.Context(), binary, "convert", "--from", itself, "--to", itself,
		"--report", "/dev/stderr")
	cmd.Stdin, cmd.Stderr = strings.NewReader(smallResponse), log
	if out, err := cmd.Output(); err != nil || string(out) != smallResponse+"\n" {
		t.Errorf("%v: %s", err, out)
	}
	io.WriteString(log, "more\n") // continues where the command stopped
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
	cmd := exec.CommandContext(t.Context(), binary, "convert", "--from", itself, "--to", itself,
		"--report", report)
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// This is more than fits into a pipe. So when all of it is written, the command has started and
	// reads.
	if _, err := io.WriteString(stdin, strings.Repeat(" ", 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 143 ||
		stderr.String() != "gemwire: -: interrupted\n" {
		t.Errorf("exit code %d, standard error %q", code, &stderr)
	}
	if names := fileNames(t, filepath.Dir(report)); len(names) != 0 {
		t.Errorf("left behind: %q", names)
	}
}

// interruptAtNamedPipe interrupts the command at three points: while it waits for another process
// to open a pipe, for the next bytes of a pipe, and for another process to read its report.
func interruptAtNamedPipe(t *testing.T, binary string) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send")
	}
	convert := []string{"convert", "--from", itself, "--to", itself}
	for name, test := range map[string]struct {
		args   []string
		write  bool
		signal syscall.Signal
		code   int
	}{
		"no process writes to the pipe": {append(convert, "--out", "OUT", "PIPE"), false, syscall.SIGINT, 130},
		"the writer stops":              {append(convert, "--out", "OUT", "PIPE"), true, syscall.SIGTERM, 143},
		"no process reads the report":   {append(convert, "--report", "PIPE", "FILE"), false, syscall.SIGTERM, 143},
		"validate":                      {[]string{"validate", "--as", itself, "PIPE"}, false, syscall.SIGINT, 130},
		"extract":                       {[]string{"extract", "PIPE"}, false, syscall.SIGINT, 130},
		"extract waits for a schema":    {[]string{"extract", "--schema", "PIPE", "FILE"}, false, syscall.SIGINT, 130},
		"the terminal is closed":        {[]string{"extract", "PIPE"}, false, syscall.SIGHUP, 129},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if signal.Ignored(test.signal) {
				t.Skip("the test process was started with the signal ignored")
			}
			dir := t.TempDir()
			pipe := filepath.Join(dir, "pipe")
			if err := exec.CommandContext(t.Context(), "mkfifo", pipe).Run(); err != nil {
				t.Fatal(err)
			}
			args := slices.Clone(test.args)
			for name, path := range map[string]string{"PIPE": pipe, "OUT": dir + "/out",
				"FILE": writeFile(t, dir+"/answer.json", smallResponse)} {
				if i := slices.Index(args, name); i >= 0 {
					args[i] = path
				}
			}
			write := ""
			if test.write {
				write = pipe
			}
			got := interruptWhenItWaits(t, test.signal, write, binary, args...)
			if want := (result{test.code, "",
				"gemwire: " + pipe + ": interrupted\n"}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			for _, folder := range []string{dir, dir + "/out"} {
				if left, _ := filepath.Glob(folder + "/.gemwire-*"); len(left) > 0 {
					t.Errorf("left behind: %q", left)
				}
			}
		})
	}
}

// interruptWhenItWaits starts a process and sends it a signal when it waits. It assumes that the
// process waits when it has read all of a pipe, or after some time, because the wait is not visible
// from outside. A process that was not ready for the signal is started again.
func interruptWhenItWaits(t *testing.T, s syscall.Signal, write, binary string,
	args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := -1
	for wait := 200 * time.Millisecond; code == -1 && wait < time.Minute; wait *= 2 {
		stdout.Reset()
		stderr.Reset()
		cmd := exec.CommandContext(t.Context(), binary, args...)
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if write != "" {
			writer, err := os.OpenFile(write, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer writer.Close()
			io.WriteString(writer, strings.Repeat(" ", 1<<20))
		} else {
			time.Sleep(wait)
		}
		code = interrupt(t, cmd, s)
	}
	return result{code, stdout.String(), stderr.String()}
}

// interrupt sends a signal and returns the exit code. The code is -1 if the signal itself ended the
// process.
func interrupt(t *testing.T, cmd *exec.Cmd, s syscall.Signal) int {
	t.Helper()
	if err := cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	stuck := time.AfterFunc(time.Minute, func() {
		t.Error("the signal did not end it")
		cmd.Process.Kill()
	})
	defer stuck.Stop()
	cmd.Wait()
	return cmd.ProcessState.ExitCode()
}

// interruptAtOutput ends the command while its output is not read.
func interruptAtOutput(t *testing.T, binary string) {
	if runtime.GOOS == "windows" || signal.Ignored(syscall.SIGINT) {
		t.Skip("no signals to send")
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	report := filepath.Join(t.TempDir(), "report.json")
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, "convert", "--from", itself, "--to", itself,
		"--report", report)
	large := strings.Replace(smallResponse, "Hi", strings.Repeat("Hi", 1<<20), 1)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(large), write, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	// it has begun to write more than fits into a pipe
	if _, err := io.ReadFull(read, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	if code := interrupt(t, cmd, syscall.SIGINT); code != 130 ||
		stderr.String() != "gemwire: -: interrupted\n" {
		t.Errorf("exit code %d, standard error %q", code, &stderr)
	}
	if names := fileNames(t, filepath.Dir(report)); len(names) != 0 {
		t.Errorf("left behind: %q", names)
	}
}

// breakPipeOfBinary closes the pipe that the command writes to, like head. Commands should then end
// without a message.
func breakPipeOfBinary(t *testing.T, binary string) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	report := filepath.Join(t.TempDir(), "report.json")
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, "convert", "--from", itself, "--to", itself,
		"--report", report)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(smallResponse), write, &stderr
	cmd.Run()
	write.Close()
	if code := cmd.ProcessState.ExitCode(); runtime.GOOS != "windows" && code != 141 ||
		stderr.String() != "" {
		t.Errorf("exit code %d, standard error %q", code, &stderr)
	}
	if diff := gocmp.Diff([]string{"report.json"}, fileNames(t, filepath.Dir(report))); diff != "" {
		t.Error(diff)
	}
}
