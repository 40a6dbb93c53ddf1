package structured_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/structured"
)

// adversaries are what texts are made of that would take quadratic time if each bracket, quote or fence
// were followed by itself.
var adversaries = map[string]string{
	"prose":            "The answer is not far away, but it is not here. ",
	"braces":           "{",
	"brackets":         "[",
	"empty objects":    "{}",
	"objects":          `{"id":"a"},`,
	"unknown objects":  `{"x":1}`,
	"nested objects":   `{"id":`,
	"nested lists":     `[1,[`,
	"quotes":           `"`,
	"open strings":     `["`,
	"open names":       `{"`,
	"strings in turn":  `[" {`,
	"backslashes":      `\`,
	"open escapes":     `["\`,
	"backticks":        "`",
	"fences":           "```json\n[\n",
	"fences in a line": "``` a ",
	"broken objects":   `{"a":1,} `,
	"open and broken":  `{"a":x `,
	"deep and broken":  `{"a":[1,x `,
	"bare names":       `{a: `,
	"long names":       "{" + strings.Repeat("a", 300),
	"open quotes":      `{'`,
	"open comments":    `{/*`,
	"lists in quotes":  `['a',`,
	"white space":      "[ \n\n",
	"numbers":          "[-1.5e+3,",
	"surrogates":       `["\ud83d`,
}

// adversary is a text of about the given length.
func adversary(unit string, length int) string { return strings.Repeat(unit, length/len(unit)) }

func BenchmarkParse(b *testing.B) {
	onAdversaries(b, func(text string) { structured.Parse[order](text) })
}

func BenchmarkCandidates(b *testing.B) {
	onAdversaries(b, func(text string) { structured.Candidates(text) })
}

// onAdversaries measures what a byte of a short and of a long text costs.
func onAdversaries(b *testing.B, read func(text string)) {
	for name, unit := range adversaries {
		for _, size := range []int{1 << 10, 1 << 20} {
			text := adversary(unit, size)
			b.Run(fmt.Sprintf("%s/%dKB", name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					read(text)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(text)), "ns/byte")
			})
		}
	}
}

// answer is what a model usually writes.
func answer(lines int) string {
	return "Here is the order:\n\n```json\n{\"id\":\"a\",\"lines\":[" +
		strings.Repeat("\n  {\"sku\": \"an article\", \"count\": 12},", lines) + "\n  {\"sku\": \"the last\", \"count\": 1}\n]}\n```\n\nAnything else?"
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

// TestTimeIsLinear takes texts 16 times as long, for which a quadratic algorithm would take 256 times as
// long. The bound in between leaves room for a busy machine.
func TestTimeIsLinear(t *testing.T) {
	const short, long, bound = 4 << 10, 64 << 10, 80
	for name, unit := range adversaries {
		t.Run(name, func(t *testing.T) {
			ratio := 0.0
			for range 3 {
				ratio = float64(quickest(adversary(unit, long))) / float64(quickest(adversary(unit, short)))
				if ratio < bound {
					return
				}
			}
			t.Errorf("16 times the text takes %.0f times as long", ratio)
		})
	}
}

// quickest returns the shortest of a few times.
func quickest(text string) time.Duration {
	best := time.Duration(1 << 62)
	for range 3 {
		start := time.Now()
		structured.Parse[order](text)
		best = min(best, time.Since(start))
	}
	return best
}
