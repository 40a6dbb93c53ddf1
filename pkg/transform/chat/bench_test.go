package chat_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat"
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
	out, _, err := chat.FromGemini(in)
	if err != nil {
		return nil, err
	}
	if err := openai.ValidateResponse(out); err != nil {
		return nil, err
	}
	return openai.EncodeResponse(out)
}

// BenchmarkStage shows the time of each stage of BenchmarkBytesToBytes. Convert includes Normalise.
func BenchmarkStage(b *testing.B) {
	for _, p := range payloadtest.All() {
		in, err := gemini.DecodeResponse(p.Body)
		if err != nil {
			b.Fatal(err)
		}
		out, _, err := chat.FromGemini(in)
		if err != nil {
			b.Fatal(err)
		}
		for _, stage := range []struct {
			name string
			run  func() error
		}{
			{"Decode", func() error { _, err := gemini.DecodeResponse(p.Body); return err }},
			{"Normalise", func() error { _, err := normalize.FromResponse(in, pending); return err }},
			{"Convert", func() error { _, _, err := chat.FromGemini(in); return err }},
			{"ConvertPlain", func() error { _, _, err := chat.FromGemini(in, chat.WithoutExtensions()); return err }},
			{"Validate", func() error { return openai.ValidateResponse(out) }},
			{"Encode", func() error { _, err := openai.EncodeResponse(out); return err }},
		} {
			b.Run(p.Name+"/"+stage.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := stage.run(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// pending avoids the cost of random ids in the stage.
var pending = normalize.WithToolCallIDs(func(string, int, int) string { return "pending" })
