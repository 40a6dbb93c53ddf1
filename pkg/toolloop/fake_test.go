package toolloop_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/toolloop"
)

// threeSteps calls two functions, then one, and then answers. The fake server signs calls for
// Gemini 3. It refuses a returned turn if a signature is changed or missing, or if a result belongs
// to no call.
func threeSteps(t *testing.T) *geminitest.Server {
	t.Helper()
	return geminitest.NewServer(t, geminitest.WithStrict(), geminitest.WithAllFixturesUsed(),
		geminitest.WithScript(
			geminitest.On(geminitest.Turn(0)).Reply(geminitest.Thought("Two cities."),
				geminitest.Text("Let me ", "look."),
				geminitest.Call("get_weather", `{"city":"Porto"}`),
				geminitest.Call("get_weather", `{"city":"Faro"}`)),
			geminitest.On(geminitest.ToolResult("get_weather",
				"sunny in Porto")).Reply(geminitest.Call("get_weather", `{"city":"Lisbon"}`)),
			geminitest.On(geminitest.ToolResult("get_weather",
				"sunny in Lisbon")).Reply(geminitest.Text("Sunny in all of them.")),
		))
}

func weatherQuestion(model string) *geminiapi.GenerateContentRequest {
	return &geminiapi.GenerateContentRequest{Model: &model,
		Contents: []geminiapi.Content{gemini.UserText("Where is it sunny?")}}
}

func TestSignaturesHoldOverThreeStepsWithTheRealClient(t *testing.T) {
	t.Parallel()
	for _, model := range []string{"gemini-3.6-flash", "gemini-2.5-flash"} {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			server := threeSteps(t)
			loop, err := toolloop.New(server.Client(), []toolloop.Tool{sunny})
			if err != nil {
				t.Fatal(err)
			}
			result, err := loop.Run(t.Context(), weatherQuestion(model))
			if err != nil || result.Text() != "Sunny in all of them." || len(result.Steps) != 3 {
				t.Errorf("%+v, %v", result, err)
			}
			for _, sent := range server.Requests() {
				if store := sent.Content.Store; store == nil || *store {
					t.Errorf("the request does not say store: false: %s", sent.Body)
				}
			}
		})
		t.Run(model+" streamed", func(t *testing.T) {
			t.Parallel()
			loop, err := toolloop.New(threeSteps(t).Client(), []toolloop.Tool{sunny})
			if err != nil {
				t.Fatal(err)
			}
			var result *toolloop.Result
			for event, err := range loop.Stream(t.Context(), weatherQuestion(model)) {
				if err != nil {
					t.Fatal(err)
				}
				result = event.Result
			}
			if result.Text() != "Sunny in all of them." || len(result.Steps) != 3 ||
				len(result.Contents) != 6 {
				t.Errorf("%+v", result)
			}
		})
	}
}

// This test fails if the real server's checks would refuse a declaration.
func TestDeclarationsOfGoTypesAreTaken(t *testing.T) {
	t.Parallel()
	type filter struct {
		Since string   `json:"since,omitempty" jsonschema:"format=date"`
		Tags  []string `json:"tags" validate:"max=3,dive,oneof=red green"`
		Limit *int     `json:"limit" validate:"omitempty,gte=1,lte=50"`
		Named map[string]int
	}
	search := toolloop.Func("search", "Searches.",
		func(context.Context, filter) (struct{ Found int }, error) {
			return struct{ Found int }{1}, nil
		})
	now := toolloop.Func("now", "Tells the time.",
		func(context.Context, struct{}) (string, error) { return "noon", nil })
	for _, model := range []string{"gemini-3.6-flash", "gemini-2.5-flash", "gemini-2.5-pro"} {
		server := geminitest.NewServer(t,
			geminitest.WithScript(geminitest.On(geminitest.Turn(0)).Reply(geminitest.Call("now",
				""))))
		loop, err := toolloop.New(server.Client(), []toolloop.Tool{search, now})
		if err != nil {
			t.Fatal(err)
		}
		if result, err := loop.Run(t.Context(), weatherQuestion(model)); err != nil ||
			len(result.Steps) != 2 {
			t.Errorf("%s: %v", model, err)
		}
	}
}

func TestAFailedRequestOfTheRealClientEndsTheRun(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(
		geminitest.On(geminitest.Turn(0)).Reply(geminitest.Call("get_weather", `{"city":"Porto"}`)),
		geminitest.On(geminitest.ToolResult("get_weather")).Reply(geminitest.Error(400,
			"INVALID_ARGUMENT", "no")),
	))
	loop, err := toolloop.New(server.Client(), []toolloop.Tool{sunny})
	if err != nil {
		t.Fatal(err)
	}
	result, err := loop.Run(t.Context(), weatherQuestion("gemini-3.6-flash"))
	if fmt.Sprint(err) != "gemini: 400 INVALID_ARGUMENT: no" || len(result.Contents) != 3 {
		t.Errorf("%v, %+v", err, result)
	}
}
