package eventstream

import "hash/maphash"

// Start distinguishes the start of another stream from an event of the same stream, after the end
// of the first stream and in place of its end. The zero value is for a stream without events so
// far.
type Start struct {
	id      string // of the answer, if it is known
	isKnown bool   // a first event with an answer was there
	members Members

	run       run     // of the events with content
	last      Members // of the last of them
	contentID uint32  // hash of its id: it takes less room than the id

	hash uint64 // of the first event, 0 if an equal one may follow it in the same stream
}

// run is the number of consecutive events with the id of the last event.
type run uint8

const (
	noRun run = iota
	oneEvent
	changedID  // one, and the one before it was of the same server and had another
	someEvents // two or more
)

// Members are members that a server puts into every event of a stream or into none.
type Members uint8

// The members.
const (
	HasID Members = 1 << iota
	HasModel
	HasUsage
)

// ofServer are members that a server adds, and that a proxy does not add.
const ofServer = HasModel | HasUsage

// maxHashed is the maximum size of an event that is hashed. A larger event contains media, and
// hashing it takes time.
const maxHashed = 1 << 20

// hashSeed is the seed of all hashes. It is never modified.
var hashSeed = maphash.MakeSeed()

// IsKnown reports whether Note has seen an event with an answer.
func (s *Start) IsKnown() bool { return s.isKnown }

// Note remembers an event before the end. It keeps the answer's id, which may be "". It also keeps
// the event and its members if the event is the first piece of an answer. isUnique reports that a
// stream never has two equal events of this kind.
func (s *Start) Note(id string, e *Event, hasAnswer, isUnique bool, has Members) {
	if id != "" {
		s.id = id // of the last: a proxy may have made the first event
	}
	if s.isKnown || !hasAnswer {
		return
	}
	s.isKnown, s.members = true, has
	if isUnique && e.Size < maxHashed {
		s.hash = e.hash(hashSeed)
	}
}

// NoteContent remembers the id and the members of an event with content.
func (s *Start) NoteContent(id string, has Members) {
	hash := hashOf(id)
	switch {
	case id == "":
		return
	case hash == s.contentID:
		s.run = someEvents
	case s.run == oneEvent && has == s.last && has&ofServer != 0:
		s.run = changedID
	default:
		s.run = oneEvent
	}
	s.contentID, s.last = hash, has
}

func hashOf(id string) uint32 { return uint32(maphash.String(hashSeed, id)) }

// IsOfAnother reports whether the id of an event with content, before the end, shows that the event
// belongs to another answer. This holds if two events in a row had another id. It also holds if the
// event is the second one with its id, and the event before these two came from the same server and
// had another id. Of 610 recorded streams none changes its id. A proxy may make ids of its own:
// one for all events, one for each event, or one for the events that it adds.
func (s *Start) IsOfAnother(id string) bool {
	switch {
	case id == "":
		return false
	case hashOf(id) == s.contentID:
		return s.run == changedID
	default:
		return s.run == someEvents
	}
}

// IsNamed reports whether an id is the id that the answer has had since its first event.
func (s *Start) IsNamed(id string) bool {
	return id != "" && id == s.id && s.members&HasID != 0
}

// IsRepeated reports whether an event with an answer after the end begins another stream: it has
// the id of another answer, or equals the first event.
func (s *Start) IsRepeated(id string, e *Event) bool {
	if id != "" && s.id != "" && id != s.id {
		return true
	}
	return s.hash != 0 && s.hash == e.hash(hashSeed)
}

// IsOfAnotherServer reports whether an event with content after the end lacks a member that the
// first event had, or names the answer or the model although no earlier event did.
func (s *Start) IsOfAnotherServer(id string, has Members) bool {
	isNew := id != "" && s.id == "" || has&HasModel > s.members&HasModel
	return isNew || s.members&^has != 0
}
