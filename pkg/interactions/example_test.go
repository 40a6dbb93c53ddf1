package interactions_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

func ExampleDecodeResponse() {
	interaction, err := interactions.DecodeResponse([]byte(`{"status": "requires_action", "steps": [
		{"type": "thought", "signature": "c2ln"},
		{"type": "function_call", "id": "c1", "name": "weather", "arguments": {"city": "Bergen"}}]}`))
	if err != nil {
		panic(err)
	}
	for _, call := range interactions.Calls(interaction) {
		fmt.Println(*call.Name, string(call.Arguments))
	}
	// Output: weather {"city": "Bergen"}
}

func ExampleStreamReader() {
	body := strings.NewReader(`event: interaction.created
data: {"interaction":{"id":"v1_a","status":"in_progress","model":"m"},"event_type":"interaction.created"}

event: step.start
data: {"index":0,"step":{"type":"model_output"},"event_type":"step.start"}

event: step.delta
data: {"index":0,"delta":{"text":"Hello","type":"text"},"event_type":"step.delta"}

event: step.delta
data: {"index":0,"delta":{"text":", world","type":"text"},"event_type":"step.delta"}

event: step.stop
data: {"index":0,"event_type":"step.stop"}

event: interaction.completed
data: {"interaction":{"id":"v1_a","status":"completed"},"event_type":"interaction.completed"}

event: done
data: [DONE]

`)
	var whole interactions.Accumulator
	for event, err := range interactions.NewStreamReader(body).All() {
		if err != nil {
			panic(err) // for example because the stream was cut
		}
		if err := whole.Push(event); err != nil {
			panic(err)
		}
	}
	interaction := whole.Interaction()
	fmt.Println(interaction.Status, interactions.Text(interaction))
	// Output: completed Hello, world
}

func ExampleValidateRequest() {
	request := &interactionsapi.CreateInteractionRequest{
		Model:      new("gemini-3.6-flash"),
		Input:      interactions.InputOf(interactions.UserText("What is new?")),
		Store:      new(false),
		Background: new(true),
		Tools: []interactionsapi.Tool{interactions.FunctionTool("weather", "Returns the weather.",
			jsontext.Value(`{"type":"object","required":[]}`))},
	}
	invalid, _ := errors.AsType[*validation.Error](interactions.ValidateRequest(request))
	for _, violation := range invalid.Violations {
		fmt.Println(violation.Rule, "at", violation)
	}
	// Output:
	// store_background at /store: must not be false, because background is true
	// length at /tools/0/parameters/required: must have at least 1 element, or be absent
}

func ExampleCheckResponse() {
	for _, found := range interactions.CheckResponse([]byte(`{"id":"v1_a","status":"completed",
  "object":"interaction","model":"m",
  "usage":{"total_tokens":8,"total_input_tokens":3,"total_output_tokens":4},
  "stepz":[]}`)) {
		fmt.Printf("line %d: %s %s: %s\n", found.Position.Line, found.Severity, found.Rule,
			found.Pointer)
	}
	// Output:
	// line 3: error sum: /usage/total_tokens
	// line 4: warning unknown: /stepz
}
