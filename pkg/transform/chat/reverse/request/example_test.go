package request_test

import (
	"fmt"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
)

func Example() {
	in, err := gemini.DecodeRequest([]byte(`{"contents":[{"role":"user","parts":[{"text":"Is it cold in Oslo?"}]}],
		"generationConfig":{"topK":3,"maxOutputTokens":100}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	out, report, err := request.FromGemini(in, request.ForModel("gpt-5.1"),
		request.WithoutExtensions())
	if err != nil {
		fmt.Println(err)
		return
	}
	data, _ := openai.EncodeRequest(out)
	fmt.Println(string(data))
	fmt.Println(report)
	// Output:
	// {"model":"gpt-5.1","messages":[{"role":"user","content":"Is it cold in Oslo?"}],"max_completion_tokens":100}
	// [lost /generationConfig/topK: chat_completions has no member for it]
}
