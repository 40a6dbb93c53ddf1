package aisdk

import (
	"strconv"
	"testing"
)

func TestNoTwoCallsGetOneID(t *testing.T) {
	t.Parallel()
	var ids callIDs
	for _, step := range []struct{ wanted, want string }{
		{"a", "a"}, {"a", "a-2"}, {"a-2", "a-2-2"}, {"a", "a-3"}, {"a-4", "a-4"}, {"a", "a-5"}, {"a-2", "a-2-3"}, {"", ""}, {"", "-2"},
	} {
		if known := ids.Has(step.wanted); known != (step.want != step.wanted) {
			t.Errorf("%q is known: %v", step.wanted, known)
		}
		if got := ids.take(step.wanted); got != step.want || !ids.Has(got) {
			t.Errorf("%q becomes %q, want %q", step.wanted, got, step.want)
		}
	}
	for i := range 100_000 {
		if id := "call_" + strconv.Itoa(i); ids.take(id) != id {
			t.Fatalf("%s is taken for another one", id)
		}
	}
}
