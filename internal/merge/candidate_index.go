package merge

import (
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// CandidateIndexes returns an iterator over the positions and the indexes of the candidates of one
// response or chunk. No two candidates get the same index. A candidate gets the index that the JSON
// has, or 0 if it has none or a negative one. If an earlier candidate already has that index, the
// candidate gets the lowest free index: neither an earlier candidate nor the JSON of any candidate
// in the list has it.
func CandidateIndexes(candidates []geminiapi.Candidate) iter.Seq2[int, int] {
	return func(yield func(position, index int) bool) {
		if len(candidates) == 1 { // as nearly always
			yield(0, wireIndex(&candidates[0]))
			return
		}
		indexes := NewIndexes(len(candidates), func(i int) int { return wireIndex(&candidates[i]) })
		for i := range candidates {
			if !yield(i, indexes.Next()) {
				return
			}
		}
	}
}

// IsIndexMoved reports whether the JSON has another index for a candidate than the index that is
// used. It ignores a negative index, which is kept in addition.
func IsIndexMoved(c *geminiapi.Candidate, index int) bool {
	return c.Index != nil && *c.Index >= 0 && *c.Index != index
}

// DetailIndexMoved is the detail of the report entry for a moved index.
const DetailIndexMoved = "an earlier candidate has the index; this one gets the lowest free index"

// wireIndex returns the index in the JSON.
func wireIndex(c *geminiapi.Candidate) int { return max(jsonx.Deref(c.Index), 0) }

// Indexes assigns indexes to the elements of one list by the rule of [CandidateIndexes]. The time
// is proportional to their number.
type Indexes struct {
	wireIndex func(position int) int
	given     int
	taken     map[int]bool // for those that are said: whether an element has it already
	free      int          // no index below it is free
}

// NewIndexes returns the indexes of a number of elements. wireIndex returns the index of an element
// in the JSON. It must not be negative.
func NewIndexes(elements int, wireIndex func(position int) int) *Indexes {
	out := &Indexes{wireIndex: wireIndex, taken: make(map[int]bool, elements)}
	for i := range elements {
		out.taken[wireIndex(i)] = false
	}
	return out
}

// Next returns the index of the next element.
func (x *Indexes) Next() int {
	index := x.wireIndex(x.given)
	x.given++
	if !x.taken[index] {
		x.taken[index] = true
		return index
	}
	for {
		if _, isThere := x.taken[x.free]; !isThere {
			break
		}
		x.free++
	}
	x.taken[x.free] = true
	return x.free
}
