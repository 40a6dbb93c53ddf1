package unshown_test

import (
	"slices"
	"testing"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestEachTopmostValueOfWhichNothingIsShownIsLost(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, record string
		shown        []string // values
		want         []string
	}{
		{"nothing is there", `{}`, nil, nil},
		{"only empty values", `{"a":{},"b":[],"c":null,"d":[{}]}`, nil, nil},
		{"nothing is shown", `{"a":1,"b":{"c":[2,3]}}`, nil, []string{"/r/a", "/r/b"}},
		{"all of it is shown", `{"a":"x","b":["x"]}`, []string{"x"}, nil},
		{"part of an object is shown", `{"a":{"b":"x","c":"y","d":{"e":"y"}}}`, []string{"x"}, []string{"/r/a/c", "/r/a/d"}},
		{"part of a list is shown", `{"a":["y","x",{"b":"y"}]}`, []string{"x"}, []string{"/r/a/0", "/r/a/2"}},
		{"empty values next to lost values", `{"a":{"b":[],"c":"y"}}`, []string{"x"}, []string{"/r/a"}},
		{"names with a slash", `{"a/b":{"~":"y","c":"x"}}`, []string{"x"}, []string{"/r/a~1b/~0"}},
		{"no JSON", `{"a":`, nil, []string{"/r"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var entries report.Report
			shows := func(_ []string, value string) bool { return slices.Contains(tt.shown, value) }
			unshown.Add(&entries, "/r", jsontext.Value(tt.record), shows, "not shown")
			var got []string
			for _, e := range entries.Of(report.Lost) {
				got = append(got, e.Pointer)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || len(got) != len(entries) {
				t.Error(diff, entries)
			}
		})
	}
}
