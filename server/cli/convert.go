package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/spf13/cobra"
)

// convertFlags are the flags of convert.
type convertFlags struct {
	from, to    string
	settings    settings // but for the time
	created     int64
	report, out string
	quiet       bool
}

func (t *tables) newConvert() *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:                   "convert [--from FORMAT] --to FORMAT [flags] [FILE...]",
		Short:                 "Convert payloads from one format to another",
		Long:                  t.convertHelp(),
		Example:               convertExamples,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := t.newConvertCall(cmd, f, args)
			if err != nil {
				return err
			}
			return c.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.from, "from", "",
		"input `FORMAT` (default detected from the content)")
	flags.StringVar(&f.to, "to", "", "output `FORMAT`")
	flags.StringVar(&f.settings.model, "model", "",
		"model `M` of the output (default the input's)")
	flags.StringVar(&f.settings.id, "id", "",
		"set the answer's `ID` (default made from the input's)")
	flags.Int64Var(&f.created, "created", 0,
		"set the answer's time in seconds since 1970 (`UNIX`)")
	flags.BoolVar(&f.settings.withoutExtensions, "no-extensions", false,
		"write plain OpenAI output, without extra_content")
	flags.BoolVar(&f.settings.vertex, "vertex", false,
		"convert a gemini-request for Vertex AI")
	flags.BoolVar(&f.settings.includeUsage, "include-usage", true,
		"end a stream of chunks with the usage")
	flags.BoolVar(&f.settings.strict, "strict", false,
		"fail before writing if anything would be lost")
	flags.BoolVar(&f.quiet, "quiet", false, "do not report losses on standard error")
	flags.BoolVar(&f.settings.pretty, "pretty", false,
		"indent JSON documents")
	flags.StringVar(&f.report, "report", "",
		"write a report of additions and losses to this `FILE`")
	flags.StringVar(&f.out, "out", "", "write one file per input into this `DIR`")
	var sources, targets []format
	for _, c := range t.conversions {
		sources, targets = append(sources, c.from), append(targets, c.to)
	}
	completeFormats(cmd, "from", sources)
	completeFormats(cmd, "to", targets)
	return cmd
}

// convertCall is one call of convert with valid usage.
type convertCall struct {
	call
	tables   *tables
	to       format
	settings settings
	// conversionOf returns the conversion of an input, from the formats that the user named or from
	// the content.
	conversionOf func(in *input) (conversion, error)
	out          string // the folder of the outputs, "" for standard output
	report       string // the report's path, "" for none
	quiet        bool
}

// newConvertCall checks the usage. All its errors are usage errors.
func (t *tables) newConvertCall(cmd *cobra.Command, f convertFlags, args []string) (*convertCall,
	error) {
	c := &convertCall{tables: t, to: format(f.to), settings: f.settings, out: f.out,
		report: f.report, quiet: f.quiet}
	c.settings.lossesOnly = c.report == ""
	err := c.checkFormats(format(f.from))
	if err != nil {
		return nil, err
	}
	if c.call, err = newCall(cmd, args); err != nil {
		return nil, err
	}
	if cmd.Flags().Changed("created") {
		if f.created < 0 {
			return nil, errors.New("--created must not be negative; it takes seconds since 1970")
		}
		c.settings.created = new(time.Unix(f.created, 0))
	}
	return c, c.checkFiles()
}

// checkFormats refuses unknown formats, and pairs without a conversion.
func (c *convertCall) checkFormats(from format) error {
	if _, err := c.tables.parseFormat("to", string(c.to)); err != nil {
		return err
	}
	if c.settings.pretty && c.tables.extension(c.to) != ".json" {
		return fmt.Errorf("--pretty is for JSON documents; each piece of %s is on one line", c.to)
	}
	if from == "" && len(c.tables.sources(c.to)) > 0 {
		c.conversionOf = func(in *input) (conversion,
			error) {
			return c.tables.guessConversion(in, c.to)
		}
		return nil
	}
	if _, err := c.tables.parseFormat("from", string(from)); from != "" && err != nil {
		return err
	}
	between, err := c.tables.findConversion(from, c.to)
	c.conversionOf = func(*input) (conversion, error) { return between, nil }
	return err
}

