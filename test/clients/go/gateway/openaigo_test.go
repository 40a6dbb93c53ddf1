package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

// connect returns OpenAI's own client for a gateway.
func connect(g *gateway, opts ...option.RequestOption) openai.Client {
	return openai.NewClient(append([]option.RequestOption{option.WithBaseURL(g.url),
		option.WithAPIKey("any"), option.WithMaxRetries(0)}, opts...)...)
}

func ask(text string) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{Model: model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(text)}}
}

func TestOpenAIGoAnswers(t *testing.T) {
	t.Parallel()
	client := connect(serve(t, upstream{}))

	t.Run("whole", func(t *testing.T) {
		c, err := client.Chat.Completions.New(t.Context(), ask(prompt))
		check(t, err)
		if !strings.Contains(c.Choices[0].Message.Content, prompt) ||
			c.Choices[0].FinishReason != "stop" || c.Model != model || c.ID == "" {
			t.Errorf("got %s", c.RawJSON())
		}
		if u := c.Usage; u.PromptTokens == 0 || u.CompletionTokens == 0 ||
			u.PromptTokens+u.CompletionTokens != u.TotalTokens {
			t.Errorf("the usage is %+v", u)
		}
	})

	t.Run("stream", func(t *testing.T) {
		whole, err := client.Chat.Completions.New(t.Context(), ask(words))
		check(t, err)
		params := ask(words)
		params.StreamOptions.IncludeUsage = openai.Bool(true)
		streamed, chunks := gather(t, client, params)
		if chunks < 3 || streamed.Choices[0].Message.Content != whole.Choices[0].Message.Content ||
			streamed.Choices[0].FinishReason != "stop" {
			t.Errorf("%d chunks, %+v", chunks, streamed.Choices)
		}
		if streamed.Usage.TotalTokens != whole.Usage.TotalTokens {
			t.Errorf("the usage is %+v, of the whole answer %+v", streamed.Usage, whole.Usage)
		}
		params.StreamOptions.IncludeUsage = openai.Bool(false)
		if streamed, _ := gather(t, client, params); streamed.Usage.TotalTokens != 0 {
			t.Errorf("usage was not asked for: %+v", streamed.Usage)
		}
	})

	t.Run("several", func(t *testing.T) {
		params := ask(prompt)
		// the models of 3.x refuse several candidates
		params.Model, params.N = "gemini-4-argon", openai.Int(3)
		c, err := client.Chat.Completions.New(t.Context(), params)
		check(t, err)
		streamed, _ := gather(t, client, params)
		if len(c.Choices) != 3 || len(streamed.Choices) != 3 {
			t.Fatalf("%d choices, %d streamed", len(c.Choices), len(streamed.Choices))
		}
		for i := range c.Choices {
			if c.Choices[i].Message.Content != streamed.Choices[i].Message.Content {
				t.Errorf("choice %d: %q, streamed %q", i, c.Choices[i].Message.Content,
					streamed.Choices[i].Message.Content)
			}
		}
	})

	t.Run("log probabilities", func(t *testing.T) {
		params := ask(prompt)
		params.Model, params.Logprobs, params.TopLogprobs = "gemini-4-argon", openai.Bool(true),
			openai.Int(2)
		whole, err := client.Chat.Completions.New(t.Context(), params)
		check(t, err)
		streamed, _ := gather(t, client, params)
		for _, c := range []*openai.ChatCompletion{whole, streamed} {
			text := ""
			for _, token := range c.Choices[0].Logprobs.Content {
				text += token.Token
			}
			if text != whole.Choices[0].Message.Content {
				t.Errorf("the tokens are of %q", text)
			}
		}
	})

	t.Run("schema", func(t *testing.T) {
		params := ask("File a ticket.")
		params.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: "ticket",
				Schema: ticket, Strict: openai.Bool(true)},
		}
		c, err := client.Chat.Completions.New(t.Context(), params)
		check(t, err)
		checkTicket(t, c.Choices[0].Message.Content)
	})

	t.Run("media", func(t *testing.T) {
		_, sound, _ := strings.Cut(data("audio/wav", 1<<10), ",")
		c, err := client.Chat.Completions.New(t.Context(),
			openai.ChatCompletionNewParams{Model: model,
				Messages: []openai.ChatCompletionMessageParamUnion{
					openai.UserMessage([]openai.ChatCompletionContentPartUnionParam{
						openai.TextContentPart("What is in these?"),
						openai.ImageContentPart(
							openai.ChatCompletionContentPartImageImageURLParam{URL: data("image/png",
								1<<20)}),
						openai.FileContentPart(
							openai.ChatCompletionContentPartFileFileParam{Filename: openai.String("a.pdf"),
								FileData: openai.String(data("application/pdf", 1<<10))}),
						openai.InputAudioContentPart(
							openai.ChatCompletionContentPartInputAudioInputAudioParam{Data: sound,
								Format: "wav"}),
					}),
				}})
		check(t, err)
		for _, media := range []string{"image/png", "application/pdf", "audio/wav"} {
			if !strings.Contains(c.Choices[0].Message.Content, media) {
				t.Errorf("%s is not in %q", media, c.Choices[0].Message.Content)
			}
		}
	})

	t.Run("sound", func(t *testing.T) {
		params := ask("Say hello.")
		params.Model, params.Modalities = "gemini-2.5-flash-preview-tts", []string{"audio"}
		params.Audio = openai.ChatCompletionAudioParam{
			Voice:  openai.ChatCompletionAudioParamVoiceUnion{OfString: openai.String("Kore")},
			Format: openai.ChatCompletionAudioParamFormatPcm16,
		}
		c, err := client.Chat.Completions.New(t.Context(), params)
		check(t, err)
		if len(c.Choices[0].Message.Audio.Data) < 100 {
			t.Errorf("got %s", c.RawJSON())
		}
	})
}

