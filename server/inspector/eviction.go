package inspector

import "slices"

// maxJobLines is the maximum number of ended exchanges of one bulk job.
const maxJobLines = 200

// lines has the exchanges that are lines of bulk jobs. At the limits of the store they are dropped
// first if they have more than half of it, so that jobs do not displace the requests of clients.
type lines struct {
	count, bytes int                  // of all, also those that run
	ended        map[string][]*record // by job, the oldest first
}

// isLine reports whether the exchange answers a line of a bulk job.
func (r *record) isLine() bool { return r.start.Job != "" }

// victim returns the index of the exchange to drop at the limits: the oldest unpinned
// exchange.
func (s *store) victim() int {
	if s.lines.count > s.maxExchanges/2 || s.lines.bytes > s.maxBytes/2 {
		if at := slices.IndexFunc(s.records,
			func(r *record) bool { return r.isLine() && !r.stays() }); at >= 0 {
			return at
		}
	}
	return max(0, slices.IndexFunc(s.records, func(r *record) bool { return !r.stays() }))
}

// stays reports whether other exchanges are dropped before this one. A replay needs what it
// replays, for the comparison.
func (r *record) stays() bool { return r.pinned || r.replaying > 0 }

// holdReplayed keeps an exchange while a replay of it waits or runs.
func (s *store) holdReplayed(number int) { s.countReplays(number, 1) }

// releaseReplayed ends what [store.holdReplayed] began.
func (s *store) releaseReplayed(number int) { s.countReplays(number, -1) }

func (s *store) countReplays(number, more int) {
	s.find(number, func(r *record) { r.replaying += more })
}

// fold adds an ended line to its job. If the job has too many lines, the oldest line without an
// error is dropped, or else the oldest. Pinned lines stay.
func (s *store) fold(r *record) {
	of := append(s.lines.ended[r.start.Job], r)
	s.lines.ended[r.start.Job] = of
	if len(of) <= maxJobLines {
		return
	}
	at := slices.IndexFunc(of, func(r *record) bool { return !r.pinned && r.failure() == "" })
	if at < 0 {
		at = slices.IndexFunc(of, func(r *record) bool { return !r.pinned })
	}
	if at < 0 {
		return
	}
	if index, ok := s.index(of[at].number); ok {
		s.drop(index)
	}
}

// drop drops an exchange.
func (s *store) drop(at int) {
	r := s.records[at]
	// The oldest ones are at the beginning, and are dropped most often.
	copy(s.records[1:at+1], s.records[:at])
	s.records[0] = nil
	s.records = s.records[1:]
	s.forget(r)
}

// forget ends the bookkeeping of an exchange that is removed from the list.
func (s *store) forget(r *record) {
	r.dropped = true
	s.grow(r, -r.size)
	for b := range r.allBodies() {
		s.release(b)
	}
	s.forgetLine(r)
	delete(s.pins, r.number)
	if s.byID[r.start.ID] == r {
		delete(s.byID, r.start.ID)
	}
	s.noteGone(r.number)
	if s.lost != nil {
		s.lost(r)
	}
}

// forgetLine removes a line from its job.
func (s *store) forgetLine(r *record) {
	if !r.isLine() {
		return
	}
	s.lines.count--
	of := s.lines.ended[r.start.Job]
	if at := slices.Index(of, r); at >= 0 {
		of = slices.Delete(of, at, at+1)
	}
	if s.lines.ended[r.start.Job] = of; len(of) == 0 {
		delete(s.lines.ended, r.start.Job)
	}
}

// goneRecord is a dropped exchange, and the revision of the store when it was dropped.
type goneRecord struct{ number, revision int }

// maxGone is the maximum number of dropped exchanges that pages learn one by one. A page
// that missed more starts again.
const maxGone = 4096

// noteGone records a dropped exchange for the pages.
func (s *store) noteGone(number int) {
	if len(s.gone) == maxGone {
		const forgotten = maxGone / 4
		s.goneFrom = s.gone[forgotten-1].revision
		s.gone = append(s.gone[:0], s.gone[forgotten:]...)
	}
	s.gone = append(s.gone, goneRecord{number, s.revision})
}
