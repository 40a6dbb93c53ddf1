package merge

import (
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
)

// CandidateIndexes returns an iterator over the positions and the indexes of the candidates of one
// response or chunk. A candidate may come without an index: its index is the lowest that no candidate
// before it has, so usually 0. One that is negative counts as 0.
func CandidateIndexes(candidates []geminiapi.Candidate) iter.Seq2[int, int] {
	return func(yield func(position, index int) bool) {
		var indexes candidateIndexes
		for i := range candidates {
			if !yield(i, indexes.next(candidates[i].Index)) {
				return
			}
		}
	}
}

// candidateIndexes gives indexes to the elements of one list. The zero value is for a list of which
// nothing was seen yet.
type candidateIndexes struct {
	first int
	size  int
	taken map[int]bool // made for the second element: nearly all lists are of one
	free  int          // no index below it is free
}

// next returns the index of the next element, of which the wire has its own, or nil.
func (x *candidateIndexes) next(own *int) int {
	x.size++
	index := max(optional.Value(own), 0)
	if x.size == 1 {
		x.first = index
		return index
	}
	if x.taken == nil {
		x.taken = map[int]bool{x.first: true}
	}
	if own == nil {
		for x.taken[x.free] {
			x.free++
		}
		index = x.free
	}
	x.taken[index] = true
	return index
}
