package request_test

import (
	"fmt"

	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
)

func ExampleToGemini() {
	in, err := anthropic.DecodeRequest([]byte(`{
		"model": "gemini-3.6-flash", "max_tokens": 200, "system": "Answer in one word.", "metadata": {"user_id": "u1"},
		"messages": [{"role": "user", "content": "What is the capital of Portugal?"}]
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	out, report, err := request.ToGemini(in)
	if err != nil {
		fmt.Println(err)
		return
	}
	body, err := gemini.EncodeRequest(out)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(body))
	for _, entry := range report {
		fmt.Println(entry.Kind, entry.Pointer, entry.Detail)
	}
	// Output:
	// {"contents":[{"parts":[{"text":"What is the capital of Portugal?"}],"role":"user"}],"generationConfig":{"maxOutputTokens":200},"model":"models/gemini-3.6-flash","systemInstruction":{"parts":[{"text":"Answer in one word."}]}}
	// approximated /metadata not sent, because it identifies the end user to Anthropic's servers, and Gemini has no member for it
}
