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
	{geminiRequest, "decodes, and holds what the API is known to check before it answers", request(checkGeminiRequest)},
	{geminiResponse, "decodes, and gives a valid normalised response, or is a blocked prompt or an error", document(checkGeminiResponse)},
	{geminiStream, "has a proper end, and is as a whole what a gemini-response should be", stream(checkGeminiStream)},
	{normalized, "decodes, and holds the model's invariants", document(checkNormalized)},
	{normalizedStream, "decodes, ends in done or error, and gives a valid normalised response", stream(checkNormalizedStream)},
	{openaiRequest, "decodes, and holds what chat_completions asks of a request", document(checkOpenAIRequest)},
	{openaiResponse, "decodes, and holds what chat_completions promises its clients", document(checkOpenAIResponse)},
	{openaiStream, "decodes, ends in [DONE] or an error, and its chunks hold what chat_completions promises", stream(checkOpenAIStream)},
	{aisdkStream, "has parts of LanguageModelV3 alone, the last a finish", stream(checkAISDK)},
}

// check is one format with what is checked of it.
type check struct {
	format format
	about  string
	// run returns what is wrong with an input, nil when nothing is, and in err why it cannot be read.
	run func(in io.Reader, to target) (wrong, err error)
}

// target is where a request is going.
type target struct {
	model  string // "" for the one that the request names, if it does
	vertex bool   // to Vertex AI, not to the Gemini API
}

// document makes a check of a function over complete documents.
func document(check func(data []byte) error) func(io.Reader, target) (wrong, err error) {
	return request(func(data []byte, _ target) error { return check(data) })
}

// request makes a check of a function over complete requests, which may depend on where they go.
func request(check func(data []byte, to target) error) func(io.Reader, target) (wrong, err error) {
	return func(in io.Reader, to target) (wrong, err error) {
		data, err := readDocument(in)
		if err != nil {
			return nil, err
		}
		return check(data, to), nil
	}
}

// stream makes a check of a function that reads by itself.
func stream(check func(in io.Reader) error) func(io.Reader, target) (wrong, err error) {
	return func(in io.Reader, _ target) (wrong, err error) {
		watched := &watchedReader{in: in}
		wrong = check(watched)
		return wrong, watched.err
	}
}

// watchedReader remembers why reading failed, which a check cannot tell from a fault of the input.
type watchedReader struct {
	in  io.Reader
	err error
}

// Read implements [io.Reader].
func (r *watchedReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

func newValidate() *cobra.Command {
	var as string
	var to target
	cmd := &cobra.Command{
		Use:                   "validate --as FORMAT [flags] [FILE...]",
		Short:                 "Check payloads and print what is wrong with them",
		Long:                  validateHelp(),
		Example:               "  gemwire validate --as gemini-response examples/payloads/response-*.json\n  gemwire validate --as gemini-stream examples/payloads/stream-*",
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			job, err := newValidateJob(as, args)
			if err != nil {
				return err
			}
			job.target = to
			job.stdin, job.stdout, job.stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			return job.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&as, "as", "", "the `FORMAT` that the files should have")
	flags.StringVar(&to.model, "model", "", "check a gemini-request for the model `M`, not for the one that it names")
	flags.BoolVar(&to.vertex, "vertex", false, "check a gemini-request for Vertex AI, not for the Gemini API")
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
	target target
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
		wrong, err := j.inspect(ctx, name)
		if err != nil {
			failed = errFailed
			fmt.Fprintf(j.stderr, "gemwire: %s: %s\n", name, findings(name, err)[0])
			if ctx.Err() != nil {
				break
			}
			continue
		}
		if wrong != nil {
			failed = errFailed
			if err := j.print(name, findings(name, wrong)); err != nil {
				return fmt.Errorf("%w: %w", errFailed, err)
			}
		}
	}
	return failed
}

// inspect returns what is wrong with an input, or in err why it cannot be read.
func (j *validateJob) inspect(ctx context.Context, name string) (wrong, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in, err := openInput(ctx, name, j.stdin)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return j.check.run(in, j.target)
}

func (j *validateJob) print(name string, found []finding) error {
	for _, f := range found {
		if _, err := fmt.Fprintf(j.stdout, "%s: %s\n", name, f); err != nil {
			return err
		}
	}
	return nil
}
