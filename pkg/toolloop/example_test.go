package toolloop_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/toolloop"
	"github.com/gemwire/gemwire/pkg/websearch"
)

// fakeModel returns a client of a server that answers by a script. Outside of an example:
// gemini.NewClient().
func fakeModel(fixtures ...*fakegemini.Fixture) (client *gemini.Client, stop func()) {
	server, err := fakegemini.Start(fakegemini.WithScript(fixtures...))
	if err != nil {
		log.Fatal(err)
	}
	client, err = server.NewClient()
	if err != nil {
		log.Fatal(err)
	}
	return client, server.Close
}

func ExampleLoop_Run() {
	client, stop := fakeModel(
		fakegemini.On(fakegemini.Turn(0)).Reply(
			fakegemini.Call("get_weather", `{"city":"Porto"}`),
			fakegemini.Call("get_weather", `{"city":"Faro"}`)),
		fakegemini.On(fakegemini.ToolResult("get_weather")).Reply(
			fakegemini.Text("Warmer in Faro.")),
	)
	defer stop()

	type place struct {
		City string `json:"city" jsonschema_description:"name of a city"`
	}
	type weather struct {
		Celsius int `json:"celsius"`
	}
	tool := toolloop.Func("get_weather", "Tells the weather of a city now.",
		func(_ context.Context, p place) (weather, error) {
			return map[string]weather{"Porto": {17}, "Faro": {24}}[p.City], nil
		})

	loop, err := toolloop.New(client, []toolloop.Tool{tool},
		toolloop.WithStep(func(s toolloop.Step) error {
			for _, call := range s.Calls {
				fmt.Printf("step %d: %s: %s\n", s.Number, *call.FunctionCall.Name,
					call.Response.Response)
			}
			return nil
		}))
	if err != nil {
		log.Fatal(err)
	}
	result, err := loop.Run(context.Background(), &geminiapi.GenerateContentRequest{
		Model:    new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserText("Is it warmer in Porto or in Faro?")},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text())
	// Output:
	// step 1: get_weather: {"celsius":17}
	// step 1: get_weather: {"celsius":24}
	// Warmer in Faro.
}

func ExampleLoop_Stream() {
	client, stop := fakeModel(
		fakegemini.On(fakegemini.Turn(0)).Reply(fakegemini.Text("One ", "moment.\n"),
			fakegemini.Call("now", "")),
		fakegemini.On(fakegemini.ToolResult("now")).Reply(fakegemini.Text("It is ", "noon.\n")),
	)
	defer stop()
	now := toolloop.Func("now", "Tells the time.",
		func(context.Context, struct{}) (string, error) { return "12:00", nil })
	loop, err := toolloop.New(client, []toolloop.Tool{now})
	if err != nil {
		log.Fatal(err)
	}
	for event, err := range loop.Stream(context.Background(), &geminiapi.GenerateContentRequest{
		Model:    new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserText("How late is it?")},
	}) {
		switch {
		case err != nil:
			log.Fatal(err)
		case event.Delta != nil && event.Delta.Type == normalize.EventTextDelta:
			fmt.Print(event.Delta.Text) // as it arrives
		case event.Call != nil:
			fmt.Printf("%s: %s\n", *event.Call.FunctionCall.Name, event.Call.Response.Response)
		}
	}
	// Output:
	// One moment.
	// now: {"output":"12:00"}
	// It is noon.
}

// A tool with its own declaration and its own function for calls is a literal, for example the tool
// of package websearch.
func ExampleTool() {
	client, stop := fakeModel(
		fakegemini.On(fakegemini.Turn(0)).Reply(fakegemini.Call(websearch.Name,
			`{"query":"weather in Porto","num":1}`)),
		fakegemini.On(fakegemini.ToolResult(websearch.Name)).Reply(
			fakegemini.Text("Sunny, says weather.example.")),
	)
	defer stop()
	google := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println("searched for:", r.FormValue("q"))
		fmt.Fprint(w, `{"items": [{"title": "Porto", "link": "https://weather.example/porto", "snippet": "Sunny."}]}`)
	}))
	defer google.Close()
	// Outside of an example: websearch.New(websearch.FindCredentials(os.LookupEnv))
	search, err := websearch.New(websearch.NewCredentials("a key", "an engine"),
		websearch.WithBaseURL(google.URL))
	if err != nil {
		log.Fatal(err)
	}

	loop, err := toolloop.New(client,
		[]toolloop.Tool{{Declaration: websearch.Declaration(), Handle: search.Handle}})
	if err != nil {
		log.Fatal(err)
	}
	result, err := loop.Run(context.Background(), &geminiapi.GenerateContentRequest{
		Model:    new("gemini-3.6-flash"),
		Contents: []geminiapi.Content{gemini.UserText("What is the weather in Porto?")},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text())
	// Output:
	// searched for: weather in Porto
	// Sunny, says weather.example.
}
