package remote

import (
	"context"
	"errors"
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/gemwire/gemwire/server/cli/schemafile"
	"github.com/gemwire/gemwire/server/internal/valueschema"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

const generateHelp = `Send a prompt to a model, and print the answer. The words of the PROMPT are joined. The word
- stands for standard input.

The output also shows calls of declared functions, code that the model ran, and the sources
of the answer. It shows thoughts only on a terminal, and images and other media only if --out
names a folder for them. Standard error has the number of tokens.

With --json the answer is printed as it was received, one chunk per line if it is streamed.
With --schema the answer is JSON that matches the schema, or an error and no answer. A
streamed answer is checked at its end.

` + declarationHelp + `

The request includes each --image and --file; large ones are uploaded with the Files API. A
file may be a text of any kind. A URL (https://, gs://) is passed on.

` + connectionHelp

const generateExamples = `  gemwire generate "Why is the sky blue?"
  gemwire generate --stream --thinking high "Plan a day in Porto."
  git diff | gemwire generate "Write a commit message for this:" -
  gemwire generate --image photo.jpg --schema labels.json "What is on it?"`

// generation has the flags of generate.
type generation struct {
	connection
	question
	schemaPath          string
	out                 string
	stream, json, quiet bool

	schema *valueschema.Schema // nil without --schema
}

func newGenerate() *cobra.Command {
	var g generation
	g.server = &g.connection
	cmd := &cobra.Command{
		Use:                   "generate [flags] PROMPT...",
		Short:                 "Send a prompt to a model, and print the answer",
		Long:                  generateHelp,
		Example:               generateExamples,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, words []string) error {
			c := newCall(cmd)
			g.question.sampling.note(cmd.Flags())
			prompt, err := g.prompt(c, words)
			if err != nil {
				return c.fail(cmd.Context(), err)
			}
			g.connection.lost = c.noteLosses
			return c.connected(cmd.Context(), &g.connection,
				func(ctx context.Context) error { return g.run(ctx, c, prompt) })
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	g.question.addModelFlag(cmd, models.Default)
	g.question.addManner(cmd)
	g.question.sampling.addFlags(cmd)
	g.question.addToolFlag(cmd)
	g.question.addFileFlags(cmd)
	flags.StringVar(&g.schemaPath, "schema", "",
		"request an answer that matches the JSON Schema in this `FILE`")
	flags.BoolVar(&g.stream, "stream", false, "print the answer while it arrives")
	flags.BoolVar(&g.json, "json", false, "print the answer's JSON as it was received")
	flags.StringVar(&g.out, "out", "", "write images and other media into the folder `DIR`")
	flags.BoolVar(&g.quiet, "quiet", false, "do not print the number of tokens")
	g.connection.addAPIFlag(flags)
	g.connection.addFlags(flags)
	return cmd
}

// prompt checks the flags and returns the prompt. Its errors are usage errors, except errors of
// reading.
func (g *generation) prompt(c *call, words []string) (string, error) {
	if err := g.question.check(); err != nil {
		return "", usageError{err}
	}
	if g.json && g.out != "" {
		return "", usageError{errors.New("--json prints the answer with its media; remove --out")}
	}
	c.model = g.model
	return promptOf(words, c.stdin)
}

func (g *generation) run(ctx context.Context, c *call, prompt string) error {
	request, err := g.request(ctx, c, prompt)
	if err != nil {
		return err
	}
	if err := g.askForSchema(ctx, request); err != nil {
		return err
	}
	var response *normalize.Response
	if g.json {
		response, err = g.printRaw(ctx, c, request)
	} else {
		w := newAnswerWriter(ctx, c, g.out)
		w.holdsText = g.schema != nil && !g.stream
		response, err = w.write(g.chunks(ctx, c, request))
	}
	if err == nil {
		err = g.checkSchema(c, response)
	}
	if ctx.Err() == nil && response.Model != "" {
		c.noteModels(response.Model)
	}
	if !g.quiet && ctx.Err() == nil {
		c.noteUsage(response)
	}
	return err
}

// askForSchema sets the schema of the answer, in the form that the model accepts.
func (g *generation) askForSchema(ctx context.Context,
	request *geminiapi.GenerateContentRequest) error {
	if g.schemaPath == "" {
		return nil
	}
	read, err := schemafile.Read(ctx, g.schemaPath)
	if err != nil {
		return &fileError{g.schemaPath, err}
	}
	g.schema = read
	if request.GenerationConfig == nil {
		request.GenerationConfig = &geminiapi.GenerationConfig{}
	}
	request.GenerationConfig.ResponseMIMEType = new("application/json")
	if g.traits().JSONSchema {
		request.GenerationConfig.ResponseJSONSchema = read.Document
		return nil
	}
	request.GenerationConfig.ResponseSchema, _, err = schema.FromJSON(read.Document)
	if err != nil {
		return &fileError{g.schemaPath, err}
	}
	return nil
}

// chunks yields the answer. Without streaming it is one chunk.
func (g *generation) chunks(ctx context.Context, c *call, request *geminiapi.GenerateContentRequest,
	opts ...gemini.CallOption) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	if g.stream {
		return c.client.StreamGenerateContent(ctx, request, opts...)
	}
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		yield(c.client.GenerateContent(ctx, request, opts...))
	}
}

// printRaw prints the answer as it was received.
func (g *generation) printRaw(ctx context.Context, c *call,
	request *geminiapi.GenerateContentRequest) (*normalize.Response, error) {
	var raw gemini.RawResponse
	var failed error
	chunks := g.chunks(ctx, c, request, gemini.WithRawResponse(&raw))
	response, err := accumulate(func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for chunk, err := range chunks {
			if err == nil {
				if err = printPayload(c, chunk, raw.Body, g.stream); err != nil {
					failed = err
				}
			}
			if !yield(chunk, err) || err != nil {
				return
			}
		}
	}, func(*normalize.Event) error { return nil })
	if failed != nil {
		return response, failed
	}
	return response, err
}

// printPayload prints a chunk of a stream in one line, or the body of a whole answer.
func printPayload(c *call, chunk *geminiapi.GenerateContentResponse, body []byte,
	isStream bool) error {
	if isStream {
		var err error
		if body, err = gemini.EncodeResponse(chunk); err != nil {
			return err
		}
	}
	if len(body) == 0 || body[len(body)-1] != '\n' {
		body = append(body[:len(body):len(body)], '\n')
	}
	return written(c.stdout.Write(body))
}

// checkSchema validates the answer against the schema. It prints the answer if it was held back for
// that.
func (g *generation) checkSchema(c *call, response *normalize.Response) error {
	if g.schema == nil || len(response.Candidates) == 0 {
		return nil
	}
	value, err := structured.Parse[jsontext.Value](response.Text(),
		structured.WithCheck(g.schema.Violations))
	if err != nil {
		return &fileError{"the answer", err}
	}
	if g.stream || g.json {
		return nil
	}
	return written(c.stdout.Write(append(value, '\n')))
}
