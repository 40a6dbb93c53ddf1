package aisdk_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	aisdkwire "github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
)

// benchmarkStream is a body of chunks of about 490 bytes. The last one ends the stream.
func benchmarkStream(chunks int) []byte {
	var out bytes.Buffer
	for i := range chunks {
		finish := ""
		if i == chunks-1 {
			finish = `"finishReason":"STOP",`
		}
		fmt.Fprintf(&out,
			`data: {"candidates":[{"content":{"parts":[{"text":"%s"}],"role":"model"},%s"index":0}],`+
				`"usageMetadata":{"promptTokenCount":120,"candidatesTokenCount":%d,"totalTokenCount":%d,`+
				`"promptTokensDetails":[{"modality":"TEXT","tokenCount":120}]},"modelVersion":"gemini-3-flash","responseId":"kRf3aMbTLYik7dcP"}`+
				"\r\n\r\n",
			strings.Repeat("lorem ipsum ", 16), finish, i, 120+i)
	}
	return out.Bytes()
}

// BenchmarkGeminiChunk converts one decoded text chunk to parts.
func BenchmarkGeminiChunk(b *testing.B) {
	chunk := readRecorded(benchmarkStream(1)).chunks[0]
	s := aisdk.NewStream()
	b.ReportAllocs()
	for b.Loop() {
		s.Push(chunk)
	}
}

// BenchmarkGeminiStream converts 200 chunks from bytes to bytes. For comparison it also only reads
// them.
func BenchmarkGeminiStream(b *testing.B) {
	body := benchmarkStream(200)
	for _, c := range []struct {
		name    string
		convert func() error
	}{
		{"read", func() error {
			for _, err := range gemini.NewStreamReader(bytes.NewReader(body)).All() {
				if err != nil {
					return err
				}
			}
			return nil
		}},
		{"convert", func() error {
			for part, err := range aisdk.FromGemini(chunksOf(body)) {
				if err != nil {
					return err
				}
				if err := aisdkwire.WritePart(io.Discard, part); err != nil {
					return err
				}
			}
			return nil
		}},
		{"convert with a report", func() error {
			_, err := aisdk.WriteStream(io.Discard, chunksOf(body))
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if err := c.convert(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func chunksOf(body []byte) func(func(*geminiapi.GenerateContentResponse, error) bool) {
	return gemini.NewStreamReader(bytes.NewReader(body)).All()
}
