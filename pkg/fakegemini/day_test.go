package fakegemini_test

import "github.com/gemwire/gemwire/internal/clock/clocktest"

// The tests name models by what they are on one day.
var _ = clocktest.Fix()
