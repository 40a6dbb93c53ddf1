package provider_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/provider"
)

// fakeModel returns a client of a server that answers by a script. Outside of an example:
// gemini.NewClient().
func fakeModel(blocks ...fakegemini.Block) (client *gemini.Client, stop func()) {
	server, err := fakegemini.Start(fakegemini.WithScript(fakegemini.On().Reply(blocks...)))
	if err != nil {
		log.Fatal(err)
	}
	client, err = server.NewClient(gemini.WithMaxAttempts(1))
	if err != nil {
		log.Fatal(err)
	}
	return client, server.Close
}

// exampleQuestion is a request.
func exampleQuestion() *geminiapi.GenerateContentRequest {
	return &geminiapi.GenerateContentRequest{
		Model:    new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserText("Say hello.")},
	}
}

func ExampleProvider_StartStream() {
	client, stop := fakeModel(fakegemini.Text("Hello, ", "world."))
	defer stop()
	p := provider.New(client)
	onEvent := func(_ *provider.Call, e normalize.Event) error {
		switch e.Type {
		case normalize.EventTextDelta:
			fmt.Printf("%q\n", e.Text)
		case normalize.EventDone:
			fmt.Println("done:", e.FinishReason)
		}
		return nil
	}
	onDone := func(_ *provider.Call,
		c provider.Completion) {
		fmt.Println("success:", c.Success, c.HTTPStatus)
	}
	call, err := p.StartStream(context.Background(), exampleQuestion(), onEvent, onDone)
	if err != nil {
		log.Fatal(err)
	}
	<-call.Done()
	// Output:
	// "Hello, "
	// "world."
	// done: stop
	// success: true 200
}

// In a program with its own event loop, only Poll calls the callbacks.
func ExampleProvider_Poll() {
	client, stop := fakeModel(fakegemini.Text("Hello."))
	defer stop()
	p := provider.New(client, provider.WithPolling())
	_, err := p.StartRequest(context.Background(), exampleQuestion(),
		func(_ *provider.Call, c provider.Completion) {
			fmt.Println(c.Response.Text())
		})
	if err != nil {
		log.Fatal(err)
	}
	for p.Running() > 0 {
		<-p.Ready() // or anything else that the program waits for
		p.Poll()
	}
	// Output:
	// Hello.
}

func ExampleCompletion() {
	client, stop := fakeModel(fakegemini.Error(429, "RESOURCE_EXHAUSTED", "Slow down."))
	defer stop()
	call, err := provider.New(client).StartRequest(context.Background(), exampleQuestion(),
		func(_ *provider.Call, c provider.Completion) {
			fmt.Println(c.Success, c.HTTPStatus, c.Category, c.Message, c.RetryAfterMS)
		})
	if err != nil {
		log.Fatal(err)
	}
	<-call.Done()
	// Output:
	// false 429 rate_limit 429: Slow down. -1
}