// checkTicket checks that an answer follows the schema.
func checkTicket(t *testing.T, text string) {
	t.Helper()
	var got struct{ Title, Priority string }
	check(t, json.Unmarshal([]byte(text), &got))
	if got.Title == "" || got.Priority != "low" && got.Priority != "high" {
		t.Errorf("got %s", text)
	}
}

// gather returns what a stream is in the end, and of how many chunks.
func gather(t *testing.T, client openai.Client,
	params openai.ChatCompletionNewParams) (*openai.ChatCompletion, int) {
	t.Helper()
	stream := client.Chat.Completions.NewStreaming(t.Context(), params)
	defer stream.Close()
	var gathered openai.ChatCompletionAccumulator
	chunks := 0
	for stream.Next() {
		chunks++
		if !gathered.AddChunk(stream.Current()) {
			t.Fatalf("the accumulator refuses %s", stream.Current().RawJSON())
		}
	}
	check(t, stream.Err())
	return &gathered.ChatCompletion, chunks
}

// The client keeps of an answer what it has types for, and no extension.
func TestOpenAIGoLoopsOverTools(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(*testing.T, openai.Client,
		openai.ChatCompletionNewParams) *openai.ChatCompletion{
		"whole": func(t *testing.T, client openai.Client,
			params openai.ChatCompletionNewParams) *openai.ChatCompletion {
			c, err := client.Chat.Completions.New(t.Context(), params)
			check(t, err)
			return c
		},
		"streamed": func(t *testing.T, client openai.Client,
			params openai.ChatCompletionNewParams) *openai.ChatCompletion {
			c, _ := gather(t, client, params)
			return c
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := connect(serve(t, loop(t)))
			params := ask(question)
			params.ParallelToolCalls = openai.Bool(true)
			params.Tools = []openai.ChatCompletionToolUnionParam{
				openai.ChatCompletionFunctionTool(
					shared.FunctionDefinitionParam{Name: "get_weather", Parameters: city}),
				openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: "book_table",
					Parameters: table}),
			}
			var calls []string
			for range 3 {
				message := answer(t, client, params).Choices[0].Message
				params.Messages = append(params.Messages, message.ToParam())
				for _, call := range message.ToolCalls {
					calls = append(calls, call.Function.Name+" "+call.Function.Arguments)
					params.Messages = append(params.Messages, openai.ToolMessage(result, call.ID))
				}
			}
			if text := answer(t, client, params).Choices[0].Message.Content; text != booked ||
				!slices.Equal(calls, called) {
				t.Errorf("%q after %q", text, calls)
			}
		})
	}
}

