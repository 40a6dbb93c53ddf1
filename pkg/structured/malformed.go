package structured

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// malformedSpan is an object or list that was meant as JSON but is not valid. It has a colon or
// comma, it begins like a slip of a model, or a [mender] can read it. Values in it are its parts,
// also those after the fault, and not answers.
type malformedSpan struct {
	span             // the well-formed part
	open     int     // how many brackets are open there
	inString bool    // the fault is inside a string
	doubtful bool    // it may as well be brackets of prose
	mended   *mended // what was meant, nil when that is unknown
}

// failed records the span of a scanner that failed at the given byte.
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

// noteBroken keeps the span that is valid JSON for longest.
func (f *finder) noteBroken(s span) {
	if s.end-s.start > f.broken.end-f.broken.start {
		f.broken = s
	}
}

// beginsSlip reports whether a byte may begin a comment, a string in other quotes, or an unquoted
// word or name.
func beginsSlip(c byte) bool {
	const typographic = 0xE2 // all such quotes begin with it
	return isLetter(c) || c == typographic || strings.IndexByte("/#'_$", c) >= 0
}

// addMalformed adds the span of a scanner, from one of its open brackets on.
func (f *finder) addMalformed(s *scanner, at, first int, doubtful bool) {
	f.malformed = append(f.malformed, malformedSpan{
		span:     span{s.open[first].start, at},
		open:     len(s.open) - first,
		inString: s.state == inEscape || s.state == inHex,
		doubtful: doubtful,
	})
}

// malformedSpans returns the malformed spans outside of values, ordered by start. A span ends where
// the meant value ends. If that is unknown it ends where its brackets are closed, else at the
// fault.
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

// follower determines where malformed spans end. It never reads a byte again that it has followed
// one of them through, so its time is linear. A span within another one ends at its fault.
type follower struct {
	*finder
	mender mender
	mended int // where the value ends that was mended last
	// The offsets up to which menders have looked, for spans that are meant as JSON and for
	// doubtful ones, and up to which closedAt has looked.
	read, readInDoubt, seen int
}

// follow sets the end of a malformed span. It returns false if the span was not meant as JSON.
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

// closedAt returns where the last of the open brackets is closed, else the fault, and how far it
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
