// Package clocktest has the tests of a package run on a fixed day. What Google's models take
// depends on the day, and what a test expects must not.
package clocktest

import (
	"time"

	"github.com/gemwire/gemwire/internal/clock"
)

// Day is the day of [Fix]: after the release of the models that the tests name, and before Google
// had any of these names answered by another model.
var Day = time.Date(2026, time.September, 25, 0, 0, 0, 0, time.UTC)

// Fix has the time be [Day] for calls that were given none. A package calls it in one of its test
// files, before its tests begin:
//
//	var _ = clocktest.Fix()
func Fix() struct{} {
	clock.Now = func() time.Time { return Day }
	return struct{}{}
}
