package eventstream

import "hash/maphash"

// Start is what tells the start of another stream, behind the end of the first, from an event of the same
// one. The zero value is that of a stream of which nothing has come.
type Start struct {
	id      string // of the answer, as far as it is known
	isKnown bool   // a first event with content was there
	hash    uint64 // of that event, 0 if an equal one may follow it in the same stream
}

// maxHashed is the size above which an event is media, which it takes time to hash.
const maxHashed = 1 << 20

// hashSeed is the seed of all hashes. It is never written to.
var hashSeed = maphash.MakeSeed()

// Note takes note of an event that is not behind the end: of the answer's id, "" if the event has none, and of
// the event itself if it is the first with content. isUnique says that no two events of one stream are like it.
func (s *Start) Note(id string, e *Event, hasContent, isUnique bool) {
	if id != "" {
		s.id = id // of the last: a proxy may have made the first event
	}
	if s.isKnown || !hasContent {
		return
	}
	s.isKnown = true
	if isUnique && e.Size < maxHashed {
		s.hash = e.hash(hashSeed)
	}
}

// IsRepeated reports whether an event with content behind the end begins another stream: it has the id of
// another answer, or is the first event again.
func (s *Start) IsRepeated(id string, e *Event) bool {
	if id != "" && s.id != "" && id != s.id {
		return true
	}
	return s.hash != 0 && s.hash == e.hash(hashSeed)
}
