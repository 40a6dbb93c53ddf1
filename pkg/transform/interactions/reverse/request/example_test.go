package request_test

import (
	"fmt"
	"log"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse/request"
)

func ExampleFromGemini() {
	in, err := gemini.DecodeRequest([]byte(`{"contents":[{"role":"user","parts":[{"text":"Hello"}]}],
		"generationConfig":{"candidateCount":2,"thinkingConfig":{"thinkingLevel":"LOW"}}}`))
	if err != nil {
		log.Fatal(err)
	}
	out, report, err := request.FromGemini(in, request.ForModel("gemini-3.6-flash"))
	if err != nil {
		log.Fatal(err)
	}
	data, err := interactions.EncodeRequest(out)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(data))
	for _, e := range report {
		fmt.Println(e)
	}
	// Output:
	// {"model":"gemini-3.6-flash","input":[{"content":[{"text":"Hello","type":"text"}],"type":"user_input"}],"generation_config":{"thinking_level":"low"},"store":false}
	// added /store: false, because generateContent does not store a request unless it asks for it
	// lost /generationConfig/candidateCount: an interaction has no member for it
}
