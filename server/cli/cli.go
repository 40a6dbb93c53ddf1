// Package cli is the gemwire command without its process: [Run] takes the arguments and the three
// streams, and returns the exit code. All knowledge of formats is in the packages that it calls;
// what is here is flags, files, messages and exit codes.
//
// A conversion is one row of a table (conversion.go, form.go): from, to, and a converter that is
// made of how the one format is read, what a library converts it into, and how the other is
// written. Converters of whole documents are made in document.go, those of streams in stream.go.
// What validate checks is a table of the same kind (validate.go), and every failure is printed by
// one rule (finding.go).
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
	"github.com/spf13/cobra"
)

// Run carries out one call of the command and returns its exit code. args are the arguments without
// the program's name.
//
// When ctx ends, Run gives up at once, also in a read or write that nobody answers, removes what it
// had not finished writing, and returns 128 and the number of the signal if a [process.SignalError]
// is the cause, as shells do, or else [process.ExitFailed]. When nobody reads standard output any
// longer, it does as if SIGPIPE had ended it. Nothing global is changed, and of the environment
// only the commands that call a server read something: tests may call it in parallel.
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

	err := root.ExecuteContext(ctx)
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
		fmt.Fprintln(stderr, "Run 'gemwire --help' or 'gemwire COMMAND --help' for the usage.")
		return process.ExitUsage
	}
}

// Option changes the command.
type Option func(*commandSettings)

type commandSettings struct{ forms transform.Forms }

// WithForms sets the forms that the command knows. The default is [forms.All].
func WithForms(forms transform.Forms) Option { return func(s *commandSettings) { s.forms = forms } }

// NewCommand returns the command, for programs that describe it. [Run] carries it out.
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
		Short:         "Call Gemini, serve it to programs for OpenAI, convert and check payloads, emulate the server",
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
	root.AddCommand(batch.Commands()...)
	root.AddCommand(launch.Commands()...)
	root.SetHelpCommand(newHelp())
	refuseOtherShells(root)
	t.addRootHelp(root)
	return root
}
