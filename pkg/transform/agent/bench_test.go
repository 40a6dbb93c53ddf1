package agent_test

import (
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/transform/agent"
	"github.com/go-json-experiment/json/jsontext"
)

// benchmarkDelta is an event of the usual size.
const benchmarkDelta = `{"type":"message","timestamp":"2026-01-01T00:00:00.000Z","role":"assistant",` +
	`"content":"Here is a piece of text, as long as they are.","delta":true}` + "\n"

// BenchmarkMapNDJSON converts 1,000 deltas from bytes to bytes.
func BenchmarkMapNDJSON(b *testing.B) {
	input := strings.Repeat(benchmarkDelta, 1000)
	for name, parts := range map[string]func(io.Reader) iter.Seq2[aisdkapi.Part, error]{
		"plain": func(r io.Reader) iter.Seq2[aisdkapi.Part,
			error] {
			return agent.MapNDJSON(r)
		},
		"with a report": func(r io.Reader) iter.Seq2[aisdkapi.Part,
			error] {
			return agent.NewStream(r).Parts()
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(input)))
			b.ReportAllocs()
			for b.Loop() {
				for part, err := range parts(strings.NewReader(input)) {
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
			c := agent.NewMapperContext()
			b.ReportAllocs()
			for b.Loop() {
				agent.MapNDJSONEvent(jsontext.Value(event), c)
				agent.FinishStream(c)
			}
		})
	}
}
