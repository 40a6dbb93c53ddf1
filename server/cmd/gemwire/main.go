// Command gemwire runs a gateway to Gemini, asks models, converts and checks payloads, and runs
// batches of requests. `gemwire --help` explains the commands, the formats and the exit codes.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/gemwire/gemwire/server/cli"
	"github.com/gemwire/gemwire/server/cli/process"
)

func main() {
	ctx, cancel := context.WithCancelCause(context.Background())
	ctx, interrupts := process.WithInterrupts(ctx)
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // as under nohup
			signal.Notify(signals, s)
		}
	}
	// SIGPIPE must not end the process with a temporary file left. The programs that it runs do not
	// inherit this, as they would with signal.Ignore.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go func() {
		s := <-signals
		for interrupts.Caught(s) {
			s = <-signals
		}
		signal.Stop(signals) // a second signal ends the process at once
		cancel(&process.SignalError{Signal: s.(syscall.Signal)})
	}()
	os.Exit(cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
