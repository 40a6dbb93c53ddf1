package plainjson

import (
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// plainRun returns how many bytes of s, from its start, stand for themselves in a JSON string: all up
// to the first quote, backslash or control character. It also tells whether these are all ASCII; if
// not, they may still be invalid UTF-8.
//
// It looks at eight bytes at a time. Of each byte b below 0x80 in a word, the highest bit of b^'"'-1 is
// set if b is a quote, that of b^'\\'-1 if it is a backslash, and that of b-' ' if it is a control
// character. The borrow of a byte that is special can change the bits of bytes above it, never below,
// so that the lowest bit that is set is always right.
func plainRun[T string | []byte](s T) (n int, ascii bool) {
	const (
		each  = 0x01_01_01_01_01_01_01_01
		highs = 0x80 * each
	)
	var seen uint64
	for len(s)-n >= 8 {
		w := word(s, n)
		special := (w ^ each*'"' - each) | (w ^ each*'\\' - each) | (w - each*' ')
		if special &= highs &^ w; special != 0 {
			below := special&-special - 1
			return n + bits.TrailingZeros64(special)/8, (seen|w&below)&highs == 0
		}
		seen |= w
		n += 8
	}
	for ; n < len(s); n++ {
		c := s[n]
		if c < ' ' || c == '"' || c == '\\' {
			break
		}
		seen |= uint64(c)
	}
	return n, seen&highs == 0
}

// word returns the eight bytes of s from i on; the compiler makes one load of it.
func word[T string | []byte](s T, i int) uint64 {
	w := s[i : i+8]
	return uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
		uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
}

// textEnd returns where the JSON string ends whose first byte after the quote is data[i]: the index
// of the closing quote, and how many bytes the text has without its escapes. It reports false if there
// is no valid string there.
func textEnd(data []byte, i int) (end, size int, ok bool) {
	n, ascii := plainRun(data[i:])
	if end := i + n; ascii && end < len(data) && data[end] == '"' {
		return end, n, true
	}
	return unplainTextEnd(data, i)
}

func unplainTextEnd(data []byte, i int) (end, size int, ok bool) {
	for {
		n, ascii := plainRun(data[i:])
		if !ascii && !utf8.Valid(data[i:i+n]) {
			return 0, 0, false
		}
		i += n
		size += n
		if i >= len(data) || data[i] < ' ' {
			return 0, 0, false
		}
		if data[i] == '"' {
			return i, size, true
		}
		r, n := unescape(data[i:])
		if n == 0 {
			return 0, 0, false
		}
		i += n
		size += utf8.RuneLen(r)
	}
}

// text returns the text of a JSON string for which textEnd has returned size. Data begins behind the
// opening quote and ends before the closing one.
func text(data []byte, size int) string {
	if size == len(data) {
		return string(data)
	}
	var out strings.Builder
	out.Grow(size)
	for len(data) > 0 {
		n, _ := plainRun(data)
		out.Write(data[:n])
		data = data[n:]
		if len(data) > 0 {
			r, n := unescape(data)
			out.WriteRune(r)
			data = data[n:]
		}
	}
	return out.String()
}

// unescape returns the character that the escape at the start of data stands for, and the length of
// the escape, which is 0 if it is none that is valid.
func unescape(data []byte) (r rune, n int) {
	if len(data) < 2 {
		return 0, 0
	}
	switch data[1] {
	case '"', '\\', '/':
		return rune(data[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	r, ok := unescapeUnit(data)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	low, _ := unescapeUnit(data[6:]) // 0, which completes no pair, if there is none
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		return 0, 0
	}
	return r, 12
}

// unescapeUnit returns the UTF-16 code unit that \uXXXX at the start of data stands for.
func unescapeUnit(data []byte) (unit rune, ok bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	for _, c := range data[2:6] {
		switch {
		case '0' <= c && c <= '9':
			unit = unit<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			unit = unit<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			unit = unit<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return unit, true
}