// checkFiles refuses calls that would write one file twice or overwrite an input.
func (c *convertCall) checkFiles() error {
	if c.out == "" && (c.report == "-" || c.report == "/dev/stdout") {
		return fmt.Errorf("--report %s needs --out: standard output holds the converted documents",
			c.report)
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

// target returns the path of an input's output: the same name with the extension of the format.
func (c *convertCall) target(name string) string {
	base := filepath.Base(name)
	if extension := filepath.Ext(base); slices.Contains(inputExtensions,
		strings.ToLower(extension)) && extension != base {
		base = strings.TrimSuffix(base, extension)
	}
	return filepath.Join(c.out, base+c.tables.extension(c.to))
}

// inputExtensions are extensions that are replaced by the output's. Any other text after a dot, as
// in gemini-3.6-flash, is part of the name.
var inputExtensions = []string{".json", ".jsonl", ".ndjson", ".sse", ".txt"}

// run converts every input, continues after a failed input, and writes the report.
func (c *convertCall) run(ctx context.Context) error {
	if c.out != "" {
		if err := os.MkdirAll(c.out, 0o777); err != nil {
			return c.fail(c.out, process.WithoutPath(err))
		}
	}
	report, err := createReport(ctx, c.report, c.stdout, c.stderr)
	if err != nil {
		return c.fail(c.report, process.WithoutPath(err))
	}
	defer report.discard()

	failed := c.each(ctx, func(name string, in *input) error {
		in.keepsChunks = c.report != "" || c.settings.strict
		entries, err := c.convert(ctx, name, in)
		if c.report != "" {
			report.add(name, len(c.inputs) > 1, in.written.Report(entries))
		}
		if err == nil {
			c.noteModel(name, entries)
			c.noteLosses(name, entries)
		}
		return err
	})
	if ctx.Err() != nil {
		return process.ErrFailed
	}
	if err := report.commit(); err != nil {
		return c.fail(c.report, process.WithoutPath(err))
	}
	return failed
}

// noteLosses notes losses on standard error, unless the report goes there.
func (c *convertCall) noteLosses(name string, entries report.Report) {
	losses := 0
	for i := range entries {
		if entries[i].Kind == report.Lost {
			losses++
		}
	}
	if losses == 0 || c.quiet || c.report == "/dev/stderr" {
		return
	}
	values, them, where := "1 value", "it", "--report"
	if losses > 1 {
		values, them = fmt.Sprintf("%d values", losses), "them"
	}
	if c.report != "" {
		where = "the report"
	}
	fmt.Fprintf(c.stderr, "gemwire: %s: %s lost; %s lists %s, --strict refuses\n", name, values,
		where, them)
}

// noteModel notes on standard error that a request names a model that the target service may not
// have. A request for Vertex AI does not name its model.
func (c *convertCall) noteModel(name string, entries report.Report) {
	if c.quiet || c.report == "/dev/stderr" || c.to != geminiRequest || c.settings.vertex ||
		c.settings.model != "" {
		return
	}
	for _, entry := range entries.Of(report.Approximated) {
		if entry.Pointer == "/model" {
			fmt.Fprintf(c.stderr, "gemwire: %s: /model: %s; --model sets another\n", name,
				entry.Detail)
		}
	}
}

// convert converts one input. It removes the output file if the conversion fails.
func (c *convertCall) convert(ctx context.Context, name string, in *input) (report.Report, error) {
	if c.out == "" {
		return c.convertTo(c.stdout, in)
	}
	out, err := process.CreateOutput(ctx, c.target(name))
	if err != nil {
		return nil, err
	}
	defer out.Discard()
	report, err := c.convertTo(out, in)
	if err != nil {
		return report, err
	}
	return report, out.Commit()
}

func (c *convertCall) convertTo(out io.Writer, in *input) (report.Report, error) {
	conversion, err := c.conversionOf(in)
	if err != nil {
		return nil, err
	}
	watched := &watchedWriter{out: out}
	report, err := conversion.run(in, watched, c.settings)
	if watched.failed != nil {
		return report, watched.failed
	}
	return report, err
}
