package structured

import (
	"cmp"
	"slices"
	"sort"
)

// wreck is an object or a list that failed although it was meant as one: there was a colon or a comma, or
// it begins like one of a dialect. Values in it are its parts, also behind the fault, and no answers.
type wreck struct {
	span          // as far as it is well-formed
	open     int  // how many brackets are open there
	inString bool // it failed inside a string
}

// wrecksOutside returns the wrecks that are not inside of values. Those that are stand in strings.
func (f *finder) wrecksOutside() []wreck {
	return slices.DeleteFunc(f.wrecks, func(w wreck) bool {
		next := sort.Search(len(f.values), func(i int) bool { return f.values[i].end > w.start })
		return next < len(f.values) && f.values[next].start < w.start
	})
}

// extents returns how far wrecks reach, in the order of their starts: to where their brackets are
// closed, or else to the fault. They do not reach into another fence.
//
// What one of them was followed through is not looked at again, so that the time stays linear. One
// within it keeps to its fault.
func (s *search) extents(wrecks []wreck) []span {
	slices.SortFunc(wrecks, func(a, b wreck) int { return cmp.Compare(a.start, b.start) })
	extents := make([]span, len(wrecks))
	seen := 0
	for i, w := range wrecks {
		extents[i] = w.span
		if w.end < seen {
			continue
		}
		limit := s.limit(w.start)
		seen = limit
		if end := w.closedAt(s.text, limit); end > 0 {
			extents[i].end, seen = end, end
		}
	}
	return extents
}

// limit returns where the fence ends that a place is in, or the next one begins.
func (s *search) limit(at int) int {
	if f := s.fenceAt(at); f != nil {
		return f.end
	}
	next := sort.Search(len(s.fences), func(i int) bool { return s.fences[i].content.start > at })
	if next == len(s.fences) {
		return len(s.text)
	}
	return s.fences[next].content.start
}

// closedAt returns where the last of the open brackets is closed, 0 if it is not.
func (w wreck) closedAt(text string, limit int) int {
	open, inString := w.open, w.inString
	for at := w.end; at < limit; at++ {
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
				return at + 1
			}
		}
	}
	return 0
}
