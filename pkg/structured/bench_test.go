package structured_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/structured"
)

func BenchmarkParse(b *testing.B) {
	onAdversaries(b, func(text string) { structured.Parse[order](text) })
}

func BenchmarkCandidates(b *testing.B) {
	onAdversaries(b, func(text string) { structured.Candidates(text) })
}

// onAdversaries measures the cost per byte for a short and for a long text.
func onAdversaries(b *testing.B, read func(text string)) {
	for name, unit := range structured.Adversaries {
		for _, size := range []int{1 << 10, 1 << 20} {
			text := structured.Adversary(unit, size)
			b.Run(fmt.Sprintf("%s/%dKB", name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					read(text)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(text)),
					"ns/byte")
			})
		}
	}
}

// answer returns a typical answer of a model.
func answer(lines int) string {
	return "Here is the order:\n\n```json\n{\"id\":\"a\",\"lines\":[" +
		strings.Repeat("\n  {\"sku\": \"an article\", \"count\": 12},", lines) +
		"\n  {\"sku\": \"the last\", \"count\": 1}\n]}\n```\n\nAnything else?"
}

func BenchmarkParseAnswer(b *testing.B) {
	text := answer(2)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := structured.Parse[order](text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseStream(b *testing.B) {
	for _, size := range []int{1 << 10, 16 << 10, 1 << 20} {
		text := `{"id":"` + strings.Repeat("words of the model ", size/19) + `"}`
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				for _, err := range structured.ParseStream[order](inDeltas(text, 16, nil)) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkSchemaOf(b *testing.B) {
	for b.Loop() {
		if _, err := structured.SchemaOf[order](); err != nil {
			b.Fatal(err)
		}
	}
}
