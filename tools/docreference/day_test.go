package docreference

import "github.com/gemwire/gemwire/internal/clock/clocktest"

// What a conversion loses depends on the day. The pages must not change on their own.
var _ = clocktest.Fix()
