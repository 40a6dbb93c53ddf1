package jsonx_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestAListTakesWhatItDoesNotHave(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		added     [][]string
		want      string
		positions []int // of what was added last
	}{
		"nothing":                     {nil, "", nil},
		"once":                        {[][]string{{"a", "b"}}, "ab", nil},
		"repetitions in the first":    {[][]string{{"a", "a"}}, "aa", nil},
		"nothing new":                 {[][]string{{"a", "b"}, {"b"}}, "ab", []int{1}},
		"all of it again":             {[][]string{{"a", "b"}, {"a", "b"}}, "ab", nil},
		"all of it and more":          {[][]string{{"a"}, {"a", "b"}}, "ab", nil},
		"something new":               {[][]string{{"a"}, {"b", "a", "c"}}, "abc", []int{1, 0, 2}},
		"something new, twice":        {[][]string{{"a"}, {"b", "b"}}, "ab", []int{1, 1}},
		"one that was there twice":    {[][]string{{"a", "a"}, {"a"}}, "aa", []int{1}},
		"nothing between two":         {[][]string{{"a"}, {}, {"b"}}, "ab", []int{1}},
		"several, one after another":  {[][]string{{"a"}, {"b"}, {"a"}, {"c"}, {"b"}}, "abc", []int{1}},
		"nothing before all the rest": {[][]string{{}, {"a"}}, "a", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var list jsonx.UniqueList[string]
			var positions []int
			for _, more := range test.added {
				positions = list.Add(more)
			}
			got := ""
			for _, value := range list.Values() {
				got += value
			}
			if got != test.want || !slices.Equal(positions, test.positions) {
				t.Errorf("got %s and positions %v, want %s and %v", got, positions, test.want,
					test.positions)
			}
		})
	}
}

func TestElementsAreComparedByTheirJSON(t *testing.T) {
	t.Parallel()
	var values jsonx.UniqueList[*jsontext.Value]
	for range 2 {
		values.Add([]*jsontext.Value{new(jsontext.Value(`{"a":1}`)),
			new(jsontext.Value(`no JSON`))})
	}
	if n := len(values.Values()); n != 3 {
		t.Errorf("%d values: what has no JSON is equal to nothing, what has the same is one", n)
	}
	var numbers jsonx.UniqueList[float64]
	for range 3 {
		numbers.Add([]float64{math.NaN(), math.Inf(1), 1})
	}
	if n := len(numbers.Values()); n != 3 {
		t.Errorf("%d numbers", n)
	}
}

func TestReturnedValuesDoNotChange(t *testing.T) {
	t.Parallel()
	first := append(make([]string, 0, 8), "a", "b")
	var list jsonx.UniqueList[string]
	list.Add(first)
	before := list.Values()
	list.Add([]string{"c"})
	between := list.Values()
	list.Add([]string{"d"})
	_ = append(between, "x")
	_ = append(list.Values(), "y")
	list.Add([]string{"e"})
	for _, pair := range [][2][]string{
		{first[:3], {"a", "b", ""}}, {before, {"a", "b"}}, {between, {"a", "b", "c"}}, {list.Values(), {"a", "b", "c", "d", "e"}},
	} {
		if diff := cmp.Diff(pair[1], pair[0]); diff != "" {
			t.Error(diff)
		}
	}
}

func TestAddingCostsTheSameHoweverLongTheListIs(t *testing.T) {
	grow := func(n int) float64 {
		return testing.AllocsPerRun(3, func() {
			var list jsonx.UniqueList[string]
			for i := range n {
				list.Add([]string{strconv.Itoa(i)})
				list.Values()
			}
		})
	}
	if one, two := grow(1000), grow(2000); two > 2.5*one {
		t.Errorf("%v allocations for 1000 elements, %v for 2000", one, two)
	}
}
