package gemini_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
)

func BenchmarkDecodeResponse(b *testing.B) {
	for _, p := range payloadtest.All() {
		b.Run(p.Name, func(b *testing.B) {
			b.SetBytes(int64(len(p.Body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := gemini.DecodeResponse(p.Body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncodeResponse(b *testing.B) {
	for _, p := range payloadtest.All() {
		b.Run(p.Name, func(b *testing.B) {
			response, err := gemini.DecodeResponse(p.Body)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(p.Body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := gemini.EncodeResponse(response); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAppendResponse encodes into a slice with enough capacity.
func BenchmarkAppendResponse(b *testing.B) {
	for _, p := range payloadtest.All() {
		b.Run(p.Name, func(b *testing.B) {
			response, err := gemini.DecodeResponse(p.Body)
			if err != nil {
				b.Fatal(err)
			}
			dst := make([]byte, 0, 2*len(p.Body))
			b.SetBytes(int64(len(p.Body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := gemini.AppendResponse(dst, response); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
