package responses_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
)

// BenchmarkBytesToBytes measures the whole conversion from Gemini's bytes to OpenAI's, with the
// report, the validation of the result, and all extensions.
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
	out, _, err := toresponses.FromGemini(in)
	if err != nil {
		return nil, err
	}
	if err := responses.ValidateResponse(out); err != nil {
		return nil, err
	}
	return responses.EncodeResponse(out)
}

// BenchmarkStream runs [openaitest.BenchmarkStream].
func BenchmarkStream(b *testing.B) {
	openaitest.BenchmarkStream(b,
		openaitest.WithOptions(toresponses.WriteStream, toresponses.WithLossesOnly()))
}
