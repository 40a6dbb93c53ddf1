package request_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse/request"
)

// conversation16 is a conversation of 16 turns. Every second one has a tool call.
func conversation16() []byte {
	var contents []string
	for i := range 4 {
		contents = append(contents,
			fmt.Sprintf(`{"role":"user","parts":[{"text":"Question %d, with some words to it."}]}`,
				i),
			fmt.Sprintf(`{"role":"model","parts":[{"functionCall":{"id":"c%d","name":"get_weather","args":{"city":"Oslo"}},"thoughtSignature":"AA=="}]}`,
				i),
			fmt.Sprintf(`{"role":"user","parts":[{"functionResponse":{"id":"c%d","name":"get_weather","response":{"degrees":3}}}]}`,
				i),
			`{"role":"model","parts":[{"text":"It is three degrees in Oslo, and it will not be warmer soon."}]}`)
	}
	contents = append(contents, `{"role":"user","parts":[{"text":"Thanks."}]}`)
	return []byte(`{"contents":[` + strings.Join(contents, ",") + `],"tools":[{"functionDeclarations":[
		{"name":"get_weather","parametersJsonSchema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}]}]}`)
}

func BenchmarkFromGemini16Turns(b *testing.B) {
	document := conversation16()
	b.ReportAllocs()
	for b.Loop() {
		in, err := gemini.DecodeRequest(document)
		if err != nil {
			b.Fatal(err)
		}
		out, _, err := request.FromGemini(in, request.ForModel(model))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := interactions.EncodeRequest(out); err != nil {
			b.Fatal(err)
		}
	}
}
