package request_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
)

// conversation16 is a conversation of 16 turns. Every second one has a tool call.
func conversation16() []byte {
	var contents []string
	for i := range 4 {
		contents = append(contents,
			fmt.Sprintf(`{"role":"user","parts":[{"text":"Question %d, with some words to it."}]}`,
				i),
			fmt.Sprintf(`{"role":"model","parts":[{"functionCall":{"id":"c%d","name":"get_weather","args":{"city":"Oslo"}}}]}`,
				i),
			fmt.Sprintf(`{"role":"user","parts":[{"functionResponse":{"id":"c%d","name":"get_weather","response":{"degrees":3}}}]}`,
				i),
			`{"role":"model","parts":[{"text":"It is three degrees in Oslo, and it will not be warmer soon."}]}`)
	}
	contents = append(contents, `{"role":"user","parts":[{"text":"Thanks."}]}`)
	return []byte(`{"contents":[` + strings.Join(contents, ",") + `],` + weatherTool + `}`)
}

func BenchmarkFromGemini16Turns(b *testing.B) {
	document := conversation16()
	for mode, opts := range modes {
		b.Run(strings.ReplaceAll(mode, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			opts := append(opts[:len(opts):len(opts)], request.ForModel(model))
			for b.Loop() {
				in, err := gemini.DecodeRequest(document)
				if err != nil {
					b.Fatal(err)
				}
				out, _, err := request.FromGemini(in, opts...)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := openai.EncodeRequest(out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
