package geminitest_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

// The tests of this file are the programs of the pages docs/testing*.md.

// tellWeather is the program under test: it lets the model call one function until the model
// answers with a text.
func tellWeather(ctx context.Context, client *gemini.Client, question string) (string, error) {
	request := &geminiapi.GenerateContentRequest{
		Model:    new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserText(question)},
		Tools: []geminiapi.Tool{gemini.FunctionTool(gemini.FunctionDeclaration("get_weather",
			"The weather of a city", nil))},
	}
	for range 5 {
		response, err := client.GenerateContent(ctx, request)
		if err != nil {
			return "", err
		}
		content := response.Candidates[0].Content
		var results []*geminiapi.FunctionResponse
		for _, part := range content.Parts {
			if part.FunctionCall != nil {
				result, err := gemini.FunctionResult(part.FunctionCall,
					map[string]int{"degrees": 21})
				if err != nil {
					return "", err
				}
				results = append(results, result)
			}
		}
		if len(results) == 0 {
			return jsonx.Deref(content.Parts[0].Text), nil
		}
		request.Contents = append(request.Contents, *content, gemini.UserResults(results...))
	}
	return "", errors.New("too many calls")
}

func TestTellWeather(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t,
		geminitest.WithStrict(),
		geminitest.WithAllFixturesUsed(),
		geminitest.WithScript(
			geminitest.On(geminitest.Prompt("weather"), geminitest.Tool("get_weather")).
				Reply(geminitest.Call("get_weather", `{"city": "Porto"}`)),
			geminitest.On(geminitest.ToolResult("get_weather", `"degrees":21`)).
				Reply(geminitest.Text("It has 21 degrees in Porto.")),
		))

	got, err := tellWeather(t.Context(), srv.Client(), "How is the weather in Porto?")
	if err != nil || got != "It has 21 degrees in Porto." {
		t.Errorf("got %q, %v", got, err)
	}
	srv.AssertCalls(2, geminitest.Model("gemini-3.6-flash"))
}

func TestTellWeatherWaitsForItsQuota(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := geminitest.NewServer(t, geminitest.WithScript(
			geminitest.On().Reply(geminitest.RateLimited(20*time.Second)).Reply(
				geminitest.Text("Fine.")),
		))

		start := time.Now()
		got, err := tellWeather(t.Context(), srv.Client(), "How is the weather?")
		if err != nil || got != "Fine." || time.Since(start) < 20*time.Second {
			t.Errorf("got %q, %v after %v", got, err, time.Since(start))
		}
	})
}

func TestAStreamThatIsCut(t *testing.T) {
	t.Parallel()
	srv := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On().Reply(geminitest.Text("It has ", "21 degrees "), geminitest.Cut()),
	))

	var text strings.Builder
	var failed error
	for chunk, err := range srv.Client().StreamGenerateContent(t.Context(),
		&geminiapi.GenerateContentRequest{
			Model:    new("gemini-3.6-flash"),
			Contents: []geminiapi.Content{gemini.UserText("How is the weather?")},
		}) {
		if err != nil {
			failed = err
			break
		}
		text.WriteString(*chunk.Candidates[0].Content.Parts[0].Text)
	}
	if failed == nil || text.String() != "It has 21 degrees " {
		t.Errorf("got %q, %v", text.String(), failed)
	}
}

// tellWeatherWithoutKey is a program that is not a test.
func tellWeatherWithoutKey(ctx context.Context) (string, error) {
	server, err := fakegemini.Start(fakegemini.WithScript(
		fakegemini.On(fakegemini.Prompt("weather")).Reply(fakegemini.Text("Sunny.")),
	))
	if err != nil {
		return "", err
	}
	defer server.Close()
	client, err := server.NewClient()
	if err != nil {
		return "", err
	}
	return tellWeather(ctx, client, "How is the weather in Porto?")
}

func TestTellWeatherWithoutKey(t *testing.T) {
	t.Parallel()
	if got, err := tellWeatherWithoutKey(t.Context()); err != nil || got != "Sunny." {
		t.Errorf("got %q, %v", got, err)
	}
}

var record = flag.Bool("record", false, "record the cassettes anew, with the key of GEMINI_API_KEY")

// The cassette was recorded from a server of this package, so it contains nothing of Google's.
func TestTellWeatherAsItWasRecorded(t *testing.T) {
	t.Parallel()
	mode, key := geminitest.Replay, "any"
	if *record {
		mode, key = geminitest.RecordAll, os.Getenv("GEMINI_API_KEY")
	}
	srv := geminitest.NewServer(t, geminitest.WithCassette("testdata/weather.yaml", mode))

	got, err := tellWeather(t.Context(), srv.Client(gemini.WithAPIKey(key)),
		"How is the weather in Porto?")
	if err != nil || !strings.Contains(got, "21") {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestTheDocumentedProgramsAreThoseOfTheTests(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/testing*.md")
	if err != nil {
		t.Fatal(err)
	}
	var document string
	for _, page := range pages {
		document += read(t, page)
	}
	source := flat(read(t, "documented_test.go"))
	goBlocks, yamlBlocks := blocks(document, "go"), blocks(document, "yaml")
	if len(goBlocks) < 4 || len(yamlBlocks) < 2 {
		t.Fatalf("%d programs, %d scripts", len(goBlocks), len(yamlBlocks))
	}
	for _, block := range goBlocks {
		if !strings.Contains(source, flat(block)) {
			t.Errorf("no test has\n%s", block)
		}
	}
	for _, block := range yamlBlocks {
		path := filepath.Join(t.TempDir(), "script.yaml")
		if err := os.WriteFile(path, []byte(block), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := fakegemini.NewHandler(fakegemini.WithScriptFile(path)); err != nil {
			t.Errorf("%v in\n%s", err, block)
		}
	}
}

// blocks returns the code blocks in a language.
func blocks(document, language string) []string {
	var found []string
	for _, rest := range strings.Split(document, "```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(rest, "```")
		found = append(found, block)
	}
	return found
}

// flat is a text without white space, because tests and documents break lines differently.
func flat(text string) string { return strings.Join(strings.Fields(text), "") }

func TestFixtureIsWhatGeminiSends(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("testdata/fixtures/answer.json")
	if err != nil {
		t.Fatal(err)
	}
	geminitest.CheckResponse(t, body)
}
