// Package serve has the gateway's commands: serve runs a gateway, and health checks a running one.
//
// server/gateway is the gateway itself, and server/gateway/config has its settings. This package
// has the process around it: listeners, probes, signals and the log.
package serve

import (
	"context"
	"fmt"
	"io"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/internal/heapgrowth"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/clientkey"
	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/spf13/cobra"
)

// Commands returns the commands.
func Commands() []*cobra.Command { return []*cobra.Command{newServe(), newHealth()} }

const serveHelp = `Run a gateway that lets programs use Gemini through OpenAI's chat_completions or Responses
API, Anthropic's Messages API, or Gemini's own API. The base URL for OpenAI's SDKs is
http://127.0.0.1:8080/v1. Anthropic's and Google's SDKs need it without /v1.

With a key in GEMINI_API_KEY the gateway calls the Gemini API. Without credentials the
built-in fake server answers; the first line of the log says so. With --upstream openai and
--base-url a server of chat_completions answers, also for Gemini's own clients.

Every setting can be in a file (--config), in the environment (GEMWIRE_ADDR for --addr), or
a flag. A flag overrides the environment, and the environment overrides the file.
docs/reference/settings.md describes all settings.

SIGTERM stops the gateway when the requests in flight are done. SIGHUP reloads the settings;
requests in flight continue. The gateway serves /healthz, /readyz and /metrics.`

const serveExamples = `  gemwire serve
  gemwire serve --inspect
  gemwire serve --alias gpt-4o=` + models.Default + `
  gemwire serve --store memory
  gemwire serve --upstream openai --base-url https://server.example/v1
  gemwire serve --config gateway.yaml
  gemwire serve --schema > gateway.schema.json
  gemwire serve --new-key alice`

// command has the flags of serve.
type command struct {
	source setup.Sources
	// schema prints the JSON Schema of files. check only checks the settings. hints prints how to
	// try the gateway.
	schema, check, hints bool
	// newKey is the name of a client to make a key for, or "".
	newKey string
}

func newServe() *cobra.Command {
	var c command
	cmd := &cobra.Command{
		Use:                   "serve [flags]",
		Short:                 "Run a gateway that lets OpenAI's and Anthropic's clients use Gemini",
		Long:                  serveHelp,
		Example:               serveExamples,
		Args:                  cobra.NoArgs,
		DisableFlagsInUseLine: true,
		RunE:                  func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	c.source.AddFlags(flags)
	flags.BoolVar(&c.check, "check", false, "check the settings, print problems, and exit")
	flags.BoolVar(&c.schema, "schema", false, "print the JSON Schema of settings files, and exit")
	flags.StringVar(&c.newKey, "new-key", "",
		"make a client key for `NAME`, print it and its entry for --key-file, and exit")
	flags.BoolVar(&c.hints, "hints", false, "print how to try the gateway")
	return cmd
}

func (c *command) run(cmd *cobra.Command) error {
	stderr := cmd.ErrOrStderr()
	if c.schema {
		schema, err := config.Schema()
		if err != nil {
			return setup.Fail(stderr, err)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n", schema)
		return nil
	}
	if c.newKey != "" {
		return printNewKey(cmd.OutOrStdout(), stderr, c.newKey)
	}
	if c.check {
		return c.printProblems(cmd.Context(), cmd.OutOrStdout(), stderr)
	}
	settings, err := c.source.Load()
	if err != nil {
		return setup.Fail(stderr, err)
	}
	defer heapgrowth.Keep(heapgrowth.Server)()
	s := newServer(settings, stderr)
	defer s.close()
	hints := io.Discard
	s.isByMake = c.hints
	if c.hints {
		hints = cmd.OutOrStdout()
	}
	if err := s.open(cmd.Context(), hints); err != nil {
		return setup.Fail(stderr, err)
	}
	return s.serve(cmd.Context(), c.source.Load)
}

// printNewKey makes a key. It prints the entry on standard output, so that >> appends it to a key
// file. It prints the key itself on standard error only.
func printNewKey(stdout, stderr io.Writer, name string) error {
	key := clientkey.New()
	if _, err := clientkey.Read(fmt.Appendf(nil, "keys: [{name: %q, hash: %q}]", name,
		clientkey.Hash(key))); err != nil {
		return setup.Fail(stderr, err)
	}
	fmt.Fprintf(stderr, "gemwire: the key of %s, shown only once:\n\n%s\n\ngemwire: standard output has its entry; append it to the file of --key-file\n",
		name, key)
	fmt.Fprintf(stdout, "- name: %q\n  hash: %s\n", name, clientkey.Hash(key))
	return nil
}

// printProblems checks the settings and makes a gateway that does not listen. It prints each
// problem as one line, also a problem of a flag.
func (c *command) printProblems(ctx context.Context, stdout, stderr io.Writer) error {
	settings, problems := config.Check(c.source.All())
	if len(problems) == 0 {
		if err := tryGateway(ctx, settings); err != nil {
			problems = []error{err}
		}
	}
	if len(problems) == 0 {
		fmt.Fprintln(stdout, "ok")
		return nil
	}
	for _, problem := range problems {
		fmt.Fprintf(stderr, "gemwire: %s\n",
			message.Escape(errortext.WithoutPackage(problem.Error())))
	}
	return process.ErrFailed
}

// tryGateway makes a gateway with the settings, and closes it.
func tryGateway(ctx context.Context, settings *config.Config) error {
	opts, err := settings.Options()
	if err != nil {
		return err
	}
	handler, err := gateway.New(append(opts, gateway.WithForms(setup.Forms(ctx)))...)
	if err != nil {
		return err
	}
	handler.Close()
	return nil
}
