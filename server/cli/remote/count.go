package remote

import (
	"context"
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/spf13/cobra"
)

const countHelp = `Count the tokens of a prompt, with its files, instruction and functions, and print the
number. Nothing is generated. The words of the PROMPT are joined. The word - stands for
standard input.

With --json the server's answer is printed, which has a count for each kind of content.

` + connectionHelp

const countExamples = `  gemwire count "Why is the sky blue?"
  gemwire count --file report.pdf - < question.txt`

func newCount() *cobra.Command {
	var flagsOfServer connection
	var q question
	var asJSON bool
	cmd := &cobra.Command{
		Use:                   "count [flags] PROMPT...",
		Short:                 "Count the tokens of a prompt",
		Long:                  countHelp,
		Example:               countExamples,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := q.check(); err != nil {
				return err
			}
			c := newCall(cmd)
			c.model = q.model
			text, err := promptOf(words, c.stdin)
			if err != nil {
				return c.fail(cmd.Context(), err)
			}
			return c.connected(cmd.Context(), &flagsOfServer,
				func(ctx context.Context) error { return c.count(ctx, &q, text, asJSON) })
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	q.addModelFlag(cmd, models.Default)
	q.addManner(cmd)
	q.addToolFlag(cmd)
	q.addFileFlags(cmd)
	flags.BoolVar(&asJSON, "json", false, "print the server's answer in JSON")
	flagsOfServer.addFlags(flags)
	return cmd
}

func (c *call) count(ctx context.Context, q *question, text string, asJSON bool) error {
	request, err := q.request(ctx, c, text)
	if err != nil {
		return err
	}
	counted, err := c.client.CountTokens(ctx,
		&geminiapi.CountTokensRequest{GenerateContentRequest: request})
	if err != nil {
		return err
	}
	if !asJSON {
		return written(fmt.Fprintln(c.stdout, jsonx.Deref(counted.TotalTokens)))
	}
	data, err := gemini.EncodeCountTokensResponse(counted)
	if err != nil {
		return err
	}
	return written(c.stdout.Write(append(data, '\n')))
}
