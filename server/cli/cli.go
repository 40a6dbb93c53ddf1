// Package cli implements the gemwire command, so that tests can call it. [Run] takes the arguments
// and the three streams, and returns the exit code. The packages that it calls know the formats.
// This package has the flags, files, messages and exit codes.
//
// A conversion is one row of a table (conversion.go, form_conversion.go): from, to, and a
// converter. A converter combines a reader of one format, a conversion of the library, and a writer
// of the other format. document.go makes converters of whole documents, and stream.go makes
// converters of streams. The checks of validate are a table of the same kind (validate.go). One
// rule prints every failure (finding.go).
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/forms"
	"github.com/gemwire/gemwire/server/cli/batch"
	"github.com/gemwire/gemwire/server/cli/launch"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/cli/remote"
	"github.com/gemwire/gemwire/server/cli/serve"
	"github.com/gemwire/gemwire/server/cli/setup"
	"github.com/gemwire/gemwire/server/cli/spending"
	"github.com/spf13/cobra"
)

// Run runs the command once and returns its exit code. args are the arguments without the program's
// name.
//
// When ctx ends, Run stops at once, even during a blocked read or write, and removes unfinished
// output. It then returns 128 plus the number of the signal if a [process.SignalError] is the
// cause, as shells do, or else [process.ExitFailed]. If the reader of standard output is gone, it
// behaves as if SIGPIPE had ended it. Run changes no global state, and only commands that call a
// server read environment variables. So tests may call it in parallel.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer,
	opts ...Option) int {
	s := settingsOf(opts)
	ctx = setup.WithForms(ctx, s.forms)
	root := s.command()
	root.SetArgs(append([]string{}, args...)) // cobra takes nil for the process's own arguments
	root.SetIn(stdin)
	out := process.NewWriter(ctx, stdout)
	root.SetOut(out)
	root.SetErr(stderr)

	called, err := root.ExecuteContextC(ctx)
	ended, isStatus := errors.AsType[*process.StatusError](err)
	switch {
	case isStatus:
		return ended.Code
	case err == nil:
		return process.ExitDone
	case errors.Is(err, process.ErrFailed):
		return process.ExitCode(ctx, out)
	default:
		fmt.Fprintf(stderr, "gemwire: %v\n", err)
		fmt.Fprintf(stderr, "Run '%s --help' for the usage.\n", called.CommandPath())
		return process.ExitUsage
	}
}

// Option configures the command.
type Option func(*commandSettings)

type commandSettings struct{ forms transform.Forms }

// WithForms sets the forms that the command supports. The default is [forms.All].
func WithForms(forms transform.Forms) Option { return func(s *commandSettings) { s.forms = forms } }

// NewCommand returns the command, for programs that document it. [Run] runs it.
func NewCommand(opts ...Option) *cobra.Command { return settingsOf(opts).command() }

func settingsOf(opts []Option) *commandSettings {
	s := &commandSettings{forms: forms.All()}
	option.Apply(s, opts)
	return s
}

func (s *commandSettings) command() *cobra.Command {
	t := newTables(s.forms)
	root := &cobra.Command{
		Use:           "gemwire",
		Short:         "Call Gemini, let programs for OpenAI or Anthropic use it, convert payloads, emulate the server",
		Long:          rootHelp,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          noCommand,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(explainFlag)
	root.AddCommand(t.newConvert(), t.newValidate(), newExtract(), t.newFormats(), newModels(),
		newEmulate())
	root.AddCommand(remote.Commands()...)
	root.AddCommand(serve.Commands()...)
	root.AddCommand(spending.Commands()...)
	root.AddCommand(batch.Commands()...)
	root.AddCommand(launch.Commands()...)
	root.SetHelpCommand(newHelp())
	refuseOtherShells(root)
	explainArguments(root)
	t.addRootHelp(root)
	return root
}
