package aisdk_test

import (
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
	"github.com/go-json-experiment/json/jsontext"
)

// benchmarkDelta is an event of the usual size.
const benchmarkDelta = `{"type":"message","timestamp":"2026-01-01T00:00:00.000Z","role":"assistant",` +
	`"content":"Here is a piece of text, as long as they are.","delta":true}` + "\n"

// BenchmarkMapNDJSON takes 1,000 deltas from bytes to bytes.
func BenchmarkMapNDJSON(b *testing.B) {
	input := strings.Repeat(benchmarkDelta, 1000)
	for name, withReport := range map[string]bool{"plain": false, "with a report": true} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(input)))
			b.ReportAllocs()
			for b.Loop() {
				var report *transform.Report
				if withReport {
					report = &transform.Report{}
				}
				for part, err := range aisdk.MapNDJSON(strings.NewReader(input), aisdk.WithReport(report)) {
					if err != nil {
						b.Fatal(err)
					}
					if err := aisdk.WritePart(io.Discard, part); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkMapNDJSONEvent(b *testing.B) {
	for name, event := range map[string]string{"delta": benchmarkDelta, "request": snapshot} {
		b.Run(name, func(b *testing.B) {
			c := aisdk.NewMapperContext()
			b.ReportAllocs()
			for b.Loop() {
				aisdk.MapNDJSONEvent(jsontext.Value(event), c)
				aisdk.FinishStream(c)
			}
		})
	}
}

func BenchmarkAppendPart(b *testing.B) {
	var part aisdk.Part = aisdk.TextDelta{ID: "0", Delta: "Here is a piece of text, as long as they are."}
	dst := make([]byte, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := aisdk.AppendPart(dst, part); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodePart(b *testing.B) {
	line := []byte(`{"type":"text-delta","id":"0","delta":"Here is a piece of text, as long as they are."}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := aisdk.DecodePart(line); err != nil {
			b.Fatal(err)
		}
	}
}
