package openaitest

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// BenchmarkStream converts the bytes of a stream of 200 events of 490 bytes, as they arrive from a
// connection. It does this with chunks that are kept, and with chunks that reuse their memory. In
// the same run it only reads lines and decodes each of them, which every converter must do. It
// reports the ratio of the two.
func BenchmarkStream(b *testing.B, convert WriteStream) {
	b.Run("kept", func(b *testing.B) { benchmarkStream(b, convert) })
	b.Run("reused", func(b *testing.B) { benchmarkStream(b, convert, gemini.WithReusedChunks()) })
}

func benchmarkStream(b *testing.B, convert WriteStream, opts ...gemini.StreamOption) {
	body := payloadtest.TextStream(200)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	var converting, floor time.Duration
	for b.Loop() {
		start := time.Now()
		in := gemini.NewStreamReader(struct{ io.Reader }{bytes.NewReader(body)}, opts...)
		if _, err := convert(io.Discard, in.All()); err != nil {
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

// AllocationsPerChunk returns the number of allocations for each piece of a text, from the bytes of
// a stream to the bytes of the converted stream. It is the difference between a long and a short
// stream. The chunks reuse their memory and have the same content, so no allocation is necessary.
func AllocationsPerChunk(t *testing.T, convert WriteStream) float64 {
	t.Helper()
	const chunk = `data: {"candidates":[{"content":{"parts":[{"text":"a few words of an answer "}],"role":"model"},"index":0}],` +
		`"usageMetadata":{"promptTokenCount":200,"totalTokenCount":200},"modelVersion":"gemini-2.5-flash","responseId":"abcdefgh"}` +
		"\n\n"
	const end = `data: {"candidates":[{"finishReason":"STOP","index":0}]}` + "\n\n"
	of := func(chunks int) float64 {
		body := strings.Repeat(chunk, chunks) + end
		return testing.AllocsPerRun(5, func() {
			in := gemini.NewStreamReader(struct{ io.Reader }{strings.NewReader(body)},
				gemini.WithReusedChunks())
			if _, err := convert(io.Discard, in.All()); err != nil {
				t.Fatal(err)
			}
		})
	}
	return (of(600) - of(100)) / 500
}
