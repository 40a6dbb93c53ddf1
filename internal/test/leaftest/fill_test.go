package leaftest_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

type inner struct {
	Free   jsontext.Value
	Number float64
}

type outer struct {
	Text   string
	Flag   *bool
	Count  int
	List   []inner
	Map    map[string]int
	hidden string
}

func TestFillReachesEveryMember(t *testing.T) {
	t.Parallel()
	got := outer{hidden: "kept"}
	leaftest.Fill(&got)
	want := outer{
		Text:  "text2",
		Flag:  new(true),
		Count: 5,
		List:  []inner{{Free: jsontext.Value(`{"free8":8}`), Number: 9.5}},
		Map:   map[string]int{"key11": 11},

		hidden: "kept",
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(outer{})); diff != "" {
		t.Error(diff)
	}
}

type tree struct {
	Name     string
	Children []tree
}

func TestFillEndsInATypeThatHoldsItself(t *testing.T) {
	t.Parallel()
	var got tree
	leaftest.Fill(&got)
	if diff := cmp.Diff(tree{Name: "text2", Children: []tree{{}}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestFillRefusesWhatJSONDoesNotHave(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a function was filled")
		}
	}()
	var f func()
	leaftest.Fill(&f)
}

func TestFillEachFillsOneMemberOrAllOthers(t *testing.T) {
	t.Parallel()
	got := leaftest.FillEach[inner]()
	want := map[string]inner{
		"inner with Free":      {Free: jsontext.Value(`{"free1":1}`)},
		"inner without Free":   {Number: 3.5},
		"inner with Number":    {Number: 1.5},
		"inner without Number": {Free: jsontext.Value(`{"free2":2}`)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestClearReachesEveryMember(t *testing.T) {
	t.Parallel()
	type tree struct {
		Name   string
		Leaves []*tree
		Next   *tree
	}
	got := tree{Name: "a", Leaves: []*tree{{Name: "b"}, nil},
		Next: &tree{Name: "c", Next: &tree{Name: "d"}}}
	leaftest.Clear(&got, "Name")
	want := tree{Leaves: []*tree{{}, nil}, Next: &tree{Next: &tree{}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPairHasNothingInCommon(t *testing.T) {
	t.Parallel()
	first, second := leaftest.Pair[inner]()
	if string(first.Free) == "" || string(first.Free) == string(second.Free) || first.Number == 0 ||
		first.Number == second.Number {
		t.Errorf("%+v and %+v", first, second)
	}
}
