package aisdk_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/aisdk"
)

func BenchmarkAppendPart(b *testing.B) {
	var part aisdkapi.Part = aisdkapi.TextDelta{ID: "0",
		Delta: "Here is a piece of text, as long as they are."}
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
