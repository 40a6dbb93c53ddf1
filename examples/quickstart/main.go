// Command quickstart is the first program of the README: it asks Gemini, and prints the answer
// whole, and once more while it is written.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

func main() {
	ctx := context.Background()

	// A fake Gemini answers within this program, so that it runs without a key. With a key in
	// GEMINI_API_KEY it is Gemini itself: client, err := gemini.NewClient()
	server, err := fakegemini.Start()
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	client, err := server.NewClient()
	if err != nil {
		log.Fatal(err)
	}

	request := &geminiapi.GenerateContentRequest{
		Model:             new("gemini-3.6-flash"),
		SystemInstruction: gemini.SystemInstruction("You answer in one sentence."),
		Contents:          []geminiapi.Content{gemini.UserText("Why is the sky blue?")},
	}
	response, err := client.GenerateContent(ctx, request)
	if err != nil {
		log.Fatal(err) // a *gemini.Error has the status, and how long to wait
	}

	// The meaning: text, calls, thoughts, sources, why it ended, what it cost.
	answer, err := normalize.FromResponse(response)
	if err != nil {
		log.Fatal(err) // a *normalize.BlockedError for a prompt that was refused
	}
	fmt.Println(answer.Text())
	fmt.Println("tokens:", answer.Usage.InputTokens, "in,", answer.Usage.OutputTokens, "out")

	// The same while it is written.
	for event := range normalize.Events(client.StreamGenerateContent(ctx, request)) {
		switch event.Type {
		case normalize.EventTextDelta:
			fmt.Print(event.Text)
		case normalize.EventError:
			log.Fatal(event.Error)
		}
	}
	fmt.Println()
}
