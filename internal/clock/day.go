package clock

import (
	"sync/atomic"
	"time"
)

// DayOf returns the day of a time in UTC, such as "2026-11-29". It is quick for a day that was
// asked for lately. It may be called by many goroutines.
func DayOf(at time.Time) string {
	seconds := at.Unix()
	number := seconds / secondsOfDay
	if seconds%secondsOfDay < 0 { // before 1970
		number--
	}
	place := &lately[uint64(number)%uint64(len(lately))]
	if d := place.Load(); d != nil && d.number == number {
		return d.text
	}
	d := &day{number, at.UTC().Format(time.DateOnly)}
	place.Store(d)
	return d.text
}

const secondsOfDay = 24 * 60 * 60

// day is a day with its text.
type day struct {
	number int64 // of days since 1970-01-01
	text   string
}

// lately has the days that were asked for, each in its place.
var lately [64]atomic.Pointer[day]
