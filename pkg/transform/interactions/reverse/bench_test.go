package reverse_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
)

func BenchmarkToGemini(b *testing.B) {
	text := strings.Repeat("Some words of an answer. ", 32)
	document := fmt.Appendf(nil,
		`{"id":"v1_ChdhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYRIXYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmI","status":"completed","usage":{"total_tokens":169,"total_input_tokens":9,"input_tokens_by_modality":[{"modality":"text","tokens":9}],"total_cached_tokens":0,"total_output_tokens":160,"total_tool_use_tokens":0,"total_thought_tokens":0},"created":"2026-10-05T10:00:00Z","updated":"2026-10-05T10:00:00Z","service_tier":"standard","steps":[{"content":[{"text":%q,"type":"text"}],"type":"model_output"}],"object":"interaction","model":"gemini-3-flash-preview"}`,
		text)
	for _, plain := range []struct {
		name string
		opts []reverse.Option
	}{{"extension", nil}, {"plain", []reverse.Option{reverse.WithoutExtensions()}}} {
		b.Run(plain.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				in, err := interactions.DecodeResponse(document)
				if err != nil {
					b.Fatal(err)
				}
				out, _, err := reverse.ToGemini(in, plain.opts...)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := gemini.EncodeResponse(out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func stream200() []byte {
	list := []string{created, running, output}
	for i := range 195 {
		list = append(list, text(0, fmt.Sprintf("word %d ", i)))
	}
	return asBody(append(list, stopped, completed))
}

func BenchmarkStream200(b *testing.B) {
	body := stream200()
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, err := range interactions.NewStreamReader(bytes.NewReader(body)).All() {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("convert", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			in := interactions.NewStreamReader(bytes.NewReader(body))
			if _, err := reverse.WriteStream(io.Discard, in.All(),
				reverse.WithLossesOnly()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
