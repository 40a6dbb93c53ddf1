package reverse_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
)

func BenchmarkToGemini(b *testing.B) {
	text := strings.Repeat("Some words of an answer. ", 32)
	document := fmt.Appendf(nil,
		`{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"gpt-5.1","choices":[{"index":0,"message":{"role":"assistant","content":%q,"refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":160,"total_tokens":169,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}},"service_tier":"default","system_fingerprint":null}`,
		text)
	b.ReportAllocs()
	for b.Loop() {
		in, _, err := openai.DecodeForeignResponse(document)
		if err != nil {
			b.Fatal(err)
		}
		out, _, err := reverse.ToGemini(in)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := gemini.EncodeResponse(out); err != nil {
			b.Fatal(err)
		}
	}
}

func stream200() []byte {
	var list []string
	for i := range 198 {
		list = append(list,
			fmt.Sprintf(`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"gpt-5.1","service_tier":"default","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"content":"word %d "},"logprobs":null,"finish_reason":null}],"usage":null}`,
				i))
	}
	list = append(list,
		`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"gpt-5.1","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"usage":null}`,
		`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"gpt-5.1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":160,"total_tokens":169}}`)
	return asBody(list)
}

func BenchmarkStream200(b *testing.B) {
	body := stream200()
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, err := range openai.NewStreamReader(bytes.NewReader(body)).All() {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("convert", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			in := openai.NewStreamReader(bytes.NewReader(body), openai.WithForeignChunks())
			if _, err := reverse.WriteStream(io.Discard, in.All(),
				reverse.WithLossesOnly()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
