package structured

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Position is a place in the text.
type Position struct {
	// Offset counts the bytes before the place.
	Offset int
	// Line counts the lines from 1.
	Line int
	// Column counts the characters of the line from 1. A byte order mark at the beginning of the
	// text is none.
	Column int
}

// String returns the position as "line 3, column 5 (offset 57)".
func (p Position) String() string {
	return fmt.Sprintf("line %d, column %d (offset %d)", p.Line, p.Column, p.Offset)
}

// ruler finds positions in a text. It reads the text once for any number of positions that rise.
type ruler struct {
	text string
	last Position
}

func newRuler(text string) *ruler { return &ruler{text: text} }

// at returns the position of a byte.
func (r *ruler) at(offset int) Position {
	if r.last.Line == 0 || offset < r.last.Offset {
		r.last = Position{Line: 1, Column: 1}
	}
	passed := r.text[r.last.Offset:offset]
	if r.last.Offset == 0 {
		passed = strings.TrimPrefix(passed, byteOrderMark)
	}
	if newline := strings.LastIndexByte(passed, '\n'); newline >= 0 {
		r.last.Line += strings.Count(passed, "\n")
		r.last.Column = 1
		passed = passed[newline+1:]
	}
	r.last.Column += utf8.RuneCountInString(passed)
	r.last.Offset = offset
	return r.last
}
