package reverse_test

import (
	"fmt"

	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
)

func ExampleToGemini() {
	in, err := interactions.DecodeResponse([]byte(`{
		"id": "x1", "status": "completed", "model": "gemini-3.6-flash",
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
	candidate := answer.Candidates[0]
	fmt.Println(*candidate.Content.Parts[0].Text, *candidate.FinishReason)
	fmt.Println(*answer.UsageMetadata.TotalTokenCount, "tokens, report:", report)
	// Output:
	// Hello STOP
	// 4 tokens, report: []
}
