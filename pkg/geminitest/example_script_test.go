package geminitest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/wire"
)

// outsideATest runs a fake server without a test. In a test, geminitest.NewServer(t, opts...) does all of this, and its
// Client is a client of it.
func outsideATest(opts ...geminitest.Option) (client *gemini.Client, stop func()) {
	handler, err := geminitest.NewHandler(opts...)
	if err != nil {
		panic(err)
	}
	server := httptest.NewServer(handler)
	client, err = gemini.NewClient(gemini.WithAPIKey("any"), gemini.WithBaseURL(server.URL), gemini.WithHTTPClient(server.Client()))
	if err != nil {
		panic(err)
	}
	return client, server.Close
}

func ofUser(text string) *geminiapi.GenerateContentRequest {
	return &geminiapi.GenerateContentRequest{Model: new("gemini-2.5-flash"), Contents: []geminiapi.Content{gemini.UserText(text)}}
}

func ExampleWithScript() {
	client, stop := outsideATest(geminitest.WithScript(
		geminitest.On(geminitest.Prompt("capital of Portugal")).Reply(geminitest.Text("Lisbon.")),
		geminitest.On().Reply(geminitest.Text("I do not know.")),
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
	client, stop := outsideATest(geminitest.WithScript(
		geminitest.On().
			Reply(geminitest.RateLimited(time.Millisecond)).
			Reply(geminitest.Unavailable()).
			Reply(geminitest.Text("The third ", "attempt ", "is answered.")),
	))
	defer stop()

	chunks := client.StreamGenerateContent(context.Background(), ofUser("Hello"), gemini.WithBackoff(time.Millisecond, time.Millisecond))
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

func ExampleTruncate() {
	client, stop := outsideATest(geminitest.WithScript(
		geminitest.On().Reply(geminitest.Text("This is not "), geminitest.Truncate()),
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
	folder, err := os.MkdirTemp("", "geminitest")
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

	_, err = geminitest.NewHandler(geminitest.WithScriptFile(path))
	fmt.Println(err.Error()[len("geminitest: "+folder+"/"):])
	// Output: script.yaml: script: line 2: /fixtures/0/match/promt: match has no "promt"; did you mean "prompt"?
}

func ExampleWithCassette() {
	client, stop := outsideATest(geminitest.WithCassette("testdata/weather.yaml", geminitest.Replay))
	defer stop()

	answer, err := tellWeather(context.Background(), client, "How is the weather in Porto?")
	fmt.Println(answer, err)
	_, err = tellWeather(context.Background(), client, "And in Lisbon?")
	fmt.Println(gemini.CategoryOf(err))
	// Output:
	// It has 21 degrees in Porto. <nil>
	// invalid_arg
}
