// Package answertest tests the tables by which a conversion reports the values that its output
// does not contain.
package answertest

import (
	"maps"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// CheckTable tests each row of a table. It removes the row's member from a record with all members.
// The member must exist, and all others must stay.
func CheckTable[R any, P answer.Record[R]](t testing.TB, name string, table *answer.Table[R, P]) {
	t.Helper()
	for _, row := range table.Members {
		var record R
		leaftest.Fill(&record)
		want := membersOf(t, &record)
		member := strings.TrimPrefix(row.Pointer, table.Root+"/")
		if _, ok := want[member]; !ok {
			t.Errorf("%s%s is not a member", name, row.Pointer)
		}
		isTaken := row.Take(&record)
		got := membersOf(t, &record)
		if _, stays := got[member]; stays == isTaken {
			t.Errorf("%s%s: taken %v, but still there %v", name, row.Pointer, isTaken, stays)
		}
		delete(want, member)
		delete(got, member)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s%s changes others: %s", name, row.Pointer, diff)
		}
		if row.Kind != "" && row.Detail == "" {
			t.Errorf("%s%s has no detail", name, row.Pointer)
		}
	}
}

func membersOf(t testing.TB, record any) map[string]string {
	t.Helper()
	data, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(data, &members); err != nil {
		t.Fatal(err)
	}
	return maps.Collect(func(yield func(string, string) bool) {
		for name, value := range members {
			if !yield(name, string(value)) {
				return
			}
		}
	})
}
