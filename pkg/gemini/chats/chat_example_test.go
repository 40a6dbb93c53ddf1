package chats_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/chats"
)

func ExampleChat() {
	server, err := fakegemini.Start(fakegemini.WithScript(
		fakegemini.On(fakegemini.Prompt("My name")).Reply(
			fakegemini.Text("Nice to meet you, Ana.")),
		fakegemini.On(fakegemini.Prompt("Who am I?")).Reply(fakegemini.Text("You are ", "Ana.")),
	))
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	client, err := server.NewClient() // outside of an example: gemini.NewClient()
	if err != nil {
		log.Fatal(err)
	}

	chat := chats.New(client, &geminiapi.GenerateContentRequest{Model: new("gemini-3.6-flash")},
		chats.WithTokenBudget(100_000, chats.KeepLastTurns(20)))
	response, err := chat.Send(context.Background(), gemini.UserText("My name is Ana."))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*response.Candidates[0].Content.Parts[0].Text)

	for chunk, err := range chat.Stream(context.Background(), gemini.UserText("Who am I?")) {
		if err != nil {
			log.Fatal(err)
		}
		for _, candidate := range chunk.Candidates {
			for _, part := range candidate.Content.Parts {
				if part.Text != nil {
					fmt.Print(*part.Text)
				}
			}
		}
	}
	fmt.Println()
	fmt.Println("turns:", len(chat.History().Contents))
	// Output:
	// Nice to meet you, Ana.
	// You are Ana.
	// turns: 4
}
