package plainjson

import "math/bits"

// skipSpace returns the index of the first byte from i on that is not white space. It avoids a call
// if data has no white space at i.
func skipSpace(data []byte, i int) int {
	if i < len(data) && data[i] <= ' ' {
		return spaceEnd(data, i)
	}
	return i
}

// spaceEnd returns the index of the first byte from i on that is not white space. It is fast for
// indentation, because it compares eight spaces at a time.
func spaceEnd(data []byte, i int) int {
	const blanks = 0x20_20_20_20_20_20_20_20
	if len(data)-i >= 2 && data[i] == ' ' && data[i+1] > ' ' {
		return i + 1 // as after most colons
	}
	for i < len(data) && isSpace(data[i]) {
		i++
		for len(data)-i >= 8 {
			if different := word(data, i) ^ blanks; different != 0 {
				i += bits.TrailingZeros64(different) / 8
				break
			}
			i += 8
		}
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
