package line

import "iter"

// Range is a run of lines that are worked at together.
type Range struct {
	// Number counts the ranges of an input from 0.
	Number int
	// Lines are at least one, in the order of the input.
	Lines []Line
}

// RangeLimits say how large a range may be. The zero value is [DefaultRangeLimits].
type RangeLimits struct {
	// Lines is the most lines of a range, Bytes the most bytes; see [Line.Size]. A line of more
	// bytes is a range of its own.
	Lines, Bytes int
}

// DefaultRangeLimits are limits by which little is done again when a worker dies, and a million
// lines are thousands of ranges.
var DefaultRangeLimits = RangeLimits{Lines: 200, Bytes: 4 << 20}

// Ranges divides lines into ranges. An error of the lines is passed on, and then the lines that
// were in no range yet are not; it ends the ranges.
func Ranges(lines iter.Seq2[Line, error], limits RangeLimits) iter.Seq2[Range, error] {
	if limits.Lines <= 0 {
		limits.Lines = DefaultRangeLimits.Lines
	}
	if limits.Bytes <= 0 {
		limits.Bytes = DefaultRangeLimits.Bytes
	}
	return func(yield func(Range, error) bool) {
		var next Range
		size := 0
		for l, err := range lines {
			if err != nil {
				yield(Range{}, err)
				return
			}
			isFull := len(next.Lines) == limits.Lines || size+l.Size() > limits.Bytes
			if isFull && len(next.Lines) > 0 {
				if !yield(next, nil) {
					return
				}
				next, size = Range{Number: next.Number + 1}, 0
			}
			next.Lines = append(next.Lines, l)
			size += l.Size()
		}
		if len(next.Lines) > 0 {
			yield(next, nil)
		}
	}
}
