package merge

import (
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// CandidateIndexes returns an iterator over the positions and the indexes of the candidates of one
// response or chunk, each of which is a candidate of its own: no two have one index. A candidate
// has the index that the wire says, 0 where it says none or a negative one. If one before it has
// that index, it has the lowest that the wire says of none in the list, and that none before it
// has.
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

// IsIndexMoved reports whether the wire has another index for a candidate than the index that is
// used. It ignores a negative index, which is kept in addition.
func IsIndexMoved(c *geminiapi.Candidate, index int) bool {
	return c.Index != nil && *c.Index >= 0 && *c.Index != index
}

// DetailIndexMoved says why.
const DetailIndexMoved = "a candidate before it has the index; this one has the lowest that is free"

// wireIndex returns the index that the wire says.
func wireIndex(c *geminiapi.Candidate) int { return max(jsonx.Deref(c.Index), 0) }

// Indexes gives indexes to the elements of one list by the rule of [CandidateIndexes], in time by
// their number.
type Indexes struct {
	wireIndex func(position int) int
	given     int
	taken     map[int]bool // for those that are said: whether an element has it already
	free      int          // no index below it is free
}

// NewIndexes returns the indexes of a number of elements. wireIndex returns the index that an
// element has on the wire, which is not negative.
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
