package live

import (
	"sync"
	"time"
)

// pressure knows how often in a row a server had too many requests. The zero value is none.
type pressure struct {
	mu      sync.Mutex
	count   int
	until   time.Time
	answers int // calls that were answered
}

// The times to wait where a server does not say.
const (
	firstWait   = time.Second
	longestWait = time.Minute
)

// refused notes a refusal of a call that began at a time, and returns until when to wait. It is not
// new where another refusal has led to it: of many calls that are refused together the first one
// counts.
func (p *pressure) refused(began, now time.Time, told time.Duration) (until time.Time, isNew bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	wait := told
	if told <= 0 {
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

// eased notes that a call was answered.
func (p *pressure) eased() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count = 0
	p.answers++
}

// answered returns how many calls were answered so far.
func (p *pressure) answered() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answers
}

// refusals are those of one line. The zero value is none.
type refusals struct {
	all, inRow int
	answered   int // calls, at the last of them
}

// areTooMany notes a refusal, and reports whether it is the line's result.
func (r *refusals) areTooMany(answered int) bool {
	if answered != r.answered {
		r.answered, r.inRow = answered, 0
	}
	r.all++
	r.inRow++
	return r.inRow > MostRefusals || r.all > 10*MostRefusals
}
