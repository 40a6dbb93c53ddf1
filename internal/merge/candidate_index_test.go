package merge_test

import (
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
)

func TestEachCandidateOfAListHasAnIndexOfItsOwn(t *testing.T) {
	t.Parallel()
	const none = -100
	tests := []struct{ indexes, want []int }{
		{[]int{none}, []int{0}},
		{[]int{5}, []int{5}},
		{[]int{-1}, []int{0}},
		{[]int{2, 1, 0}, []int{2, 1, 0}},
		{[]int{none, none, none}, []int{0, 1, 2}},
		{[]int{1, none, none}, []int{1, 0, 2}},
		{[]int{0, none, 2, none}, []int{0, 1, 2, 3}},
		{[]int{none, 1, none}, []int{0, 1, 2}},
		{[]int{0, 0}, []int{0, 1}},
		{[]int{0, 0, 1, 1}, []int{0, 2, 1, 3}},
		{[]int{none, none, 1}, []int{0, 2, 1}},
		{[]int{none, 0}, []int{0, 1}},
		{[]int{3, 3, 0}, []int{3, 1, 0}},
		{[]int{-1, -7}, []int{0, 1}},
	}
	for _, tt := range tests {
		candidates := make([]geminiapi.Candidate, len(tt.indexes))
		for i, index := range tt.indexes {
			if index != none {
				candidates[i].Index = &index
			}
		}
		var got []int
		for position, index := range merge.CandidateIndexes(candidates) {
			if position != len(got) {
				t.Errorf("position %d after %d candidates", position, len(got))
			}
			got = append(got, index)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v: got %v, want %v", tt.indexes, got, tt.want)
		}
		for range merge.CandidateIndexes(candidates) {
			break
		}
	}
}

func TestManyCandidatesWithoutAnIndexTakeLinearTime(t *testing.T) {
	t.Parallel()
	const n = 200_000 // which would never end otherwise
	last := 0
	for _, index := range merge.CandidateIndexes(make([]geminiapi.Candidate, n)) {
		last = index
	}
	if last != n-1 {
		t.Errorf("got %d", last)
	}
}
