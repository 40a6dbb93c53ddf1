// Command minimal asks Gemini a question, whole and as a stream, and imports only package gemini.
// Its test checks that the program is as small as the package promises.
//
//	GEMINI_API_KEY=... go run ./examples/minimal "Why is the sky blue?"
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
)

func main() {
	if err := run(context.Background(), strings.Join(os.Args[1:], " ")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, question string) error {
	client, err := gemini.NewClient(gemini.WithModel("gemini-3.6-flash"))
	if err != nil {
		return err
	}
	req := &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{gemini.UserText(question)}}
	response, err := client.GenerateContent(ctx, req)
	if err != nil {
		return err
	}
	show(response)
	for chunk, err := range client.StreamGenerateContent(ctx, req) {
		if err != nil {
			return err
		}
		show(chunk)
	}
	return nil
}

// show prints the texts of an answer.
func show(response *geminiapi.GenerateContentResponse) {
	for _, candidate := range response.Candidates {
		if candidate.Content == nil {
			continue
		}
		for _, part := range candidate.Content.Parts {
			if part.Text != nil {
				fmt.Print(*part.Text)
			}
		}
	}
	fmt.Println()
}
