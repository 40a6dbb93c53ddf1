package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/gemwire/gemwire/server/cli/listing"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/gemwire/gemwire/server/cli/schemafile"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

// extractHelp is the text of `gemwire extract --help`.
const extractHelp = `Find the JSON in a model's text, and print it. Each FILE holds one text: prose with JSON in
it, with or without Markdown fences, or only JSON. Without a FILE, or for a FILE called -,
the command reads standard input.

If a text has several JSON values, one is printed: the one that the text begins with, or
else the first in a fence that names JSON, in another fence, or in the prose. A mark like
[1] counts only if there is nothing else. A draft between <think> and </think> never counts.
With --schema it is the first value that matches the JSON Schema in FILE.

The output goes to standard output, one JSON document per line, in the order of the files,
or with --pretty on many lines. The order of members, digits and escapes stay as they are
in the text.

A value that is cut off by the end of the text, or that is not quite JSON, is a failure.
With --repair it is repaired and printed, and standard error names each repair. These
mistakes of models are repaired, because they have only one meaning: missing or extra
commas, comments, True, False and None, other quotes or none around names, line breaks in
strings, and an answer that was encoded twice. A string that was cut off ends there. An
unfinished number or member is left out.

If an input has no such value, nothing is printed for it, standard error says what is wrong
and where, the other inputs are still read, and the exit code is 1.`

const extractExamples = `  gemwire extract examples/prioritizer/answer.md
  gemwire extract --schema examples/prioritizer/schema.json examples/prioritizer/answer.md`

func newExtract() *cobra.Command {
	var schema string
	var repair, pretty bool
	cmd := &cobra.Command{
		Use:                   "extract [flags] [FILE...]",
		Short:                 "Find the JSON in a model's text",
		Long:                  extractHelp,
		Example:               extractExamples,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if schema == "" && cmd.Flags().Changed("schema") { // as of a variable that is not set
				return errors.New("--schema is empty; name a file")
			}
			c, err := newCall(cmd, args)
			if err != nil {
				return err
			}
			opts, err := extractOptions(cmd.Context(), schema)
			if err != nil {
				return c.fail(schema, err)
			}
			return c.each(cmd.Context(), func(name string, in *input) error {
				return c.extract(name, in, repair, pretty, opts)
			})
		},
	}
	cmd.Flags().StringVar(&schema, "schema", "",
		"accept only a value that matches the JSON Schema in this `FILE`")
	cmd.Flags().BoolVar(&repair, "repair", false, "repair a value that is cut off or not quite JSON")
	cmd.Flags().BoolVar(&pretty, "pretty", false, "indent the JSON")
	return cmd
}

// extractOptions adds the schema of a file, if there is one, as a condition for extracted values.
func extractOptions(ctx context.Context, path string) ([]structured.Option, error) {
	if path == "" {
		return nil, nil
	}
	schema, err := schemafile.Read(ctx, path)
	if err != nil {
		return nil, process.WithoutPath(err)
	}
	return []structured.Option{structured.WithCheck(schema.Violations)}, nil
}

// extract prints the JSON of one input, and its repairs on standard error.
func (c *call) extract(name string, in *input, repair, pretty bool,
	opts []structured.Option) error {
	text, err := readDocument(in)
	if err != nil {
		return err
	}
	var repairs []structured.Repair
	if repair {
		opts = append(slices.Clip(opts),
			structured.WithRepair(func(r structured.Repair) { repairs = append(repairs, r) }))
	}
	value, err := structured.Parse[jsontext.Value](string(text), opts...)
	if err != nil {
		return err
	}
	if pretty {
		err = value.Indent(listing.Indent)
	} else {
		err = value.Compact(jsontext.PreserveRawStrings(true))
	}
	if err != nil {
		return err
	}
	for _, r := range repairs {
		fmt.Fprintf(c.stderr, "gemwire: %s: %s\n", name,
			message.Finding{Pointer: r.Pointer, Offset: int64(r.Offset), Reason: r.Reason()})
	}
	_, err = c.stdout.Write(append(value, '\n'))
	return err
}
