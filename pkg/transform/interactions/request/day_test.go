package request_test

import "github.com/gemwire/gemwire/internal/clock/clocktest"

// The tests use the models of one day.
var _ = clocktest.Fix()
