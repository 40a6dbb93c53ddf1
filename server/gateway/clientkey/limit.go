package clientkey

import (
	"sync"
	"time"
)

// Use is one request with a key. The zero value belongs to a key without limits.
type Use struct {
	tokens   *bucket
	reserved int
}

// reservedShare is the largest part of a minute's tokens that one request reserves. The tokens of a
// body are unknown before the answer, and a picture has few tokens for its bytes.
const reservedShare = 10

// Take counts a request and reserves an estimated number of tokens for it. A request without tokens
// has the estimate 0. The error is a *[LimitError]; then nothing is counted.
func (k *Key) Take(now time.Time, estimate int) (Use, error) {
	use := Use{tokens: k.tokens}
	if estimate <= 0 {
		use.tokens = nil
	}
	if use.tokens != nil {
		use.reserved = max(min(estimate, k.tokens.limit/reservedShare), 1)
		if wait := k.tokens.take(now, use.reserved); wait > 0 {
			return Use{}, &LimitError{Unit: "tokens", Limit: k.tokens.limit, Wait: wait}
		}
	}
	if k.requests != nil {
		if wait := k.requests.take(now, 1); wait > 0 {
			use.Correct(now, 0)
			return Use{}, &LimitError{Unit: "requests", Limit: k.requests.limit, Wait: wait}
		}
	}
	return use, nil
}

// Correct replaces the reserved tokens by the actual number. It is called at most once. It is not
// called if the actual number stays unknown.
func (u *Use) Correct(now time.Time, tokens int) {
	if u.tokens != nil {
		u.tokens.spend(now, tokens-u.reserved)
	}
}

// Standing is the remaining part of a limit.
type Standing struct {
	// Limit is the limit per minute, or 0 for no limit.
	Limit int
	// Remaining is the part that is left. Reset is the time until the whole limit is available.
	Remaining int
	Reset     time.Duration
}

// Requests returns the state of the key's request limit.
func (k *Key) Requests(now time.Time) Standing { return k.requests.standing(now) }

// Tokens returns the state of the key's token limit.
func (k *Key) Tokens(now time.Time) Standing { return k.tokens.standing(now) }

// bucket is a limit per minute. It refills continuously, and may be below zero, because the real
// size of a request is known only at its end.
type bucket struct {
	limit int

	mu    sync.Mutex
	level float64
	at    time.Time // when that was the level
}

// newBucket returns a full bucket, or nil for no limit.
func newBucket(limit int) *bucket {
	if limit == 0 {
		return nil
	}
	return &bucket{limit: limit, level: float64(limit)}
}

// after returns the previous bucket, with its used-up part, if it has the same limit.
func (b *bucket) after(before *bucket) *bucket {
	if b == nil || before == nil || b.limit != before.limit {
		return b
	}
	return before
}

// fill brings the level up to now.
func (b *bucket) fill(now time.Time) {
	if passed := now.Sub(b.at); passed > 0 {
		if !b.at.IsZero() {
			b.level = min(b.level+passed.Minutes()*float64(b.limit), float64(b.limit))
		}
		b.at = now
	}
}

// take takes n, or returns the time until n is available.
func (b *bucket) take(now time.Time, n int) (wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fill(now)
	if missing := float64(n) - b.level; missing > 0 {
		return b.timeFor(missing)
	}
	b.level -= float64(n)
	return 0
}

// spend takes n unconditionally. A negative n returns tokens to the bucket.
func (b *bucket) spend(now time.Time, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fill(now)
	b.level = min(b.level-float64(n), float64(b.limit))
}

// timeFor returns how long the bucket takes to gain n.
func (b *bucket) timeFor(n float64) time.Duration {
	return max(time.Duration(n/float64(b.limit)*float64(time.Minute)), time.Millisecond)
}

func (b *bucket) standing(now time.Time) Standing {
	if b == nil {
		return Standing{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fill(now)
	out := Standing{Limit: b.limit, Remaining: int(max(b.level, 0))}
	if missing := float64(b.limit) - b.level; missing > 0 {
		out.Reset = b.timeFor(missing)
	}
	return out
}
