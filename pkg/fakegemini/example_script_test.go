package fakegemini_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
)

// start returns a client of a server, and a function that closes the server.
func start(opts ...fakegemini.Option) (client *gemini.Client, stop func()) {
	server, err := fakegemini.Start(opts...)
	if err != nil {
		panic(err)
	}
	client, err = server.NewClient()
	if err != nil {
		panic(err)
	}
	return client, server.Close
}

func ofUser(text string) *geminiapi.GenerateContentRequest {
	return &geminiapi.GenerateContentRequest{Model: new("gemini-2.5-flash"),
		Contents: []geminiapi.Content{gemini.UserText(text)}}
}

func ExampleWithScript() {
	client, stop := start(fakegemini.WithScript(
		fakegemini.On(fakegemini.Prompt("capital of Portugal")).Reply(fakegemini.Text("Lisbon.")),
		fakegemini.On().Reply(fakegemini.Text("I do not know.")),
	))
	defer stop()

	for _, prompt := range []string{"What is the capital of Portugal?", "And of Atlantis?"} {
		response, err := client.GenerateContent(context.Background(), ofUser(prompt))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(*response.Candidates[0].Content.Parts[0].Text)
	}
	// Output:
	// Lisbon.
	// I do not know.
}

func ExampleFixture_Reply() {
	client, stop := start(fakegemini.WithScript(
		fakegemini.On().
			Reply(fakegemini.RateLimited(time.Millisecond)).
			Reply(fakegemini.Unavailable()).
			Reply(fakegemini.Text("The third ", "attempt ", "is answered.")),
	))
	defer stop()

	chunks := client.StreamGenerateContent(context.Background(), ofUser("Hello"),
		gemini.WithBackoff(time.Millisecond, time.Millisecond))
	for chunk, err := range chunks {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%q\n", *chunk.Candidates[0].Content.Parts[0].Text)
	}
	// Output:
	// "The third "
	// "attempt "
	// "is answered."
}

func ExampleChance() {
	client, stop := start(fakegemini.WithSeed(7), fakegemini.WithScript(
		fakegemini.On(fakegemini.Chance(0.1)).Reply(fakegemini.Unavailable()),
	))
	defer stop()

	failed := 0
	for range 100 {
		if _, err := client.GenerateContent(context.Background(), ofUser("Hello"),
			gemini.WithMaxAttempts(1)); err != nil {
			failed++
		}
	}
	fmt.Println(failed, "of 100 requests failed")
	// Output: 11 of 100 requests failed
}

func ExampleTruncate() {
	client, stop := start(fakegemini.WithScript(
		fakegemini.On().Reply(fakegemini.Text("This is not "), fakegemini.Truncate()),
	))
	defer stop()

	for chunk, err := range client.StreamGenerateContent(context.Background(), ofUser("Hello")) {
		if err != nil {
			fmt.Println(errors.Is(err, wire.ErrTruncated))
			return
		}
		fmt.Printf("%q\n", *chunk.Candidates[0].Content.Parts[0].Text)
	}
	// Output:
	// "This is not "
	// true
}

func ExampleWithScriptFile() {
	folder, err := os.MkdirTemp("", "fakegemini")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "script.yaml")
	script := "fixtures:\n- match: {promt: Hello}\n  reply: Hello yourself.\n"
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		fmt.Println(err)
		return
	}

	_, err = fakegemini.NewHandler(fakegemini.WithScriptFile(path))
	fmt.Println(err.Error()[len("fakegemini: "+folder+"/"):])
	// Output: script.yaml: script: line 2: /fixtures/0/match/promt: match has no "promt"; did you mean "prompt"?
}
