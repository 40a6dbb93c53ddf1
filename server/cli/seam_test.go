package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/cli/process"
)

// upperLines is a streaming conversion: it writes a line for every line that it reads.
var upperLines = conversion{from: geminiStream, to: normalizedStream,
	run: func(in io.Reader, out io.Writer, s settings) (report.Report, error) {
		lines := bufio.NewReader(in)
		for {
			line, err := lines.ReadString('\n')
			switch {
			case err == io.EOF:
				return nil, nil
			case err != nil:
				return nil, err
			case line == "broken\n":
				return nil, errors.New("a broken line")
			}
			if _, err := io.WriteString(out, strings.ToUpper(line)); err != nil {
				return nil, err
			}
		}
	}}

func newTestCall(t *testing.T, c conversion, flags convertFlags, args ...string) (*convertCall,
	*bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	flags.from, flags.to = string(geminiResponse), string(geminiResponse)
	made, err := builtin.newConvertCall(builtin.newConvert(), flags, args)
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	made.conversionOf = func(*input) (conversion, error) { return c, nil }
	made.stdin, made.stdout, made.stderr = strings.NewReader(""), &stdout, &stderr
	return made, &stdout, &stderr
}

func TestAStreamIsWrittenBeforeItsInputEnds(t *testing.T) {
	t.Parallel()
	stdin, write := io.Pipe()
	read, stdout := io.Pipe()
	call, _, _ := newTestCall(t, upperLines, convertFlags{})
	call.stdin, call.stdout = stdin, stdout
	done := make(chan error, 1)
	go func() { done <- call.run(t.Context()) }()

	output := bufio.NewReader(read)
	for _, line := range []string{"one\n", "two\n"} {
		io.WriteString(write, line)
		if got, err := output.ReadString('\n'); err != nil || got != strings.ToUpper(line) {
			t.Errorf("got %q, %v", got, err)
		}
	}
	write.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAStreamThatBreaksOffLeavesNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := filepath.Join(dir, "in.txt")
	if err := os.WriteFile(in, []byte("one\nbroken\ntwo\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	call, _, stderr := newTestCall(t, upperLines, convertFlags{out: dir + "/out"}, in)
	if err := call.run(t.Context()); !errors.Is(err, process.ErrFailed) {
		t.Errorf("got %v", err)
	}
	if want := "gemwire: " + in + ": a broken line\n"; stderr.String() != want {
		t.Errorf("standard error: %q, want %q", stderr, want)
	}
	if left, err := os.ReadDir(dir + "/out"); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestAnEndedContextStopsAReadThatNothingElseWouldEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stdin, write := io.Pipe()
	defer write.Close()
	ctx, cancel := context.WithCancel(t.Context())
	call, stdout, stderr := newTestCall(t, upperLines, convertFlags{report: dir + "/report.json"})
	call.stdin = stdin
	done := make(chan error, 1)
	go func() { done <- call.run(ctx) }()
	io.WriteString(write, "part of a li")
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, process.ErrFailed) || stderr.String() != "gemwire: -: interrupted\n" ||
			stdout.Len() != 0 {
			t.Errorf("got %v, standard error %q, standard output %q", err, stderr, stdout)
		}
	case <-time.After(time.Minute):
		t.Fatal("still reading")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// failingWriter is a full disk or a closed pipe.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAWriteThatFailsExitsWithOne(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	args := []string{"convert", "--from", "gemini-response", "--to", "gemini-response"}
	code := Run(t.Context(), args, strings.NewReader("{}"), failingWriter{}, &stderr)
	if code != process.ExitFailed || stderr.String() != "gemwire: -: no space left\n" {
		t.Errorf("exit code %d, standard error %q", code, &stderr)
	}
	code = Run(t.Context(), []string{"validate", "--as", "gemini-response"}, strings.NewReader("["),
		failingWriter{}, &stderr)
	if code != process.ExitFailed {
		t.Errorf("validate: exit code %d", code)
	}
}

func TestLossesAreRefusedBeforeAnythingIsWritten(t *testing.T) {
	t.Parallel()
	decode := func([]byte) (*struct{}, error) { return &struct{}{}, nil }
	encode := func(*struct{}) ([]byte, error) { return []byte("{}"), nil }
	lossy := conversion{run: whole(exactly(decode),
		func(out *struct{}, _ settings) (*struct{}, report.Report, error) {
			return out, report.Report{
				{Pointer: "/a", Kind: report.Lost, Detail: "no place for it"},
				{Pointer: "/b", Kind: report.Approximated, Detail: "rounded"},
				{Pointer: "/c/0", Kind: report.Lost, Detail: "no place for this either"},
			}, nil
		}, encode)}
	dir := t.TempDir()
	flags := convertFlags{settings: settings{strict: true}, report: dir + "/report.json"}
	call, stdout, stderr := newTestCall(t, lossy, flags)
	if err := call.run(t.Context()); !errors.Is(err, process.ErrFailed) || stdout.Len() != 0 {
		t.Errorf("got %v, standard output %q", err, stdout)
	}
	want := "gemwire: -: /a: lost: no place for it\ngemwire: -: /c/0: lost: no place for this either\n"
	if stderr.String() != want {
		t.Errorf("standard error\n%swant\n%s", stderr, want)
	}
	report, err := os.ReadFile(flags.report)
	if err != nil || !strings.Contains(string(report), `"rounded"`) ||
		strings.Count(string(report), `"pointer"`) != 3 {
		t.Errorf("the report: %s %v", report, err)
	}

	flags.settings.strict = false
	call, stdout, stderr = newTestCall(t, lossy, flags)
	if err := call.run(t.Context()); err != nil || stdout.String() != "{}\n" ||
		!strings.HasPrefix(stderr.String(), "gemwire: -: 2 values lost; the report lists them") {
		t.Errorf("without --strict: %v, %q, %q", err, stdout, stderr)
	}
}

func TestEveryFormatHasOneNameAndAnExplanation(t *testing.T) {
	t.Parallel()
	seen := map[format]bool{}
	for _, f := range builtin.formats {
		if seen[f.name] || f.name == "" || f.about == "" {
			t.Errorf("%+v", f)
		}
		seen[f.name] = true
	}
	pairs := map[[2]format]bool{}
	for _, c := range builtin.conversions {
		pair := [2]format{c.from, c.to}
		if !seen[c.from] || !seen[c.to] || pairs[pair] || c.run == nil {
			t.Errorf("conversion %v", pair)
		}
		pairs[pair] = true
	}
	for _, c := range builtin.checks {
		if !seen[c.format] || c.about == "" || c.run == nil {
			t.Errorf("check %+v", c)
		}
	}
}

func TestVersionPrintsWhatTheToolchainStamped(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{
		Main: debug.Module{Version: "v1.2.3"},
		Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"},
			{Key: "vcs.modified", Value: "true"},
			{Key: "vcs.time", Value: "2026-09-01T10:00:00Z"},
		},
	}
	if got, want := versionOf(info),
		"gemwire v1.2.3 (commit 0123456789ab, modified, 2026-09-01T10:00:00Z, go"; !strings.HasPrefix(got,
		want) {
		t.Errorf("got %q, want %q...", got, want)
	}
	if got, want := versionOf(&debug.BuildInfo{}),
		"gemwire (devel) (go"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q...", got, want)
	}
}
