// Package keyring rotates API keys: a key that was refused or has no quota left is paused, and the
// next key is used meanwhile.
package keyring

import (
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
)

// Ring is a list of keys, each with its own pause. It is safe for use by several goroutines, and
// never prints its keys.
type Ring struct {
	mu      sync.Mutex
	keys    []key
	secrets []string // the keys
	current int      // the index of the last key that worked
}

type key struct {
	secret   string
	restsTo  time.Time
	failures int // in a row
}

// New returns a ring of the keys that are not empty.
func New(secrets ...string) *Ring {
	r := &Ring{}
	for _, secret := range secrets {
		if secret != "" {
			r.keys = append(r.keys, key{secret: secret})
			r.secrets = append(r.secrets, secret)
		}
	}
	return r
}

// Len returns the number of keys.
func (r *Ring) Len() int {
	if r == nil {
		return 0
	}
	return len(r.keys)
}

// Secrets returns the keys themselves, so that callers can redact them. The result must not be
// changed.
func (r *Ring) Secrets() []string {
	if r == nil {
		return nil
	}
	return r.secrets
}

// Key is a key from a ring.
type Key struct {
	// Index is the index of the key in the list.
	Index int
	ring  *Ring
}

// Secret returns the key itself.
func (k Key) Secret() string { return k.ring.keys[k.Index].secret }

// Take returns the last key that worked. If that key is paused, it returns the next key without a
// pause. If all keys are paused, it returns the key whose pause ends first. The ring must have a
// key.
func (r *Ring) Take(now time.Time) Key {
	r.mu.Lock()
	defer r.mu.Unlock()
	best := r.current
	for i := range r.keys {
		k := (r.current + i) % len(r.keys)
		if !r.keys[k].restsTo.After(now) {
			best = k
			break
		}
		if r.keys[k].restsTo.Before(r.keys[best].restsTo) {
			best = k
		}
	}
	r.current = best
	return Key{Index: best, ring: r}
}

// Good records that a key works, which ends its pause and resets its failures.
func (k Key) Good() {
	k.ring.mu.Lock()
	defer k.ring.mu.Unlock()
	k.ring.keys[k.Index].failures = 0
	k.ring.keys[k.Index].restsTo = time.Time{}
}

// Rest pauses a key for wait, which the server asked for. Without wait, the pause is base, doubled
// with each failure in a row up to limit. Rest reports whether another key is not paused.
func (k Key) Rest(now time.Time, wait, base, limit time.Duration) (hasOther bool) {
	k.ring.mu.Lock()
	defer k.ring.mu.Unlock()
	own := &k.ring.keys[k.Index]
	if wait <= 0 {
		wait = min(base<<min(own.failures, 16), limit)
	}
	own.failures++
	own.restsTo = now.Add(wait)
	for i := range k.ring.keys {
		if !k.ring.keys[i].restsTo.After(now) {
			return true
		}
	}
	return false
}

// String returns the number of keys.
func (r *Ring) String() string { return "keys REDACTED" }

// GoString returns the same text as String, for %#v.
func (r *Ring) GoString() string { return r.String() }

// Format writes the same text as String, for every verb.
func (r *Ring) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, r.String()) }

// LogValue returns the same text as String, for logs.
func (r *Ring) LogValue() slog.Value { return slog.StringValue(r.String()) }

// String returns a text without the key.
func (k Key) String() string { return "key REDACTED" }

// GoString returns the same text as String, for %#v.
func (k Key) GoString() string { return k.String() }

// Format writes the same text as String, for every verb.
func (k Key) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, k.String()) }

// LogValue returns the same text as String, for logs.
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }
