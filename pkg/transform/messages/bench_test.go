package messages_test

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/payloadtest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/messages"
)

// BenchmarkBytesToBytes is the whole way from Gemini's bytes to Anthropic's, with the report and the check of the
// result.
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

// BenchmarkStream converts the bytes of a stream of 200 events of 490 bytes, as they come from a connection, into
// those of a streamed message. In the same run it does what nobody can do without, which is to read lines and decode
// each of them, and reports the ratio of the two.
func BenchmarkStream(b *testing.B) {
	body := payloadtest.TextStream(200)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	var converting, floor time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := messages.WriteStream(io.Discard, gemini.NewStreamReader(bytes.NewReader(body)).All(), messages.WithLossesOnly()); err != nil {
			b.Fatal(err)
		}
		converting += time.Since(start)

		b.StopTimer()
		start = time.Now()
		if err := payloadtest.DecodeLines(body); err != nil {
			b.Fatal(err)
		}
		floor += time.Since(start)
		b.StartTimer()
	}
	b.ReportMetric(float64(converting)/float64(floor), "x-floor")
}
