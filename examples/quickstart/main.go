// Command quickstart asks Gemini a question twice, and prints the first answer as a whole and the
// second one as a stream. It is the first program of the README.
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

	// This fake Gemini server runs inside the program, so the program needs no key. To call Gemini
	// itself, set GEMINI_API_KEY and use: client, err := gemini.NewClient()
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

	// answer has the text, calls, thoughts, sources, finish reason and token counts.
	answer, err := normalize.FromResponse(response)
	if err != nil {
		log.Fatal(err) // a *normalize.BlockedError for a prompt that was refused
	}
	fmt.Println(answer.Text())
	fmt.Println("tokens:", answer.Usage.InputTokens, "in,", answer.Usage.OutputTokens, "out")

	// Send the same request again, and read the answer as a stream.
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
