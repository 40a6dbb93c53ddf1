package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// question has the flags that define a request, except its prompt.
type question struct {
	model, system, thinking string
	tools, images, files    []string
	sampling                sampling

	server *connection // that is asked; nil is the Gemini API
}

// amounts are the values of --thinking.
var amounts = []models.Amount{models.AmountNone, models.AmountLow, models.AmountMedium,
	models.AmountHigh}

func (q *question) addModelFlag(cmd *cobra.Command, model string) {
	cmd.Flags().StringVarP(&q.model, "model", "m", model, "model `M` to use")
	// The only possible error is a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc("model",
		cobra.FixedCompletions(models.IDs(), cobra.ShellCompDirectiveNoFileComp))
}

// sampling has the sampling flags and the limits of an answer. The model decides what no flag sets.
type sampling struct {
	temperature, topP     float64
	topK, maxTokens, seed int
	stop                  []string
	given                 map[string]bool // the names of the flags that were given
}

func (s *sampling) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Float64Var(&s.temperature, "temperature", 0,
		"set the randomness to this `NUMBER`, from 0 to 2")
	flags.Float64Var(&s.topP, "top-p", 0,
		"choose among tokens up to this `SHARE` of probability, from 0 to 1")
	flags.IntVar(&s.topK, "top-k", 0, "choose among the `N` most likely tokens")
	flags.IntVar(&s.maxTokens, "max-tokens", 0,
		"end the answer after `N` tokens, thinking included")
	flags.IntVar(&s.seed, "seed", 0, "make answers repeatable with this `NUMBER`")
	flags.StringArrayVar(&s.stop, "stop", nil, "end the answer before this `TEXT`; repeatable")
	for _, name := range samplingFlags {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

var samplingFlags = []string{"temperature", "top-p", "top-k", "max-tokens", "seed", "stop"}

// note records which flags were set, because 0 is a value too.
func (s *sampling) note(flags *pflag.FlagSet) {
	s.given = map[string]bool{}
	for _, name := range samplingFlags {
		if flags.Changed(name) {
			s.given[name] = true
		}
	}
}

// check returns a usage error.
func (s *sampling) check() error {
	switch {
	case !(s.temperature >= 0 && s.temperature <= 2): // or no number
		return fmt.Errorf("--temperature: %v is out of range; must be from 0 to 2", s.temperature)
	case !(s.topP >= 0 && s.topP <= 1):
		return fmt.Errorf("--top-p: %v is out of range; must be from 0 to 1", s.topP)
	case s.given["top-k"] && s.topK < 1:
		return fmt.Errorf("--top-k: %d is out of range; must be at least 1", s.topK)
	case s.given["max-tokens"] && s.maxTokens < 1:
		return fmt.Errorf("--max-tokens: %d is out of range; must be at least 1", s.maxTokens)
	case slices.Contains(s.stop, ""):
		return errors.New("--stop: the text is empty; leave out the flag if nothing ends the answer early")
	}
	return nil
}

// set applies the flags to the configuration.
func (s *sampling) set(config *geminiapi.GenerationConfig) {
	if s.given["temperature"] {
		config.Temperature = &s.temperature
	}
	if s.given["top-p"] {
		config.TopP = &s.topP
	}
	if s.given["top-k"] {
		config.TopK = &s.topK
	}
	if s.given["max-tokens"] {
		config.MaxOutputTokens = &s.maxTokens
	}
	if s.given["seed"] {
		config.Seed = &s.seed
	}
	config.StopSequences = s.stop
}

// addManner adds the flags that control how the model answers.
func (q *question) addManner(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&q.system, "system", "", "system instruction `TEXT` for the model")
	flags.StringVar(&q.thinking, "thinking", "",
		"let the model think at this `LEVEL`: none, low, medium or high")
	_ = cmd.RegisterFlagCompletionFunc("thinking",
		cobra.FixedCompletions([]string{"none", "low", "medium", "high"},
			cobra.ShellCompDirectiveNoFileComp))
}

func (q *question) addToolFlag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&q.tools, "tool", nil,
		"declare the functions in this `FILE`; repeatable")
}

func (q *question) addFileFlags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&q.images, "image", nil, "show the image in this `FILE`; repeatable")
	cmd.Flags().StringArrayVar(&q.files, "file", nil,
		"show this `FILE`: PDF, sound, video, text; repeatable")
}

// check returns a usage error.
func (q *question) check() error {
	if q.model == "" {
		return errors.New("--model is empty; 'gemwire models' lists models")
	}
	if err := q.sampling.check(); err != nil {
		return err
	}
	_, err := q.thinkingConfig()
	return err
}

// request returns the request with the prompt after the files. It uploads large files.
func (q *question) request(ctx context.Context, c *call,
	prompt string) (*geminiapi.GenerateContentRequest, error) {
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
	config := &geminiapi.GenerationConfig{ThinkingConfig: thinking}
	q.sampling.set(config)
	if thinking != nil || len(q.sampling.given) > 0 {
		request.GenerationConfig = config
	}
	return request, err
}

// thinkingConfig returns the thinking configuration, or nil for the model's default. Its errors are
// usage errors.
func (q *question) thinkingConfig() (*geminiapi.ThinkingConfig, error) {
	if q.thinking == "" {
		return nil, nil
	}
	amount := models.Amount(q.thinking)
	config := q.traits().Thinking.Config(amount)
	switch {
	case !isAmount(amount):
		return nil, fmt.Errorf("--thinking: unknown level %q; the levels are %s", q.thinking,
			message.List(amounts, "and"))
	case config == nil:
		return nil, fmt.Errorf("--thinking: %s does not think", q.model)
	case amount != models.AmountNone:
		config.IncludeThoughts = new(true)
	}
	return config, nil
}

// traits returns the capabilities of the model that answers at the server now.
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
