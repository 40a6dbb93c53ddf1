package structured

import (
	"slices"
	"sort"
	"strings"
)

// span is a part of the text.
type span struct{ start, end int }

// finder finds the JSON objects and lists in any text. It goes from left to right. At each opening
// bracket it finds the complete value that begins there, and continues after the value.
//
// Trying every bracket separately would take quadratic time. The finder reads each byte once, for
// all scanners at the same time. There are never more than two scanners. A scanner that meets a
// bracket where it expects a value takes it as a part of its own value, so the bracket needs no
// scanner. A bracket starts a new scanner only if no scanner takes it. Of two scanners, one is
// inside a string and the other is not, and this stays so: a quote changes both, a backslash ends
// the one outside, and a bracket ends the one outside or belongs to it.
type finder struct {
	text     string
	scanners []*scanner // at most two, the one that began first is in front
	idle     []*scanner // those that are over, to be used again

	// values are the complete objects and lists, in order. They do not overlap.
	values []span
	// malformed are objects and lists that were meant as JSON but are not valid. The list includes
	// those that began inside a value.
	malformed []malformedSpan
	// broken is the longest text that a failed scanner read, among the scanners that read at least
	// one token.
	broken span
	// looked counts the bytes that were looked at, one again for each scanner that reads it.
	looked int
}

func (f *finder) run() {
	for at := f.skip(0); at < len(f.text); at = f.skip(at + 1) {
		f.read(at)
	}
}

// skip returns the next byte that can matter.
func (f *finder) skip(at int) int {
	switch {
	case len(f.scanners) == 0:
		for at < len(f.text) && !isBracket(f.text[at]) {
			at++
		}
	case len(f.scanners) == 1 && f.scanners[0].state == inString:
		for at < len(f.text) && !isSpecialInString[f.text[at]] {
			at++
		}
	}
	return at
}

func isBracket(c byte) bool { return c == '{' || c == '[' }

// isSpecialInString contains the bytes that end a string, change how it continues, or start another
// scanner.
var isSpecialInString = func() (special [256]bool) {
	for c := range ' ' {
		special[c] = true
	}
	for _, c := range `"\{[` {
		special[c] = true
	}
	return special
}()

// read passes a byte to the scanners. It starts a scanner at a bracket that none of them takes.
func (f *finder) read(at int) {
	taken := false
	f.looked += 1 + len(f.scanners)
	for _, s := range f.scanners {
		if s.over {
			continue
		}
		switch s.step(at, f.text[at]) {
		case opens:
			taken = true
		case closes:
			s.over = len(s.open) == 0
			f.closed(s.closed, at+1)
		case fails:
			s.over = true
			f.failed(s, at)
		}
	}
	f.dismiss()
	if !taken && isBracket(f.text[at]) && !strings.HasSuffix(f.text[:at+1], openCDATA) {
		f.begin(at)
	}
}

// dismiss removes the scanners that have ended.
func (f *finder) dismiss() {
	f.scanners = slices.DeleteFunc(f.scanners, func(s *scanner) bool {
		if s.over {
			f.idle = append(f.idle, s)
		}
		return s.over
	})
}

// begin starts a scanner at a bracket.
func (f *finder) begin(at int) {
	if len(f.idle) == 0 {
		f.idle = append(f.idle, &scanner{open: make([]bracket, 0, 8)})
	}
	last := len(f.idle) - 1
	s := f.idle[last]
	f.idle = f.idle[:last]
	*s = scanner{start: at, open: s.open[:0], scalar: s.scalar[:0]}
	s.step(at, f.text[at])
	f.scanners = append(f.scanners, s)
}

// openCDATA begins an XML section. Its brackets are not a list around the content.
const openCDATA = "<![CDATA["

// closed records a complete value and drops everything that began inside it: its own parts, and
// text in its strings that looked like JSON.
func (f *finder) closed(start, end int) {
	hidden := len(f.values)
	if hidden > 0 && f.values[hidden-1].start > start {
		hidden = sort.Search(hidden, func(i int) bool { return f.values[i].start > start })
	}
	if hidden > 0 && f.values[hidden-1].end > start {
		return // began inside a value that another scanner found
	}
	f.values = append(f.values[:hidden], span{start, end})
	if f.broken.start > start {
		f.broken = span{} // a part of a string
	}
	for _, s := range f.scanners {
		s.over = s.over || s.start > start
	}
}
