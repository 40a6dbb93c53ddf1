package clients_test

import (
	"context"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// openaiClient returns OpenAI's own client for a server. It sends a request once.
func openaiClient(baseURL string) openai.Client {
	return openai.NewClient(option.WithBaseURL(baseURL), option.WithAPIKey("none"),
		option.WithMaxRetries(0))
}

func openaiParams() openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model:         "any",
		Messages:      []openai.ChatCompletionMessageParamUnion{openai.UserMessage("?")},
		StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
	}
}

// openaiWhole asks for a whole completion.
func openaiWhole(ctx context.Context, baseURL string) (answer, error) {
	client := openaiClient(baseURL)
	params := openaiParams()
	params.StreamOptions = openai.ChatCompletionStreamOptionsParam{}
	completion, err := client.Chat.Completions.New(ctx, params)
	if err != nil {
		return answer{}, err
	}
	extras := map[int]*unofficial{}
	for _, choice := range completion.Choices {
		extras[int(choice.Index)] = &unofficial{}
		if err := extras[int(choice.Index)].add(choice.Message.RawJSON()); err != nil {
			return answer{}, err
		}
	}
	return openaiAnswer(completion, extras), nil
}

// openaiStream asks for a stream and accumulates it with the library's accumulator.
func openaiStream(ctx context.Context, baseURL string) (answer, error) {
	client := openaiClient(baseURL)
	stream := client.Chat.Completions.NewStreaming(ctx, openaiParams())
	defer stream.Close()
	var accumulator openai.ChatCompletionAccumulator
	extras := map[int]*unofficial{}
	for stream.Next() {
		chunk := stream.Current()
		if !accumulator.AddChunk(chunk) {
			return answer{}, fmt.Errorf("the accumulator refuses %s", chunk.RawJSON())
		}
		for _, choice := range chunk.Choices {
			extra := extras[int(choice.Index)]
			if extra == nil {
				extra = &unofficial{}
				extras[int(choice.Index)] = extra
			}
			if err := addDelta(extra, choice.Delta); err != nil {
				return answer{}, err
			}
		}
	}
	return openaiAnswer(&accumulator.ChatCompletion, extras), stream.Err()
}

// addDelta adds the unofficial members of a delta. A chunk without one has no JSON here.
func addDelta(extra *unofficial, delta openai.ChatCompletionChunkChoiceDelta) error {
	if delta.RawJSON() == "" {
		return nil
	}
	return extra.add(delta.RawJSON())
}

func openaiAnswer(c *openai.ChatCompletion, extras map[int]*unofficial) answer {
	out := answer{ID: c.ID, Model: c.Model, Created: c.Created, Usage: usage{
		Prompt:     c.Usage.PromptTokens,
		Completion: c.Usage.CompletionTokens,
		Total:      c.Usage.TotalTokens,
		Cached:     c.Usage.PromptTokensDetails.CachedTokens,
		Reasoning:  c.Usage.CompletionTokensDetails.ReasoningTokens,
	}}
	for _, from := range c.Choices {
		to := choice{
			Index:   int(from.Index),
			Content: from.Message.Content,
			Refusal: from.Message.Refusal,
			Finish:  from.FinishReason,
		}
		if extra := extras[to.Index]; extra != nil {
			to.Unofficial = *extra
		}
		for _, c := range from.Message.ToolCalls {
			to.Calls = append(to.Calls,
				call{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
		}
		out.Choices = append(out.Choices, to)
	}
	return out
}
