package quota

import (
	"fmt"
	"time"
)

// Period is the time after which a limit begins anew.
type Period string

// The periods.
const (
	// Now limits what is in use at a time.
	Now Period = "now"
	// Minute refills continuously.
	Minute Period = "minute"
	// Day, Week and Month are calendar periods in UTC. A week begins on Monday.
	Day   Period = "day"
	Week  Period = "week"
	Month Period = "month"
	// Total never begins anew.
	Total Period = "total"
)

// Periods are the periods of budgets.
func Periods() []Period { return []Period{Day, Week, Month, Total} }

// begin returns the start of the period at a time, and the start of the next one. Both are zero for
// periods that do not begin anew.
func (p Period) begin(now time.Time) (start, next time.Time) {
	year, month, day := now.UTC().Date()
	switch p {
	case Day:
		start = time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
		return start, start.AddDate(0, 0, 1)
	case Week:
		since := (int(now.UTC().Weekday()) + 6) % 7 // Monday
		start = time.Date(year, month, day-since, 0, 0, 0, 0, time.UTC)
		return start, start.AddDate(0, 0, 7)
	case Month:
		start = time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
		return start, start.AddDate(0, 1, 0)
	default:
		return time.Time{}, time.Time{}
	}
}

// isBudget reports whether a limit may be exceeded by the last request, because its real size is
// known only at its end.
func (p Period) isBudget() bool { return p != Now && p != Minute }

// Rule is a limit.
type Rule struct {
	// Name identifies the limit in the ledger. It may have any characters.
	Name string
	// Limit is the number of units. 0 permits nothing.
	Limit  int64
	Period Period
}

// LimitError is returned if a limit is reached.
type LimitError struct {
	Rule Rule
	// Spent is what was used in the period, without requests in flight.
	Spent int64
	// Wait is when a retry may help, or 0 if only the time Resets helps.
	Wait time.Duration
	// Resets is when the period ends. It is zero for limits that never begin anew.
	Resets time.Time
}

// Error returns the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("quota: the limit %s of %d per %s is reached", e.Rule.Name, e.Rule.Limit,
		e.Rule.Period)
}

// IsInFlight reports that the limit is not used up, but requests in flight may use it up.
func (e *LimitError) IsInFlight() bool {
	return e.Rule.Period.isBudget() && e.Spent < e.Rule.Limit
}

// Standing is the state of a limit.
type Standing struct {
	// Spent is what was used. Remaining is what is left, also of requests in flight.
	Spent, Remaining int64
	// Reset is the time until the whole limit is available, or 0.
	Reset time.Duration
	// Resets is when the period ends, or zero.
	Resets time.Time
}
