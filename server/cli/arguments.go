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
		if err := check(cmd, words); err != nil {
			return explainCount(cmd, words, err)
		}
		return nil
	}
}

// explainCount explains an error of the library by its text, because it has no type. It returns
// errors of this module as they are.
func explainCount(cmd *cobra.Command, words []string, err error) error {
	text := err.Error()
	var wanted, found int
	_, _ = fmt.Sscanf(text, "accepts %d arg(s), received %d", &wanted, &found) // or 0 and 0
	switch {
	case strings.HasPrefix(text, "unknown command ") && cmd.HasSubCommands():
		return noCommand(cmd, words)
	case strings.HasPrefix(text, "unknown command "): // of cobra.NoArgs
		return fmt.Errorf("%s takes no arguments, found %q%s", cmd.CommandPath(), words[0],
			switchAdvice(words[0]))
	case strings.HasPrefix(text, "requires at least "), found < wanted:
		return errors.New("an argument is missing; use " + usageOf(cmd))
	case strings.HasPrefix(text, "accepts "):
		return fmt.Errorf("%q is one argument too many; use %s", words[len(words)-1], usageOf(cmd))
	}
	return err
}

// usageOf returns the path of a command with its arguments, such as gemwire keys new NAME [flags].
func usageOf(cmd *cobra.Command) string {
	return strings.TrimSpace(cmd.Parent().CommandPath() + " " + cmd.Use)
}

// switchAdvice returns how to set a switch if a word is true or false, or "". Without an equals
// sign the library takes the value for an argument.
func switchAdvice(word string) string {
	if word != "true" && word != "false" {
		return ""
	}
	return "; the value of a switch needs an equals sign, such as --websocket=" + word
}
