package openaitest

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Entries returns a report as lines of kind and pointer.
func Entries(report report.Report) []string {
	var out []string
	for _, e := range report {
		out = append(out, string(e.Kind)+" "+e.Pointer)
	}
	return out
}

// Reports fails the test unless the report has exactly these lines of kind and pointer.
func Reports(t testing.TB, report report.Report, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, Entries(report), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}
