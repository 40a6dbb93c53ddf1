// Package paging detects when the pages of a server's list form a cycle.
package paging

import (
	"hash/maphash"
	"slices"
)

// maxRecent is the number of recent tokens that are kept. A cycle of at most this many pages is
// detected at its first repeated page.
const maxRecent = 256

// Tokens remembers page tokens of a list in constant memory: the recent ones, and one more. That
// one is replaced whenever the list has doubled in length (Brent's algorithm for cycles). So a
// cycle of any length is detected sooner or later. The zero value is empty and ready to use.
type Tokens struct {
	seed   maphash.Seed
	recent []uint64 // hashes
	count  int
	mark   uint64 // the token at which count was a power of two
}

// Repeats reports whether a token was seen before, and remembers it.
func (t *Tokens) Repeats(token string) bool {
	if t.count == 0 {
		t.seed = maphash.MakeSeed()
	}
	hash := maphash.String(t.seed, token)
	if slices.Contains(t.recent, hash) || t.count > 0 && hash == t.mark {
		return true
	}
	if len(t.recent) < maxRecent {
		t.recent = append(t.recent, hash)
	} else {
		t.recent[t.count%maxRecent] = hash
	}
	t.count++
	if t.count&(t.count-1) == 0 {
		t.mark = hash
	}
	return false
}
