package search

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"
)

// needle is a text to find. It matches without regard to letter case and the amount of white space,
// and sees the texts in JSON without their escapes.
type needle struct {
	// runes are the text in lower case. White space is one space, and several backslashes are one.
	runes []rune
	// anchor is the index of the rarest rune that no program escapes, or -1. lower and upper are
	// its bytes.
	anchor       int
	lower, upper byte
	// previous and following are the characters around the anchor, or 0 for one that may be escaped
	// or may be white space. They save most calls of forward.
	previous, following byte
	// first are the spellings of the first rune, for a needle without an anchor.
	first []string
}

// newNeedle returns a needle, or nil for a text of white space.
func newNeedle(text string) *needle {
	n := &needle{anchor: -1}
	for _, r := range strings.Join(strings.Fields(text), " ") {
		if r == '\\' && len(n.runes) > 0 && n.runes[len(n.runes)-1] == '\\' {
			continue
		}
		n.runes = append(n.runes, fold(r))
	}
	if len(n.runes) == 0 {
		return nil
	}
	best := len(rareFirst)
	for i, r := range n.runes {
		if rank := rankOf(r); rank < best {
			n.anchor, best = i, rank
		}
	}
	if n.anchor >= 0 {
		n.lower = byte(n.runes[n.anchor])
		n.upper = byte(unicode.ToUpper(n.runes[n.anchor]))
		n.previous, n.following = n.plain(n.anchor-1), n.plain(n.anchor+1)
		return n
	}
	for r := n.runes[0]; ; {
		n.first = append(n.first, string(r))
		if r = unicode.SimpleFold(r); r == n.runes[0] || len(n.first) > 4 {
			return n
		}
	}
}

// plain returns the rune at an index if it is a letter or digit of ASCII, or 0.
func (n *needle) plain(index int) byte {
	if index < 0 || index >= len(n.runes) || n.runes[index] >= utf8.RuneSelf {
		return 0
	}
	if c := byte(n.runes[index]); c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
		return c
	}
	return 0
}

// rareFirst are the characters that no program escapes in JSON, from rare to frequent ones in
// English and in JSON. All other characters have no rank.
const rareFirst = "~^`@|$;!?*%#+=qzxjkvwybp9876543gfhmdu2lcrn10so_ait.(){}[]-,:e"

func rankOf(r rune) int {
	if r >= utf8.RuneSelf {
		return len(rareFirst)
	}
	if rank := strings.IndexByte(rareFirst, byte(r)); rank >= 0 {
		return rank
	}
	return len(rareFirst)
}

func fold(r rune) rune {
	if r < utf8.RuneSelf {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}
	return unicode.ToLower(r)
}

// find returns where the needle begins and ends in a text, at or after an offset, or -1 and -1.
func (n *needle) find(text string, from int, isJSON bool) (start, end int) {
	return n.findIn(&scan{ctx: context.Background(), text: text, isJSON: isJSON}, from)
}

// findIn is find in a text that is being scanned. It finds nothing after the end of the context.
func (n *needle) findIn(s *scan, from int) (start, end int) {
	if n.anchor < 0 {
		return n.findFirst(s, from)
	}
	text, isJSON := s.text, s.isJSON
	lower, upper := -1, -1 // The next anchors. -1 is unknown, and len(text) is the end.
	for at := from; !s.isOver(); {
		if lower < at {
			lower = indexFrom(text, n.lower, at)
		}
		if upper < at {
			upper = lower
			if n.upper != n.lower {
				upper = indexFrom(text, n.upper, at)
			}
		}
		at = min(lower, upper)
		if at >= len(text) {
			return -1, -1
		}
		// Digits have the bit of lower case, too.
		if n.following != 0 && (at+1 >= len(text) || text[at+1]|0x20 != n.following) ||
			n.previous != 0 && (at == 0 || text[at-1]|0x20 != n.previous) {
			at++
			continue
		}
		if end := n.forward(s, at+1, n.anchor+1); end >= 0 {
			start := n.backward(text, at, isJSON)
			if start >= from && !(isJSON && isInEscape(text, start)) {
				return start, end
			}
		}
		at++
	}
	return -1, -1
}

