package search

import (
	"context"
	"unicode/utf8"
)

// scan is a text in which a needle is looked for. It remembers the last run of white space and the
// last run of backslashes. Otherwise a long run would be read again for each of its characters.
type scan struct {
	ctx    context.Context
	text   string
	isJSON bool

	space, slashes run
	steps          int
}

// longRun is the number of backslashes from which a run is remembered.
const longRun = 16

// run is a piece of a text, from an offset up to another one.
type run struct{ from, to int }

func (r run) has(at int) bool { return at >= r.from && at < r.to }

// isOver reports whether the context has ended. It asks the context rarely, because that takes
// longer than most steps.
func (s *scan) isOver() bool {
	const rarely = 1 << 12
	s.steps++
	return s.steps%rarely == 0 && s.ctx.Err() != nil
}

// rune matches one rune, and returns where it ends, or -1.
func (s *scan) rune(at int, r rune) int {
	if r == ' ' {
		return s.afterSpace(at)
	}
	text, slashes := s.text, s.afterSlashes(at)-at
	if r == '\\' {
		if slashes == 0 {
			return -1
		}
		return at + slashes
	}
	at += slashes
	if at >= len(text) || slashes > 0 && !s.isJSON {
		return -1
	}
	if slashes > 0 {
		if found, end := s.escaped(at); end > 0 {
			if fold(found) == r {
				return end
			}
			return -1
		}
		if r != '"' && r != '/' {
			return -1
		}
	}
	found, size := utf8.DecodeRuneInString(text[at:])
	if fold(found) != r {
		return -1
	}
	return at + size
}

// escaped reads the digits of \uXXXX, and the second half of a pair. The offset is the location of
// the u.
func (s *scan) escaped(at int) (r rune, end int) {
	text := s.text
	if r, end = hex(text, at); end == 0 || r < 0xD800 || r > 0xDBFF {
		return r, end
	}
	if low, after := hex(text, s.afterSlashes(end)); after > 0 && low >= 0xDC00 && low <= 0xDFFF {
		return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, after
	}
	return r, end
}

// afterSlashes returns where the backslashes at an offset end. Only a long run is remembered, so
// that the escapes before it do not displace it.
func (s *scan) afterSlashes(at int) int {
	if s.slashes.has(at) {
		return s.slashes.to
	}
	end := at
	for end < len(s.text) && s.text[end] == '\\' {
		end++
	}
	if end-at > longRun {
		s.slashes = run{at, end}
	}
	return end
}

// afterSpace returns where the white space at an offset ends, or -1 without white space.
func (s *scan) afterSpace(at int) int {
	end := s.afterOneSpace(at)
	if end < 0 {
		return -1
	}
	if !s.space.has(at) {
		s.space.from = at
		for next := end; next >= 0; next = s.afterOneSpace(next) {
			s.space.to = next
		}
	}
	return s.space.to
}

// afterOneSpace returns where one character of white space at an offset ends, or -1 without one.
func (s *scan) afterOneSpace(at int) int {
	if at >= len(s.text) {
		return -1
	}
	if r, size := utf8.DecodeRuneInString(s.text[at:]); isSpace(r) {
		return at + size
	}
	if !s.isJSON {
		return -1
	}
	letter := s.afterSlashes(at)
	if letter == at || letter == len(s.text) || !isSpaceLetter(s.text[letter]) {
		return -1
	}
	return letter + 1
}
