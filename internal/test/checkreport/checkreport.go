// Package checkreport reports the findings of payload checks as test failures.
package checkreport

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/validation"
)

// Option changes which findings fail a test.
type Option func(*options)

type options struct{ allowsUnknown bool }

// AllowUnknown logs warnings, which then do not fail the test.
func AllowUnknown() Option { return func(o *options) { o.allowsUnknown = true } }

// Report fails the test with each violation, in one line each. If the body has several lines, it
// adds the line of the body.
func Report(t testing.TB, found []validation.Violation, opts ...Option) {
	t.Helper()
	var o options
	option.Apply(&o, opts)
	for _, v := range found {
		if line := text(v); v.Severity == validation.SeverityWarning && o.allowsUnknown {
			t.Log("warning: " + line)
		} else {
			t.Error(line)
		}
	}
}

func text(v validation.Violation) string {
	out := v.Reason()
	if v.Pointer != "" {
		out = v.Pointer + ": " + out
	}
	if v.Position.Line > 1 {
		out += fmt.Sprintf(" (line %d)", v.Position.Line)
	}
	return out
}

// ReportError fails the test with an error of a check, with one failure for each violation. nil is
// not a failure.
func ReportError(t testing.TB, err error, opts ...Option) {
	t.Helper()
	if invalid, ok := errors.AsType[*validation.Error](err); ok {
		Report(t, invalid.Violations, opts...)
	} else if err != nil {
		t.Error(err)
	}
}
