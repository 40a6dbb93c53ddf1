package gemini_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// fakeServer returns a server that answers from fixtures. Its NewClient replaces gemini.NewClient
// in these examples.
func fakeServer(fixtures ...*fakegemini.Fixture) *fakegemini.Server {
	server, err := fakegemini.Start(fakegemini.WithScript(fixtures...))
	if err != nil {
		log.Fatal(err)
	}
	return server
}

func ExampleClient_GenerateContent() {
	client, stop := fakeService() // outside of an example: gemini.NewClient()
	defer stop()

	response, err := client.GenerateContent(context.Background(), &geminiapi.GenerateContentRequest{
		Model:    new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserText("Why is the sky blue?")},
	})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := normalize.FromResponse(response)
	if err != nil {
		log.Fatal(err) // a *normalize.BlockedError for a prompt that was refused
	}
	fmt.Println(answer.Text())
	fmt.Println(answer.FinishReason(), answer.Usage.OutputTokens)
	// Output:
	// You said: Why is the sky blue?
	// stop 9
}

func ExampleClient_StreamGenerateContent() {
	server := fakeServer(fakegemini.On().Reply(fakegemini.Text("Rayleigh ", "scattering.")))
	defer server.Close()
	client, err := server.NewClient(gemini.WithModel("gemini-3.6-flash"))
	if err != nil {
		log.Fatal(err)
	}

	request := &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{gemini.UserText("Why is the sky blue?")}}
	for event := range normalize.Events(client.StreamGenerateContent(context.Background(),
		request)) {
		switch event.Type {
		case normalize.EventTextDelta:
			fmt.Printf("%q\n", event.Text)
		case normalize.EventFinish:
			fmt.Println(event.FinishReason)
		case normalize.EventError:
			log.Fatal(event.Error)
		}
	}
	// Output:
	// "Rayleigh "
	// "scattering."
	// stop
}

