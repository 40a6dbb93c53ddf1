// Package clitest runs commands that go on until they are told to end, for the tests of package cli
// and of its rooms.
package clitest

import (
	"context"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/cli"
	"github.com/gemwire/gemwire/server/cli/process"
)

// Process is a command that answers at an address. It is made by [Start].
type Process struct {
	// URL is where it answers.
	URL            string
	Stdout, Stderr *Output

	stop       context.CancelCauseFunc
	interrupts *process.Interrupts
	exit       chan int
}

// Start starts a command, and waits until a regular expression matches what is on standard error,
// such as `listening on (http://\S+)`. What its parentheses match becomes the URL. A command that
// ends before that fails the test at once. Any other is stopped when the test ends.
func Start(t *testing.T, listening string, args ...string) *Process {
	t.Helper()
	p, ended := launch(t, args)
	found, err := p.Stderr.find(listening, ended)
	if err != nil {
		t.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	p.URL = found[1]
	return p
}

// launch starts a command, and returns a channel that is closed when it has ended.
func launch(t *testing.T, args []string) (p *Process, ended <-chan struct{}) {
	ctx, stop := context.WithCancelCause(t.Context())
	ctx, interrupts := process.WithInterrupts(ctx)
	p = &Process{Stdout: new(Output), Stderr: new(Output), stop: stop, interrupts: interrupts,
		exit: make(chan int, 1)}
	end := make(chan struct{})
	go func() {
		defer close(end)
		p.exit <- cli.Run(ctx, args, strings.NewReader(""), p.Stdout, p.Stderr)
	}()
	t.Cleanup(func() {
		stop(nil)
		<-end
	})
	return p, end
}

// Stop has the command end for a reason, such as a [process.SignalError]; nil is none.
func (p *Process) Stop(reason error) { p.stop(reason) }

// Wait waits for the end, and returns the exit code.
func (p *Process) Wait(t *testing.T) int {
	t.Helper()
	select {
	case code := <-p.exit:
		return code
	case <-time.After(time.Minute):
		t.Fatal("the command goes on")
		return 0
	}
}

// Terminate ends the command as SIGTERM does, and returns its exit code.
func (p *Process) Terminate(t *testing.T) int {
	t.Helper()
	p.Stop(&process.SignalError{Signal: syscall.SIGTERM})
	return p.Wait(t)
}

// HangUp does what SIGHUP does, and reports whether the command heeds it.
func (p *Process) HangUp() bool { return p.interrupts.Caught(syscall.SIGHUP) }

// Get returns the status and the body of a path.
func (p *Process) Get(t *testing.T, path string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Do(t, request)
}

// Do sends a request, and returns the status and the body of the answer.
func Do(t *testing.T, request *http.Request) (int, string) {
	t.Helper()
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, string(body)
}
