package openaianswer

import (
	"hash/crc32"
	"strings"
	"unicode/utf8"
)

// textShape is where the characters of a text begin. It takes no memory for a text in ASCII, and
// from the first other character on a bit for each byte.
type textShape struct {
	size     int
	checksum uint32 // of the text
	ascii    int    // how many bytes are before the first character that is not ASCII
	starts   []byte // a bit for each byte after them, set where a character begins
}

// add adds a piece of the text.
func (s *textShape) add(piece string) {
	s.checksum = updateCRC32(s.checksum, piece)
	if s.ascii == s.size {
		n := asciiPrefix(piece)
		s.ascii, s.size, piece = s.ascii+n, s.size+n, piece[n:]
	}
	for i := range len(piece) {
		bit := s.size - s.ascii
		if bit%8 == 0 {
			s.starts = append(s.starts, 0)
		}
		if utf8.RuneStart(piece[i]) {
			s.starts[bit/8] |= 1 << (bit % 8)
		}
		s.size++
	}
}

// updateCRC32 adds a text to a checksum. crc32.Update takes bytes, so it would need a copy of each
// piece.
func updateCRC32(sum uint32, text string) uint32 {
	sum = ^sum
	for i := range len(text) {
		sum = crc32.IEEETable[byte(sum)^text[i]] ^ sum>>8
	}
	return ^sum
}

// asciiPrefix returns how many bytes of a text come before its first character that is not ASCII.
func asciiPrefix(text string) int {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}

// begins reports whether a character begins at a byte.
func (s *textShape) begins(position int) bool {
	bit := position - s.ascii
	return bit < 0 || s.starts[bit/8]&(1<<(bit%8)) != 0
}

// standIns are characters of one to four bytes, by their length. No source cites them.
var standIns = [utf8.UTFMax + 1]string{1: "\x00", 2: "\u0080", 3: "\uFFFF", 4: "\U0010FFFF"}

// placeholders returns a text of the same shape.
func (s *textShape) placeholders() string {
	var out strings.Builder
	out.Grow(s.size)
	for position := 0; position < s.size; {
		next := position + 1
		for next < s.size && !s.begins(next) && next-position < utf8.UTFMax {
			next++
		}
		out.WriteString(standIns[next-position])
		position = next
	}
	return out.String()
}
