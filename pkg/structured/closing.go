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
	inside := s.token + 1
	return closing{inside + wholeCharacters(value[inside:]), `"` + without.added}, without
}

// wholeCharacters returns how much of the inside of a JSON string is complete: an escape, a surrogate
// pair or a UTF-8 sequence at its end may not be.
func wholeCharacters(inside string) int {
	whole := 0
	for whole < len(inside) {
		size := characterSize(inside[whole:])
		if size == 0 {
			break
		}
		whole += size
	}
	return whole
}

// characterSize returns how many bytes the first character of the inside of a string takes, 0 when it
// is not all there.
func characterSize(inside string) int {
	const escape = len(`\n`)
	const unicode = len(`\u0000`)
	switch {
	case inside[0] < utf8.RuneSelf && inside[0] != '\\':
		return 1
	case inside[0] != '\\':
		if !utf8.FullRuneInString(inside) {
			return 0
		}
		_, size := utf8.DecodeRuneInString(inside)
		return size
	case len(inside) < escape:
		return 0
	case inside[1] != 'u':
		return escape
	case len(inside) < unicode:
		return 0
	case !isHighSurrogate(inside[2:unicode]):
		return unicode
	case !strings.HasPrefix(`\u`, inside[unicode:min(unicode+2, len(inside))]):
		return unicode // the other half does not follow
	case len(inside) < 2*unicode:
		return 0
	default:
		return 2 * unicode
	}
}

// isHighSurrogate reports whether four hexadecimal digits are the first half of a surrogate pair.
func isHighSurrogate(digits string) bool {
	return digits[0]|0x20 == 'd' && strings.IndexByte("89abAB", digits[1]) >= 0
}
