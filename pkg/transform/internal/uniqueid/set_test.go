package uniqueid_test

import (
	"strconv"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/internal/uniqueid"
)

func TestASetHasWhatWasAdded(t *testing.T) {
	t.Parallel()
	var set uniqueid.Set
	for i := range 1000 {
		id := strconv.Itoa(i)
		if set.Has(id) {
			t.Fatalf("the set has %s before it was added", id)
		}
		if !set.Add(id) {
			t.Fatalf("%s is not new", id)
		}
		if !set.Has(id) || set.Add(id) {
			t.Fatalf("%s is missing after it was added", id)
		}
	}
	if !set.Has("0") || set.Has("1000") {
		t.Error("the first id is missing, or one is there that was never added")
	}
}

func TestAnEmptySetHasNoID(t *testing.T) {
	t.Parallel()
	var set uniqueid.Set
	if set.Has("") || !set.Add("") || !set.Has("") || set.Add("") {
		t.Error("the empty text is not treated as any other id")
	}
}
