// Package paging notices when a server sends the reader of a list round in circles.
package paging

import (
	"hash/maphash"
	"slices"
)

// maxRecent is how many tokens are remembered: a circle of so many pages is noticed at its first
// page.
const maxRecent = 256

// Tokens remember the page tokens of a list, in a memory that does not grow with it: the last ones,
// and one more, which is taken anew whenever the list has become twice as long (Brent's way to find
// a circle). So a circle of any length is noticed sooner or later. The zero value remembers none.
type Tokens struct {
	seed   maphash.Seed
	recent []uint64 // hashes
	count  int
	mark   uint64 // the token at which count was a power of two
}

// Repeats reports whether a token was there before, and remembers it.
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
