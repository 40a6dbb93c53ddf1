package surrogate

import (
	"bytes"
	"slices"
	"unicode/utf16"
)

// Tail is the first half of a pair in which a text has ended that goes on elsewhere, as in the next delta of a stream:
// "\ud83d" before "\ude00". "" stands for none.
type Tail string

// Join returns the next piece of a text, a JSON string, with the half in front that ended the piece before it, and keeps the half
// in which it ends itself. An empty piece changes nothing. What finds no other half is half a pair in the result, as
// it was in the input.
func (t *Tail) Join(piece []byte) []byte {
	if len(piece) <= len(`""`) {
		return piece
	}
	if *t != "" {
		piece = slices.Concat(piece[:1], []byte(*t), piece[1:])
		*t = ""
	}
	if at := lastHalf(piece); at >= 0 {
		*t = Tail(piece[at : at+escapeSize])
		piece = append(slices.Clone(piece[:at]), '"')
	}
	return piece
}

// lastHalf returns where the escape of the first half of a pair begins in which a JSON string ends, -1 for none.
func lastHalf(piece []byte) int {
	at := len(piece) - escapeSize - 1
	if at < 1 {
		return -1
	}
	unit, isUnit := unitAt(piece, at)
	before := piece[1:at]
	backslashes := len(before) - len(bytes.TrimRight(before, `\`))
	if !isUnit || backslashes%2 == 1 || utf16.DecodeRune(unit, lowest) == '\uFFFD' {
		return -1
	}
	return at
}

// lowest is the first of the second halves.
const lowest = 0xdc00
