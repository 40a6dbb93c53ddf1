package tally

import "math/bits"

// Board records which ranges of a job are done, and the sum of their results. The zero value is a
// job without finished ranges.
type Board struct {
	// Done has a bit for each range. The first range is the lowest bit of the first byte.
	Done []byte `json:"done,omitempty"`
	Sum
}

// Finish counts a range, and reports whether it was new. It ignores negative numbers.
func (b *Board) Finish(number int, sum *Sum) bool {
	if number < 0 || b.Has(number) {
		return false
	}
	for len(b.Done) <= number/8 {
		b.Done = append(b.Done, 0)
	}
	b.Done[number/8] |= 1 << (number % 8)
	b.Merge(sum)
	return true
}

// Has reports whether a range is done.
func (b *Board) Has(number int) bool {
	return number >= 0 && number/8 < len(b.Done) && b.Done[number/8]&(1<<(number%8)) != 0
}

// Ranges returns the number of ranges that are done.
func (b *Board) Ranges() int {
	n := 0
	for _, eight := range b.Done {
		n += bits.OnesCount8(eight)
	}
	return n
}
