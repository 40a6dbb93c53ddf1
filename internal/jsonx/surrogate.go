package jsonx

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf16"
)

// ReplaceHalfPairs replaces each escape of half a surrogate pair by the escape of U+FFFD, like
// other decoders. It returns data itself if data has no such escape. Offsets do not change.
func ReplaceHalfPairs(data []byte) []byte {
	isCopy := false
	for at := nextLone(data, 0); at >= 0; at = nextLone(data, at+escapeSize) {
		if !isCopy {
			data, isCopy = slices.Clone(data), true
		}
		copy(data[at:], `\ufffd`)
	}
	return data
}

// HasHalfPair reports whether JSON has an escape of half a surrogate pair.
func HasHalfPair(data []byte) bool { return nextLone(data, 0) >= 0 }

// escapeSize is the length of an escape such as \ud83d.
const escapeSize = len(`\u0000`)

// nextLone returns the position of the next escape of half a surrogate pair, or -1. start must not
// be within an escape.
func nextLone(data []byte, start int) int {
	for at := start; ; {
		n := bytes.IndexByte(data[at:], '\\')
		if n < 0 {
			return -1
		}
		at += n
		unit, isUnit := unitAt(data, at)
		switch {
		case !isUnit:
			at = min(at+2, len(data))
		case !utf16.IsSurrogate(unit):
			at += escapeSize
		default:
			low, _ := unitAt(data, at+escapeSize)
			if utf16.DecodeRune(unit, low) == '\uFFFD' {
				return at
			}
			at += 2 * escapeSize
		}
	}
}

// unitAt returns the UTF-16 unit of the escape at a position.
func unitAt(data []byte, at int) (unit rune, ok bool) {
	if at+escapeSize > len(data) || data[at] != '\\' || data[at+1] != 'u' {
		return 0, false
	}
	value, err := strconv.ParseUint(string(data[at+2:at+escapeSize]), 16, 16)
	return rune(value), err == nil
}
