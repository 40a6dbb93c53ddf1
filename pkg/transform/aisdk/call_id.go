package aisdk

import (
	"hash/maphash"
	"strconv"
)

// callIDs are the ids that calls of the stream have. Of each it keeps eight bytes, a hash: the ids themselves,
// which may be of any length, would be most of the memory of a stream with many calls. Two ids of which the
// hashes are equal are taken for one, so that the later call gets an id made of its own and has the wire's in
// its metadata, as if it were repeated: among 100,000 calls once in four thousand million streams. The seed is
// another one in each stream, lest whoever makes the ids can choose such.
//
// The zero value has none.
type callIDs struct {
	seed   maphash.Seed
	taken  map[uint64]struct{}
	copies map[uint64]int // of those that were repeated, the number of the last one made of each
}

// has reports whether a call has the id.
func (c *callIDs) has(id string) bool {
	if c.taken == nil {
		return false
	}
	_, found := c.taken[c.hash(id)]
	return found
}

// take returns the id that a call is to have, or another one made of it if a call has it: the SDK takes calls
// with one id for one call.
func (c *callIDs) take(wanted string) string {
	if c.taken == nil {
		c.seed, c.taken = maphash.MakeSeed(), map[uint64]struct{}{}
	}
	if c.add(wanted) {
		return wanted
	}
	if c.copies == nil {
		c.copies = map[uint64]int{}
	}
	of := c.hash(wanted)
	for n := max(c.copies[of], 1) + 1; ; n++ {
		if id := wanted + "-" + strconv.Itoa(n); c.add(id) {
			c.copies[of] = n
			return id
		}
	}
}

// add reports whether no call had the id yet.
func (c *callIDs) add(id string) bool {
	before := len(c.taken)
	c.taken[c.hash(id)] = struct{}{}
	return len(c.taken) > before
}

func (c *callIDs) hash(id string) uint64 { return maphash.String(c.seed, id) }
