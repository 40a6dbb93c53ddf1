package jsonx_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
)

func TestValuesAreInTheOrderOfTheirIndexes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ indexes, want []int }{
		"none":        {nil, nil},
		"one":         {[]int{3}, []int{3}},
		"one often":   {[]int{3, 3, 3}, []int{3}},
		"rising":      {[]int{0, 1, 2}, []int{0, 1, 2}},
		"falling":     {[]int{2, 1, 0}, []int{0, 1, 2}},
		"interleaved": {[]int{1, 0, 1, 2, 0}, []int{0, 1, 2}},
		"far apart":   {[]int{math.MaxInt, 0, 7, math.MaxInt}, []int{0, 7, math.MaxInt}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var list jsonx.IndexedList[int]
			for _, index := range tt.indexes {
				*list.At(index) = index
			}
			var got []int
			for position, value := range list.Values() {
				if position != len(got) {
					t.Errorf("position %d after %d values", position, len(got))
				}
				got = append(got, *value)
			}
			if !slices.Equal(got, tt.want) || list.Len() != len(tt.want) {
				t.Errorf("got %v and length %d, want %v", got, list.Len(), tt.want)
			}
		})
	}
}

func TestAValueStaysWhereItIs(t *testing.T) {
	t.Parallel()
	var list jsonx.IndexedList[int]
	entries := map[int]*int{}
	for _, index := range rand.Perm(100) {
		entries[index] = list.At(index)
		*entries[index] = index
	}
	for index, entry := range entries {
		if list.At(index) != entry || list.Find(index) != entry || *entry != index {
			t.Errorf("the value of index %d moved", index)
		}
	}
}

func TestFindAddsNothing(t *testing.T) {
	t.Parallel()
	var list jsonx.IndexedList[string]
	if list.Find(0) != nil || list.Len() != 0 {
		t.Error("an empty list has a value")
	}
	list.At(1)
	if list.Find(0) != nil || list.Find(2) != nil || list.Find(1) == nil || list.Len() != 1 {
		t.Error("a value was added, or one was not found")
	}
}

func TestOneValueTakesOneAllocation(t *testing.T) {
	type holder struct{ list jsonx.IndexedList[[8]int] }
	var kept *holder
	got := testing.AllocsPerRun(100, func() {
		kept = &holder{}
		kept.list.At(0)
	})
	if got != 2 || kept.list.Len() != 1 { // with the holder's own
		t.Errorf("%v allocations", got)
	}
}
