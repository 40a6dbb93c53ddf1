package bench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	anyllmconfig "github.com/mozilla-ai/any-llm-go/config"
	"github.com/mozilla-ai/any-llm-go/providers"
	anyllmgemini "github.com/mozilla-ai/any-llm-go/providers/gemini"
	openaigo "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"google.golang.org/genai"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

const (
	model    = "gemini-2.5-flash"
	question = "How do I cook rice?"
	baseURL  = "http://gemini.example/v1beta/"
)

// reference is the tool that every tool is compared with.
const reference = "gemwire-http"

// tool is one of the libraries that the benchmark measures.
type tool struct {
	name string
	// writes is the form of an exchange's output.
	writes form
	// prepare does the work that a program does once, such as making a client. body is the answer
	// that Gemini sends.
	prepare func(tb testing.TB, body []byte) exchange
}

// exchange asks and handles one answer.
type exchange func(ctx context.Context, w io.Writer) error

type form int

const (
	// text is the model's text alone, for tools that return Go values.
	text form = iota
	// events is the body of a streamed completion.
	events
)

var tools = []tool{
	{"gemwire", events, prepareGemwire},
	{"gemwire-http", events, prepareGemwireHTTP},
	{"any-llm-go", text, prepareAnyLLM},
	{"any-llm-go-bytes", events, prepareAnyLLMBytes},
	{"genai", text, prepareGenai},
	{"openai-go", text, prepareOpenAI},
}

func toolNamed(tb testing.TB, name string) tool {
	tb.Helper()
	for _, tool := range tools {
		if tool.name == name {
			return tool
		}
	}
	tb.Fatalf("no tool %s", name)
	return tool{}
}

func prepareGemwire(_ testing.TB, body []byte) exchange {
	return func(_ context.Context, w io.Writer) error { return convert(w, readerOf(body)) }
}

// prepareGemwireHTTP does all that a gateway does for a client's request: it converts and sends it,
// and converts the answer.
func prepareGemwireHTTP(tb testing.TB, body []byte) exchange {
	client := clientOf(body)
	in, err := openai.DecodeRequest(fmt.Appendf(nil,
		`{"model":%q,"messages":[{"role":"user","content":%q}]}`, model, question))
	check(tb, err)
	return func(ctx context.Context, w io.Writer) error {
		converted, _, err := request.ToGemini(in)
		if err != nil {
			return err
		}
		data, err := gemini.EncodeRequest(converted)
		if err != nil {
			return err
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodPost,
			baseURL+"models/"+model+":streamGenerateContent?alt=sse", bytes.NewReader(data))
		if err != nil {
			return err
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("x-goog-api-key", "none")
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		return convert(w, response.Body)
	}
}

func convert(w io.Writer, body io.Reader) error {
	_, err := chat.WriteStream(w, gemini.NewStreamReader(body).All(), chat.WithUsage())
	return err
}

// prepareAnyLLM takes the chunks as they come, as Go values.
func prepareAnyLLM(tb testing.TB, body []byte) exchange {
	ask := askAnyLLM(tb, body)
	return func(ctx context.Context, w io.Writer) error {
		return ask(ctx, func(chunk *providers.ChatCompletionChunk) error {
			for i := range chunk.Choices {
				if _, err := io.WriteString(w, chunk.Choices[i].Delta.Content); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// prepareAnyLLMBytes also writes the chunks, as a gateway built on them has to.
func prepareAnyLLMBytes(tb testing.TB, body []byte) exchange {
	ask := askAnyLLM(tb, body)
	return func(ctx context.Context, w io.Writer) error {
		err := ask(ctx, func(chunk *providers.ChatCompletionChunk) error {
			data, err := json.Marshal(chunk)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(w, "data: %s\n\n", data)
			return err
		})
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, "data: [DONE]\n\n")
		return err
	}
}

// askAnyLLM returns a function that asks once and calls handle with each chunk.
func askAnyLLM(tb testing.TB, body []byte) func(context.Context,
	func(*providers.ChatCompletionChunk) error) error {
	provider, err := anyllmgemini.New(anyllmconfig.WithAPIKey("none"),
		anyllmconfig.WithHTTPClient(clientOf(body)))
	check(tb, err)
	params := providers.CompletionParams{
		Model:    model,
		Messages: []providers.Message{{Role: providers.RoleUser, Content: question}},
		Stream:   true,
	}
	return func(ctx context.Context, handle func(*providers.ChatCompletionChunk) error) error {
		ctx, cancel := context.WithCancel(ctx) // ends the provider's goroutine when handle fails
		defer cancel()
		chunks, errs := provider.CompletionStream(ctx, params)
		for chunk := range chunks {
			if err := handle(&chunk); err != nil {
				return err
			}
		}
		return <-errs
	}
}

func prepareGenai(tb testing.TB, body []byte) exchange {
	client, err := genai.NewClient(tb.Context(), &genai.ClientConfig{
		APIKey: "none", Backend: genai.BackendGeminiAPI, HTTPClient: clientOf(body),
	})
	check(tb, err)
	return func(ctx context.Context, w io.Writer) error {
		for response, err := range client.Models.GenerateContentStream(ctx, model,
			genai.Text(question), nil) {
			if err != nil {
				return err
			}
			if _, err := io.WriteString(w, response.Text()); err != nil {
				return err
			}
		}
		return nil
	}
}

// prepareOpenAI reads what gemwire makes of the stream, as a client of a gateway does. It converts
// nothing.
func prepareOpenAI(tb testing.TB, body []byte) exchange {
	var converted bytes.Buffer
	check(tb, convert(&converted, readerOf(body)))
	client := openaigo.NewClient(option.WithAPIKey("none"), option.WithMaxRetries(0),
		option.WithBaseURL(baseURL), option.WithHTTPClient(clientOf(converted.Bytes())))
	params := openaigo.ChatCompletionNewParams{
		Model:         model,
		Messages:      []openaigo.ChatCompletionMessageParamUnion{openaigo.UserMessage(question)},
		StreamOptions: openaigo.ChatCompletionStreamOptionsParam{IncludeUsage: openaigo.Bool(true)},
	}
	return func(ctx context.Context, w io.Writer) error {
		stream := client.Chat.Completions.NewStreaming(ctx, params)
		defer stream.Close()
		for stream.Next() {
			for _, choice := range stream.Current().Choices {
				if _, err := io.WriteString(w, choice.Delta.Content); err != nil {
					return err
				}
			}
		}
		return stream.Err()
	}
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
