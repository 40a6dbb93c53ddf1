package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// addChecks adds the formats that validate supports.
func (t *tables) addChecks() {
	t.checks = []check{
		{geminiRequest, "is valid by the checks that the API is known to make",
			request(gemini.DecodeRequest, checkGeminiRequest)},
		{geminiResponse, "is what the API sends: a whole answer, a blocked prompt or an error",
			body(checkGeminiResponse)},
		{geminiStream, "has valid chunks that belong together and end correctly",
			body(gemini.CheckStream)},
		{normalized, "decodes, has an answer or a refusal, and keeps the model's invariants",
			document(normalize.Decode, validateAnswer)},
		{normalizedStream, "decodes, ends in done or error, and gives a valid normalised response",
			reading(checkNormalizedStream)},
	}
	for _, f := range t.forms {
		decode := func(data []byte) (*transform.Request, error) {
			r, err := f.Decode(data)
			return &r, err
		}
		t.checks = append(t.checks,
			check{format(f.Request.Name), f.Request.CheckAbout,
				document(decode, func(r *transform.Request) error { return (*r).Validate() })},
			check{format(f.Response.Name), f.Response.CheckAbout, body(f.Response.Check)},
			check{format(f.Stream.Name), f.Stream.CheckAbout, body(f.Stream.Check)})
	}
	t.checks = append(t.checks,
		check{aisdkStream, "has only parts of LanguageModelV3, and the last one is a finish",
			reading(checkAISDK)})
}

// check is one format with its check.
type check struct {
	format format
	about  string
	run    func(in io.Reader, to target) error
}

// target is the destination of a request.
type target struct {
	model  string // "" for the one that the request names, if it does
	vertex bool   // to Vertex AI, not to the Gemini API
}

// document makes a check of a format of whole documents.
func document[T any](decode func(data []byte) (*T, error), validate func(*T) error) func(io.Reader,
	target) error {
	return request(decode, func(payload *T, _ target) error { return validate(payload) })
}

// request makes a check of requests, which may depend on their target.
func request[T any](decode func(data []byte) (*T, error),
	validate func(*T, target) error) func(io.Reader, target) error {
	return func(in io.Reader, to target) error {
		data, err := readDocument(in)
		if err != nil {
			return err
		}
		payload, err := decode(data)
		if err != nil {
			return err
		}
		return validate(payload, to)
	}
}

// body makes a check from a function over the bytes of an answer or a stream. A stream that ends
// with a server's error is valid.
func body(check func(data []byte) []validation.Violation) func(io.Reader, target) error {
	return func(in io.Reader, _ target) error {
		data, err := readDocument(in)
		if err != nil {
			return err
		}
		found := slices.DeleteFunc(check(data),
			func(v validation.Violation) bool { return v.Rule == "error" && v.Pointer != "" })
		if len(found) == 0 {
			return nil
		}
		return &validation.Error{Prefix: "validate", Violations: found}
	}
}

// reading makes a check from a function that reads its input itself.
func reading(check func(in io.Reader) error) func(io.Reader, target) error {
	return func(in io.Reader, _ target) error { return check(in) }
}

func (t *tables) newValidate() *cobra.Command {
	var as, form string
	var to target
	var isStrict bool
	cmd := &cobra.Command{
		Use:   "validate --as FORMAT [flags] [FILE...]",
		Short: "Check payloads and print their faults",
		Long:  t.validateHelp(),
		Example: validateExample +
			"\n  gemwire validate --as gemini-stream examples/payloads/stream-*",
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			check, err := t.findCheck(as)
			if err != nil {
				return err
			}
			write, err := findReport(form)
			if err != nil {
				return err
			}
			c, err := newCall(cmd, args)
			if err != nil {
				return err
			}
			v := validateCall{call: c, report: write, isStrict: isStrict}
			return v.run(cmd.Context(), func(in *input) error { return check.run(in, to) })
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&as, "as", "", "expected `FORMAT` of the files")
	flags.StringVar(&to.model, "model", "",
		"check a gemini-request for the model `M` (default its own)")
	flags.BoolVar(&to.vertex, "vertex", false,
		"check a gemini-request for Vertex AI")
	flags.BoolVar(&isStrict, "strict", false, "make warnings errors")
	flags.StringVar(&form, "format", "text",
		"output `FORM`: text, json, or github for annotations")
	// The only possible error is a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc("format",
		cobra.FixedCompletions(reportNames(), cobra.ShellCompDirectiveNoFileComp))
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "output" { // as other commands call it
			name = "format"
		}
		return pflag.NormalizedName(name)
	})
	completeFormats(cmd, "as", t.checkedFormats())
	return cmd
}

// checkedFormats returns the formats that have a check.
func (t *tables) checkedFormats() []format {
	var out []format
	for _, c := range t.checks {
		out = append(out, c.format)
	}
	return out
}

// findCheck returns the check of the format in --as. Its errors are usage errors.
func (t *tables) findCheck(as string) (check, error) {
	if as == "" {
		return check{}, fmt.Errorf("--as is missing; the formats are %s",
			message.List(t.checkedFormats(), "and"))
	}
	format, err := t.parseFormat("as", as)
	if err != nil {
		return check{}, err
	}
	for _, c := range t.checks {
		if c.format == format {
			return c, nil
		}
	}
	return check{}, fmt.Errorf("no check for %s; the formats are %s", format,
		message.List(t.checkedFormats(), "and"))
}

// validateCall is one call of validate.
type validateCall struct {
	call
	report   findings
	isStrict bool
	found    []row // of all files, for a report at the end
}

// run prints the findings about the inputs on standard output. It fails for errors, and in strict
// mode for warnings.
func (v *validateCall) run(ctx context.Context, check func(in *input) error) error {
	failed := v.each(ctx, func(name string, in *input) error {
		err := check(in)
		if err == nil || in.failed != nil {
			return err // an input that cannot be read is not known to be wrong
		}
		return v.print(name, message.Findings(&writtenError{err, &in.written}))
	})
	if v.report.atEnd != nil && ctx.Err() == nil {
		if err := v.report.atEnd(v.stdout, v.found); err != nil {
			return v.fail("standard output", process.WithoutPath(err))
		}
	}
	return failed
}

// print prints the findings about an input, or keeps them for a common report.
func (v *validateCall) print(name string, found []message.Finding) error {
	var failed error
	for _, f := range found {
		if f.Severity == validation.SeverityError || v.isStrict {
			f.Severity = validation.SeverityError
			failed = process.ErrFailed
		}
		r := row{name, f}
		v.found = append(v.found, r)
		if v.report.line == nil {
			continue
		}
		if _, err := fmt.Fprintln(v.stdout, v.report.line(r)); err != nil {
			return err
		}
	}
	return failed
}
