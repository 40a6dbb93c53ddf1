package merge

import (
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
)

// CandidateIndexes returns an iterator over the positions and the indexes of the candidates of one
// response or chunk, each of which is a candidate of its own: no two have one index. A candidate has the
// index that the wire says, 0 where it says none or a negative one. If one before it has that index, it has
// the lowest that the wire says of none in the list, and that none before it has.
func CandidateIndexes(candidates []geminiapi.Candidate) iter.Seq2[int, int] {
	return func(yield func(position, index int) bool) {
		if len(candidates) == 1 { // as nearly always
			yield(0, wireIndex(&candidates[0]))
			return
		}
		indexes := newCandidateIndexes(candidates)
		for i := range candidates {
			if !yield(i, indexes.take(wireIndex(&candidates[i]))) {
				return
			}
		}
	}
}

// IsIndexMoved reports whether the wire says an index of a candidate that has another one. A negative one is
// kept beside it.
func IsIndexMoved(c *geminiapi.Candidate, index int) bool {
	return c.Index != nil && *c.Index >= 0 && *c.Index != index
}

// DetailIndexMoved says why.
const DetailIndexMoved = "a candidate before it has the index; this one has the lowest that is free"

// wireIndex returns the index that the wire says.
func wireIndex(c *geminiapi.Candidate) int { return max(optional.Value(c.Index), 0) }

// candidateIndexes gives indexes to the elements of one list.
type candidateIndexes struct {
	taken map[int]bool // for those that the wire says: whether a candidate has it already
	free  int          // no index below it is free
}

func newCandidateIndexes(candidates []geminiapi.Candidate) candidateIndexes {
	out := candidateIndexes{taken: make(map[int]bool, len(candidates))}
	for i := range candidates {
		out.taken[wireIndex(&candidates[i])] = false
	}
	return out
}

// take returns the index of the next element.
func (x *candidateIndexes) take(index int) int {
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
