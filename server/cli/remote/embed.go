package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"
)

const embedHelp = `Turn texts into vectors, and print one list of numbers per line, in the order of the texts.
Each TEXT is one text. The TEXT - stands for all of standard input. With --lines each
non-empty line of FILE is a text, or of standard input if FILE is -.

With --json each line is an object with the members "text" and "values".

` + connectionHelp

const embedExamples = `  gemwire embed "Lisbon" "Porto"
  gemwire embed --lines cities.txt --task RETRIEVAL_DOCUMENT --size 256 --json`

const (
	// defaultEmbeddingModel is a model that both services have.
	defaultEmbeddingModel = "gemini-embedding-001"
	// embeddingBatch is the number of texts in one request. The Gemini API accepts 100.
	embeddingBatch = 100
)

// embedding has the flags of embed.
type embedding struct {
	connection
	question
	linesPath, task string
	size            int
	asJSON          bool
}

func newEmbed() *cobra.Command {
	var e embedding
	cmd := &cobra.Command{
		Use:                   "embed [flags] TEXT...",
		Short:                 "Turn texts into vectors",
		Long:                  embedHelp,
		Example:               embedExamples,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, words []string) error {
			c := newCall(cmd)
			c.model = e.model
			texts, err := e.texts(cmd.Context(), c, words)
			if err != nil {
				return c.fail(cmd.Context(), err)
			}
			return c.connected(cmd.Context(), &e.connection,
				func(ctx context.Context) error { return e.run(ctx, c, texts) })
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	e.addModelFlag(cmd, defaultEmbeddingModel)
	flags.StringVar(&e.linesPath, "lines", "", "embed each line of this `FILE`")
	flags.StringVar(&e.task, "task", "",
		"purpose of the vectors: `TASK` such as RETRIEVAL_QUERY")
	flags.IntVar(&e.size, "size", 0, "print vectors of `N` numbers (default the model's)")
	flags.BoolVar(&e.asJSON, "json", false, "print each text with its vector, in JSON")
	e.connection.addFlags(flags)
	return cmd
}

// texts returns the texts to embed.
func (e *embedding) texts(ctx context.Context, c *call, words []string) ([]string, error) {
	switch {
	case e.size < 0:
		return nil, usageError{errors.New("--size must not be negative")}
	case e.linesPath != "" && len(words) > 0:
		return nil, usageError{errors.New("--lines and TEXT exclude each other")}
	case e.linesPath != "":
		return e.lines(ctx, c)
	case len(words) == 0:
		return nil, usageError{errors.New("a text is missing; use - for standard input, or --lines for a file of texts")}
	}
	texts := slices.Clone(words)
	for i, word := range words {
		if word == "" { // which has no vector
			return nil, usageError{errors.New("a text is empty")}
		}
		if word != "-" {
			continue
		}
		text, err := promptOf([]string{word}, c.stdin)
		if err != nil {
			return nil, err
		}
		texts[i] = text
	}
	return texts, nil
}

// lines returns the non-empty lines of the file.
func (e *embedding) lines(ctx context.Context, c *call) ([]string, error) {
	var data []byte
	var err error
	if e.linesPath == "-" {
		data, err = io.ReadAll(c.stdin)
	} else {
		data, err = readFile(ctx, e.linesPath)
	}
	if err != nil {
		return nil, err
	}
	var texts []string
	for line := range bytes.Lines(data) {
		if text := strings.TrimSpace(string(line)); text != "" {
			texts = append(texts, text)
		}
	}
	return texts, nil
}

func (e *embedding) run(ctx context.Context, c *call, texts []string) error {
	for batch := range slices.Chunk(texts, embeddingBatch) {
		response, err := c.client.BatchEmbedContents(ctx, e.request(batch))
		if err != nil {
			return err
		}
		if len(response.Embeddings) != len(batch) {
			return fmt.Errorf("expected %d vectors from the server; got %d", len(batch),
				len(response.Embeddings))
		}
		for i, vector := range response.Embeddings {
			if err := e.print(c, batch[i], vector.Values); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *embedding) request(texts []string) *geminiapi.BatchEmbedContentsRequest {
	request := &geminiapi.BatchEmbedContentsRequest{}
	for _, text := range texts {
		content := gemini.UserText(text)
		one := geminiapi.EmbedContentRequest{Model: &e.model, Content: &content}
		if e.task != "" {
			one.TaskType = new(geminiapi.TaskType(strings.ToUpper(e.task)))
		}
		if e.size > 0 {
			one.OutputDimensionality = &e.size
		}
		request.Requests = append(request.Requests, one)
	}
	return request
}

// embeddedText is a text with its vector in the output of --json.
type embeddedText struct {
	Text   string    `json:"text"`
	Values []float64 `json:"values"`
}

func (e *embedding) print(c *call, text string, values []float64) error {
	var line []byte
	var err error
	if e.asJSON {
		line, err = json.Marshal(embeddedText{text, values})
	} else {
		line, err = json.Marshal(values)
	}
	if err != nil {
		return err
	}
	return written(c.stdout.Write(append(line, '\n')))
}
