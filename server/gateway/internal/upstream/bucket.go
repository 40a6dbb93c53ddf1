package upstream

import (
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
)

// How long a quota rests. That of a day is looked at again each hour, which costs one call: when a
// day ends depends on the place, and reports of a used-up day were wrong
// (github.com/diegosouzapw/OmniRoute/issues/9504).
const (
	firstRest   = time.Second
	longestRest = time.Minute
	dailyRest   = time.Hour
)

// bucketKey names a quota.
type bucketKey struct{ quota, model string }

// bucket is a quota that was used up. One that is open has none.
type bucket struct {
	// until is when the rest is over.
	until time.Time
	// isTold is whether the server said for how long, or for the day. Else the rest is a guess, and
	// the quota is used where there is no other.
	isTold bool
	// failures are those in a row.
	failures int
	// isProbed is whether a request is on its way that finds out whether the rest was long enough.
	isProbed bool
	// why is what the server said.
	why error
}

// rest has a quota rest after a refusal.
func (b *bucket) rest(e *gemini.Error, now time.Time) {
	told := min(e.RetryAfter, dailyRest)
	switch {
	case e.IsDailyQuota():
		b.until, b.isTold = now.Add(dailyRest), true
	case told > 0:
		b.until, b.isTold = now.Add(told), true
	default:
		b.until, b.isTold = now.Add(min(firstRest<<min(b.failures, 16), longestRest)), false
	}
	b.failures++
	b.isProbed, b.why = false, kept(e)
}

// use says what a quota is good for.
func (b *bucket) use(now time.Time) use {
	switch {
	case b == nil:
		return best
	case b.until.After(now) && b.isTold:
		return never
	case b.until.After(now), b.isProbed:
		return ifNoOther
	default:
		return best
	}
}

// use is when an account may be called.
type use int

const (
	never use = iota
	ifNoOther
	best
)
