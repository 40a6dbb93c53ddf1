package cli

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

// addOutputFlag adds the flag by which commands that print lists print JSON for programs.
func addOutputFlag(cmd *cobra.Command, output *string) {
	cmd.Flags().StringVar(output, "output", "text", "print in this `FORM`: text, or json for programs")
	// The only error is a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
}

// parseOutput reports whether the output is JSON. Its errors are errors of usage.
func parseOutput(output string) (asJSON bool, err error) {
	switch output {
	case "text":
		return false, nil
	case "json":
		return true, nil
	default:
		return false, fmt.Errorf("--output: unknown form %q; the forms are text and json", output)
	}
}

// indent is how JSON for people is indented.
var indent = jsontext.WithIndent("  ")

// writeJSON writes a list as one JSON document of several lines, [] for nil.
func writeJSON[T any](out io.Writer, rows []T) error {
	data, err := json.Marshal(rows, indent)
	if err != nil {
		return err
	}
	_, err = out.Write(append(data, '\n'))
	return err
}

// printed makes an error of writing to standard output one that is no error of usage.
func printed(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	c := call{stderr: cmd.ErrOrStderr()}
	return c.fail("standard output", withoutPath(err))
}
