package interactions_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions"
)

// BenchmarkBytesToBytes measures the whole conversion from Gemini's bytes to those of an
// interaction, with the report.
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
	out, _, err := interactions.FromGemini(in)
	if err != nil {
		return nil, err
	}
	return wire.EncodeResponse(out)
}

// BenchmarkStream runs [openaitest.BenchmarkStream].
func BenchmarkStream(b *testing.B) {
	openaitest.BenchmarkStream(b,
		openaitest.WithOptions(interactions.WriteStream, interactions.WithLossesOnly()))
}
