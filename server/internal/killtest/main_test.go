// Package killtest kills gateways and NATS servers under load, and checks that nothing is lost that
// a client was answered, and that limits, budgets and usage add up.
package killtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/gemwire/gemwire/server/cli"
)

// Variables of the processes that a test starts: the arguments of a command, one a line, or the
// options of a NATS server.
const (
	commandVariable = "KILLTEST_COMMAND"
	natsVariable    = "KILLTEST_NATS"
)

func TestMain(m *testing.M) {
	arguments, nats := os.Getenv(commandVariable), os.Getenv(natsVariable)
	if arguments != "" || nats != "" {
		go func() { // the test ends, and with it this process
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(1)
		}()
	}
	switch {
	case arguments != "":
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		code := cli.Run(ctx, strings.Split(arguments, "\n"), strings.NewReader(""), os.Stdout,
			os.Stderr)
		stop()
		os.Exit(code)
	case nats != "":
		fmt.Fprintln(os.Stderr, serveNATS(nats))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// serveNATS runs a NATS server until it is killed.
func serveNATS(text string) error {
	var node natsNode
	if err := json.Unmarshal([]byte(text), &node); err != nil {
		return err
	}
	s, err := server.NewServer(node.options())
	if err != nil {
		return err
	}
	s.Start()
	s.WaitForShutdown()
	return nil
}

// process is a process of this test's own program.
type process struct{ *exec.Cmd }

// startSelf starts this program with a variable, and ends it with the test.
func startSelf(t *testing.T, log *os.File, variables ...string) *process {
	t.Helper()
	return startProgram(t, os.Args[0], nil, log, variables...)
}

// startProgram starts a copy of this program.
func startProgram(t *testing.T, program string, attributes *syscall.SysProcAttr, log *os.File,
	variables ...string) *process {
	t.Helper()
	p := &process{exec.CommandContext(t.Context(), program)}
	p.Env, p.SysProcAttr = append(p.Environ(), variables...), attributes
	p.Stderr = log
	if _, err := p.StdinPipe(); err != nil { // open until the test ends
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	return p
}

// kill ends the process as kill -9 does. Killing it again has no effect.
func (p *process) kill() {
	_ = p.Process.Kill()
	_ = p.Wait()
}
