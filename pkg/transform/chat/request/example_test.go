package request_test

import (
	"fmt"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

// The model comes from the request or an option. It determines what an effort becomes.
func ExampleToGemini() {
	in, err := openai.DecodeRequest([]byte(`{
		"model": "gpt-4o",
		"messages": [{"role": "system", "content": "Answer in one word."}, {"role": "user", "content": "High or low tide?"}],
		"reasoning_effort": "low",
		"logit_bias": {"42": 5}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	out, report, err := request.ToGemini(in, request.ForModel("gemini-3.6-flash"))
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := gemini.EncodeRequest(out)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(data))
	for _, entry := range report {
		fmt.Println(entry)
	}
	// Output:
	// {"contents":[{"parts":[{"text":"High or low tide?"}],"role":"user"}],"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW"}},"model":"models/gemini-3.6-flash","systemInstruction":{"parts":[{"text":"Answer in one word."}]}}
	// approximated /model: an option sets another model
	// lost /logit_bias: Gemini has no weights for tokens
}
