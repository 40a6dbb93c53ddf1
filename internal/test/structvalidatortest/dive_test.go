package structvalidatortest_test

import (
	"reflect"
	"testing"

	"github.com/gemwire/gemwire/internal/test/structvalidatortest"
	"github.com/google/go-cmp/cmp"
)

type leaf struct{ N int }

type branch struct {
	Dives    []leaf `validate:"required,dive"`
	Skips    []leaf `validate:"-"`
	Forgets  []leaf
	Required []*leaf           `validate:"required"`
	Entries  map[string]leaf   `validate:"max=3"`
	Once     [][]leaf          `validate:"dive"`
	Twice    []map[string]leaf `validate:"dive,dive"`
	Numbers  []int
	Single   *leaf
	hidden   []leaf
}

type tree struct {
	Branch *branch
	Again  *tree
	Skip   *skipped `validate:"-"`
}

type skipped struct{ Forgets []leaf }

func TestUndived(t *testing.T) {
	t.Parallel()
	got := structvalidatortest.Undived(reflect.TypeFor[tree]())
	want := []string{"branch.Forgets", "branch.Required", "branch.Entries", "branch.Once"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	_ = branch{}.hidden
}

func TestEveryListDives(t *testing.T) {
	t.Parallel()
	structvalidatortest.EveryListDives(t, struct {
		A []leaf `validate:"dive"`
	}{})
}
