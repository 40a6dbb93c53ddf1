package interactions_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions"
)

func ExampleFromGemini() {
	in, err := gemini.DecodeResponse([]byte(`{
		"responseId": "T2sHauqSII_iqtsP_abquAY",
		"candidates": [{"finishReason": "STOP", "safetyRatings": [{"category": "HARM_CATEGORY_HARASSMENT"}],
			"content": {"parts": [{"functionCall": {"name": "get_time", "args": {"city": "Oslo"}}, "thoughtSignature": "AA=="}]}}]
	}`))
	if err != nil {
		log.Fatal(err)
	}
	interaction, report, err := interactions.FromGemini(in, interactions.WithModelName("gemini-3.6-flash"),
		interactions.WithoutExtensions())
	if err != nil {
		log.Fatal(err)
	}
	for i := range interaction.Steps {
		fmt.Println(interaction.Steps[i].Type)
	}
	fmt.Println(interaction.Status, len(wire.Calls(interaction)))
	for _, e := range report.Of("lost") {
		fmt.Println(e.Kind, e.Pointer)
	}
	// Output:
	// thought
	// function_call
	// requires_action 1
	// lost /candidates/0/safetyRatings
}

func ExampleWriteStream() {
	const stream = `data: {"candidates": [{"content": {"parts": [{"text": "Hello"}]}}]}

data: {"candidates": [{"content": {"parts": [{"text": " there"}]}, "finishReason": "STOP"}]}

`
	in := gemini.NewStreamReader(strings.NewReader(stream))
	if _, err := interactions.WriteStream(os.Stdout, in.All(), interactions.WithID("v1_x")); err != nil {
		log.Fatal(err)
	}
	// Output:
	// event: interaction.created
	// data: {"interaction":{"id":"v1_x","status":"in_progress","object":"interaction"},"event_type":"interaction.created"}
	//
	// event: interaction.status_update
	// data: {"interaction_id":"v1_x","status":"in_progress","event_type":"interaction.status_update"}
	//
	// event: step.start
	// data: {"index":0,"step":{"type":"model_output"},"event_type":"step.start"}
	//
	// event: step.delta
	// data: {"index":0,"delta":{"text":"Hello","type":"text"},"event_type":"step.delta"}
	//
	// event: step.delta
	// data: {"index":0,"delta":{"text":" there","type":"text"},"event_type":"step.delta"}
	//
	// event: step.stop
	// data: {"index":0,"event_type":"step.stop"}
	//
	// event: interaction.completed
	// data: {"interaction":{"id":"v1_x","status":"completed","object":"interaction"},"event_type":"interaction.completed"}
	//
	// event: done
	// data: [DONE]
}
