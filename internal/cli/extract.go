package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/cobra"
)

// extractHelp is the text of `gemwire extract --help`.
const extractHelp = `Find the JSON in what a model wrote, and print it. Each FILE holds one text: prose with
JSON in it, in fences of Markdown or not, or nothing but JSON. Without a FILE, or for a
FILE called -, standard input is read.

Of several JSON values in a text one is printed: the one that the text begins with, or
else the first in a fence that names JSON, in another fence, or in the prose. With
--schema it is the first that fits the JSON Schema in FILE.

The output goes to standard output, one JSON document per line, in the order of the files.
Order of members, digits and escapes stay as they are in the text.

A value that is cut off, by the end of the text or of its fence, is a failure. With
--repair it is closed and printed, and standard error says how. A string that was cut off
ends where it was, an unfinished number or member is left out.

When an input holds no such value, nothing is printed for it, standard error says what is
wrong and where, the others are read all the same, and the exit code is 1.`

const extractExamples = `  gemwire extract examples/prioritizer/answer.md
  gemwire extract --schema examples/prioritizer/schema.json examples/prioritizer/answer.md`

func newExtract() *cobra.Command {
	var schema string
	var repair bool
	cmd := &cobra.Command{
		Use:                   "extract [--schema FILE] [--repair] [FILE...]",
		Short:                 "Find the JSON in what a model wrote",
		Long:                  extractHelp,
		Example:               extractExamples,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			inputs, err := inputNames(args)
			if err != nil {
				return err
			}
			if schema == "" && cmd.Flags().Changed("schema") { // as of a variable that is not set
				return errors.New("--schema is empty: it takes the name of a file")
			}
			job := &extractJob{inputs: inputs, schema: schema, repair: repair}
			job.stdin, job.stdout, job.stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			return job.run(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&schema, "schema", "", "take only a value that fits the JSON Schema in this `FILE`")
	cmd.Flags().BoolVar(&repair, "repair", false, "close a value that is cut off")
	return cmd
}

// extractJob is one call of extract whose usage is right.
type extractJob struct {
	inputs []string
	schema string // the path of the schema, "" for none
	repair bool

	stdin          io.Reader
	stdout, stderr io.Writer
}

// run reads every input, also after one of them failed.
func (j *extractJob) run(ctx context.Context) error {
	var check func(jsontext.Value) []validation.Violation
	if j.schema != "" {
		schema, err := readSchema(j.schema)
		if err != nil {
			return j.fail(j.schema, err)
		}
		check = schema.violations
	}
	var failed error
	for _, name := range j.inputs {
		if err := j.extract(ctx, name, check); err != nil {
			failed = j.fail(name, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return failed
}

// extract prints the JSON of one input.
func (j *extractJob) extract(ctx context.Context, name string, check func(jsontext.Value) []validation.Violation) error {
	text, err := j.read(ctx, name)
	if err != nil {
		return err
	}
	var repair *structured.Repair
	opts := []structured.Option{structured.WithCheck(check)}
	if j.repair {
		opts = append(opts, structured.WithRepair(func(r structured.Repair) { repair = &r }))
	}
	value, err := structured.Parse[jsontext.Value](text, opts...)
	if err != nil {
		return err
	}
	if err := value.Compact(jsontext.PreserveRawStrings(true)); err != nil {
		return err
	}
	if repair != nil {
		note := finding{repair.Pointer, int64(repair.Offset), "cut off; closed with " + repair.Added}
		fmt.Fprintf(j.stderr, "gemwire: %s: %s\n", name, note)
	}
	_, err = j.stdout.Write(append(value, '\n'))
	return err
}

// read returns the text of one input.
func (j *extractJob) read(ctx context.Context, name string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	in, err := openInput(ctx, name, j.stdin)
	if err != nil {
		return "", err
	}
	defer in.Close()
	text, err := readDocument(in)
	return string(text), err
}

// fail prints what is wrong with a file and returns errFailed.
func (j *extractJob) fail(name string, err error) error {
	for _, f := range extractFindings(name, err) {
		fmt.Fprintf(j.stderr, "gemwire: %s: %s\n", name, f)
	}
	return errFailed
}

// extractFindings takes the errors of package structured and of a schema apart, and leaves others to
// findings.
func extractFindings(name string, err error) []finding {
	if e, ok := errors.AsType[*structured.TruncatedError](err); ok {
		message := fmt.Sprintf("the value that begins at offset %d is cut off", e.Start.Offset)
		return append([]finding{{e.Pointer, int64(e.Offset), message}}, ofInvalid(e.Invalid)...)
	}
	if e, ok := errors.AsType[*structured.InvalidError](err); ok {
		return ofInvalid(e)
	}
	if e, ok := errors.AsType[*structured.DecodeError](err); ok {
		return []finding{{e.Pointer, int64(e.Offset), "expected " + e.Want + ", found " + e.Value}}
	}
	if _, ok := errors.AsType[*structured.NotFoundError](err); ok {
		return []finding{{"", -1, "there is no JSON in it"}}
	}
	if e, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		var found []finding
		for _, v := range schemaViolations(e.Err) {
			found = append(found, finding{v.Pointer, -1, "no JSON Schema: " + v.Want})
		}
		return found
	}
	return findings(name, err)
}

// ofInvalid is about a value that breaks rules; nil is about none.
func ofInvalid(e *structured.InvalidError) []finding {
	if e == nil {
		return nil
	}
	var found []finding
	for _, v := range e.Violations {
		found = append(found, finding{v.Pointer, int64(v.Position.Offset), v.Reason()})
	}
	return found
}
