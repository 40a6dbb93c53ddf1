package chat_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

// BenchmarkStream runs [openaitest.BenchmarkStream].
func BenchmarkStream(b *testing.B) {
	openaitest.BenchmarkStream(b, openaitest.WithOptions(chat.WriteStream, chat.WithUsage()))
}

// BenchmarkStreamOfThreeEvents mostly measures the start and the end of a stream.
func BenchmarkStreamOfThreeEvents(b *testing.B) {
	body := payloadtest.TextStream(3)
	b.ReportAllocs()
	for b.Loop() {
		if err := streamToStream(body, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStreamStage shows the time of each stage of BenchmarkStream, per stream. Each stage
// includes the earlier ones.
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
			for _, err := range chat.NewStream(
				chat.WithUsage()).Chunks(gemini.NewStreamReader(bytes.NewReader(body)).All()) {
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
	_, err := chat.WriteStream(w, in.All(), chat.WithUsage())
	return err
}
