package clients_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// command is the gemwire command.
type command string

// buildCommand returns the command that GEMWIRE_COMMAND names, or builds it.
func buildCommand(t *testing.T) command {
	t.Helper()
	if path := os.Getenv("GEMWIRE_COMMAND"); path != "" {
		return command(path)
	}
	path := filepath.Join(t.TempDir(), "gemwire")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, "./server/cmd/gemwire")
	build.Dir = repository
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return command(path)
}

// output is the result of converting one input.
type output struct {
	// path leads to what was written, "" if nothing was.
	path string
	// failure is the command's message, "" when the conversion succeeded.
	failure string
}

// read returns what was written. It ends the test when nothing was.
func (o output) read(t *testing.T) []byte {
	t.Helper()
	if o.path == "" {
		t.Fatalf("the command wrote nothing: %s", o.failure)
	}
	return readFile(t, o.path)
}

// errNoConversion says that the command does not have a conversion.
var errNoConversion = errors.New("the command has no such conversion")

// convert converts files, all in one call, into a folder. The result is by the base names of the
// files.
//
// With --out a failed conversion leaves no file. It is repeated to standard output, which shows how
// much a reader of the stream would have received. The path of its output names that text.
func (c command) convert(t *testing.T, dir string, files []string,
	flags ...string) (map[string]output, error) {
	t.Helper()
	flags = append([]string{"--quiet"}, flags...) // no word about what is lost
	args := append([]string{"convert", "--out", dir}, flags...)
	code, _, stderr := c.run(t, append(args, files...)...)
	switch {
	case code == 2 && strings.Contains(stderr, "no conversion from"):
		return nil, errNoConversion
	case code > 1, code == 0 && stderr != "", code == 1 && stderr == "":
		t.Fatalf("gemwire %s: exit code %d, %s", strings.Join(args, " "), code, stderr)
	}
	outputs := map[string]output{}
	for _, file := range files {
		outputs[filepath.Base(file)] = c.outcome(t, outputPath(t, dir, file), file, stderr, flags)
	}
	return outputs, nil
}

// outputPath is the path of what an input was converted to, which has the extension of its own
// format.
func outputPath(t *testing.T, dir, file string) string {
	t.Helper()
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	for _, extension := range []string{".json", ".sse", ".ndjson"} {
		path := filepath.Join(dir, name+extension)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return filepath.Join(dir, name)
}

// outcome finds out what became of one input: a file, or a message.
func (c command) outcome(t *testing.T, path, file, stderr string, flags []string) output {
	t.Helper()
	out := output{path: path, failure: messageFor(file, stderr)}
	_, err := os.Stat(path)
	switch written := err == nil; {
	case written && out.failure != "":
		t.Errorf("%s failed and has an output all the same: %s", file, out.failure)
	case !written && out.failure == "":
		t.Errorf("%s has no output and no message", file)
	case !written:
		code, stdout, _ := c.run(t, append(append([]string{"convert"}, flags...), file)...)
		if code != 1 {
			t.Errorf("%s: exit code %d, and 1 with --out", file, code)
		}
		if stdout == "" {
			return output{failure: out.failure}
		}
		if err := os.WriteFile(path, []byte(stdout), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// messageFor returns what the command said about a file.
func messageFor(file, stderr string) string {
	for line := range strings.Lines(stderr) {
		if message, ok := strings.CutPrefix(line, "gemwire: "+file+": "); ok {
			return strings.TrimSpace(message)
		}
	}
	return ""
}

func (c command) run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), string(c), args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}
