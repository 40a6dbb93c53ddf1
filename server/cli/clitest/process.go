// Package clitest runs commands that run until they are stopped, for the tests of package cli and
// its subpackages.
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

// Process is a command that serves at an address. [Start] makes it.
type Process struct {
	// URL is its address.
	URL            string
	Stdout, Stderr *Output

	stop       context.CancelCauseFunc
	interrupts *process.Interrupts
	exit       chan int
}

// Start starts a command, and waits until its standard error matches a regular expression such as
// `listening on (http://\S+)`. The group in parentheses becomes the URL. A command that ends before
// that fails the test at once. Any other command is stopped when the test ends.
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

// Stop ends the command with a cause, such as a [process.SignalError]. Nil is no cause.
func (p *Process) Stop(reason error) { p.stop(reason) }

// Wait waits for the end, and returns the exit code.
func (p *Process) Wait(t *testing.T) int {
	t.Helper()
	select {
	case code := <-p.exit:
		return code
	case <-time.After(time.Minute):
		t.Fatal("the command does not stop")
		return 0
	}
}

// Terminate ends the command as SIGTERM does, and returns its exit code.
func (p *Process) Terminate(t *testing.T) int {
	t.Helper()
	p.Stop(&process.SignalError{Signal: syscall.SIGTERM})
	return p.Wait(t)
}

// HangUp does what SIGHUP does, and reports whether the command handles it. A command that has just
// begun to listen handles it a moment later.
func (p *Process) HangUp() bool {
	for deadline := time.Now().Add(hangUpTime); !p.interrupts.Caught(syscall.SIGHUP); {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return true
}

const hangUpTime = 5 * time.Second

// Get requests a path, and returns the status and the body.
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
