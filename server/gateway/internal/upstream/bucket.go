package upstream

import (
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
)

// How long a quota is paused. A daily quota is probed each hour, which costs one call. The end of a
// day depends on the location, and reports of an exhausted day were wrong
// (github.com/diegosouzapw/OmniRoute/issues/9504).
const (
	firstRest   = time.Second
	longestRest = time.Minute
	dailyRest   = time.Hour
)

// bucketKey identifies a quota.
type bucketKey struct{ quota, model string }

// bucket is an exhausted quota. A quota that is open has no bucket.
type bucket struct {
	// until is the end of the pause.
	until time.Time
	// hasHint reports that the server gave the time, or said that it is a daily quota. Otherwise
	// the pause is a guess, and the quota is used if there is no other.
	hasHint bool
	// failures is the number of consecutive failures.
	failures int
	// isProbed reports that a request in flight tests whether the pause was long enough.
	isProbed bool
	cause
}

// rest pauses a quota after a quota error (429) for a request.
func (b *bucket) rest(e *gemini.Error, id string, now time.Time) {
	hint := min(e.RetryAfter, dailyRest)
	switch {
	case e.IsDailyQuota():
		b.until, b.hasHint = now.Add(dailyRest), true
	case hint > 0:
		b.until, b.hasHint = now.Add(hint), true
	default:
		b.until, b.hasHint = now.Add(min(firstRest<<min(b.failures, 16), longestRest)), false
	}
	b.failures++
	b.isProbed, b.cause = false, cause{kept(e), id}
}

// use returns whether the quota may be used.
func (b *bucket) use(now time.Time) use {
	switch {
	case b == nil:
		return best
	case b.until.After(now) && b.hasHint:
		return never
	case b.until.After(now), b.isProbed:
		return ifNoOther
	default:
		return best
	}
}

// use reports whether an account may be called.
type use int

const (
	never use = iota
	ifNoOther
	best
)
