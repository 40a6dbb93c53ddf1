package openai_test

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	toopenai "github.com/gemwire/gemwire/pkg/transform/openai"
)

// BenchmarkStream converts the bytes of a stream of 200 events of 490 bytes, as they come from a
// connection, into those of a streamed completion. In the same run it does what nobody can do
// without, which is to read lines and decode each of them, and reports the ratio of the two.
func BenchmarkStream(b *testing.B) {
	body := payloadtest.TextStream(200)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	var converting, floor time.Duration
	for b.Loop() {
		start := time.Now()
		if err := streamToStream(body, io.Discard); err != nil {
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

// BenchmarkStreamOfThreeEvents is mostly what a stream costs before its first and after its last
// event.
func BenchmarkStreamOfThreeEvents(b *testing.B) {
	body := payloadtest.TextStream(3)
	b.ReportAllocs()
	for b.Loop() {
		if err := streamToStream(body, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStreamStage shows where the time of BenchmarkStream goes, per stream. Each stage has those
// above it in it.
func BenchmarkStreamStage(b *testing.B) {
	body := payloadtest.TextStream(200)
	for _, stage := range []struct {
		name string
		run  func() error
	}{
		{"Read", func() error {
			for _, err := range gemini.NewStreamReader(bytes.NewReader(body)).All() {
				if err != nil {
					return err
				}
			}
			return nil
		}},
		{"Normalise", func() error {
			for e := range normalize.Events(gemini.NewStreamReader(bytes.NewReader(body)).All()) {
				if e.Error != nil {
					return e.Error
				}
			}
			return nil
		}},
		{"Convert", func() error {
			for _, err := range toopenai.NewStream(toopenai.WithUsage()).Chunks(gemini.NewStreamReader(bytes.NewReader(body)).All()) {
				if err != nil {
					return err
				}
			}
			return nil
		}},
		{"Write", func() error { return streamToStream(body, io.Discard) }},
	} {
		b.Run(stage.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := stage.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func streamToStream(body []byte, w io.Writer) error {
	in := gemini.NewStreamReader(struct{ io.Reader }{bytes.NewReader(body)})
	_, err := toopenai.WriteStream(w, in.All(), toopenai.WithUsage())
	return err
}
