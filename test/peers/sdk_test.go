package peers_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	goopenai "github.com/sashabaranov/go-openai"
	"google.golang.org/genai"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// sdk is a column of the table: a client that reads the streams of its API.
type sdk struct {
	name   string
	module string
	format format
	// ask asks for an answer by a client of HTTP, adds what it gets to the outcome, and returns the
	// error that a program sees.
	ask func(ctx context.Context, over *http.Client, got *outcome) error
}

// outcome is the result of a stream for a program.
type outcome struct {
	text strings.Builder
	// ended is set if the program learned why the answer ended.
	ended bool
	// headless says that the answer ended and had never begun, on a wire that has an event for
	// each.
	headless bool
}

// sdks are the columns. Ours is the first.
var sdks = []sdk{
	{"gemwire", "", geminiWire, askGemwire},
	{"genai", "google.golang.org/genai", geminiWire, askGenai},
	{"openai-go", "github.com/openai/openai-go/v3", openaiWire, askOpenAI},
	{"go-openai", "github.com/sashabaranov/go-openai", openaiWire, askGoOpenAI},
	{"anthropic-sdk-go", "github.com/anthropics/anthropic-sdk-go", anthropicWire, askAnthropic},
}

func askGemwire(ctx context.Context, over *http.Client, got *outcome) error {
	client, err := gemini.NewClient(gemini.WithAPIKey("none"), gemini.WithHTTPClient(over),
		gemini.WithMaxAttempts(1))
	if err != nil {
		return err
	}
	request := &geminiapi.GenerateContentRequest{Model: new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserText("Hello")}}
	for chunk, err := range client.StreamGenerateContent(ctx, request) {
		if err != nil {
			return err
		}
		for _, candidate := range chunk.Candidates {
			got.ended = got.ended || candidate.FinishReason != nil
			if candidate.Content != nil {
				for _, part := range candidate.Content.Parts {
					if part.Text != nil {
						got.text.WriteString(*part.Text)
					}
				}
			}
		}
	}
	return nil
}

func askGenai(ctx context.Context, over *http.Client, got *outcome) error {
	client, err := genai.NewClient(ctx,
		&genai.ClientConfig{APIKey: "none", Backend: genai.BackendGeminiAPI, HTTPClient: over})
	if err != nil {
		return err
	}
	for chunk, err := range client.Models.GenerateContentStream(ctx, "gemini-3.6-flash",
		genai.Text("Hello"), nil) {
		if err != nil {
			return err
		}
		got.text.WriteString(chunk.Text())
		got.ended = got.ended || len(chunk.Candidates) > 0 && chunk.Candidates[0].FinishReason != ""
	}
	return nil
}

func askOpenAI(ctx context.Context, over *http.Client, got *outcome) error {
	client := openai.NewClient(option.WithAPIKey("none"), option.WithMaxRetries(0),
		option.WithHTTPClient(over))
	stream := client.Chat.Completions.NewStreaming(ctx, openai.ChatCompletionNewParams{
		Model: "m", Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Hello")},
	})
	defer stream.Close()
	for stream.Next() {
		for _, choice := range stream.Current().Choices {
			got.text.WriteString(choice.Delta.Content)
			got.ended = got.ended || choice.FinishReason != ""
		}
	}
	return stream.Err()
}

func askGoOpenAI(ctx context.Context, over *http.Client, got *outcome) error {
	config := goopenai.DefaultConfig("none")
	config.HTTPClient = over
	stream, err := goopenai.NewClientWithConfig(config).CreateChatCompletionStream(ctx,
		goopenai.ChatCompletionRequest{
			Model: "m", Messages: []goopenai.ChatCompletionMessage{{Role: "user",
				Content: "Hello"}},
		})
	if err != nil {
		return err
	}
	defer stream.Close()
	for {
		chunk, err := stream.Recv()
		if err != nil {
			return withoutEOF(err)
		}
		for _, choice := range chunk.Choices {
			got.text.WriteString(choice.Delta.Content)
			got.ended = got.ended || choice.FinishReason != ""
		}
	}
}

func askAnthropic(ctx context.Context, over *http.Client, got *outcome) error {
	client := anthropic.NewClient(anthropicoption.WithAPIKey("none"),
		anthropicoption.WithMaxRetries(0), anthropicoption.WithHTTPClient(over))
	stream := client.Messages.NewStreaming(ctx, anthropic.MessageNewParams{
		Model: "m", MaxTokens: 100,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("Hello"))},
	})
	defer stream.Close()
	begun := false
	for stream.Next() {
		event := stream.Current()
		begun = begun || event.Type == "message_start"
		got.text.WriteString(event.Delta.Text)
		got.ended = got.ended || event.Type == "message_stop"
	}
	got.headless = got.ended && !begun
	return stream.Err()
}

// withoutEOF takes the error by which a library says that a stream is over for none.
func withoutEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
