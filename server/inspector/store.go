package inspector

import "sync"

// store holds the newest exchanges, with limits on their number and total size.
type store struct {
	maxExchanges, maxBytes int

	mu       sync.Mutex
	bodies   bool      // whether the bodies of new exchanges are kept
	records  []*record // in the order of their numbers, without a gap
	next     int       // the number of the next one
	bytes    int
	revision int           // grows with each change
	changed  chan struct{} // closed at the next change
	watched  bool          // whether anybody waits for changed
}

func newStore(maxExchanges, maxBytes int, bodies bool) *store {
	return &store{maxExchanges: maxExchanges, maxBytes: maxBytes, bodies: bodies, next: 1,
		changed: make(chan struct{})}
}

// add adds a new exchange and assigns its number.
func (s *store) add(r *record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.number, r.bodies = s.next, s.bodies
	s.next++
	s.records = append(s.records, r)
	s.bytes += r.size
	s.touch(r)
}

// change calls a function that changes an exchange and returns its growth in bytes. It does nothing
// if the exchange was dropped.
func (s *store) change(r *record, change func() (grown int)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.dropped {
		return
	}
	grown := change()
	r.size += grown
	s.bytes += grown
	s.touch(r)
}

// hasRoom reports whether more chunks of an exchange are recorded: up to maxChunks, and while the
// exchange has less than a quarter of all bytes.
func (s *store) hasRoom(r *record) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.size < s.maxBytes/4 && r.chunks() < maxChunks
}

// touch records that an exchange has changed, drops the oldest exchanges above the limits, and
// wakes waiting pages.
func (s *store) touch(r *record) {
	for len(s.records) > s.maxExchanges || s.bytes > s.maxBytes {
		s.drop()
	}
	s.revision++
	r.revision = s.revision
	s.wake()
}

// drop drops the oldest exchange.
func (s *store) drop() {
	oldest := s.records[0]
	oldest.dropped = true
	s.bytes -= oldest.size
	s.records[0] = nil
	s.records = s.records[1:]
}

func (s *store) wake() {
	if s.watched {
		close(s.changed)
		s.changed, s.watched = make(chan struct{}), false
	}
}

// clear drops all exchanges.
func (s *store) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.records) > 0 {
		s.drop()
	}
	s.revision++
	s.wake()
}

// keepBodies sets whether bodies of new exchanges are recorded.
func (s *store) keepBodies(keep bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bodies = keep
	s.revision++
	s.wake()
}

// find calls a function with the exchange that has a number. It reports false if no exchange has
// it.
func (s *store) find(number int, use func(r *record)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.records) == 0 {
		return false
	}
	at := number - s.records[0].number
	if at < 0 || at >= len(s.records) {
		return false
	}
	use(s.records[at])
	return true
}

// findRequest returns the number of the newest exchange with a request id, or 0.
func (s *store) findRequest(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at := len(s.records) - 1; at >= 0; at-- {
		if s.records[at].start.ID == id {
			return s.records[at].number
		}
	}
	return 0
}

// news is a set of changes of the store.
type news struct {
	// Bodies reports whether bodies of new exchanges are recorded.
	Bodies bool `json:"bodies"`
	// Oldest is the number of the oldest exchange in the store. Earlier ones were dropped.
	Oldest int `json:"oldest"`
	// Bytes, MaxBytes and the others are the fill level of the store.
	Bytes        int `json:"bytes"`
	MaxBytes     int `json:"maxBytes"`
	MaxExchanges int `json:"maxExchanges"`
	// Gateway is the gateway's URL, for an example command.
	Gateway string `json:"gateway"`
	// Exchanges are the changed exchanges, sorted by number.
	Exchanges []summary `json:"exchanges"`
}

// newsSince returns the changes since a revision, the new revision, and a channel that is closed at
// the next change.
func (s *store) newsSince(revision int) (n news, now int, more <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n = news{
		Bodies: s.bodies, Oldest: s.next - len(s.records), Bytes: s.bytes,
		MaxBytes: s.maxBytes, MaxExchanges: s.maxExchanges, Exchanges: []summary{},
	}
	for _, r := range s.records {
		if r.revision > revision {
			n.Exchanges = append(n.Exchanges, r.summary())
		}
	}
	s.watched = true
	return n, s.revision, s.changed
}
