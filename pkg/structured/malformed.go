package structured

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// malformedSpan is an object or a list that is no JSON although it was meant as such: there was a
// colon or a comma, it begins like one that models write, or a [mender] can read it. Values in it
// are its parts, also behind the fault, and no answers.
type malformedSpan struct {
	span             // as far as it is well-formed
	open     int     // how many brackets are open there
	inString bool    // the fault is inside a string
	doubtful bool    // it may as well be brackets of prose
	mended   *mended // what was meant, nil when that is unknown
}

// failed records what a scanner read that failed at the given byte.
func (f *finder) failed(s *scanner, at int) {
	meant := slices.IndexFunc(s.open, func(b bracket) bool { return b.separated })
	if s.hasToken || meant >= 0 {
		f.noteBroken(span{s.start, at})
	}
	if meant != 0 && (s.hasToken || beginsSlip(f.text[at])) {
		f.addMalformed(s, at, 0, true)
	}
	if meant >= 0 {
		f.addMalformed(s, at, meant, false)
	}
}

// noteBroken keeps what goes on like JSON for longest.
func (f *finder) noteBroken(s span) {
	if s.end-s.start > f.broken.end-f.broken.start {
		f.broken = s
	}
}

// beginsSlip reports whether a byte may begin a comment, a string in other quotes, or a word or
// name in none.
func beginsSlip(c byte) bool {
	const typographic = 0xE2 // all such quotes begin with it
	return isLetter(c) || c == typographic || strings.IndexByte("/#'_$", c) >= 0
}

// addMalformed adds what a scanner read from one of its open brackets on.
func (f *finder) addMalformed(s *scanner, at, first int, doubtful bool) {
	f.malformed = append(f.malformed, malformedSpan{
		span:     span{s.open[first].start, at},
		open:     len(s.open) - first,
		inString: s.state == inEscape || s.state == inHex,
		doubtful: doubtful,
	})
}

// malformedSpans returns the malformed spans that are not inside of values, in the order of their
// starts. They reach to the end of what was meant where that is known, or else to where their
// brackets are closed, or else to the fault.
func (f *finder) malformedSpans(source string) []malformedSpan {
	slices.SortFunc(f.malformed,
		func(a, b malformedSpan) int { return cmp.Compare(a.start, b.start) })
	spans := f.malformed[:0]
	follower := follower{finder: f, mender: mender{text: f.text, source: source}}
	for _, m := range f.malformed {
		isPart := m.start < follower.mended
		if !isPart && !f.isInsideValue(m.start) && follower.follow(&m) {
			spans = append(spans, m)
		}
	}
	return spans
}

// follower finds out how far malformed spans reach. What one of them was followed through is not
// looked at again, so that the time stays linear. One within it keeps to its fault.
type follower struct {
	*finder
	mender mender
	mended int // where the value ends that was mended last
	// How far menders have looked, for what is meant as JSON and for what is doubtful, and how far
	// closedAt has.
	read, readInDoubt, seen int
}

// follow sets the end of a malformed span. It returns false when it was not meant as JSON.
func (f *follower) follow(m *malformedSpan) bool {
	fault := m.end
	read := &f.read
	if m.doubtful {
		read = &f.readInDoubt
	}
	if m.start >= *read {
		m.mended = f.mender.mend(m.start)
		m.doubtful = m.doubtful && m.mended == nil && !f.mender.isMeantAsJSON()
		f.looked += f.mender.at - m.start
		*read = f.mender.at
	}
	if m.doubtful {
		return false
	}
	f.noteBroken(span{m.start, fault})
	switch {
	case m.mended != nil:
		m.end, f.mended = m.mended.end, m.mended.end
	case fault >= f.seen:
		m.end, f.seen = m.closedAt(f.text)
		f.looked += f.seen - fault
	}
	return true
}

func (f *finder) isInsideValue(at int) bool {
	next := sort.Search(len(f.values), func(i int) bool { return f.values[i].end > at })
	return next < len(f.values) && f.values[next].start < at
}

// closedAt returns where the last of the open brackets is closed, or else the fault, and how far it
// looked.
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
