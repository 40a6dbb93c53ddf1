package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	goopenai "github.com/sashabaranov/go-openai"
)

// connectGoOpenAI returns the client of sashabaranov/go-openai, which never tries again.
func connectGoOpenAI(g *gateway, key string) *goopenai.Client {
	config := goopenai.DefaultConfig(key)
	config.BaseURL = g.url
	return goopenai.NewClientWithConfig(config)
}

func askGoOpenAI(text string) goopenai.ChatCompletionRequest {
	return goopenai.ChatCompletionRequest{Model: model,
		Messages: []goopenai.ChatCompletionMessage{{Role: "user", Content: text}}}
}

func TestGoOpenAIAnswers(t *testing.T) {
	t.Parallel()
	client := connectGoOpenAI(serve(t, upstream{}), "any")

	t.Run("whole", func(t *testing.T) {
		c, err := client.CreateChatCompletion(t.Context(), askGoOpenAI(prompt))
		check(t, err)
		if u := c.Usage; !strings.Contains(c.Choices[0].Message.Content, prompt) ||
			u.PromptTokens+u.CompletionTokens != u.TotalTokens || u.TotalTokens == 0 {
			t.Errorf("got %+v", c)
		}
		if c.Choices[0].FinishReason != "stop" || c.Model != model {
			t.Errorf("got %+v", c)
		}
	})

	t.Run("stream", func(t *testing.T) {
		whole, err := client.CreateChatCompletion(t.Context(), askGoOpenAI(words))
		check(t, err)
		request := askGoOpenAI(words)
		request.StreamOptions = &goopenai.StreamOptions{IncludeUsage: true}
		streamed := gatherGoOpenAI(t, client, request)
		if streamed.message.Content != whole.Choices[0].Message.Content || streamed.chunks < 3 {
			t.Errorf("%d chunks, %+v", streamed.chunks, streamed.message)
		}
		if streamed.usage == nil || streamed.usage.TotalTokens != whole.Usage.TotalTokens {
			t.Errorf("the usage is %+v, of the whole answer %+v", streamed.usage, whole.Usage)
		}
	})

	t.Run("several", func(t *testing.T) {
		request := askGoOpenAI(prompt)
		request.Model = "gemini-4-argon" // the models of 3.x refuse several candidates
		request.N = 3
		c, err := client.CreateChatCompletion(t.Context(), request)
		check(t, err)
		if len(c.Choices) != 3 {
			t.Errorf("%d choices", len(c.Choices))
		}
	})

	t.Run("log probabilities", func(t *testing.T) {
		request := askGoOpenAI(prompt)
		request.Model, request.LogProbs, request.TopLogProbs = "gemini-4-argon", true, 2
		c, err := client.CreateChatCompletion(t.Context(), request)
		check(t, err)
		text := ""
		for _, token := range c.Choices[0].LogProbs.Content {
			text += token.Token
		}
		if text != c.Choices[0].Message.Content {
			t.Errorf("the tokens are of %q", text)
		}
	})

	t.Run("schema", func(t *testing.T) {
		schema, err := json.Marshal(ticket)
		check(t, err)
		request := askGoOpenAI("File a ticket.")
		request.ResponseFormat = &goopenai.ChatCompletionResponseFormat{
			Type: goopenai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &goopenai.ChatCompletionResponseFormatJSONSchema{Name: "ticket",
				Schema: json.RawMessage(schema), Strict: true},
		}
		c, err := client.CreateChatCompletion(t.Context(), request)
		check(t, err)
		checkTicket(t, c.Choices[0].Message.Content)
	})

	t.Run("image", func(t *testing.T) {
		request := askGoOpenAI("")
		request.Messages[0].MultiContent = []goopenai.ChatMessagePart{
			{Type: goopenai.ChatMessagePartTypeText, Text: "What is in it?"},
			{Type: goopenai.ChatMessagePartTypeImageURL, ImageURL: &goopenai.ChatMessageImageURL{URL: data("image/png", 1<<20)}},
		}
		c, err := client.CreateChatCompletion(t.Context(), request)
		check(t, err)
		if !strings.Contains(c.Choices[0].Message.Content, "image/png") {
			t.Errorf("got %q", c.Choices[0].Message.Content)
		}
	})
}

// gatheredGoOpenAI is the result of a whole stream.
type gatheredGoOpenAI struct {
	message goopenai.ChatCompletionMessage
	usage   *goopenai.Usage
	chunks  int
}

// gatherGoOpenAI adds up a stream, for which the client has nothing.
func gatherGoOpenAI(t *testing.T, client *goopenai.Client,
	request goopenai.ChatCompletionRequest) (out gatheredGoOpenAI) {
	t.Helper()
	stream, err := client.CreateChatCompletionStream(t.Context(), request)
	check(t, err)
	defer stream.Close()
	out.message.Role = "assistant"
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out
		}
		check(t, err)
		out.chunks++
		if chunk.Usage != nil {
			out.usage = chunk.Usage
		}
		for _, choice := range chunk.Choices {
			out.message.Content += choice.Delta.Content
			for _, call := range choice.Delta.ToolCalls {
				out.addCall(call)
			}
		}
	}
}

