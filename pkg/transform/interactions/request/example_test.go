package request_test

import (
	"fmt"
	"log"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
)

func ExampleToGemini() {
	in, err := interactions.DecodeRequest([]byte(`{
		"model": "gemini-3.6-flash",
		"input": "Which day is it?",
		"generation_config": {"thinking_level": "low"},
		"webhook_config": {"uris": ["https://example.com/done"]}
	}`))
	if err != nil {
		log.Fatal(err)
	}
	out, report, err := request.ToGemini(in)
	if err != nil {
		log.Fatal(err)
	}
	data, err := gemini.EncodeRequest(out)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(data))
	for _, entry := range report {
		fmt.Println(entry)
	}
	// Output:
	// {"contents":[{"parts":[{"text":"Which day is it?"}],"role":"user"}],"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW"}},"model":"models/gemini-3.6-flash"}
	// lost /webhook_config: generateContent calls no webhooks
}
