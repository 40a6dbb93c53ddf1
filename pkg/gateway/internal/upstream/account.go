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
	// Client calls with the credential, once.
	Client *gemini.Client

	// The rest is the pool's.
	dead deadKey
}

// deadKey is a credential that was refused.
type deadKey struct {
	until    time.Time
	failures int
	why      error
}

// How long a refused credential is left alone: from the first time up to the longest, doubling.
const (
	firstDeath   = time.Minute
	longestDeath = time.Hour
)

// die leaves a credential alone for a while.
func (d *deadKey) die(why error, now time.Time) {
	d.until = now.Add(min(firstDeath<<min(d.failures, 16), longestDeath))
	d.failures++
	d.why = why
}
