package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// noCommand is the error of a call whose first word is no command of root.
func noCommand(root *cobra.Command, args []string) error {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "completion" {
			names = append(names, c.Name())
		}
	}
	if len(args) == 0 {
		return fmt.Errorf("a command is missing: %s", message.List(names, "or"))
	}
	return fmt.Errorf("unknown command %q%s", args[0], message.DidYouMean(args[0], names))
}

// explainFlag says more of an error about a flag than the library does, and nothing of how it reads numbers.
func explainFlag(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		slices.Sort(names)
		return fmt.Errorf("%w%s", err, message.DidYouMean("--"+unknown.GetSpecifiedName(), names))
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		want := "must be " + map[string]string{
			"int64": "a whole number", "int": "a whole number", "float64": "a number", "bool": "true or false", "duration": "a time such as 90s",
		}[invalid.GetFlag().Value.Type()]
		return fmt.Errorf("invalid argument %q for %q flag: %s", invalid.GetValue(), "--"+invalid.GetFlag().Name, want)
	}
	return err
}
