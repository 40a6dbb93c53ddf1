package plainjson

import (
	"bytes"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// plainRun returns the number of bytes at the start of s that need no escape in a JSON string: all
// bytes before the first quote, backslash or control character. It also reports whether these bytes
// are all ASCII. If they are not, they may be invalid UTF-8.
//
// It looks at eight bytes at a time. Of each byte b below 0x80 in a word, the highest bit of
// b^'"'-1 is set if b is a quote. The highest bit of b^'\\'-1 is set for a backslash, and the
// highest bit of b-' ' for a control character. The borrow of a special byte can change the bits of
// bytes above it, never below, so the lowest bit that is set is always right.
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

// word returns the eight bytes of s from i on. The compiler makes one load of it.
func word[T string | []byte](s T, i int) uint64 {
	w := s[i : i+8]
	return uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
		uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
}

// textEnd returns the index of the quote that closes the JSON string whose first byte after the
// opening quote is data[i]. It reports false if there is no valid string.
func textEnd(data []byte, i int) (end int, ok bool) {
	for {
		n, ascii := plainRun(data[i:])
		if !ascii && !utf8.Valid(data[i:i+n]) {
			return 0, false
		}
		switch i += n; at(data, i) {
		case '"':
			return i, true
		case '\\':
			_, n := unescape(data[i:])
			if i += n; n == 0 {
				return 0, false
			}
		default:
			return 0, false
		}
	}
}

// text returns the text of the JSON string whose first byte after the opening quote is data[i],
// and the index of the closing quote.
func text(data []byte, i int, recent *Recent) (s string, end int, ok bool) {
	n, ascii := plainRun(data[i:])
	if end = i + n; at(data, end) == '"' {
		return short(data[i:end], recent), end, ascii || utf8.Valid(data[i:end])
	}
	if n = closingQuote(data[i:]); n < 0 {
		return "", 0, false
	}
	s, ok = unescapeAll(data[i : i+n])
	return s, i + n, ok
}

// closingQuote returns the index of the first quote that is not escaped, or -1.
func closingQuote(data []byte) int {
	for i := 0; ; i++ {
		n := bytes.IndexByte(data[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		backslash := i
		for backslash > 0 && data[backslash-1] == '\\' {
			backslash--
		}
		if (i-backslash)%2 == 0 {
			return i
		}
	}
}

// unescapeAll returns the text between the quotes of a JSON string.
func unescapeAll(data []byte) (s string, ok bool) {
	var out strings.Builder
	out.Grow(len(data))
	for len(data) > 0 {
		n, ascii := plainRun(data)
		if !ascii && !utf8.Valid(data[:n]) {
			return "", false
		}
		out.Write(data[:n])
		if data = data[n:]; len(data) > 0 {
			r, n := unescape(data)
			if n == 0 {
				return "", false
			}
			out.WriteRune(r)
			data = data[n:]
		}
	}
	if out.Len() < out.Cap()/4*3 {
		return strings.Clone(out.String()), true // many escapes, whose room would be lost
	}
	return out.String(), true
}

// short returns a string without an allocation if it is one of the most common strings or a recent
// one.
func short(text []byte, recent *Recent) string {
	switch string(text) {
	case "model":
		return "model"
	case "user":
		return "user"
	}
	if recent == nil || len(text) == 0 || len(text) > maxRecent {
		return string(text)
	}
	return recent.text(text)
}

// Recent remembers a few short strings for decoders of texts that repeat them. For example, every
// chunk of a stream has the response's id and its model. The zero value is empty and ready for use.
// It is not safe for concurrent use.
type Recent struct {
	byLength [8]string // one of each length modulo 8
}

// maxRecent is the maximum length of a string that is remembered.
const maxRecent = 40

func (r *Recent) text(text []byte) string {
	known := &r.byLength[len(text)%len(r.byLength)]
	if *known != string(text) {
		*known = string(text)
	}
	return *known
}

// unescape returns the character of the escape at the start of data, and the length of the escape.
// The length of an invalid escape is 0.
func unescape(data []byte) (r rune, n int) {
	if len(data) < 2 || data[0] != '\\' {
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
	low, _ := unescapeUnit(data[6:]) // 0, which completes no pair, for a missing one
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		return 0, 0
	}
	return r, 12
}

// unescapeUnit returns the UTF-16 code unit of the \uXXXX at the start of data.
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
