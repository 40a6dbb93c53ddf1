package plainjson

import "math/bits"

// spaceEnd returns the index of the first byte from i on that is no white space. It is quick about
// indentation, which it takes eight blanks at a time.
func spaceEnd(data []byte, i int) int {
	const blanks = 0x20_20_20_20_20_20_20_20
	for i < len(data) && isSpace(data[i]) {
		i++
		for len(data)-i >= 8 {
			different := word(data, i) ^ blanks
			i += bits.TrailingZeros64(different) / 8 // 8 if there is no difference
			if different != 0 {
				break
			}
		}
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
