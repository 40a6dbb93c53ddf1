package messages_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/messages"
)

// BenchmarkBytesToBytes measures the whole conversion from Gemini's bytes to Anthropic's, with the
// report and the validation of the result.
func BenchmarkBytesToBytes(b *testing.B) {
	for _, p := range payloadtest.All() {
		b.Run(p.Name, func(b *testing.B) {
			b.SetBytes(int64(len(p.Body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bytesToBytes(p.Body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func bytesToBytes(body []byte) ([]byte, error) {
	in, err := gemini.DecodeResponse(body)
	if err != nil {
		return nil, err
	}
	out, _, err := messages.FromGemini(in)
	if err != nil {
		return nil, err
	}
	if err := anthropic.ValidateResponse(out); err != nil {
		return nil, err
	}
	return anthropic.EncodeResponse(out)
}

// BenchmarkStream runs [openaitest.BenchmarkStream].
func BenchmarkStream(b *testing.B) {
	openaitest.BenchmarkStream(b,
		openaitest.WithOptions(messages.WriteStream, messages.WithLossesOnly()))
}
