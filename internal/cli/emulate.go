package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/spf13/cobra"
)

const emulateHelp = `Run a fake Gemini server: it takes what the real one takes, refuses what that refuses in
the same words, and answers at once, always the same, without a model, a key or a network.
What it answers to which request is in the documentation of pkg/geminitest.

It says on standard error where it listens, and runs until a signal ends it. Programs reach
it by their option for the base URL, and most by the environment:

  GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:8787 GEMINI_API_KEY=any PROGRAM

It takes any key, unless --key names those that are valid, and addresses of the Gemini API
and of Vertex AI alike.`

const emulateExamples = `  gemwire emulate
  gemwire emulate --addr 127.0.0.1:0 --verbose`

// emulation is what the flags of emulate say.
type emulation struct {
	address string
	keys    []string
	verbose bool
}

func newEmulate() *cobra.Command {
	var e emulation
	cmd := &cobra.Command{
		Use:                   "emulate [flags]",
		Short:                 "Run a fake Gemini server",
		Long:                  emulateHelp,
		Example:               emulateExamples,
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.run(cmd.Context(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&e.address, "addr", "127.0.0.1:8787", "listen at `HOST:PORT`; port 0 is a free one")
	flags.StringArrayVar(&e.keys, "key", nil, "accept only this `KEY`; again for more (default any)")
	flags.BoolVar(&e.verbose, "verbose", false, "print a line for each request on standard error")
	return cmd
}

// run serves until ctx ends, which is the way to end it. Then answers that are on their way have a second to arrive.
func (e *emulation) run(ctx context.Context, stderr io.Writer) error {
	c := call{stderr: stderr}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", e.address)
	if err != nil {
		return c.fail(e.address, listenError(err))
	}
	fmt.Fprintf(stderr, "gemwire: listening on http://%s\n", listener.Addr())
	server := &http.Server{
		Handler:           e.handler(stderr),
		ReadHeaderTimeout: time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0), // requests that are no HTTP
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return c.fail(e.address, err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if server.Shutdown(last) != nil {
		server.Close()
	}
	<-served
	return errFailed
}

// listenError leaves out what of an error of package net is said already.
func listenError(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return fmt.Errorf("cannot listen there: %w", op.Err)
	}
	return err
}

func (e *emulation) handler(stderr io.Writer) http.Handler {
	// Requests are for tests to look at. Here nobody does, and the server may run for days.
	var handler http.Handler = geminitest.NewHandler(geminitest.WithAPIKeys(e.keys...), geminitest.WithoutRequestLog())
	if e.verbose {
		handler = &accessLog{next: handler, out: log.New(stderr, "gemwire: ", 0)}
	}
	return handler
}
