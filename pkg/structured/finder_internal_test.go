package structured

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// findEach is the definition of finder's result: from left to right, the complete value at each
// bracket; the search continues after the value. It takes quadratic time, and follows one bracket
// at a time.
func findEach(text string) (values []span, truncated []int) {
	for at := 0; at < len(text); at++ {
		if !isBracket(text[at]) || strings.HasSuffix(text[:at+1], "<![CDATA[") {
			continue
		}
		switch end, state := readOne(text, at); state {
		case "complete":
			values = append(values, span{at, end})
			at = end - 1
		case "truncated":
			truncated = append(truncated, at)
		}
	}
	return values, truncated
}

func readOne(text string, start int) (end int, state string) {
	var s scanner
	for at := start; at < len(text); at++ {
		if s.step(at, text[at]) == fails {
			return at, "failed"
		}
		if s.state == wantNothing {
			return at + 1, "complete"
		}
	}
	return len(text), "truncated"
}

func FuzzFinderFindsWhatTryingEachBracketFinds(f *testing.F) {
	for _, text := range []string{
		`{`, `[{"a":1}]`, `["a {"]: 1}`, `["x {"] y":[1,2]} {"] a":[3]`, "[\"\n{\"a\":[]}",
		`<![CDATA[[{"a":1}]]]>`, `{"a":"{\"b\":1}"}`,
		`["x {",[":1}"]]`, `["x {",[":1}"] y`,
		`["[]{}[1,{"]}`, `[[[[]`, `{"a":[{"b":{}},"c"]`, `[1.5e+3,-0,true,null,falsey]`,
		`[" {"a":"] "}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { compareWithEach(t, text) })
}

func compareWithEach(t *testing.T, text string) {
	t.Helper()
	finder := finder{text: text}
	finder.run()
	want, truncated := findEach(text)
	if diff := cmp.Diff(want, finder.values, cmp.AllowUnexported(span{})); diff != "" {
		t.Errorf("%q (-each +finder):\n%s", text, diff)
	}
	if len(finder.scanners) > 2 {
		t.Errorf("%q: %d scanners at a time", text, len(finder.scanners))
	}
	if len(truncated) > 0 != (len(finder.scanners) > 0) ||
		len(finder.scanners) > 0 && finder.scanners[0].start != truncated[0] {
		t.Errorf("%q: cut off at %v, the finder has %d scanners", text, truncated,
			len(finder.scanners))
	}
}

// alphabet makes texts in which every wrong turn is near.
var alphabet = []string{`{`, `}`, `[`, `]`, `"`, `\`, `:`, `,`, `1`, `a`, "\n"}

func TestFinderFindsWhatTryingEachBracketFindsInAllShortTexts(t *testing.T) {
	t.Parallel()
	var extend func(text string, more int)
	extend = func(text string, more int) {
		compareWithEach(t, text)
		for i := 0; more > 0 && i < len(alphabet) && !t.Failed(); i++ {
			extend(text+alphabet[i], more-1)
		}
	}
	extend("", 4)
}

func TestFinderFindsWhatTryingEachBracketFindsInRandomTexts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	tokens := append([]string{`{"a":`, `["`, `",`, `"]`, `{}`, `\"`, `\u00e9`, ` `, "```"},
		alphabet...)
	rounds := 20_000
	if testing.Short() {
		rounds /= 20
	}
	for range rounds {
		var text strings.Builder
		for range random.IntN(30) {
			text.WriteString(tokens[random.IntN(len(tokens))])
		}
		if compareWithEach(t, text.String()); t.Failed() {
			return
		}
	}
}

// FuzzJSONInProseIsFound puts JSON between any two pieces of prose. The JSON is a candidate, with
// three exceptions. The prose may make it a part of a larger candidate, or of a truncated or
// malformed one, or its bracket may belong to an XML section.
func FuzzJSONInProseIsFound(f *testing.F) {
	f.Add(`Use { or [" or [1] for `, `{"a":["}",{"b":"]"}]}`, ` "} done`)
	f.Add("```json\n", `[1,2]`, "\n```")
	f.Add(`["\`, `{}`, `"]`)
	f.Fuzz(func(t *testing.T, before, value, after string) {
		kind := jsontext.Value(value).Kind()
		if kind != '{' && kind != '[' || !jsontext.Value(value).IsValid() ||
			strings.HasSuffix(before, "<![CDATA") {
			t.Skip()
		}
		value = strings.Trim(value, whiteSpace)
		text := before + value + after
		if readable(text) != text {
			t.Skip() // marks of quotations and drafts
		}
		start, end := len(before), len(before)+len(value)
		finder := finder{text: strings.TrimRight(text, "\r\n")}
		finder.run()
		larger := spansOf(finder.malformedSpans(text))
		for _, c := range find(text).candidates {
			if c.start == start && c.end == end {
				return
			}
			larger = append(larger, c.span)
		}
		for _, span := range larger {
			if span.start < start && span.end > start {
				return
			}
		}
		t.Errorf("%q: the JSON at %d to %d is not among %v", text, start, end, Candidates(text))
	})
}
