package inspector

import (
	"hash/maphash"
	"sync"
)

// maxSeen is the maximum number of media that are not decoded again.
const maxSeen = 64

// seenMedia has the media that were decoded last, by their base64. The upstream's request has the
// pictures of the client's, and so has each turn of a conversation, and to hash a text takes a
// tenth of the time of decoding it and looking for secrets. It is safe for concurrent use. Its
// zero value finds nothing.
type seenMedia struct {
	// kept returns the medium of the store with a hash, or nil. A dropped medium must not stay in
	// memory.
	kept func(digest) *medium

	mu     sync.Mutex
	byText map[textKey]seenMedium
	order  []textKey // the oldest first
}

// textKey is a hash of a text, which a client cannot foresee. Two texts never have the same hash in
// practice.
type textKey struct {
	first, second uint64
	length        int
}

type seenMedium struct {
	sum      digest
	spelling spelling
}

var seeds = [...]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func (s *seenMedia) keyOf(text []byte) textKey {
	return textKey{maphash.Bytes(seeds[0], text), maphash.Bytes(seeds[1], text), len(text)}
}

// find returns the medium of a text that was added, if it is still in the store.
func (s *seenMedia) find(key textKey) (mediaRef, bool) {
	s.mu.Lock()
	of, ok := s.byText[key]
	s.mu.Unlock()
	if !ok {
		return mediaRef{}, false
	}
	m := s.kept(of.sum)
	return mediaRef{medium: m, spelling: of.spelling}, m != nil
}

// add adds a medium. Its type must not depend on what is around the text.
func (s *seenMedia) add(key textKey, ref mediaRef) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		return
	}
	if s.byText == nil {
		s.byText = map[textKey]seenMedium{}
	}
	if _, ok := s.byText[key]; !ok {
		s.order = append(s.order, key)
	}
	s.byText[key] = seenMedium{ref.sum, ref.spelling}
	if len(s.order) > maxSeen {
		delete(s.byText, s.order[0])
		s.order = s.order[1:]
	}
}

// clear forgets all media.
func (s *seenMedia) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byText, s.order = nil, nil
}
