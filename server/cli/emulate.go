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

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/spf13/cobra"
)

const emulateHelp = `Run a fake Gemini server. It accepts the same requests as the real one, refuses the same ones
in the same words, and answers at once and always the same, without a model, a key or a
network. The documentation of pkg/fakegemini lists its answers.

The server prints its address on standard error, and runs until a signal ends it. Programs
reach it by their option for the base URL, and most of them by environment variables:

  GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:8787 GEMINI_API_KEY=any PROGRAM

It accepts any key, unless --key names the valid ones. It serves the paths of the Gemini API
and of Vertex AI.

--script answers from fixtures in a YAML or JSON file; docs/testing.md describes them. If no
fixture matches a request, the server answers itself, or refuses it with --strict.

--record lets the real server answer, or the one of --upstream, and records its answers in a
file, without keys. --replay answers from such a file, and nothing else. Both, with the same
file, replay what is in it and record what is not.

--script-schema prints the JSON Schema of scripts, with which editors complete and check them.`

const emulateExamples = `  gemwire emulate
  gemwire emulate --addr 127.0.0.1:0 --verbose
  gemwire emulate --script fixtures.yaml --strict
  gemwire emulate --record cassette.yaml
  gemwire emulate --replay cassette.yaml
  gemwire emulate --record cassette.yaml --replay cassette.yaml
  gemwire emulate --script-schema > script.schema.json`

// emulation has the flags of emulate.
type emulation struct {
	address string
	keys    []string
	scripts []string
	strict  bool
	// record and replay are the same file if both are set. upstream is "" for the Gemini API.
	record, replay, upstream string
	speed                    float64
	verbose                  bool
	printsSchema             bool
}

func newEmulate() *cobra.Command {
	var e emulation
	cmd := &cobra.Command{
		Use:                   "emulate [flags]",
		Short:                 "Run a fake Gemini server",
		SuggestFor:            []string{"fake", "mock"},
		Long:                  emulateHelp,
		Example:               emulateExamples,
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if e.printsSchema {
				_, err := io.WriteString(cmd.OutOrStdout(), fakegemini.ScriptSchema())
				return err
			}
			if err := e.check(); err != nil {
				return err
			}
			return e.run(cmd.Context(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&e.address, "addr", "127.0.0.1:8787",
		"listen at `HOST:PORT`; port 0 is a free one")
	flags.StringArrayVar(&e.keys, "key", nil, "accept only this `KEY`; repeatable (default any)")
	flags.StringArrayVar(&e.scripts, "script", nil,
		"answer from the fixtures in this `FILE`; repeatable")
	flags.BoolVar(&e.strict, "strict", false, "refuse requests that no fixture matches")
	flags.StringVar(&e.record, "record", "",
		"record the real server's answers in this `FILE`")
	flags.StringVar(&e.replay, "replay", "", "answer from the recording in this `FILE`")
	flags.StringVar(&e.upstream, "upstream", "",
		"record the server at this `URL` (default the Gemini API)")
	flags.Float64Var(&e.speed, "speed", 0,
		"replay at `N` times the recorded speed; 0 means without pauses")
	flags.BoolVar(&e.printsSchema, "script-schema", false,
		"print the JSON Schema of scripts, and exit")
	flags.BoolVar(&e.verbose, "verbose", false, "print a line for each request on standard error")
	return cmd
}

// check returns a usage error.
func (e *emulation) check() error {
	switch {
	case e.record != "" && e.replay != "" && e.record != e.replay:
		return errors.New("--record and --replay together must name the same file, which is replayed and extended")
	case (e.record != "" || e.replay != "") && (len(e.scripts) > 0 || len(e.keys) > 0):
		return errors.New("--record and --replay cannot be combined with --script or --key")
	case e.upstream != "" && e.record == "":
		return errors.New("--upstream needs --record")
	case e.strict && len(e.scripts) == 0:
		return errors.New("--strict needs a --script")
	case e.speed < 0:
		return errors.New("--speed must not be negative")
	}
	return nil
}

// run serves until ctx ends, which is the regular way to stop. Answers in flight then have one
// second to arrive.
func (e *emulation) run(ctx context.Context, stderr io.Writer) error {
	c := call{stderr: stderr}
	handler, err := e.handler(stderr)
	if err != nil {
		// the error names the file
		fmt.Fprintf(stderr, "gemwire: %s\n", message.Escape(errortext.WithoutPackage(err.Error())))
		return process.ErrFailed
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", e.address)
	if err != nil {
		return c.fail(e.address, message.ListenError("--addr", err))
	}
	fmt.Fprintf(stderr, "gemwire: listening on http://%s\n", listener.Addr())
	server := &http.Server{
		Handler:           handler,
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
	return process.ErrFailed
}

func (e *emulation) handler(stderr io.Writer) (http.Handler, error) {
	out := log.New(stderr, "gemwire: ", 0)
	report := func(text string) { out.Print(message.Escape(text)) }
	fake, err := fakegemini.NewHandler(append(e.options(), fakegemini.WithReport(report))...)
	if err != nil || !e.verbose {
		return fake, err
	}
	return &accessLog{next: fake, out: out}, nil
}

func (e *emulation) options() []fakegemini.Option {
	// The server keeps requests for tests to inspect. Here nothing reads them, and the server may
	// run for days.
	opts := []fakegemini.Option{fakegemini.WithAPIKeys(e.keys...), fakegemini.WithoutRequestLog()}
	for _, path := range e.scripts {
		opts = append(opts, fakegemini.WithScriptFile(path))
	}
	if e.strict {
		opts = append(opts, fakegemini.WithStrict())
	}
	switch {
	case e.record != "" && e.replay != "":
		opts = append(opts, fakegemini.WithCassette(e.record, fakegemini.RecordMissing))
	case e.record != "":
		opts = append(opts, fakegemini.WithCassette(e.record, fakegemini.RecordAll))
	case e.replay != "":
		opts = append(opts, fakegemini.WithCassette(e.replay, fakegemini.Replay))
	}
	if e.replay != "" {
		opts = append(opts, fakegemini.WithReplaySpeed(e.speed))
	}
	if e.upstream != "" {
		opts = append(opts, fakegemini.WithUpstream(e.upstream))
	}
	return opts
}
