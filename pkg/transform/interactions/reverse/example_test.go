package reverse_test

import (
	"fmt"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
)

func ExampleToGemini() {
	in, err := interactions.DecodeResponse([]byte(`{
		"id": "x1", "status": "completed", "model": "gemini-3-flash-preview",
		"steps": [{"type": "model_output", "content": [{"type": "text", "text": "Hello"}]}],
		"usage": {"total_input_tokens": 3, "total_output_tokens": 1, "total_tokens": 4}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, report, err := reverse.ToGemini(in)
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := gemini.EncodeResponse(answer)
	fmt.Println(string(out), report, err)
	// Output: {"candidates":[{"content":{"parts":[{"text":"Hello"}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"gemini-3-flash-preview","responseId":"x1","usageMetadata":{"candidatesTokenCount":1,"promptTokenCount":3,"totalTokenCount":4}} [] <nil>
}
