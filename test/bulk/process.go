package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is a program that runs, with the end of what it writes.
type process struct {
	cmd    *exec.Cmd
	output *tail
	done   chan struct{}
	err    error
}

// start starts a program with an environment of its own. It dies with this one.
func start(env []string, program string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(program, args...), output: &tail{}, done: make(chan struct{})}
	p.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.TempDir()}, env...)
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// kill ends it as the kernel does when memory is short, and waits until it is gone.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// end asks it to end, and kills it when it takes too long.
func (p *process) end() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(30 * time.Second):
		p.kill()
	}
}

// wait waits until it has ended, for so long at most.
func (p *process) wait(limit time.Duration) error {
	select {
	case <-p.done:
	case <-time.After(limit):
		p.kill()
		return fmt.Errorf("it takes more than %s\n%s", limit, p.output)
	}
	if p.err != nil {
		return fmt.Errorf("%w\n%s", p.err, p.output)
	}
	return nil
}

// memory is how much memory it has had at most, in bytes.
func (p *process) memory() int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for lines := bufio.NewScanner(bytes.NewReader(status)); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			kilobytes, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// tail keeps the end of the output.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 8 << 10

// Write implements [io.Writer].
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if extra := len(t.text) - tailSize; extra > 0 {
		t.text = t.text[extra:]
	}
	return len(p), nil
}

// String returns it.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}

// waitFor waits until a program has written a text, and returns the line with it.
func (p *process) waitFor(text string, limit time.Duration) (string, error) {
	for deadline := time.Now().Add(limit); time.Now().Before(
		deadline); time.Sleep(20 * time.Millisecond) {
		for line := range strings.Lines(p.output.String()) {
			if strings.Contains(line, text) && strings.HasSuffix(line, "\n") {
				return line, nil
			}
		}
		select {
		case <-p.done:
			return "", fmt.Errorf("it has ended: %w\n%s", errors.Join(p.err, io.EOF), p.output)
		default:
		}
	}
	return "", fmt.Errorf("it does not say %q\n%s", text, p.output)
}
