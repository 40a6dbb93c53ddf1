// Package listing prints lists as tables for people and as JSON for programs.
package listing

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

// AddOutputFlag adds the --output flag, with which list commands print JSON.
func AddOutputFlag(cmd *cobra.Command, output *string) {
	cmd.Flags().StringVar(output, "output", "text",
		"output `FORM`: text or json")
	// The only possible error is a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc("output",
		cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
}

// ParseOutput reports whether the output is JSON. Its errors are usage errors.
func ParseOutput(output string) (asJSON bool, err error) {
	switch output {
	case "text":
		return false, nil
	case "json":
		return true, nil
	default:
		return false, fmt.Errorf("--output: unknown form %q; the forms are text and json", output)
	}
}

// Indent is the indentation of JSON for people.
var Indent = jsontext.WithIndent("  ")

// WriteJSON writes a list as one indented JSON document. Nil is written as [].
func WriteJSON[T any](out io.Writer, rows []T) error {
	data, err := json.Marshal(rows, Indent)
	if err != nil {
		return err
	}
	_, err = out.Write(append(data, '\n'))
	return err
}
