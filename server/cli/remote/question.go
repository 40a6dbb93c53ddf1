package remote

import (
	"context"
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/spf13/cobra"
)

// question is what the flags say that make up a request, except its prompt.
type question struct {
	model, system, thinking string
	tools, images, files    []string

	server *connection // that is asked; nil is the Gemini API
}

// amounts are the values of --thinking.
var amounts = []models.Amount{models.AmountNone, models.AmountLow, models.AmountMedium, models.AmountHigh}

func (q *question) addModelFlag(cmd *cobra.Command, model string) {
	cmd.Flags().StringVarP(&q.model, "model", "m", model, "ask the model `M`")
	// The only error is a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc("model", cobra.FixedCompletions(models.IDs(), cobra.ShellCompDirectiveNoFileComp))
}

// addManner adds the flags for how the model is to answer.
func (q *question) addManner(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&q.system, "system", "", "instruct the model by this `TEXT`")
	flags.StringVar(&q.thinking, "thinking", "", "think so much: `LEVEL` is none, low, medium or high")
	_ = cmd.RegisterFlagCompletionFunc("thinking", cobra.FixedCompletions([]string{"none", "low", "medium", "high"}, cobra.ShellCompDirectiveNoFileComp))
}

func (q *question) addToolFlag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&q.tools, "tool", nil, "declare the functions in this `FILE`; again for more")
}

func (q *question) addFileFlags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&q.images, "image", nil, "show the image in this `FILE`; again for more")
	cmd.Flags().StringArrayVar(&q.files, "file", nil, "show this `FILE`: PDF, sound, video, text; again for more")
}

// check returns an error of usage.
func (q *question) check() error {
	if q.model == "" {
		return errors.New("--model is empty; 'gemwire models' lists models")
	}
	_, err := q.thinkingConfig()
	return err
}

// request returns the request with a prompt behind the files, and uploads those that are large.
func (q *question) request(ctx context.Context, c *call, prompt string) (*geminiapi.GenerateContentRequest, error) {
	request, err := q.frame(ctx)
	if err != nil {
		return nil, err
	}
	attached := &attachments{call: c}
	images, err := attached.images(ctx, q.images)
	if err != nil {
		return nil, err
	}
	files, err := attached.files(ctx, q.files)
	if err != nil {
		return nil, err
	}
	parts := append(append(images, files...), gemini.TextPart(prompt))
	request.Contents = []geminiapi.Content{gemini.UserParts(parts...)}
	return request, nil
}

// frame returns the request without contents.
func (q *question) frame(ctx context.Context) (*geminiapi.GenerateContentRequest, error) {
	tools, err := readTools(ctx, q.tools)
	if err != nil {
		return nil, err
	}
	request := &geminiapi.GenerateContentRequest{Model: &q.model, Tools: tools}
	if q.system != "" {
		request.SystemInstruction = gemini.SystemInstruction(q.system)
	}
	thinking, err := q.thinkingConfig()
	if thinking != nil {
		request.GenerationConfig = &geminiapi.GenerationConfig{ThinkingConfig: thinking}
	}
	return request, err
}

// thinkingConfig returns how the model is told to think, nil for as it likes. Its errors are errors of usage.
func (q *question) thinkingConfig() (*geminiapi.ThinkingConfig, error) {
	if q.thinking == "" {
		return nil, nil
	}
	amount := models.Amount(q.thinking)
	config := q.traits().Thinking.Config(amount)
	switch {
	case !isAmount(amount):
		return nil, fmt.Errorf("--thinking: unknown level %q; the levels are %s", q.thinking, message.List(amounts, "and"))
	case config == nil:
		return nil, fmt.Errorf("--thinking: %s does not think", q.model)
	case amount != models.AmountNone:
		config.IncludeThoughts = new(true)
	}
	return config, nil
}

// traits are what the model takes that answers at the server now.
func (q *question) traits() models.Traits {
	service := models.GeminiAPI
	if q.server != nil && q.server.project != "" {
		service = models.VertexAI
	}
	return models.At(q.model, service, clock.Now()).Traits
}

func isAmount(amount models.Amount) bool {
	for _, known := range amounts {
		if amount == known {
			return true
		}
	}
	return false
}
