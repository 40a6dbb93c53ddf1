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
	from, to    string
	settings    settings // but for the time
	created     int64
	report, out string
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
			c, err := newConvertCall(cmd, f, args)
			if err != nil {
				return err
			}
			return c.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.from, "from", "", "the `FORMAT` of the input")
	flags.StringVar(&f.to, "to", "", "the `FORMAT` of the output")
	flags.StringVar(&f.settings.model, "model", "", "name the model `M` in the output instead of the one of the input")
	flags.StringVar(&f.settings.id, "id", "", "give the completion this `ID` instead of one made of the response's")
	flags.Int64Var(&f.created, "created", 0, "give the completion this time, in seconds since 1970 (`UNIX`)")
	flags.BoolVar(&f.settings.withoutExtensions, "no-extensions", false, "write plain chat_completions, without extra_content")
	flags.BoolVar(&f.settings.vertex, "vertex", false, "make a gemini-request for Vertex AI, not for the Gemini API")
	flags.BoolVar(&f.settings.includeUsage, "include-usage", true, "end a stream of chunks with the usage")
	flags.BoolVar(&f.settings.strict, "strict", false, "fail when anything would be lost, before the loss is written")
	flags.StringVar(&f.report, "report", "", "write what was added, approximated or lost to this `FILE`")
	flags.StringVar(&f.out, "out", "", "write one file per input, of the same name, into this `DIR`")
	var sources, targets []format
	for _, c := range conversions {
		sources, targets = append(sources, c.from), append(targets, c.to)
	}
	completeFormats(cmd, "from", sources)
	completeFormats(cmd, "to", targets)
	return cmd
}

// convertCall is one call of convert whose usage is right.
type convertCall struct {
	call
	conversion conversion
	settings   settings
	out        string // the folder of the outputs, "" for standard output
	report     string // the report's path, "" for none
}

// newConvertCall checks the usage. All its errors are errors of usage.
func newConvertCall(cmd *cobra.Command, f convertFlags, args []string) (*convertCall, error) {
	from, err := parseFormat("from", f.from)
	if err != nil {
		return nil, err
	}
	to, err := parseFormat("to", f.to)
	if err != nil {
		return nil, err
	}
	c := &convertCall{settings: f.settings, out: f.out, report: f.report}
	if c.conversion, err = findConversion(from, to); err != nil {
		return nil, err
	}
	if c.call, err = newCall(cmd, args); err != nil {
		return nil, err
	}
	if cmd.Flags().Changed("created") {
		if f.created < 0 {
			return nil, errors.New("--created takes seconds since 1970, which are not negative")
		}
		c.settings.created = new(time.Unix(f.created, 0))
	}
	return c, c.checkFiles()
}

// checkFiles refuses calls that would write one file twice or overwrite an input.
func (c *convertCall) checkFiles() error {
	if c.out == "" && (c.report == "-" || c.report == "/dev/stdout") {
		return fmt.Errorf("--report %s needs --out: standard output holds the converted documents", c.report)
	}
	taken := map[string]string{}
	for _, name := range c.inputs {
		if c.report != "" && name != stdinName && sameFile(c.report, name) {
			return fmt.Errorf("--report would overwrite the input %s", name)
		}
		if c.out == "" {
			continue
		}
		if name == stdinName {
			return errors.New("--out needs files: standard input has no name for the output")
		}
		target := c.target(name)
		if other, ok := taken[target]; ok {
			return fmt.Errorf("%s and %s would both be written to %s", other, name, target)
		}
		taken[target] = name
		if sameFile(target, name) {
			return fmt.Errorf("--out would overwrite the input %s", name)
		}
		if c.report != "" && sameFile(target, c.report) {
			return fmt.Errorf("--report and the output of %s are one file", name)
		}
	}
	return nil
}

// target is the path of an input's output.
func (c *convertCall) target(name string) string {
	return filepath.Join(c.out, filepath.Base(name))
}

// run converts every input, also after one of them failed, and writes the report.
func (c *convertCall) run(ctx context.Context) error {
	if c.out != "" {
		if err := os.MkdirAll(c.out, 0o777); err != nil {
			return c.fail(c.out, withoutPath(err))
		}
	}
	report, err := createReport(ctx, c.report, c.stdout, c.stderr)
	if err != nil {
		return c.fail(c.report, withoutPath(err))
	}
	defer report.discard()

	failed := c.each(ctx, func(name string, in *input) error {
		entries, err := c.convert(ctx, name, in)
		report.add(name, len(c.inputs) > 1, entries)
		return err
	})
	if ctx.Err() != nil {
		return errFailed
	}
	if err := report.commit(); err != nil {
		return c.fail(c.report, withoutPath(err))
	}
	return failed
}

// convert converts one input. A failed one leaves no output in a file.
func (c *convertCall) convert(ctx context.Context, name string, in *input) (transform.Report, error) {
	if c.out == "" {
		return c.convertTo(c.stdout, in)
	}
	out, err := createOutput(ctx, c.target(name))
	if err != nil {
		return nil, err
	}
	defer out.discard()
	report, err := c.convertTo(out, in)
	if err != nil {
		return report, err
	}
	return report, out.commit()
}

func (c *convertCall) convertTo(out io.Writer, in *input) (transform.Report, error) {
	watched := &watchedWriter{out: out}
	report, err := c.conversion.run(in, watched, c.settings)
	if watched.failed != nil {
		return report, watched.failed
	}
	return report, err
}
