package structured

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// closing is how a value that is cut off is made complete.
type closing struct {
	kept  int    // how many bytes of it stay
	added string // what follows them
}

// apply returns the complete value.
func (c closing) apply(value string) string { return value[:c.kept] + c.added }

// closeValue finds out how to close a value that is cut off: with what there is of a string, and
// without it, for a string that means something only as a whole.
func closeValue(value string) (with, without closing) {
	s := scanner{text: value}
	for at := range len(value) {
		s.step(at)
	}
	var brackets strings.Builder
	for _, b := range slices.Backward(s.open) {
		if b.object {
			brackets.WriteByte('}')
		} else {
			brackets.WriteByte(']')
		}
	}
	without = closing{s.kept, brackets.String()}
	if !s.inText() {
		return without, without
	}
	return closing{len(withoutCutRune(value[:s.whole])), `"` + without.added}, without
}

// withoutCutRune takes the beginning of a UTF-8 sequence off the end of a text.
func withoutCutRune(text string) string {
	for cut := 1; cut < utf8.UTFMax && cut <= len(text); cut++ {
		tail := text[len(text)-cut:]
		if !utf8.RuneStart(tail[0]) {
			continue
		}
		if !utf8.FullRuneInString(tail) {
			return text[:len(text)-cut]
		}
		break
	}
	return text
}

// isHighSurrogate reports whether four hexadecimal digits are the first half of a surrogate pair.
func isHighSurrogate(digits string) bool {
	return digits[0]|0x20 == 'd' && strings.IndexByte("89abAB", digits[1]) >= 0
}
