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
	s.mu.Lock()
	defer s.mu.Unlock()
	n = news{Bodies: s.bodies, Oldest: s.next, Pinned: []int{}, Bytes: s.bytes,
		MaxBytes: s.maxBytes, MaxExchanges: s.maxExchanges, Exchanges: []summary{}}
	if !c.hasBegun || c.revision < s.goneFrom {
		*c = cursor{hasBegun: true, revision: s.revision, below: s.next}
		n.Reset = true
	}
	for _, r := range s.records {
		if r.pinned {
			n.Pinned = append(n.Pinned, r.number)
		} else {
			n.Oldest = min(n.Oldest, r.number)
		}
		if r.revision > c.revision {
			n.Exchanges = append(n.Exchanges, r.summary())
		}
	}
	for _, g := range s.gone {
		if g.revision > c.revision && g.number > n.Oldest {
			n.Gone = append(n.Gone, g.number)
		}
	}
	s.addEarlier(&n, c)
	c.revision = s.revision
	s.watched = true
	return n, s.changed
}

// addEarlier adds the next page of exchanges that the page has not seen.
func (s *store) addEarlier(n *news, c *cursor) {
	if c.below == 0 {
		return
	}
	end, _ := s.index(c.below)
	begin := max(0, end-newsPage)
	for _, r := range s.records[begin:end] {
		if r.revision <= c.revision {
			n.Exchanges = append(n.Exchanges, r.summary())
		}
	}
	slices.SortFunc(n.Exchanges, func(a, b summary) int { return cmp.Compare(a.Number, b.Number) })
	if c.below = 0; begin > 0 {
		c.below, n.More = s.records[begin].number, true
	}
}
