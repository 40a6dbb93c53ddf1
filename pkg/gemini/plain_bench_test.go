package gemini_test

import (
	"math"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// streamChunk is a typical event of a stream.
const streamChunk = `{"candidates": [{"content": {"parts": [{"text": " the keeper's house was turned into a small museum of navigation, ` +
	`whose café beside the pier keeps the old log books"}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 19,` +
	`"candidatesTokenCount": 49,"totalTokenCount": 133,"promptTokensDetails": [{"modality": "TEXT","tokenCount": 19}],"thoughtsTokenCount": 65},` +
	`"modelVersion": "gemini-2.5-flash","responseId": "c1h7aeTQEoOBxs0PjuLQ-AU"}`

// BenchmarkAgainstLibrary decodes and encodes with and without the generated codecs, alternately,
// so that a busy machine slows both equally. It reports the shortest time of each, and their ratio.
func BenchmarkAgainstLibrary(b *testing.B) {
	type response = geminiapi.GenerateContentResponse
	for _, p := range append(payloadtest.All(),
		payloadtest.Payload{Name: "StreamChunk", Body: []byte(streamChunk)}) {
		in, err := gemini.DecodeResponse(p.Body)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("Decode/"+p.Name, func(b *testing.B) {
			inTurns(b, func() error { _, err := gemini.DecodeResponse(p.Body); return err },
				func() error { _, err := gemini.DecodeAnyForm[response]("", p.Body); return err })
		})
		b.Run("Encode/"+p.Name, func(b *testing.B) {
			inTurns(b, func() error { _, err := gemini.EncodeResponse(in); return err },
				func() error { _, err := gemini.EncodeAnything(in); return err })
		})
	}
}

func inTurns(b *testing.B, plain, library func() error) {
	shortest := [2]float64{math.Inf(1), math.Inf(1)}
	for b.Loop() {
		for i, run := range []func() error{plain, library} {
			const calls = 8
			start := time.Now()
			for range calls {
				if err := run(); err != nil {
					b.Fatal(err)
				}
			}
			shortest[i] = min(shortest[i], float64(time.Since(start).Nanoseconds())/calls)
		}
	}
	b.ReportMetric(0, "ns/op") // the sum of both says nothing
	b.ReportMetric(shortest[0], "plain-ns")
	b.ReportMetric(shortest[1], "library-ns")
	b.ReportMetric(shortest[0]/shortest[1], "share")
}
