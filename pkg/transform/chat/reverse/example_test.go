package reverse_test

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
)

func ExampleToGemini() {
	in, _, err := openai.DecodeForeignResponse(
		[]byte(`{"id":"c1","object":"chat.completion","created":0,"model":"gpt-5.1",
		"choices":[{"index":0,"message":{"role":"assistant","content":"Yes.","refusal":null},"logprobs":null,"finish_reason":"stop"}],
		"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, _, err := reverse.ToGemini(in)
	if err != nil {
		fmt.Println(err)
		return
	}
	data, _ := gemini.EncodeResponse(answer)
	fmt.Println(string(data))
	// Output:
	// {"candidates":[{"content":{"parts":[{"text":"Yes."}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"gpt-5.1","responseId":"c1","usageMetadata":{"candidatesTokenCount":2,"promptTokenCount":5,"totalTokenCount":7}}
}

func ExampleWriteStream() {
	body := `data: {"id":"c1","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"content":"Yes."},"finish_reason":"stop"}]}

data: [DONE]

`
	var out strings.Builder
	if _, err := reverse.WriteStream(&out,
		openai.NewStreamReader(strings.NewReader(body)).All()); err != nil {
		fmt.Println(err)
	}
	fmt.Print(strings.ReplaceAll(out.String(), "\r\n", "\n"))
	// Output:
	// data: {"candidates":[{"content":{"parts":[{"text":"Yes."}],"role":"model"},"index":0}],"modelVersion":"m","responseId":"c1"}
	//
	// data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"m","responseId":"c1"}
}
