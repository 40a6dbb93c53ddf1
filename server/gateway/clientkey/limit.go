package clientkey

import (
	"sync"
	"time"
)

// Use is one request that a key has made. The zero value is of a key without limits.
type Use struct {
	tokens   *bucket
	reserved int
}

// reservedShare is the part of a minute's tokens that one request reserves at most: what the tokens
// of a body are is not known before it is answered, and a picture has few for its bytes.
const reservedShare = 10

// Take counts a request, and reserves tokens for it by an estimate. A request without tokens has
// the estimate 0. The error is a *[LimitError]; then nothing is counted.
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

// Correct counts the tokens that a request has had, in place of those that were reserved. It is
// called once, or never for a request of which nobody knows.
func (u *Use) Correct(now time.Time, tokens int) {
	if u.tokens != nil {
		u.tokens.spend(now, tokens-u.reserved)
	}
}

// Standing is how much of a limit is left.
type Standing struct {
	// Limit is how many a minute, 0 for no limit.
	Limit int
	// Remaining is how many there is room for, and Reset how long until there is for all.
	Remaining int
	Reset     time.Duration
}

// Requests is how the key stands with its requests.
func (k *Key) Requests(now time.Time) Standing { return k.requests.standing(now) }

// Tokens is how it stands with its tokens.
func (k *Key) Tokens(now time.Time) Standing { return k.tokens.standing(now) }

// bucket is a limit a minute. It fills by and by, and may be below empty: what a request takes is
// known at its end.
type bucket struct {
	limit int

	mu    sync.Mutex
	level float64
	at    time.Time // when that was the level
}

// newBucket returns a full bucket, nil for no limit.
func newBucket(limit int) *bucket {
	if limit == 0 {
		return nil
	}
	return &bucket{limit: limit, level: float64(limit)}
}

// after returns the limit that was in force before, with what is used up of it, where it is the
// same.
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

// take takes n, or returns how long until they are there.
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

// spend takes n without asking. A negative number gives back.
func (b *bucket) spend(now time.Time, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fill(now)
	b.level = min(b.level-float64(n), float64(b.limit))
}

// timeFor returns how long it takes to gain n.
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
