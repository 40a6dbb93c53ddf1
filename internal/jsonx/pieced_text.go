package jsonx

import (
	"strings"
	"unicode/utf8"
)

// PiecedText collects a text that arrives in pieces. It needs at most an eighth more memory than
// the text, while the memory of a strings.Builder doubles. This matters because a stream keeps its
// answer to the end, as sources may cite any part of it.
//
// The zero value is empty. A PiecedText with text must not be copied.
type PiecedText struct {
	first  string   // the first piece, which a whole answer has alone and which is not copied
	blocks [][]byte // what follows it; the last has room
	size   int
}

// A block has at least leastBlock bytes, which is more than a few tokens, and at most mostBlock.
const (
	leastBlock = 512
	mostBlock  = 64 << 10
)

// Add adds a piece. It keeps the first piece without a copy, and copies all others.
func (t *PiecedText) Add(piece string) {
	if t.size == 0 {
		t.first, t.size = piece, len(piece)
		return
	}
	for len(piece) > 0 {
		last := len(t.blocks) - 1
		if last < 0 || len(t.blocks[last]) == cap(t.blocks[last]) {
			t.blocks = append(t.blocks, make([]byte, 0, t.nextBlock()))
			last++
		}
		block := t.blocks[last]
		n := min(len(piece), cap(block)-len(block))
		t.blocks[last] = append(block, piece[:n]...)
		piece, t.size = piece[n:], t.size+n
	}
}

// nextBlock returns the size of the next block. It is a power of two, because the allocator rounds
// up any other size.
func (t *PiecedText) nextBlock() int {
	size := leastBlock
	for size < mostBlock && size <= t.size/16 {
		size *= 2
	}
	return size
}

// Len returns the number of bytes.
func (t *PiecedText) Len() int { return t.size }

// String returns the whole text.
func (t *PiecedText) String() string { return t.From(0) }

// From returns the text after a position.
func (t *PiecedText) From(start int) string {
	if start <= len(t.first) && t.size == len(t.first) {
		return t.first[start:]
	}
	var out strings.Builder
	out.Grow(t.size - start)
	if start < len(t.first) {
		out.WriteString(t.first[start:])
	}
	begin := len(t.first)
	for _, block := range t.blocks {
		if end := begin + len(block); start < end {
			out.Write(block[max(start-begin, 0):])
		}
		begin += len(block)
	}
	return out.String()
}

// RunesBefore returns the number of characters before a position. The position must be between two
// characters. Characters may be split over two blocks.
func (t *PiecedText) RunesBefore(position int) int {
	count := utf8.RuneCountInString(t.first[:min(position, len(t.first))])
	begin := len(t.first)
	for _, block := range t.blocks {
		if begin >= position {
			break
		}
		for _, c := range block[:min(position-begin, len(block))] {
			if utf8.RuneStart(c) {
				count++
			}
		}
		begin += len(block)
	}
	return count
}
