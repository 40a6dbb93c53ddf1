package cli

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/cli/process"
)

func TestFindingsAreThoseOfTheLocatedErrorsInATree(t *testing.T) {
	t.Parallel()
	missing := validation.Violation{Pointer: "/a", Want: "must be set"}
	wrong := validation.Violation{Pointer: "/b",
		Position: validation.Position{Offset: 7, Line: 1, Column: 8}, Want: "must be at least 1"}
	invalid := &validation.Error{Prefix: "x", Violations: []validation.Violation{missing, wrong}}
	tests := map[string]struct {
		err  error
		want []string
	}{
		"one that knows no location":  {errors.New("broken"), []string{"broken"}},
		"one that knows its location": {missing, []string{"/a: must be set"}},
		"a list":                      {invalid, []string{"/a: must be set", "/b: offset 7: must be at least 1"}},
		"a list that is wrapped":      {fmt.Errorf("x: %w", invalid), []string{"/a: must be set", "/b: offset 7: must be at least 1"}},
		"losses": {
			report.Report{{Pointer: "/c", Kind: report.Lost, Detail: "no place"}}.Strict(), []string{"/c: lost: no place"},
		},
		"in an element": {
			&elementError{"/3", 100, invalid},
			[]string{"/3/a: offset 100: must be set", "/3/b: offset 107: must be at least 1"},
		},
		"in an element at an unknown offset": {&elementError{"/3", -1, errors.New("broken")}, []string{"/3: broken"}},
		"in an element, wrapped":             {fmt.Errorf("x: %w", &elementError{"/3", -1, missing}), []string{"/3/a: must be set"}},
		"joined":                             {errors.Join(nil, missing, wrong), []string{"/a: must be set", "/b: offset 7: must be at least 1"}},
		"several that know no location":      {fmt.Errorf("%w: %w", process.ErrFailed, process.ErrInterrupted), []string{"failed: interrupted"}},
		"with a line end":                    {errors.New("two\nlines \x1b[31m"), []string{`two lines \u001b[31m`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range message.Findings(test.err) {
				got = append(got, f.String())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
