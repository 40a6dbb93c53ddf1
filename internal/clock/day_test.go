package clock_test

import (
	"math"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/clock"
)

func TestADayIsTheDayInUTC(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("", 14*60*60)
	for _, at := range []time.Time{
		{}, time.Unix(0, 0), time.Unix(-1, 0), time.Unix(-86_400, 0), time.Unix(-86_401, 0),
		time.Date(2026, 11, 29, 23, 59, 59, 999_999_999, time.UTC),
		time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC),
		time.Date(2026, 11, 30, 13, 59, 0, 0, east), time.Date(2026, 11, 30, 14, 0, 0, 0, east),
		time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 64), // of the same place
	} {
		for range 2 {
			if got, want := clock.DayOf(at), at.UTC().Format(time.DateOnly); got != want {
				t.Errorf("%s: %s", want, got)
			}
		}
	}
}

func FuzzADayIsTheDayInUTC(f *testing.F) {
	f.Add(int64(0))
	f.Add(int64(-1))
	f.Add(int64(math.MaxInt32))
	f.Fuzz(func(t *testing.T, seconds int64) {
		at := time.Unix(seconds%(1<<36), 0)
		if got, want := clock.DayOf(at), at.UTC().Format(time.DateOnly); got != want {
			t.Errorf("%s: %s", want, got)
		}
	})
}
