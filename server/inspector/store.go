package inspector

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// store holds the newest exchanges, with limits on their number and total size.
type store struct {
	maxExchanges, maxBytes int

	mu      sync.Mutex
	bodies  bool               // whether the bodies of new exchanges are kept
	records []*record          // sorted by number
	byID    map[string]*record // by request id; see [store.name]
	media   map[digest]*medium // of all exchanges
	lines   lines
	next    int // the number of the next one
	bytes   int

	revision int            // grows with each change
	changed  chan struct{}  // closed at the next change
	watched  bool           // whether anybody waits for changed
	gone     []goneRecord   // the last ones
	goneFrom int            // the revision from which gone is complete
	log      []changeRecord // the last ones
	logFrom  int            // the revision from which log is complete
	pins     map[int]bool   // the numbers of pinned exchanges

	// saved is called when an exchange must be written, lost and lostMedium when an exchange or a
	// medium is dropped. They are nil without a folder.
	saved, lost func(*record)
	lostMedium  func(*medium)

	// blank removes secrets from a text, or is nil.
	blank func(string) string

	groups *groups // the conversations of exchanges
	// ends reads the bodies of exchanges in the order of their ends, so that an exchange is known
	// when the next one of its conversation is read.
	ends *queue
}

func newStore(maxExchanges, maxBytes int, bodies bool) *store {
	return &store{maxExchanges: maxExchanges, maxBytes: maxBytes, bodies: bodies, next: 1,
		byID: map[string]*record{}, pins: map[int]bool{}, media: map[digest]*medium{},
		lines: lines{ended: map[string][]*record{}}, changed: make(chan struct{}),
		groups: newGroups(maxExchanges), ends: &queue{backlog: newBacklog(maxBytes)}}
}

// add adds a new exchange and returns its number.
func (s *store) add(r *record) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.number, r.bodies = s.next, s.bodies
	s.insert(r)
	return r.number
}

// insert adds an exchange whose number is set, and which is the newest.
func (s *store) insert(r *record) {
	s.revision++
	s.next = r.number + 1
	s.records = append(s.records, r)
	s.name(r)
	s.grow(r, r.size)
	if r.pinned {
		s.pins[r.number] = true
	}
	if r.isLine() {
		s.lines.count++
	}
	s.touch(r)
}

// name lets an exchange be found by its request id. The newest exchange with an id is found, but an
// imported one only if no recorded one has the id. If the exchange that is found is dropped, older
// ones with its id are found by their numbers only.
func (s *store) name(r *record) {
	id := r.start.ID
	if id == "" {
		return
	}
	if other := s.byID[id]; other == nil || other.isImported || !r.isImported {
		s.byID[id] = r
	}
}

// grow adds to the size of the store, and of the lines of jobs.
func (s *store) grow(r *record, bytes int) {
	s.bytes += bytes
	if r.isLine() {
		s.lines.bytes += bytes
	}
}

// change calls a function that changes an exchange and returns its growth in bytes. It does nothing
// if the exchange was dropped.
func (s *store) change(r *record, change func() (grown int)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.dropped {
		return
	}
	s.revision++
	grown := change()
	if r.dropped { // as a line of a job with too many
		s.wake()
		return
	}
	r.size += grown
	s.grow(r, grown)
	s.touch(r)
	if s.saved != nil && r.end != nil && !r.dropped {
		s.saved(r)
	}
}

// ended records the end of an exchange. If a bulk job has too many lines then, one is dropped.
func (s *store) ended(r *record, end *exchange.End) {
	s.change(r, func() int {
		r.end = end
		if r.isLine() {
			s.fold(r)
		}
		return endSize(end)
	})
}

// hasRoom reports whether more chunks of an exchange are recorded: up to maxChunks, and while the
// exchange has less than a quarter of all bytes.
func (s *store) hasRoom(r *record) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.size < s.maxBytes/4 && r.chunks() < maxChunks
}

// touch records that an exchange has changed, drops exchanges above the limits, and wakes waiting
// pages.
func (s *store) touch(r *record) {
	for len(s.records) > s.maxExchanges || s.bytes > s.maxBytes {
		s.drop(s.victim())
	}
	r.revision = s.revision
	s.logChange(r)
	s.wake()
}

func (s *store) wake() {
	if s.watched {
		close(s.changed)
		s.changed, s.watched = make(chan struct{}), false
	}
}

// clear drops all exchanges, or all that are not pinned.
func (s *store) clear(keepPinned bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision++
	if !keepPinned {
		s.groups.clear()
	}
	records := s.records
	s.records = nil
	for _, r := range records {
		if keepPinned && r.pinned {
			s.records = append(s.records, r)
		} else {
			s.forget(r)
		}
	}
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
	at, ok := s.index(number)
	if ok {
		use(s.records[at])
	}
	return ok
}

// index returns the index of the exchange that has a number.
func (s *store) index(number int) (int, bool) {
	return slices.BinarySearchFunc(s.records, number,
		func(r *record, number int) int { return cmp.Compare(r.number, number) })
}

// findRequest returns the number of the newest exchange with a request id, or 0.
func (s *store) findRequest(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.byID[id]; r != nil {
		return r.number
	}
	return 0
}

// nextNumber returns the number of the next exchange.
func (s *store) nextNumber() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.next
}

// settle waits until all that was reported so far is recorded, or the context ends.
func (s *store) settle(ctx context.Context) {
	s.mu.Lock()
	records := slices.Clone(s.records)
	s.mu.Unlock()
	for _, r := range records {
		r.queue.settle(ctx)
	}
}
