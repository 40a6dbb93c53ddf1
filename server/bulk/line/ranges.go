package line

import "iter"

// Range is a sequence of lines that one worker processes.
type Range struct {
	// Number is the number of the range in its input, from 0.
	Number int
	// Lines are the lines in the order of the input, at least one.
	Lines []Line
}

// RangeLimits are the maximum size of a range. The zero value is [DefaultRangeLimits].
type RangeLimits struct {
	// Lines is the maximum number of lines. Bytes is the maximum size in bytes; see [Line.Size]. A
	// larger line is a range of its own.
	Lines, Bytes int
}

// DefaultRangeLimits are small enough that little is repeated when a worker dies, and large enough
// that a million lines are thousands of ranges.
var DefaultRangeLimits = RangeLimits{Lines: 200, Bytes: 4 << 20}

// Ranges divides lines into ranges. After an error of the lines it yields only the error, and not
// the lines before it that are in no range yet.
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
