package bulk_test

import "github.com/gemwire/gemwire/internal/clock/clocktest"

// The tests name models by their properties on one day.
var _ = clocktest.Fix()
