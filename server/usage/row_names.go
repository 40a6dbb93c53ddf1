package usage

import (
	"time"

	"github.com/gemwire/gemwire/server/usage/row"
)

// The numbers are in package row, so that a gateway without a store does not need this package.
type (
	// Key says what the numbers of a [Row] count.
	Key = row.Key
	// Counts are the numbers of a [Row].
	Counts = row.Counts
	// Row has the numbers of requests with the same key.
	Row = row.Row
	// Loss is a process that was killed.
	Loss = row.Loss
)

// Other is the model of rows beyond the limit of a day.
const Other = row.Other

// DefaultDays is how many days are kept by default.
const DefaultDays = row.DefaultDays

// Sum is the same as [row.Sum].
func Sum(rows []Row, keep func(Key) Key) []Row { return row.Sum(rows, keep) }

// DayOf is the same as [row.DayOf].
func DayOf(at time.Time) string { return row.DayOf(at) }
