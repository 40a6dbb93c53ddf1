package clients_test

import (
	"context"
	"errors"
	"fmt"
	"io"

	goopenai "github.com/sashabaranov/go-openai"
)

// goOpenaiClient returns the client of the Go community for a server.
func goOpenaiClient(baseURL string) *goopenai.Client {
	config := goopenai.DefaultConfig("none")
	config.BaseURL = baseURL
	return goopenai.NewClientWithConfig(config)
}

func goOpenaiRequest() goopenai.ChatCompletionRequest {
	return goopenai.ChatCompletionRequest{
		Model: "any",
		Messages: []goopenai.ChatCompletionMessage{{Role: goopenai.ChatMessageRoleUser,
			Content: "?"}},
	}
}

// goOpenaiWhole asks for a whole completion.
func goOpenaiWhole(ctx context.Context, baseURL string) (answer, error) {
	completion, err := goOpenaiClient(baseURL).CreateChatCompletion(ctx, goOpenaiRequest())
	if err != nil {
		return answer{}, err
	}
	out := answer{ID: completion.ID, Model: completion.Model, Created: completion.Created}
	addGoOpenaiUsage(&out, &completion.Usage)
	for _, from := range completion.Choices {
		to := choice{
			Index:      from.Index,
			Content:    from.Message.Content,
			Refusal:    from.Message.Refusal,
			Finish:     string(from.FinishReason),
			Unofficial: unofficial{Reasoning: from.Message.ReasoningContent},
		}
		for _, c := range from.Message.ToolCalls {
			to.Calls = append(to.Calls,
				call{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
		}
		out.Choices = append(out.Choices, to)
	}
	return out, nil
}

// goOpenaiStream asks for a stream and joins its deltas as programs with this library must: it has
// no accumulator.
func goOpenaiStream(ctx context.Context, baseURL string) (answer, error) {
	request := goOpenaiRequest()
	request.StreamOptions = &goopenai.StreamOptions{IncludeUsage: true}
	stream, err := goOpenaiClient(baseURL).CreateChatCompletionStream(ctx, request)
	if err != nil {
		return answer{}, err
	}
	defer stream.Close()
	var out answer
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return answer{}, err
		}
		out.ID, out.Model, out.Created = chunk.ID, chunk.Model, chunk.Created
		addGoOpenaiUsage(&out, chunk.Usage)
		for i := range chunk.Choices {
			if err := addGoOpenaiDelta(&out, &chunk.Choices[i]); err != nil {
				return answer{}, err
			}
		}
	}
}

func addGoOpenaiUsage(out *answer, u *goopenai.Usage) {
	if u == nil {
		return
	}
	out.Usage = usage{Prompt: int64(u.PromptTokens), Completion: int64(u.CompletionTokens),
		Total: int64(u.TotalTokens)}
	if u.PromptTokensDetails != nil {
		out.Usage.Cached = int64(u.PromptTokensDetails.CachedTokens)
	}
	if u.CompletionTokensDetails != nil {
		out.Usage.Reasoning = int64(u.CompletionTokensDetails.ReasoningTokens)
	}
}

func addGoOpenaiDelta(out *answer, from *goopenai.ChatCompletionStreamChoice) error {
	for len(out.Choices) <= from.Index {
		out.Choices = append(out.Choices, choice{Index: len(out.Choices)})
	}
	to := &out.Choices[from.Index]
	to.Content += from.Delta.Content
	to.Refusal += from.Delta.Refusal
	to.Unofficial.Reasoning += from.Delta.ReasoningContent
	if from.FinishReason != "" {
		to.Finish = string(from.FinishReason)
	}
	for _, c := range from.Delta.ToolCalls {
		if c.Index == nil {
			return errors.New("a tool call without an index")
		}
		if *c.Index < 0 || *c.Index > len(to.Calls) {
			return fmt.Errorf("tool call %d after %d calls", *c.Index, len(to.Calls))
		}
		if *c.Index == len(to.Calls) {
			to.Calls = append(to.Calls, call{})
		}
		at := &to.Calls[*c.Index]
		at.ID += c.ID
		at.Name += c.Function.Name
		at.Arguments += c.Function.Arguments
	}
	return nil
}
