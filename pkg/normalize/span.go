package normalize

import (
	"strings"
	"unicode/utf8"
)

// textIndex finds spans in a candidate's text and converts the wire's byte offsets (UTF-8) into
// character offsets. Each lookup takes constant time, so all spans of a candidate together cost
// little more than one pass over the text.
type textIndex struct {
	text   string
	blocks []Block
	// starts are the byte offsets at which the blocks begin in text. It is computed when a span
	// names a part.
	starts []int
	// marks are the character counts before every markEvery bytes. It is nil if all characters are
	// single bytes.
	marks []int
	// effort is the number of bytes that searches for misplaced texts may still read.
	effort int
}

// markEvery balances the memory of the marks against the bytes to count at each lookup.
const markEvery = 64

func newTextIndex(c *Candidate) *textIndex {
	x := &textIndex{text: c.Text(), blocks: c.Blocks}
	x.effort = 64*len(x.text) + 1<<16
	if utf8.RuneCountInString(x.text) == len(x.text) {
		return x
	}
	x.marks = make([]int, 0, len(x.text)/markEvery+1)
	characters := 0
	for i := range len(x.text) {
		if i%markEvery == 0 {
			x.marks = append(x.marks, characters)
		}
		if utf8.RuneStart(x.text[i]) {
			characters++
		}
	}
	if len(x.text)%markEvery == 0 {
		x.marks = append(x.marks, characters)
	}
	return x
}

// span returns the piece of the text between two byte offsets, counted from base. If want is not
// "", it is the text that the wire expects there, and it decides: if the offsets disagree, the
// nearest place of want is used. Offsets have been seen to be wrong by one. If want does not occur,
// the span is cut down to whole characters of the text. exact reports whether base can be trusted.
func (x *textIndex) span(base int, exact bool, start, end int, want string) Span {
	from, to := x.clamp(base, start), x.clamp(base, end)
	exact = exact && from == base+start && to == base+end && from <= to
	switch {
	case want == "":
		exact = exact && x.isBoundary(from) && x.isBoundary(to)
	case exact && x.text[from:to] == want:
	default:
		exact = false
		if at, ok := x.nearest(from, want); ok {
			from, to = at, at+len(want)
		}
	}
	from, to = x.floor(from), x.ceil(max(from, to))
	return Span{Start: x.characters(from), End: x.characters(to), Text: want, Approximated: !exact}
}

// clamp returns base+offset, limited to the range of the text.
func (x *textIndex) clamp(base, offset int) int {
	return base + min(max(offset, -base), len(x.text)-base)
}

// base returns where the text of a part begins in the text, and false if the part has no text in
// it.
func (x *textIndex) base(part int) (int, bool) {
	if x.starts == nil {
		x.starts = blockStarts(x.blocks)
	}
	low, high := 0, len(x.blocks)
	for low < high {
		if mid := (low + high) / 2; x.blocks[mid].Part < part {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == len(x.blocks) || x.blocks[low].Part != part || x.blocks[low].Type != BlockText {
		return 0, false
	}
	return x.starts[low], true
}

func blockStarts(blocks []Block) []int {
	starts, next := make([]int, len(blocks)), 0
	for i := range blocks {
		starts[i] = next
		if blocks[i].Type == BlockText {
			next += len(blocks[i].Text)
		}
	}
	return starts
}

// nearest returns the place of want that is nearest to a byte offset. It searches nearby first, and
// gives up when all searches together have read many times the length of the text.
func (x *textIndex) nearest(from int, want string) (int, bool) {
	for reach := 64; ; reach *= 16 {
		low, high := max(from-reach, 0), min(from+reach+len(want), len(x.text))
		if x.effort -= high - low; x.effort < 0 {
			return 0, false
		}
		before := strings.LastIndex(x.text[low:min(from+len(want)-1, len(x.text))], want)
		after := strings.Index(x.text[from:high], want)
		switch {
		case before >= 0 && (after < 0 || from-(low+before) <= after):
			return low + before, true
		case after >= 0:
			return from + after, true
		case low == 0 && high == len(x.text):
			return 0, false
		}
	}
}

// characters converts a byte offset at the beginning of a character to a character offset.
func (x *textIndex) characters(offset int) int {
	if x.marks == nil {
		return offset
	}
	mark := offset / markEvery
	count := x.marks[mark]
	for i := mark * markEvery; i < offset; i++ {
		if utf8.RuneStart(x.text[i]) {
			count++
		}
	}
	return count
}

func (x *textIndex) isBoundary(offset int) bool {
	return offset == len(x.text) || utf8.RuneStart(x.text[offset])
}

func (x *textIndex) floor(offset int) int {
	for offset > 0 && !x.isBoundary(offset) {
		offset--
	}
	return offset
}

func (x *textIndex) ceil(offset int) int {
	for !x.isBoundary(offset) {
		offset++
	}
	return offset
}
