package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/gemwire/gemwire/internal/cli/listing"
	"github.com/gemwire/gemwire/internal/cli/message"
	"github.com/gemwire/gemwire/internal/cli/process"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/spf13/cobra"
)

// checks are the formats that validate takes.
var checks = []check{
	{geminiRequest, "decodes, and holds what the API is known to check before it answers", request(gemini.DecodeRequest, checkGeminiRequest)},
	{geminiResponse, "decodes, and gives a valid normalised answer, or is a blocked prompt or an error", reading(checkGeminiResponse)},
	{geminiStream, "has a proper end, and is as a whole what a gemini-response should be", reading(checkGeminiStream)},
	{normalized, "decodes, holds an answer or a refusal, and the model's invariants", document(normalize.Decode, validateAnswer)},
	{normalizedStream, "decodes, ends in done or error, and gives a valid normalised response", reading(checkNormalizedStream)},
	{openaiRequest, "decodes, and holds what chat_completions asks of a request", document(openai.DecodeRequest, openai.ValidateRequest)},
	{openaiResponse, "decodes, and holds what chat_completions promises its clients", document(openai.DecodeResponse, openai.ValidateResponse)},
	{openaiStream, "decodes, ends in [DONE] or an error, and its chunks hold what chat_completions promises", reading(checkCompletionStream)},
	{responsesRequest, "decodes, and holds what the Responses API asks of a request", document(responses.DecodeRequest, responses.ValidateRequest)},
	{responsesResponse, "decodes, and holds what the Responses API promises its clients", document(responses.DecodeResponse, responses.ValidateResponse)},
	{responsesStream, "decodes, and its events follow one another as clients of the Responses API need it", reading(checkEvents(readResponseEvents, responses.ValidateEvent, newResponseSequence, isA[*responses.Error]))},
	{messagesRequest, "decodes, and holds what the Messages API asks of a request", document(anthropic.DecodeRequest, checkMessagesRequest)},
	{messagesResponse, "decodes, and holds what the Messages API promises its clients", document(anthropic.DecodeResponse, anthropic.ValidateResponse)},
	{messagesStream, "decodes, and its events follow one another as clients of the Messages API need it", reading(checkEvents(readMessageEvents, anthropic.ValidateEvent, newMessageSequence, isA[*anthropic.Error]))},
	{aisdkStream, "has parts of LanguageModelV3 alone, the last a finish", reading(checkAISDK)},
}

// check is one format with what is checked of it.
type check struct {
	format format
	about  string
	run    func(in io.Reader, to target) error
}

// target is where a request is going.
type target struct {
	model  string // "" for the one that the request names, if it does
	vertex bool   // to Vertex AI, not to the Gemini API
}

// document makes a check of a format of whole documents.
func document[T any](decode func(data []byte) (*T, error), validate func(*T) error) func(io.Reader, target) error {
	return request(decode, func(payload *T, _ target) error { return validate(payload) })
}

// request makes a check of requests, which may depend on where they go.
func request[T any](decode func(data []byte) (*T, error), validate func(*T, target) error) func(io.Reader, target) error {
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

// reading makes a check of a function that reads by itself.
func reading(check func(in io.Reader) error) func(io.Reader, target) error {
	return func(in io.Reader, _ target) error { return check(in) }
}

func newValidate() *cobra.Command {
	var as, output string
	var to target
	cmd := &cobra.Command{
		Use:                   "validate --as FORMAT [flags] [FILE...]",
		Short:                 "Check payloads and print what is wrong with them",
		Long:                  validateHelp(),
		Example:               validateExample + "\n  gemwire validate --as gemini-stream examples/payloads/stream-*",
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			check, err := findCheck(as)
			if err != nil {
				return err
			}
			asJSON, err := listing.ParseOutput(output)
			if err != nil {
				return err
			}
			c, err := newCall(cmd, args)
			if err != nil {
				return err
			}
			v := validateCall{call: c, asJSON: asJSON}
			return v.run(cmd.Context(), func(in *input) error { return check.run(in, to) })
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&as, "as", "", "the `FORMAT` that the files should have")
	flags.StringVar(&to.model, "model", "", "check a gemini-request for the model `M`, not for the one that it names")
	flags.BoolVar(&to.vertex, "vertex", false, "check a gemini-request for Vertex AI, not for the Gemini API")
	listing.AddOutputFlag(cmd, &output)
	completeFormats(cmd, "as", checkedFormats())
	return cmd
}

// checkedFormats returns the formats that there is a check for.
func checkedFormats() []format {
	var out []format
	for _, c := range checks {
		out = append(out, c.format)
	}
	return out
}

// findCheck returns the check of the format that --as names. Its errors are errors of usage.
func findCheck(as string) (check, error) {
	if as == "" {
		return check{}, fmt.Errorf("--as is missing; the formats are %s", message.List(checkedFormats(), "and"))
	}
	format, err := parseFormat("as", as)
	if err != nil {
		return check{}, err
	}
	for _, c := range checks {
		if c.format == format {
			return c, nil
		}
	}
	return check{}, fmt.Errorf("there is no check for %s; there is one for %s", format, message.List(checkedFormats(), "and"))
}

// validateCall is one call of validate.
type validateCall struct {
	call
	asJSON bool
	found  []wrong // with asJSON
}

// wrong is one thing that is wrong with an input as --output json shows it.
type wrong struct {
	File    string `json:"file"`
	Pointer string `json:"pointer"`
	// Offset is left out when it is not known.
	Offset  *int64 `json:"offset,omitzero"`
	Message string `json:"message"`
}

// run prints what is wrong with the inputs on standard output.
func (v *validateCall) run(ctx context.Context, check func(in *input) error) error {
	failed := v.each(ctx, func(name string, in *input) error {
		in.keepsChunks = true
		err := check(in)
		if err == nil || in.failed != nil {
			return err // an input that cannot be read is not known to be wrong
		}
		return v.print(name, message.Findings(&writtenError{err, &in.written}))
	})
	if v.asJSON && ctx.Err() == nil {
		if err := listing.WriteJSON(v.stdout, v.found); err != nil {
			return v.fail("standard output", process.WithoutPath(err))
		}
	}
	return failed
}

// print prints what is wrong with an input, or keeps it for the list of all.
func (v *validateCall) print(name string, found []message.Finding) error {
	for _, f := range found {
		if v.asJSON {
			v.found = append(v.found, wrongIn(name, f))
		} else if _, err := fmt.Fprintf(v.stdout, "%s: %s\n", name, f); err != nil {
			return err
		}
	}
	return process.ErrFailed
}

// wrongIn returns a finding with its file.
func wrongIn(file string, f message.Finding) wrong {
	w := wrong{File: file, Pointer: f.Pointer, Message: f.Reason}
	if f.Offset >= 0 {
		w.Offset = &f.Offset
	}
	return w
}
