package duration

import "errors"

var (
	errNoDuration = errors.New(`want a duration such as "200ms" or "1.5s"`)
	errNegative   = errors.New("a duration must not be negative")
)
