package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// explainArguments replaces the library's errors about the number of arguments, in all commands.
func explainArguments(cmd *cobra.Command) {
	for _, child := range cmd.Commands() {
		explainArguments(child)
	}
	check := cmd.Args
	if check == nil {
		return
	}
	cmd.Args = func(cmd *cobra.Command, words []string) error {
		err := check(cmd, words)
		switch {
		case err == nil:
			return nil
		case strings.HasPrefix(err.Error(), "unknown command "): // of cobra.NoArgs
			if cmd.HasSubCommands() {
				return noCommand(cmd, words)
			}
			return fmt.Errorf("%s takes no arguments, found %q%s", cmd.CommandPath(), words[0],
				switchAdvice(cmd, words[0]))
		}
		var wanted, found int
		if n, _ := fmt.Sscanf(err.Error(), "accepts %d arg(s), received %d", &wanted,
			&found); n == 2 && found < wanted {
			return errors.New("an argument is missing; use " + usageOf(cmd))
		} else if strings.HasPrefix(err.Error(), "accepts ") {
			return fmt.Errorf("%q is one argument too many; use %s", words[len(words)-1],
				usageOf(cmd))
		}
		return err
	}
}

// usageOf returns the path of a command with its arguments, such as gemwire keys new NAME [flags].
func usageOf(cmd *cobra.Command) string {
	return strings.TrimSpace(cmd.Parent().CommandPath() + " " + cmd.Use)
}

// switchAdvice returns how to set the switch before a word that is true or false, or "". The value
// of a switch needs an equals sign.
func switchAdvice(cmd *cobra.Command, word string) string {
	if word != "true" && word != "false" {
		return ""
	}
	return "; the value of a switch needs an equals sign, such as --websocket=" + word
}
