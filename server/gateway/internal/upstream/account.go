package upstream

import (
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
)

// Account is a credential that Gemini is called with.
type Account struct {
	// Project names it in logs.
	Project string
	// Quota tells which quota calls count against. Accounts with one and the same share it.
	Quota string
	// Location is that of Vertex AI, "" for global and at other services.
	Location string
	// Client calls with the credential, once.
	Client *gemini.Client

	// The rest is the pool's. The whole account rests after a refusal of its credential, and one
	// method of one model after a refusal of that.
	whole   refusalRest
	targets map[target]*refusalRest
}

// target is what a call asks for: a method of a model.
type target struct{ model, method string }

// Bounds on the targets of an account that rest, as clients choose the names of models and methods.
const (
	maxTargets  = 128
	longestName = 200
)

// isKept reports whether anything is remembered of a target. A longer name is not a model's.
func (t target) isKept() bool { return len(t.model) <= longestName && len(t.method) <= longestName }

// refusalRest is a rest after refusals. Its zero value does not rest.
type refusalRest struct {
	until time.Time
	// isSure is whether the account may not be called. Otherwise it is called where there is no
	// other.
	isSure   bool
	failures int
	why      error
}

// How long an account rests after a refusal: from the first time up to the longest, doubling.
const (
	firstRefusal   = time.Minute
	longestRefusal = time.Hour
)

// begin begins a rest. A refusal during a rest is of a call that began before it, and changes
// nothing.
func (r *refusalRest) begin(why error, isSure bool, now time.Time) {
	if r.until.After(now) && (r.isSure || !isSure) {
		return
	}
	r.until = now.Add(min(firstRefusal<<min(r.failures, 16), longestRefusal))
	r.failures++
	r.why, r.isSure = kept(why), isSure
}

// use says what the account is good for.
func (r *refusalRest) use(now time.Time) use {
	switch {
	case r == nil || !r.until.After(now):
		return best
	case r.isSure:
		return never
	default:
		return ifNoOther
	}
}

// refused remembers a refusal of a target.
func (a *Account) refused(e *gemini.Error, to target, now time.Time) {
	switch scopeOf(e, to.model) {
	case ofAccount:
		a.whole.begin(e, true, now)
	case ofModel:
		if r := a.restOf(to, now); r != nil {
			r.begin(e, isSure(e), now)
		}
	}
}

// restOf returns the rest of a target, nil for one that is not remembered.
func (a *Account) restOf(to target, now time.Time) *refusalRest {
	r := a.targets[to]
	if r != nil || !to.isKept() {
		return r
	}
	if a.targets == nil {
		a.targets = map[target]*refusalRest{}
	}
	if len(a.targets) >= maxTargets {
		a.forgetOne(now)
	}
	r = &refusalRest{}
	a.targets[to] = r
	return r
}

// forgetOne makes room: of the target whose rest ends first, or has ended longest ago.
func (a *Account) forgetOne(now time.Time) {
	var first target
	earliest := now.Add(longestRefusal + 1)
	for to, r := range a.targets {
		if r.until.Before(earliest) {
			first, earliest = to, r.until
		}
	}
	delete(a.targets, first)
}

// answered forgets refusals that an answer disproves.
func (a *Account) answered(to target) {
	a.whole = refusalRest{}
	if len(a.targets) > 0 {
		delete(a.targets, to)
	}
}
