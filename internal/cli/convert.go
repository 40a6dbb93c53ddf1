package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/spf13/cobra"
)

// convertFlags are convert's flags as they were given.
type convertFlags struct {
	from, to     string
	model        string
	id           string
	created      int64
	noExtensions bool
	vertex       bool
	includeUsage bool
	strict       bool
	report       string
	out          string
}

func newConvert() *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:                   "convert --from FORMAT --to FORMAT [flags] [FILE...]",
		Short:                 "Convert payloads from one format to another",
		Long:                  convertHelp(),
		Example:               convertExamples,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			job, err := newConvertJob(f, cmd.Flags().Changed("created"), args)
			if err != nil {
				return err
			}
			job.stdin, job.stdout, job.stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			return job.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.from, "from", "", "the `FORMAT` of the input")
	flags.StringVar(&f.to, "to", "", "the `FORMAT` of the output")
	flags.StringVar(&f.model, "model", "", "name the model `M` in the output instead of the one of the input")
	flags.StringVar(&f.id, "id", "", "give the completion this `ID` instead of one made of the response's")
	flags.Int64Var(&f.created, "created", 0, "give the completion this time, in seconds since 1970 (`UNIX`)")
	flags.BoolVar(&f.noExtensions, "no-extensions", false, "write plain chat_completions, without extra_content")
	flags.BoolVar(&f.vertex, "vertex", false, "make a gemini-request for Vertex AI, not for the Gemini API")
	flags.BoolVar(&f.includeUsage, "include-usage", true, "end a stream of chunks with the usage")
	flags.BoolVar(&f.strict, "strict", false, "fail when anything would be lost, before the loss is written")
	flags.StringVar(&f.report, "report", "", "write what was added, approximated or lost to this `FILE`")
	flags.StringVar(&f.out, "out", "", "write one file per input, of the same name, into this `DIR`")
	completeFormats(cmd, "from", func(c conversion) format { return c.from })
	completeFormats(cmd, "to", func(c conversion) format { return c.to })
	return cmd
}

// completeFormats lets shells complete a flag by one side of the table of conversions.
func completeFormats(cmd *cobra.Command, flag string, side func(conversion) format) {
	var names []string
	seen := map[format]bool{}
	for _, c := range conversions {
		if name := side(c); !seen[name] {
			seen[name] = true
			names = append(names, string(name))
		}
	}
	// The only error is a flag that does not exist, and help's test would miss it.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// convertJob is one call of convert whose usage is right.
type convertJob struct {
	conversion conversion
	settings   settings
	inputs     []string
	out        string // the folder of the outputs, "" for standard output
	report     string // the report's path, "" for none

	stdin          io.Reader
	stdout, stderr io.Writer
}

// newConvertJob checks the usage. All its errors are errors of usage.
func newConvertJob(f convertFlags, hasCreated bool, args []string) (*convertJob, error) {
	from, err := parseFormat("from", f.from)
	if err != nil {
		return nil, err
	}
	to, err := parseFormat("to", f.to)
	if err != nil {
		return nil, err
	}
	job := &convertJob{out: f.out, report: f.report}
	if job.conversion, err = findConversion(from, to); err != nil {
		return nil, err
	}
	if job.inputs, err = inputNames(args); err != nil {
		return nil, err
	}
	job.settings = settings{
		model: f.model, id: f.id, withoutExtensions: f.noExtensions, vertex: f.vertex, includeUsage: f.includeUsage, strict: f.strict,
	}
	if hasCreated {
		if f.created < 0 {
			return nil, errors.New("--created takes seconds since 1970, which are not negative")
		}
		job.settings.created = new(time.Unix(f.created, 0))
	}
	return job, job.checkFiles()
}

// checkFiles refuses calls that would write one file twice or overwrite an input.
func (j *convertJob) checkFiles() error {
	if j.out == "" && (j.report == "-" || j.report == "/dev/stdout") {
		return fmt.Errorf("--report %s needs --out: standard output holds the converted documents", j.report)
	}
	taken := map[string]string{}
	for _, name := range j.inputs {
		if j.report != "" && name != stdinName && sameFile(j.report, name) {
			return fmt.Errorf("--report would overwrite the input %s", name)
		}
		if j.out == "" {
			continue
		}
		if name == stdinName {
			return errors.New("--out needs files: standard input has no name for the output")
		}
		target := j.target(name)
		if other, ok := taken[target]; ok {
			return fmt.Errorf("%s and %s would both be written to %s", other, name, target)
		}
		taken[target] = name
		if sameFile(target, name) {
			return fmt.Errorf("--out would overwrite the input %s", name)
		}
		if j.report != "" && sameFile(target, j.report) {
			return fmt.Errorf("--report and the output of %s are one file", name)
		}
	}
	return nil
}

// target is the path of an input's output.
func (j *convertJob) target(name string) string {
	return filepath.Join(j.out, filepath.Base(name))
}

// run converts every input, also after one of them failed, and writes the report.
func (j *convertJob) run(ctx context.Context) error {
	if j.out != "" {
		if err := os.MkdirAll(j.out, 0o777); err != nil {
			return j.fail(j.out, err)
		}
	}
	report, err := createReport(j.report, j.stdout, j.stderr)
	if err != nil {
		return j.fail(j.report, err)
	}
	defer report.discard()

	var failed error
	for _, name := range j.inputs {
		entries, err := j.convert(ctx, name)
		report.add(name, len(j.inputs) > 1, entries)
		if err != nil {
			failed = j.fail(name, err)
		}
		if ctx.Err() != nil {
			return errFailed
		}
	}
	if err := report.commit(); err != nil {
		return j.fail(j.report, err)
	}
	return failed
}

// fail prints what went wrong with a file and returns errFailed.
func (j *convertJob) fail(name string, err error) error {
	for _, f := range findings(name, err) {
		fmt.Fprintf(j.stderr, "gemwire: %s: %s\n", name, f)
	}
	return errFailed
}

// convert converts one input. A failed one leaves no output.
func (j *convertJob) convert(ctx context.Context, name string) (transform.Report, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in, err := openInput(ctx, name, j.stdin)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if j.out == "" {
		return j.conversion.run(in, j.stdout, j.settings)
	}
	out, err := createOutput(j.target(name))
	if err != nil {
		return nil, err
	}
	defer out.discard()
	report, err := j.conversion.run(in, out, j.settings)
	if err != nil {
		return report, err
	}
	return report, out.commit()
}