func (g *gatheredGoOpenAI) addCall(delta goopenai.ToolCall) {
	if *delta.Index == len(g.message.ToolCalls) {
		g.message.ToolCalls = append(g.message.ToolCalls,
			goopenai.ToolCall{ID: delta.ID, Type: delta.Type,
				Function: goopenai.FunctionCall{Name: delta.Function.Name}})
	}
	g.message.ToolCalls[*delta.Index].Function.Arguments += delta.Function.Arguments
}

func TestGoOpenAILoopsOverTools(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(*testing.T, *goopenai.Client,
		goopenai.ChatCompletionRequest) goopenai.ChatCompletionMessage{
		"whole": func(t *testing.T, client *goopenai.Client,
			request goopenai.ChatCompletionRequest) goopenai.ChatCompletionMessage {
			c, err := client.CreateChatCompletion(t.Context(), request)
			check(t, err)
			return c.Choices[0].Message
		},
		"streamed": func(t *testing.T, client *goopenai.Client,
			request goopenai.ChatCompletionRequest) goopenai.ChatCompletionMessage {
			return gatherGoOpenAI(t, client, request).message
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := connectGoOpenAI(serve(t, loop(t)), "any")
			request := askGoOpenAI(question)
			request.Tools = []goopenai.Tool{
				{Type: "function", Function: &goopenai.FunctionDefinition{Name: "get_weather", Parameters: city}},
				{Type: "function", Function: &goopenai.FunctionDefinition{Name: "book_table", Parameters: table}},
			}
			var calls []string
			for range 3 {
				message := answer(t, client, request)
				request.Messages = append(request.Messages, message)
				for _, call := range message.ToolCalls {
					calls = append(calls, call.Function.Name+" "+call.Function.Arguments)
					request.Messages = append(request.Messages,
						goopenai.ChatCompletionMessage{Role: "tool", ToolCallID: call.ID,
							Content: result})
				}
			}
			if text := answer(t, client, request).Content; text != booked ||
				!slices.Equal(calls, called) {
				t.Errorf("%q after %q", text, calls)
			}
		})
	}
}

func TestGoOpenAIEndsTheCallOfGeminiWhenItLeaves(t *testing.T) {
	t.Parallel()
	g := serve(t, upstream{script: slow})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := connectGoOpenAI(g, "any").CreateChatCompletion(ctx,
		askGoOpenAI(prompt)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	g.ended(t)
}

func TestGoOpenAIIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		behind upstream
		flags  []string
		model  string
		status int
		code   any
	}{
		"an unknown model":   {upstream{}, nil, "gemmini-9", http.StatusNotFound, "model_not_found"},
		"a wrong key":        {upstream{key: "right"}, []string{"--callers-key"}, model, http.StatusUnauthorized, "invalid_api_key"},
		"a quota":            {upstream{script: aMoment}, nil, model, http.StatusTooManyRequests, "rate_limit_exceeded"},
		"a quota of the day": {upstream{script: noMoreToday}, nil, model, http.StatusTooManyRequests, "insufficient_quota"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request := askGoOpenAI(prompt)
			request.Model = test.model
			_, err := connectGoOpenAI(serve(t, test.behind, test.flags...),
				"wrong").CreateChatCompletion(t.Context(), request)
			got, ok := errors.AsType[*goopenai.APIError](err)
			if !ok || got.HTTPStatusCode != test.status || got.Code != test.code ||
				got.Message == "" {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestGoOpenAINoticesAStreamThatFails(t *testing.T) {
	t.Parallel()
	stream, err := connectGoOpenAI(serve(t, upstream{script: breaksOff}),
		"any").CreateChatCompletionStream(t.Context(), askGoOpenAI(prompt))
	check(t, err)
	defer stream.Close()
	text := ""
	for {
		chunk, err := stream.Recv()
		if err != nil {
			if _, ok := errors.AsType[*goopenai.APIError](err); !ok || text != "The beginning" {
				t.Errorf("%q, and %v", text, err)
			}
			return
		}
		for _, choice := range chunk.Choices {
			text += choice.Delta.Content
		}
	}
}

func TestGoOpenAIEmbedsTexts(t *testing.T) {
	t.Parallel()
	client := connectGoOpenAI(serve(t, upstream{}), "any")
	for _, format := range []goopenai.EmbeddingEncodingFormat{goopenai.EmbeddingEncodingFormatFloat,
		goopenai.EmbeddingEncodingFormatBase64} {
		embedded, err := client.CreateEmbeddings(t.Context(), goopenai.EmbeddingRequestStrings{
			Input: []string{"Tea", "Coffee"}, Model: embedder, Dimensions: 256,
			EncodingFormat: format,
		})
		check(t, err)
		if len(embedded.Data) != 2 || len(embedded.Data[0].Embedding) != 256 ||
			len(embedded.Data[1].Embedding) != 256 {
			t.Errorf("got %d vectors", len(embedded.Data))
		}
	}
}
