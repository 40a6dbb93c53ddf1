package inspector

import (
	"cmp"
	"slices"
)

// newsPage is the maximum number of exchanges that a page learns at once beyond the changed ones.
const newsPage = 500

// cursor is the knowledge of a page. Its zero value knows nothing.
type cursor struct {
	hasBegun bool
	revision int
	below    int // earlier exchanges are still to be sent; 0 for none
}

// news is a set of changes of the store.
type news struct {
	// Reset says that the page must forget all exchanges that it knows from an earlier connection.
	Reset bool `json:"reset,omitzero"`
	// More says that earlier exchanges follow at once.
	More bool `json:"more,omitzero"`
	// Bodies reports whether bodies of new exchanges are recorded.
	Bodies bool `json:"bodies"`
	// Oldest is the number of the oldest exchange in the store that is not pinned. Earlier ones
	// were dropped, unless they are pinned.
	Oldest int `json:"oldest"`
	// Pinned are the numbers of the pinned exchanges.
	Pinned []int `json:"pinned"`
	// Gone are dropped exchanges after the oldest, such as lines of a job with many lines.
	Gone []int `json:"gone,omitempty"`
	// Bytes, MaxBytes and MaxExchanges are the fill level of the store. Limits has all limits.
	Bytes        int        `json:"bytes"`
	MaxBytes     int        `json:"maxBytes"`
	MaxExchanges int        `json:"maxExchanges"`
	Limits       newsLimits `json:"limits"`
	// Store is where exchanges are kept: "memory" or "folder".
	Store string `json:"store"`
	// StoreError is the first error of writing to the folder, or "".
	StoreError string `json:"storeError,omitzero"`
	// Docs is the base of links to the documentation.
	Docs string `json:"docs"`
	// NoReplay says why no request can be replayed, or "".
	NoReplay string `json:"noReplay,omitzero"`
	// Gateway is the gateway's URL, for an example command.
	Gateway string `json:"gateway"`
	// Exchanges are the changed exchanges, sorted by number.
	Exchanges []summary `json:"exchanges"`
}

// newsLimits are the limits of the store.
type newsLimits struct {
	Exchanges int `json:"exchanges"`
	Bytes     int `json:"bytes"`
	Body      int `json:"body"`
	String    int `json:"string"`
}

// news returns what a page does not know yet, and a channel that is closed at the next change. The
// first news have the newest exchanges. The earlier ones follow in pages.
func (s *store) news(c *cursor) (n news, more <-chan struct{}) {
	n, more = s.changes(c)
	known := c.revision
	for end, left := c.below, newsPage; end > 0 && left > 0; left -= newsStep {
		end = s.addEarlier(&n, end, known)
		c.below = end
	}
	n.More = c.below > 0
	slices.SortFunc(n.Exchanges, func(a, b summary) int { return cmp.Compare(a.Number, b.Number) })
	return n, more
}

// newsStep is the number of exchanges that are read while the store is locked. Requests that begin
// wait for the lock.
const newsStep = 50

// changes returns what has changed since the last news.
func (s *store) changes(c *cursor) (n news, more <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n = news{Bodies: s.bodies, Oldest: s.oldest(), Pinned: s.pinned(), Bytes: s.bytes,
		MaxBytes: s.maxBytes, MaxExchanges: s.maxExchanges, Exchanges: []summary{}}
	if !c.hasBegun || c.revision < max(s.goneFrom, s.logFrom) {
		*c = cursor{hasBegun: true, revision: s.revision, below: s.next}
		n.Reset = true
	}
	for _, r := range s.changedSince(c.revision) {
		n.Exchanges = append(n.Exchanges, s.summaryOf(r))
	}
	for _, g := range slices.Backward(s.gone) {
		if g.revision <= c.revision {
			break
		}
		if g.number > n.Oldest {
			n.Gone = append(n.Gone, g.number)
		}
	}
	c.revision = s.revision
	s.watched = true
	return n, s.changed
}

func (s *store) summaryOf(r *record) summary { return r.summary(s.groups) }

// addEarlier adds the next exchanges before a number. Those that have changed since a revision come
// with the next news. It returns the number before which there are more, or 0.
func (s *store) addEarlier(n *news, below, known int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	end, _ := s.index(below)
	begin := max(0, end-newsStep)
	for _, r := range s.records[begin:end] {
		if r.revision <= known {
			n.Exchanges = append(n.Exchanges, s.summaryOf(r))
		}
	}
	if begin == 0 {
		return 0
	}
	return s.records[begin].number
}

// oldest returns the number of the oldest exchange that is not pinned.
func (s *store) oldest() int {
	for _, r := range s.records {
		if !r.pinned {
			return r.number
		}
	}
	return s.next
}

// pinned returns the numbers of the pinned exchanges, sorted.
func (s *store) pinned() []int {
	numbers := make([]int, 0, len(s.pins))
	for number := range s.pins {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	return numbers
}

// changeRecord is a changed exchange, and the revision of the store after the change. It has no
// pointer, because a dropped exchange must not stay in memory.
type changeRecord struct{ number, revision int }

// current returns the exchange of a change, or nil if it was dropped or has changed again.
func (s *store) current(c changeRecord) *record {
	at, ok := s.index(c.number)
	if !ok || s.records[at].revision != c.revision {
		return nil
	}
	return s.records[at]
}

// logChange records a change for the pages. If there are many changes, it removes the changes of
// exchanges that have changed again.
func (s *store) logChange(r *record) {
	if last := len(s.log) - 1; last >= 0 && s.log[last].number == r.number {
		s.log[last].revision = r.revision
		return
	}
	const longest = 4096
	if len(s.log) >= longest+2*len(s.records) {
		s.log = slices.DeleteFunc(s.log, func(c changeRecord) bool { return s.current(c) == nil })
		if older := len(s.log) - longest; older > 0 { // which pages have seen by now
			s.logFrom = s.log[older-1].revision
			s.log = slices.Delete(s.log, 0, older)
		}
	}
	s.log = append(s.log, changeRecord{r.number, r.revision})
}

// changedSince returns the exchanges that have changed since a revision.
func (s *store) changedSince(revision int) (changed []*record) {
	for _, c := range slices.Backward(s.log) {
		if c.revision <= revision {
			break
		}
		if r := s.current(c); r != nil {
			changed = append(changed, r)
		}
	}
	return changed
}
