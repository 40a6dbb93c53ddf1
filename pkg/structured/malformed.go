package structured

import (
	"cmp"
	"regexp"
	"slices"
	"sort"
)

// malformedSpan is an object or a list that is no JSON although it was meant as such: there was a colon or
// a comma, or it begins like one that models write. Values in it are its parts, also behind the fault, and
// no answers.
type malformedSpan struct {
	span          // as far as it is well-formed
	open     int  // how many brackets are open there
	inString bool // the fault is inside a string
}

// failed records what a scanner read that failed at the given byte.
func (f *finder) failed(s *scanner, at int) {
	meant := slices.IndexFunc(s.open, func(b bracket) bool { return b.separated })
	if meant < 0 && (s.state == wantNameOrEnd || s.state == wantValueOrEnd) && isMeantAsJSON(f.text[at:], s.inObject()) {
		meant = 0
	}
	if (s.hasToken || meant >= 0) && at-s.start > f.broken.end-f.broken.start {
		f.broken = span{s.start, at}
	}
	if meant >= 0 {
		f.malformed = append(f.malformed, malformedSpan{
			span:     span{s.open[meant].start, at},
			open:     len(s.open) - meant,
			inString: s.state == inEscape || s.state == inHex,
		})
	}
}

// isMeantAsJSON reports whether the inside of an object or a list begins with comments, with a name in
// other quotes or in none, or with an element in other quotes. Brackets in prose and code are often
// followed by words and quotes too: a name counts if it has a colon and a value, an element if it has a
// comma or a bracket behind it.
func isMeantAsJSON(inside string, object bool) bool {
	const lookAhead = 128 // so that the time stays linear in the length of the text
	inside = inside[:min(len(inside), lookAhead)]
	if object {
		return startOfObject.MatchString(inside)
	}
	return startOfList.MatchString(inside)
}

const (
	commentPattern = `(?://[^\n]*\n|/\*[^*]*\*/)\s*`
	quotedPattern  = `"[^"\n]*"|'[^'\n]*'|` + "`[^`\n]*`" + `|“[^”\n]*”|‘[^’\n]*’`
)

// The colons of addresses, formats and assignments have other characters behind them than values begin
// with.
var (
	startOfObject = regexp.MustCompile(`^\s*(?:` + commentPattern + `)*(?:` + quotedPattern + `|[\w$-]+)\s*:\s*[\w$\-{\["'` + "`" + `[:^ascii:]]`)
	startOfList   = regexp.MustCompile(`^\s*(?:(?:` + commentPattern + `)*(?:` + quotedPattern + `)\s*[,\]]|(?:` + commentPattern + `)+[{\[])`)
)

// malformedSpans returns the malformed spans that are not inside of values, in the order of their starts.
// They reach to where their brackets are closed, or else to the fault.
//
// What one of them was followed through is not looked at again, so that the time stays linear. One
// within it keeps to its fault.
func (f *finder) malformedSpans() []span {
	slices.SortFunc(f.malformed, func(a, b malformedSpan) int { return cmp.Compare(a.start, b.start) })
	var spans []span
	seen := 0
	for _, m := range f.malformed {
		if f.isInsideValue(m.start) {
			continue // in a string
		}
		if m.end >= seen {
			fault := m.end
			m.end, seen = m.closedAt(f.text)
			f.looked += seen - fault
		}
		spans = append(spans, m.span)
	}
	return spans
}

func (f *finder) isInsideValue(at int) bool {
	next := sort.Search(len(f.values), func(i int) bool { return f.values[i].end > at })
	return next < len(f.values) && f.values[next].start < at
}

// closedAt returns where the last of the open brackets is closed, or else the fault, and how far it looked.
func (m malformedSpan) closedAt(text string) (end, seen int) {
	open, inString := m.open, m.inString
	for at := m.end; at < len(text); at++ {
		switch c := text[at]; {
		case inString && c == '\\':
			at++
		case inString:
			inString = c != '"' && c != '\n'
		case c == '"':
			inString = true
		case isBracket(c):
			open++
		case c == '}' || c == ']':
			if open--; open == 0 {
				return at + 1, at + 1
			}
		}
	}
	return m.end, len(text)
}
