package indexed_test

import (
	"slices"
	"testing"

	"github.com/gemwire/gemwire/internal/indexed"
)

func TestElementsWithoutAnIndexGetTheLowestFree(t *testing.T) {
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
		{[]int{0, 0, 1, 1}, []int{0, 0, 1, 1}}, // their own, whatever it is
		{[]int{none, none, 1}, []int{0, 1, 1}},
	}
	for _, tt := range tests {
		var positions indexed.Positions
		var got []int
		for _, index := range tt.indexes {
			own := &index
			if index == none {
				own = nil
			}
			got = append(got, positions.Of(own))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v: got %v, want %v", tt.indexes, got, tt.want)
		}
	}
}

func TestManyElementsWithoutAnIndexTakeLinearTime(t *testing.T) {
	t.Parallel()
	const n = 1_000_000 // which would never end otherwise
	var positions indexed.Positions
	for range n {
		positions.Of(nil)
	}
	if got := positions.Of(nil); got != n {
		t.Errorf("got %d", got)
	}
}
