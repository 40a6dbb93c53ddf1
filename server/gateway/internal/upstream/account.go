package upstream

import (
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
)

// Account is a credential for calls of Gemini.
type Account struct {
	// Project is its name in logs.
	Project string
	// Quota identifies the quota that calls count against. Accounts with the same value share it.
	Quota string
	// Location is the location in Vertex AI. It is "" for global and for other services.
	Location string
	// Client makes calls with the credential, one attempt each.
	Client *gemini.Client

	// The other fields belong to the pool. If the server refuses the credential, the whole account
	// is paused. If it refuses a model, one method of that model is paused.
	whole   refusalRest
	targets map[target]*refusalRest
}

// target is the target of a call: a method of a model.
type target struct{ model, method string }

// Limits on the paused targets of an account, because clients choose the names of models and
// methods.
const (
	maxTargets  = 128
	longestName = 200
)

// isKept reports whether the pool remembers a target. A longer name is not a model name.
func (t target) isKept() bool { return len(t.model) <= longestName && len(t.method) <= longestName }

// refusalRest is a pause after refusals. Its zero value is no pause.
type refusalRest struct {
	until time.Time
	// isSure reports that the account must not be called. Otherwise it is called if there is no
	// other account.
	isSure   bool
	failures int
	cause
}

// The pause of an account after a refusal doubles from the first to the longest.
const (
	firstRefusal   = time.Minute
	longestRefusal = time.Hour
)

// begin begins a pause. A refusal during a pause belongs to a call that began before it, and
// changes nothing.
func (r *refusalRest) begin(why cause, isSure bool, now time.Time) {
	if r.until.After(now) && (r.isSure || !isSure) {
		return
	}
	r.until = now.Add(min(firstRefusal<<min(r.failures, 16), longestRefusal))
	r.failures++
	r.cause, r.isSure = why, isSure
}

// use returns whether the account may be called.
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

// refused records a refusal of a target by a request with an id.
func (a *Account) refused(e *gemini.Error, to target, id string, now time.Time) {
	why := cause{kept(e), id}
	switch scopeOf(e, to.model) {
	case ofAccount:
		a.whole.begin(why, true, now)
	case ofModel:
		if r := a.restOf(to, now); r != nil {
			r.begin(why, isSure(e), now)
		}
	}
}

// restOf returns the pause of a target, or nil if the target is not paused.
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

// forgetOne makes room. It removes the target whose pause ends first.
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

// answered removes the refusals that an answer disproves.
func (a *Account) answered(to target) {
	a.whole = refusalRest{}
	if len(a.targets) > 0 {
		delete(a.targets, to)
	}
}
