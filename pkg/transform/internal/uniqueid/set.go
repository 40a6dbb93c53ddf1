// Package uniqueid finds ids that occur twice in an answer, such as the ids of two tool calls.
// Clients match results to calls by their ids, so no two calls of an answer may have the same id.
package uniqueid

import "hash/maphash"

// Set is a set of ids. The zero value is empty and ready to use.
//
// A Set keeps a hash of eight bytes for each id, because ids can have any length and a stream any
// number of calls. Two ids with the same hash count as one id. Among 100,000 calls this happens
// once in four billion streams. Each Set has its own seed, so an attacker cannot choose ids with
// equal hashes.
type Set struct {
	// first is the only id while the set has one, because most answers have at most one call.
	first    string
	hasFirst bool
	seed     maphash.Seed
	hashes   map[uint64]struct{} // nil for at most one id
}

// Add adds an id. It reports whether the set did not have it before.
func (s *Set) Add(id string) bool {
	switch {
	case s.hashes == nil && !s.hasFirst:
		s.first, s.hasFirst = id, true
		return true
	case s.hashes == nil && id == s.first:
		return false
	case s.hashes == nil:
		s.seed = maphash.MakeSeed()
		s.hashes = map[uint64]struct{}{maphash.String(s.seed, s.first): {}}
		s.first = ""
	}
	before := len(s.hashes)
	s.hashes[maphash.String(s.seed, id)] = struct{}{}
	return len(s.hashes) > before
}

// Has reports whether the set has an id.
func (s *Set) Has(id string) bool {
	if s.hashes == nil {
		return s.hasFirst && id == s.first
	}
	_, found := s.hashes[maphash.String(s.seed, id)]
	return found
}
