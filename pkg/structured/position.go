package structured

import (
	"strings"
	"unicode/utf8"

	"github.com/gemwire/gemwire/pkg/validation"
)

// ruler converts offsets in a text to positions. It reads the text once for rising offsets.
type ruler struct {
	text string
	last validation.Position
}

func newRuler(text string) *ruler { return &ruler{text: text} }

// at returns the position of a byte.
func (r *ruler) at(offset int) validation.Position {
	if r.last.Line == 0 || offset < r.last.Offset {
		r.last = validation.Position{Line: 1, Column: 1}
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
