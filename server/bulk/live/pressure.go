package live

import (
	"sync"
	"time"
)

// pressure counts consecutive rate limit errors (429) of a server. The zero value has no errors.
type pressure struct {
	mu      sync.Mutex
	count   int
	until   time.Time
	answers int // calls that were answered
	before  int // answers at the last rate limit error
}

// Waiting times if a server gives none.
const (
	firstWait   = time.Second
	longestWait = time.Minute
	// rareWait is the wait of a line that is refused while the other calls are answered. It is
	// short, because the line takes the place of another call meanwhile.
	rareWait = 200 * time.Millisecond
)

// rareAfter is the number of answered calls after which a rate limit error without a time does not
// delay other calls.
const rareAfter = 20

// rateLimited records a rate limit error of a call that began at a time, and returns until when its
// line waits. IsNew reports that all calls wait. If many calls meet the limit together, only the
// first counts.
func (p *pressure) rateLimited(began, now time.Time, hint time.Duration) (until time.Time,
	isNew bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	isRare := p.answers-p.before >= rareAfter
	p.before = p.answers
	wait := hint
	if hint <= 0 && isRare && !began.Before(p.until) {
		return now.Add(rareWait), false // only the line waits
	}
	if hint <= 0 {
		if began.Before(p.until) {
			return p.until, false
		}
		wait = min(firstWait<<min(p.count, 10), longestWait)
		p.count++
	}
	if at := now.Add(wait); at.After(p.until) {
		p.until, isNew = at, true
	}
	return p.until, isNew
}

// eased records that a call was answered.
func (p *pressure) eased() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count = 0
	p.answers++
}

// answered returns the number of answered calls so far.
func (p *pressure) answered() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answers
}

// rateLimits counts the rate limit errors of one line. The zero value has no errors.
type rateLimits struct {
	all, inRow int
	answered   int // calls, at the last of them
}

// areTooMany records a rate limit error, and reports whether it is the line's result.
func (r *rateLimits) areTooMany(answered int) bool {
	if answered != r.answered {
		r.answered, r.inRow = answered, 0
	}
	r.all++
	r.inRow++
	return r.inRow > MaxRateLimitErrors || r.all > 10*MaxRateLimitErrors
}
