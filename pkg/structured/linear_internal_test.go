package structured

import (
	"strings"
	"testing"
)

// Adversaries are repeated pieces of text. They would take quadratic time if each bracket, quote or
// fence started a separate search.
var Adversaries = map[string]string{
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
	"slips":            `{'a':True,`,
	"trailing commas":  `{"a":[1,],},`,
	"nested commas":    `{"a":[1,],"b":`,
	"open comments 2":  `{"a":1,/*`,
	"open lines":       `[1,//`,
	"comments":         "[1,// a\n",
	"open quotes 2":    `[1,„`,
	"names and spaces": `{a    :`,
	"raw lines":        "[\"a\n\t",
	"missing commas":   `[1 "a" `,
	"links":            `[a](b) `,
	"drafts":           "<think>\n{",
	"ends of drafts":   "{</think>\n",
	"quoted lines":     "> {\"a\":\n",
}

// Adversary is a text of about the given length.
func Adversary(unit string, length int) string { return strings.Repeat(unit, length/len(unit)) }

// TestWorkIsLinear compares texts with texts that are 16 times as long. A quadratic algorithm would
// look at 256 times as many bytes. The benchmarks measure the time.
func TestWorkIsLinear(t *testing.T) {
	t.Parallel()
	const short, long, most = 4 << 10, 64 << 10, 18
	for name, unit := range Adversaries {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := work(Adversary(unit, short)), work(Adversary(unit, long))
			if after > most*before {
				t.Errorf("%d bytes looked at, and %d of 16 times the text", before, after)
			}
		})
	}
}

// work counts the bytes of a text that are looked at to find values, to find fences around them,
// and to decode each value that may be the answer.
func work(text string) int {
	f := finder{text: text}
	f.run()
	f.malformedSpans(text)
	bytes := f.looked
	eachMarks(text, f.covered(), func(m marks) { bytes += m.content - m.at })
	for _, c := range find(text).candidates {
		bytes += c.end - c.start
	}
	return bytes
}