func TestOpenAIGoEndsTheCallOfGeminiWhenItLeaves(t *testing.T) {
	t.Parallel()
	t.Run("a stream", func(t *testing.T) {
		t.Parallel()
		g := serve(t, upstream{script: slow})
		client := connect(g)
		stream := client.Chat.Completions.NewStreaming(t.Context(), ask(prompt))
		if !stream.Next() {
			t.Fatal(stream.Err())
		}
		check(t, stream.Close())
		g.ended(t)
	})
	t.Run("a whole answer", func(t *testing.T) {
		t.Parallel()
		g := serve(t, upstream{script: slow})
		client := connect(g)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if _, err := client.Chat.Completions.New(ctx, ask(prompt)); !errors.Is(err,
			context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		g.ended(t)
	})
}

func TestOpenAIGoIsRefused(t *testing.T) {
	t.Parallel()
	g := serve(t, upstream{})
	client := connect(g)
	unknown, wrong := ask(prompt), ask(prompt)
	unknown.Model, wrong.Temperature = "gemmini-9", openai.Float(9)
	_, err := client.Chat.Completions.New(t.Context(), unknown)
	refused(t, err, http.StatusNotFound, "model_not_found", "")
	refused(t, client.Chat.Completions.NewStreaming(t.Context(), unknown).Err(),
		http.StatusNotFound, "model_not_found", "")
	_, err = client.Chat.Completions.New(t.Context(), wrong)
	refused(t, err, http.StatusBadRequest, "", "temperature")
	_, err = client.Images.Generate(t.Context(), openai.ImageGenerateParams{Prompt: prompt})
	refused(t, err, http.StatusNotFound, "unknown_url", "")
}

func TestOpenAIGoIsRefusedWithAWrongKey(t *testing.T) {
	t.Parallel()
	g := serve(t, upstream{key: "right"}, "--callers-key")
	stranger, known := connect(g), connect(g, option.WithAPIKey("right"))
	_, err := stranger.Chat.Completions.New(t.Context(), ask(prompt))
	refused(t, err, http.StatusUnauthorized, "invalid_api_key", "")
	_, err = known.Chat.Completions.New(t.Context(), ask(prompt))
	check(t, err)
}

func TestOpenAIGoTriesAgain(t *testing.T) {
	t.Parallel()
	g := serve(t, upstream{script: aMoment})
	client := connect(g, option.WithMaxRetries(2))
	begin := time.Now()
	c, err := client.Chat.Completions.New(t.Context(), ask(prompt))
	check(t, err)
	if took := time.Since(begin); c.Choices[0].Message.Content != answeredLate ||
		took < 900*time.Millisecond {
		t.Errorf("%q after %v", c.Choices[0].Message.Content, took)
	}
	g.witness.wait(t, 2)
}

func TestOpenAIGoDoesNotTryAgainForAQuotaOfTheDay(t *testing.T) {
	t.Parallel()
	g := serve(t, upstream{script: noMoreToday})
	client := connect(g, option.WithMaxRetries(2))
	_, err := client.Chat.Completions.New(t.Context(), ask(prompt))
	refused(t, err, http.StatusTooManyRequests, "insufficient_quota", "")
	g.witness.wait(t, 1)
}

func TestOpenAIGoNoticesAStreamThatFails(t *testing.T) {
	t.Parallel()
	client := connect(serve(t, upstream{script: breaksOff}))
	stream := client.Chat.Completions.NewStreaming(t.Context(), ask(prompt))
	text := ""
	for stream.Next() {
		if choices := stream.Current().Choices; len(choices) > 0 {
			text += choices[0].Delta.Content
		}
	}
	if stream.Err() == nil || text != "The beginning" {
		t.Errorf("%q, and %v", text, stream.Err())
	}
}

// refused sees that an error is the gateway's, with its members and the id of the request.
func refused(t *testing.T, err error, status int, code, param string) {
	t.Helper()
	got, ok := errors.AsType[*openai.Error](err)
	if !ok || got.StatusCode != status || got.Code != code || got.Param != param ||
		got.Type == "" || got.Message == "" {
		t.Errorf("got %v, want %d %q at %q", err, status, code, param)
	}
}

func TestOpenAIGoEmbedsTexts(t *testing.T) {
	t.Parallel()
	client := connect(serve(t, upstream{}))
	embedded, err := client.Embeddings.New(t.Context(), openai.EmbeddingNewParams{
		Model: embedder, Dimensions: openai.Int(256),
		Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: []string{"Tea", "Coffee"}},
	})
	check(t, err)
	if len(embedded.Data) != 2 || embedded.Usage.PromptTokens == 0 {
		t.Fatalf("got %s", embedded.RawJSON())
	}
	for _, e := range embedded.Data {
		length := 0.0
		for _, value := range e.Embedding {
			length += value * value
		}
		if len(e.Embedding) != 256 || math.Abs(length-1) > 1e-3 {
			t.Errorf("%d numbers, the square of the length is %v", len(e.Embedding), length)
		}
	}
}