// isInEscape reports whether an offset is within an escape, such as at the n of a line break.
func isInEscape(text string, at int) bool {
	isEscape := func(letter int) bool {
		return letter > 0 && (letter-beforeSlashes(text, letter))%2 == 1
	}
	if strings.IndexByte("bfnrtu", text[at]) >= 0 && isEscape(at) {
		return true
	}
	for back := 1; back <= 4 && back <= at; back++ {
		if _, end := hex(text, at-back); end > at && isEscape(at-back) {
			return true
		}
	}
	return false
}

func indexFrom(text string, b byte, from int) int {
	if at := strings.IndexByte(text[from:], b); at >= 0 {
		return from + at
	}
	return len(text)
}

// findFirst finds a needle without an anchor, by the spellings of its first rune.
func (n *needle) findFirst(s *scan, from int) (start, end int) {
	text, spellings := s.text, n.first
	if s.isJSON {
		spellings = append([]string{`\u`}, n.first...)
	}
	best := -1
	for _, spelling := range spellings {
		for at := from; !s.isOver(); at++ {
			next := strings.Index(text[at:], spelling)
			if next < 0 || best >= 0 && at+next >= best {
				break
			}
			at += next
			if stop := n.forward(s, at, 0); stop >= 0 {
				best, end = at, stop
				break
			}
		}
	}
	if best < 0 {
		return -1, -1
	}
	return best, end
}

// forward matches the runes from an index on, and returns where the match ends, or -1.
func (n *needle) forward(s *scan, at, index int) int {
	text := s.text
	for ; index < len(n.runes); index++ {
		r := n.runes[index]
		if at < len(text) && r < utf8.RuneSelf && r != ' ' && r != '\\' {
			if c := text[at]; c != '\\' && c < utf8.RuneSelf { // the usual case
				if fold(rune(c)) != r {
					return -1
				}
				at++
				continue
			}
		}
		if at = s.rune(at, r); at < 0 {
			return -1
		}
	}
	return at
}

// hex reads uXXXX.
func hex(text string, at int) (r rune, end int) {
	const length = 5
	if at+length > len(text) || text[at] != 'u' {
		return 0, 0
	}
	for _, c := range []byte(text[at+1 : at+length]) {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, 0
		}
	}
	return r, at + length
}

// isSpaceLetter reports whether a letter after a backslash stands for white space.
func isSpaceLetter(c byte) bool { return c == 'n' || c == 't' || c == 'r' || c == 'f' }

// backward matches the runes before the anchor, and returns where the match begins, or -1.
func (n *needle) backward(text string, at int, isJSON bool) int {
	for index := n.anchor - 1; index >= 0; index-- {
		before := rune(0)
		if index > 0 {
			before = n.runes[index-1]
		}
		if at = runeBefore(text, at, n.runes[index], before, isJSON); at < 0 {
			return -1
		}
	}
	return at
}

// runeBefore matches the rune that ends at an offset, and returns where it begins, or -1.
func runeBefore(text string, at int, r, before rune, isJSON bool) int {
	if r == ' ' {
		return beforeSpace(text, at, isJSON)
	}
	if r == '\\' {
		if begin := beforeSlashes(text, at); begin < at {
			return begin
		}
		return -1
	}
	found, size := utf8.DecodeLastRuneInString(text[:at])
	if size > 0 && fold(found) == r {
		at -= size
		if isJSON && before != '\\' && (r == '"' || r == '/') {
			at = beforeSlashes(text, at)
		}
		return at
	}
	if !isJSON {
		return -1
	}
	for _, length := range []int{5, 11, 12, 13} { // uXXXX, and two of them
		if begin := at - length; begin > 0 && text[begin] == 'u' && text[begin-1] == '\\' {
			if found, end := (&scan{text: text}).escaped(begin); end == at && fold(found) == r {
				return beforeSlashes(text, begin)
			}
		}
	}
	return -1
}

// beforeSlashes returns where the backslashes before an offset begin.
func beforeSlashes(text string, at int) int {
	for at > 0 && text[at-1] == '\\' {
		at--
	}
	return at
}

// beforeSpace returns where the white space before an offset begins, or -1 without white space.
func beforeSpace(text string, at int, isJSON bool) int {
	end := at
	for at > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		switch {
		case isSpace(r):
			at -= size
		case isJSON && at > 1 && isSpaceLetter(text[at-1]) && text[at-2] == '\\':
			at = beforeSlashes(text, at-1)
		case at == end:
			return -1
		default:
			return at
		}
	}
	return at
}
