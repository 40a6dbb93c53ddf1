package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// checks are the formats that validate takes.
var checks = []check{
	{geminiRequest, "decodes", checkGeminiRequest},
	{geminiResponse, "decodes, and gives a valid normalised response, or is a blocked prompt or an error", checkGeminiResponse},
	{normalized, "decodes, and holds the model's invariants", checkNormalized},
	{openaiRequest, "decodes", checkOpenAIRequest},
	{openaiResponse, "decodes, and holds what chat_completions promises its clients", checkOpenAIResponse},
}

// check is one format with what is checked of it.
type check struct {
	format format
	about  string
	// run returns what is wrong with a document, nil when nothing is.
	run func(data []byte) error
}

func newValidate() *cobra.Command {
	var as string
	cmd := &cobra.Command{
		Use:                   "validate --as FORMAT [FILE...]",
		Short:                 "Check payloads and print what is wrong with them",
		Long:                  validateHelp(),
		Example:               "  gemwire validate --as gemini-response examples/payloads/response-*.json",
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			job, err := newValidateJob(as, args)
			if err != nil {
				return err
			}
			job.stdin, job.stdout, job.stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			return job.run(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&as, "as", "", "the `FORMAT` that the files should have")
	var names []string
	for _, c := range checks {
		names = append(names, string(c.format))
	}
	_ = cmd.RegisterFlagCompletionFunc("as", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// validateJob is one call of validate whose usage is right.
type validateJob struct {
	check  check
	inputs []string

	stdin          io.Reader
	stdout, stderr io.Writer
}

func newValidateJob(as string, args []string) (*validateJob, error) {
	format, err := parseFormat("as", as)
	if err != nil {
		return nil, err
	}
	inputs, err := inputNames(args)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range checks {
		if c.format == format {
			return &validateJob{check: c, inputs: inputs}, nil
		}
		names = append(names, string(c.format))
	}
	return nil, fmt.Errorf("there is no check for %s; there is one for %s", format, strings.Join(names, ", "))
}

// run checks every input. A file that cannot be read is reported on standard error: it is not known
// to be wrong.
func (j *validateJob) run(ctx context.Context) error {
	var failed error
	for _, name := range j.inputs {
		data, err := j.read(ctx, name)
		if err != nil {
			failed = errFailed
			fmt.Fprintf(j.stderr, "gemwire: %s: %s\n", name, findings(name, err)[0])
			if ctx.Err() != nil {
				break
			}
			continue
		}
		if err := j.check.run(data); err != nil {
			failed = errFailed
			if err := j.print(name, findings(name, err)); err != nil {
				return fmt.Errorf("%w: %w", errFailed, err)
			}
		}
	}
	return failed
}

func (j *validateJob) read(ctx context.Context, name string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in, err := openInput(ctx, name, j.stdin)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readDocument(in)
}

func (j *validateJob) print(name string, found []finding) error {
	for _, f := range found {
		if _, err := fmt.Fprintf(j.stdout, "%s: %s\n", name, f); err != nil {
			return err
		}
	}
	return nil
}
