// Package clocktest makes the tests of a package run on a fixed day. Google's models change over
// time, and the results of the tests must not.
package clocktest

import (
	"time"

	"github.com/gemwire/gemwire/internal/clock"
)

// Day is the day that [Fix] sets. It is after the release of the models that the tests use. It is
// before the day when Google replaced any of these models with another one.
var Day = time.Date(2026, time.September, 25, 0, 0, 0, 0, time.UTC)

// Fix sets the current time to [Day] for calls without a time of their own. A package calls it in
// one of its test files, so that it runs before the tests:
//
//	var _ = clocktest.Fix()
func Fix() struct{} {
	clock.Now = func() time.Time { return Day }
	return struct{}{}
}
