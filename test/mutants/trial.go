package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// outcome is the result of a mutant.
type outcome string

const (
	killed    outcome = "killed"
	timedOut  outcome = "timed out"
	survives  outcome = "SURVIVES"
	notViable outcome = "not viable" // it does not compile
)

// verdict is the outcome of a mutant, with the test that noticed it.
type verdict struct {
	outcome outcome
	by      string
}

func (v verdict) reason() string {
	if v.by == "" {
		return ""
	}
	return ", by " + v.by
}

// roomTests are the tests of a room, and how long each package takes without a mutant.
type roomTests struct {
	module   *module
	packages []string // below the module's root, "./" before each
	elapsed  map[string]time.Duration
}

// tests runs the tests of a room without a mutant. They must pass, and they give the time that a
// mutant's tests get.
func (m *module) tests(ctx context.Context, r room) (*roomTests, error) {
	listed, err := m.output(ctx, m.root, "go", "list", "./"+r.folder+"/...")
	if err != nil {
		return nil, err
	}
	t := &roomTests{module: m}
	for name := range strings.Lines(listed) {
		folder := strings.TrimPrefix(strings.TrimSpace(name), m.path+"/")
		if r.has(folder + "/x.go") {
			t.packages = append(t.packages, "./"+folder)
		}
	}
	args := append([]string{"test", "-vet=off", "-count=1", "-timeout=20m"}, t.flags()...)
	out, err := t.goCommand(ctx, "", append(args, t.packages...)...)
	if err != nil {
		return nil, fmt.Errorf("the tests fail without a mutant: %w\n%s", err, out)
	}
	t.elapsed = elapsed(m.path, out)
	return t, nil
}

func (t *roomTests) flags() []string {
	if t.module.short {
		return []string{"-short"}
	}
	return nil
}

var passed = regexp.MustCompile(`(?m)^ok\s+(\S+)\s+([\d.]+)s`)

// elapsed reads how long the tests of each package took.
func elapsed(module string, out []byte) map[string]time.Duration {
	took := map[string]time.Duration{}
	for _, match := range passed.FindAllSubmatch(out, -1) {
		seconds, err := strconv.ParseFloat(string(match[2]), 64)
		if err == nil {
			took["./"+strings.TrimPrefix(string(match[1]),
				module+"/")] = time.Duration(seconds * float64(time.Second))
		}
	}
	return took
}

// try compiles a mutant, and runs the tests of its own package. Then it runs the tests of the rest
// of the room.
func (t *roomTests) try(ctx context.Context, m mutant) (verdict, error) {
	overlay, err := t.module.overlay(m)
	if err != nil {
		return verdict{}, err
	}
	own := "./" + path.Dir(m.file)
	if _, err := t.goCommand(ctx, overlay, "build", own); err != nil {
		return verdict{outcome: notViable}, ctx.Err()
	}
	rest := slices.DeleteFunc(slices.Clone(t.packages), func(p string) bool { return p == own })
	for _, packages := range [][]string{{own}, rest} {
		v, err := t.run(ctx, overlay, packages)
		if err != nil || v.outcome != survives {
			return v, err
		}
	}
	return verdict{outcome: survives}, nil
}

// run runs the tests of packages over a mutant. A package that does not depend on the mutant has
// its result from the cache.
func (t *roomTests) run(ctx context.Context, overlay string, packages []string) (verdict, error) {
	if len(packages) == 0 {
		return verdict{outcome: survives}, nil
	}
	var slowest time.Duration
	for _, p := range packages {
		slowest = max(slowest, t.elapsed[p])
	}
	limit := (3*slowest + 20*time.Second).Round(time.Second)
	args := append([]string{"test", "-vet=off", "-failfast", "-timeout=" + limit.String()},
		t.flags()...)
	out, err := t.goCommand(ctx, overlay, append(args, packages...)...)
	if ctx.Err() != nil {
		return verdict{}, ctx.Err()
	}
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		return verdict{}, err
	}
	return judge(out, err == nil), nil
}

var (
	failure     = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
	failed      = regexp.MustCompile(`(?m)^FAIL\b.*`)
	ranOut      = regexp.MustCompile(`(?m)^panic: test timed out after`)
	panicked    = regexp.MustCompile(`(?m)^(panic|fatal error|runtime): .*`)
	buildFailed = regexp.MustCompile(`(?m)^FAIL\s+(\S+) \[(?:build|setup) failed\]`)
)

// judge reads what go test printed. It does not rely on the exit code alone: go test -failfast over
// several packages can exit with 0 although one failed (github.com/go-gremlins/gremlins, pull
// request 293).
func judge(out []byte, ok bool) verdict {
	switch {
	case ranOut.Match(out):
		return verdict{timedOut, ""}
	case failure.Match(out):
		return verdict{killed, string(failure.FindSubmatch(out)[1])}
	case buildFailed.Match(out):
		// Another package of the room uses the mutant's constants and no longer compiles.
		return verdict{notViable, ""}
	case panicked.Match(out):
		return verdict{killed, string(panicked.Find(out))}
	case failed.Match(out):
		return verdict{killed, strings.Join(strings.Fields(string(failed.Find(out))), " ")}
	case !ok:
		return verdict{killed, "exit code"}
	}
	return verdict{outcome: survives}
}

// overlay writes a mutant, and the file that has the go command read it in place of the original.
func (m *module) overlay(mutated mutant) (string, error) {
	source, err := mutated.write(m.root, m.folder)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(m.root, filepath.FromSlash(mutated.file)): source},
	})
	if err != nil {
		return "", err
	}
	target := filepath.Join(m.folder, "overlay.json")
	return target, os.WriteFile(target, data, 0o600)
}

// goCommand runs the go command over an overlay, which goes into GOFLAGS so that programs that a
// test builds have it too. A mutant may recurse or append without end: bash limits the memory, and
// what is left over is ended with its group.
func (t *roomTests) goCommand(ctx context.Context, overlay string, args ...string) ([]byte, error) {
	limit := strconv.Itoa(t.module.memory << 20) // in KiB
	command := exec.CommandContext(ctx, "bash",
		append([]string{"-c", `ulimit -v "$0" && exec go "$@"`, limit}, args...)...)
	command.Dir = t.module.root
	if overlay != "" {
		command.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay)
	}
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	command.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	if command.Process != nil {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
	}
	return out.Bytes(), err
}