func ExampleSystemInstruction() {
	server := fakeServer(fakegemini.On(fakegemini.System("pirate")).Reply(fakegemini.Text("Arr, the light be scattered!")))
	defer server.Close()
	client, err := server.NewClient()
	if err != nil {
		log.Fatal(err)
	}

	response, err := client.GenerateContent(context.Background(), &geminiapi.GenerateContentRequest{
		Model:             new("gemini-3.6-flash"),
		SystemInstruction: gemini.SystemInstruction("Answer like a pirate."),
		Contents:          []geminiapi.Content{gemini.UserText("Why is the sky blue?")},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*response.Candidates[0].Content.Parts[0].Text)
	// Output: Arr, the light be scattered!
}

// Send an image with a question.
func ExampleInlineDataPart() {
	server := fakeServer(fakegemini.On(fakegemini.Prompt("picture")).Reply(fakegemini.Text("A single dot.")))
	defer server.Close()
	client, err := server.NewClient()
	if err != nil {
		log.Fatal(err)
	}

	// os.ReadFile("photo.png"), or any other bytes.
	image, err := base64.StdEncoding.DecodeString(
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")
	if err != nil {
		log.Fatal(err)
	}
	response, err := client.GenerateContent(context.Background(), &geminiapi.GenerateContentRequest{
		Model: new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserParts(
			gemini.InlineDataPart("image/png", image),
			gemini.TextPart("What is in this picture?"),
		)},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*response.Candidates[0].Content.Parts[0].Text)
	// Output: A single dot.
}

// The model reads the pages of a PDF as pictures. Upload a PDF above 20 MB first, see Files.Upload.
func ExampleInlineDataPart_pdf() {
	server := fakeServer(fakegemini.On(fakegemini.Prompt("Summarise")).Reply(fakegemini.Text("It is about tides.")))
	defer server.Close()
	client, err := server.NewClient()
	if err != nil {
		log.Fatal(err)
	}

	document := []byte("%PDF-1.7 ...") // os.ReadFile("report.pdf")
	response, err := client.GenerateContent(context.Background(), &geminiapi.GenerateContentRequest{
		Model: new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserParts(
			gemini.InlineDataPart("application/pdf", document),
			gemini.TextPart("Summarise this in one sentence."),
		)},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*response.Candidates[0].Content.Parts[0].Text)
	// Output: It is about tides.
}

// The model calls a function, the program runs it, and the model answers with the result. Package
// toolloop does this automatically.
func ExampleFunctionTool() {
	client, stop := fakeService() // outside of an example: gemini.NewClient()
	defer stop()

	parameters := jsontext.Value(`{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}`)
	request := &geminiapi.GenerateContentRequest{
		Model:    new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserText(`get_weather {"city": "Porto"}`)},
		Tools: []geminiapi.Tool{gemini.FunctionTool(gemini.FunctionDeclaration("get_weather",
			"Tells the weather.", parameters))},
	}
	for {
		response, err := client.GenerateContent(context.Background(), request)
		if err != nil {
			log.Fatal(err)
		}
		turn := response.Candidates[0].Content
		var results []*geminiapi.FunctionResponse
		for _, part := range turn.Parts {
			if part.FunctionCall == nil {
				continue
			}
			var args struct {
				City string `json:"city"`
			}
			if err := json.Unmarshal(part.FunctionCall.Args, &args); err != nil {
				log.Fatal(err)
			}
			fmt.Println("called:", *part.FunctionCall.Name, args.City)
			result, err := gemini.FunctionResult(part.FunctionCall,
				map[string]string{"weather": "sunny in " + args.City})
			if err != nil {
				log.Fatal(err)
			}
			results = append(results, result)
		}
		if results == nil {
			fmt.Println(*turn.Parts[0].Text)
			return
		}
		// Send the turn back unchanged, with its thought signatures.
		request.Contents = append(request.Contents, *turn, gemini.UserResults(results...))
	}
	// Output:
	// called: get_weather Porto
	// get_weather returned {"weather":"sunny in Porto"}.
}

// The amount of thinking is a level for some models and a budget for others. The table of models
// knows which.
func ExampleClient_GenerateContent_thinking() {
	server := fakeServer(fakegemini.On().Reply(fakegemini.Thought("Light is scattered."),
		fakegemini.Text("Because of the air.")))
	defer server.Close()
	client, err := server.NewClient()
	if err != nil {
		log.Fatal(err)
	}

	model := "gemini-3.6-flash"
	thinking := models.At(model, models.GeminiAPI,
		time.Now()).Traits.Thinking.Config(models.AmountLow)
	thinking.IncludeThoughts = new(true)
	response, err := client.GenerateContent(context.Background(), &geminiapi.GenerateContentRequest{
		Model:            &model,
		Contents:         []geminiapi.Content{gemini.UserText("Why is the sky blue?")},
		GenerationConfig: &geminiapi.GenerationConfig{ThinkingConfig: thinking},
	})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := normalize.FromResponse(response)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("thought:", answer.Candidates[0].Thinking())
	fmt.Println(answer.Text())
	// Output:
	// thought: Light is scattered.
	// Because of the air.
}

// The sources of an answer become links after the sentences that they support.
func ExampleClient_GenerateContent_grounding() {
	client, stop := fakeService() // outside of an example: gemini.NewClient()
	defer stop()

	response, err := client.GenerateContent(context.Background(), &geminiapi.GenerateContentRequest{
		Model:    new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserText("Who won?")},
		Tools:    []geminiapi.Tool{{GoogleSearch: &geminiapi.GoogleSearch{}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := normalize.FromResponse(response)
	if err != nil {
		log.Fatal(err)
	}
	first := answer.Candidates[0]
	text := []rune(first.Text()) // of which spans count characters
	for _, support := range slices.Backward(first.Grounding.Supports) {
		var links []rune
		for _, source := range support.Sources {
			links = append(links,
				[]rune(fmt.Sprintf(" [%d](%s)", source+1, first.Grounding.Sources[source].URI))...)
		}
		text = slices.Insert(text, support.End, links...)
	}
	fmt.Println(string(text))
	// Output: You said: Who won? [1](https://example.com/first) [2](https://example.org/second)
}

func ExampleClient_CountTokens() {
	client, stop := fakeService() // outside of an example: gemini.NewClient()
	defer stop()

	counted, err := client.CountTokens(context.Background(), &geminiapi.CountTokensRequest{
		Model:    new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserText("Why is the sky blue?")},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*counted.TotalTokens)
	// Output: 6
}

// tokenOfExample replaces vertexauth.New(), which finds the Application Default Credentials.
type tokenOfExample struct{}

func (tokenOfExample) Token(context.Context) (string, error) { return "a token", nil }

// Call a method that the client does not have, with the client's credential and limits.
func ExampleClient_Forward() {
	client, stop := fakeService() // outside of an example: gemini.NewClient()
	defer stop()

	reply, err := client.Forward(context.Background(), &gemini.ForwardRequest{
		Method: http.MethodPost,
		Model:  "gemini-3.6-flash",
		Verb:   "countTokens",
		Header: http.Header{"Content-Type": {"application/json"}},
		Body:   []byte(`{"contents":[{"parts":[{"text":"Why is the sky blue?"}]}]}`),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer reply.Close()
	body, err := io.ReadAll(reply)
	if err != nil {
		log.Fatal(err)
	}
	counts, err := gemini.DecodeCountTokensResponse(body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.HTTPStatus, *counts.TotalTokens)
	// Output: 200 6
}

func ExampleWithVertexAI() {
	server := fakeServer()
	defer server.Close()

	client, err := gemini.NewClient(
		gemini.WithVertexAI("my-project", "europe-west4"),
		gemini.WithTokenSource(tokenOfExample{}),
		gemini.WithHTTPClient(server.HTTPClient()), // the example's server in place of Google's
	)
	if err != nil {
		log.Fatal(err)
	}
	response, err := client.GenerateContent(context.Background(), &geminiapi.GenerateContentRequest{
		Model:    new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserText("Hello")},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*response.Candidates[0].Content.Parts[0].Text)
	fmt.Println(server.Requests()[0].URL.Path)
	// Output:
	// You said: Hello
	// /v1/projects/my-project/locations/europe-west4/publishers/google/models/gemini-3.6-flash:generateContent
}

// The client retries while the server is busy, up to the overall timeout.
func ExampleWithMaxAttempts() {
	server := fakeServer(fakegemini.On().
		Reply(fakegemini.RateLimited(time.Millisecond)).
		Reply(fakegemini.Unavailable()).
		Reply(fakegemini.Text("Here I am.")))
	defer server.Close()

	client, err := server.NewClient(
		gemini.WithMaxAttempts(5),
		// unless the server says how long to wait
		gemini.WithBackoff(time.Millisecond, time.Second),
		gemini.WithMaxServerWait(30*time.Second), // beyond which the call fails at once
		gemini.WithTimeout(2*time.Minute),        // of all attempts
		// of each, up to the first chunk of a stream
		gemini.WithAttemptTimeout(40*time.Second),
		gemini.WithStreamIdleTimeout(20*time.Second), // between the chunks of a stream
	)
	if err != nil {
		log.Fatal(err)
	}
	response, err := client.GenerateContent(context.Background(), &geminiapi.GenerateContentRequest{
		Model:    new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserText("Hello?")},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*response.Candidates[0].Content.Parts[0].Text)
	fmt.Println(len(server.Requests()), "requests")
	// Output:
	// Here I am.
	// 3 requests
}

// A server error is an *Error, and any other failure is a *CallError. Both have a category.
func ExampleError() {
	server := fakeServer(
		fakegemini.On(fakegemini.Prompt("much")).Reply(fakegemini.DailyQuota(time.Hour)),
		fakegemini.On(fakegemini.Prompt("nothing")).Reply(fakegemini.EmptyBody(http.StatusOK)),
	)
	defer server.Close()
	client, err := server.NewClient(gemini.WithMaxAttempts(1))
	if err != nil {
		log.Fatal(err)
	}

	for _, prompt := range []string{"much", "nothing", "[block prompt: SAFETY]"} {
		response, err := client.GenerateContent(context.Background(),
			&geminiapi.GenerateContentRequest{
				Model:    new("gemini-3.6-flash"),
				Contents: []geminiapi.Content{gemini.UserText(prompt)},
			})
		if reported, ok := errors.AsType[*gemini.Error](err); ok {
			fmt.Println(gemini.CategoryOf(err), reported.HTTPStatus, reported.Status, "retry after",
				reported.RetryAfter)
		} else if failed, ok := errors.AsType[*gemini.CallError](err); ok {
			fmt.Println(gemini.CategoryOf(err), failed)
		}
		if err != nil {
			continue
		}
		_, err = normalize.FromResponse(response)
		if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
			fmt.Println(blocked.Category(), blocked.Reason)
		}
	}
	// Output:
	// rate_limit 429 RESOURCE_EXHAUSTED retry after 1h0m0s
	// network gemini: generateContent: the body is empty
	// content_filter SAFETY
}
