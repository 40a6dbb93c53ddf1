package messages_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/messages"
)

func ExampleFromGemini() {
	in, err := gemini.DecodeResponse([]byte(`{
		"candidates": [{"content": {"role": "model", "parts": [
			{"functionCall": {"id": "c1", "name": "get_weather", "args": {"city": "Porto"}}, "thoughtSignature": "CiQB+A=="}
		]}, "finishReason": "STOP"}],
		"usageMetadata": {"promptTokenCount": 12, "candidatesTokenCount": 5, "totalTokenCount": 17},
		"modelVersion": "gemini-3.6-flash", "responseId": "r1"
	}`))
	if err != nil {
		panic(err)
	}
	request := &anthropicapi.CreateMessageRequest{
		Model:    "claude-gemini",
		Thinking: &anthropicapi.Thinking{Type: anthropicapi.ThinkingTypeAdaptive},
	}
	message, report, err := messages.FromGemini(in, messages.WithRequest(request))
	if err != nil {
		panic(err)
	}
	fmt.Println(message.ID, message.Model, *message.StopReason)
	for _, block := range message.Content {
		fmt.Println(block.Type)
	}
	fmt.Println(*message.Content[0].Signature)
	fmt.Println(report)
	// Output:
	// msg_r1 claude-gemini tool_use
	// thinking
	// tool_use
	// gemwire1_qeOIJw_c0s6_CiQB-A
	// [approximated /modelVersion: replaced by the model name that the client requested]
}

func ExampleWriteStream() {
	body := strings.NewReader(`data: {"candidates": [{"content": {"parts": [{"text": "Hello"}]}}], "responseId": "r1", "modelVersion": "m"}

data: {"candidates": [{"content": {"parts": [{"text": " there"}]}, "finishReason": "STOP"}], "responseId": "r1", "modelVersion": "m"}

`)
	var out strings.Builder
	if _, err := messages.WriteStream(&out, gemini.NewStreamReader(body).All()); err != nil {
		panic(err)
	}
	for event, err := range anthropic.NewStreamReader(strings.NewReader(out.String())).All() {
		if err != nil {
			panic(err)
		}
		fmt.Fprint(os.Stdout, event.Type)
		if event.Delta != nil && event.Delta.Text != nil {
			fmt.Printf(": %q", *event.Delta.Text)
		}
		fmt.Println()
	}
	// Output:
	// message_start
	// content_block_start
	// content_block_delta: "Hello"
	// content_block_delta: " there"
	// content_block_stop
	// message_delta
	// message_stop
}
