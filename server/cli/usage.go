package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// noCommand is the error of a call whose first word is not a command.
func noCommand(root *cobra.Command, args []string) error {
	names := commandNames(root)
	if len(args) == 0 {
		return fmt.Errorf("a command is missing: %s", message.List(names, "or"))
	}
	advice := message.DidYouMean(args[0], names)
	for _, c := range root.Commands() {
		if slices.Contains(c.SuggestFor, args[0]) {
			advice = "; did you mean " + c.Name() + "?"
		}
	}
	if advice == "" && root.HasParent() {
		advice = "; the commands are " + message.List(names, "and")
	}
	return fmt.Errorf("unknown command %q%s", args[0], advice)
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "completion" {
			names = append(names, c.Name())
		}
	}
	return names
}

// newHelp returns `gemwire help`. Cobra's own help command shows the root's help for an unknown
// word.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",
		RunE: func(cmd *cobra.Command, words []string) error {
			found, rest, err := cmd.Root().Find(words)
			switch {
			case err == nil && found.HasParent() &&
				len(rest) > 0: // found has no command of that name
				return fmt.Errorf("unknown command %q%s", strings.Join(words, " "),
					message.DidYouMean(rest[0], commandNames(found)))
			case err != nil || len(rest) > 0:
				return noCommand(cmd.Root(), words)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// refuseOtherShells makes `gemwire completion tcsh` an error. Cobra would print the help of the
// command.
func refuseOtherShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(cmd *cobra.Command, words []string) error {
			if len(words) == 0 {
				return cmd.Help()
			}
			return fmt.Errorf("unknown shell %q; the shells are bash, fish, powershell and zsh",
				words[0])
		}
	}
}

// explainFlag returns a clearer error about a flag than the library's. It leaves out how the
// library parses numbers.
func explainFlag(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if words := cmd.Flags().Args(); cmd.HasSubCommands() && len(words) > 0 {
			return noCommand(cmd, words) // the command is mistyped, and the flag may be right
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		slices.Sort(names)
		return fmt.Errorf("%w%s", err, message.DidYouMean("--"+unknown.GetSpecifiedName(), names))
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		flag := invalid.GetFlag()
		reason, isKnown := wrongValues[flag.Value.Type()]
		if !isKnown {
			return fmt.Errorf("--%s: %w", flag.Name, errors.Unwrap(invalid))
		}
		return fmt.Errorf("--%s: %q %s", flag.Name, invalid.GetValue(), reason)
	}
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		name, _ := pflag.UnquoteUsage(missing.GetFlag())
		return fmt.Errorf("--%s: the value is missing; use --%s %s", missing.GetFlag().Name,
			missing.GetFlag().Name, name)
	}
	return err
}

// wrongValues says what is wrong with the value of a flag, by the flag's type.
var wrongValues = map[string]string{
	"int64": wrongNumber, "int": wrongNumber,
	"float64":  "is not a number; want one such as 0.5",
	"bool":     "is not a switch's value; want true or false",
	"duration": "is not a duration; want one such as 90s or 5m",
}

const wrongNumber = "is not a whole number; want one such as 4"
