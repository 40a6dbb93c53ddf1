package inspector

import (
	"testing"
)

// Requests that begin wait for the lock of the store.
func TestClearingKeepsThePinnedExchanges(t *testing.T) {
	t.Parallel()
	const many = 1000
	s := newStore(many, 1<<30, false)
	for n := range many {
		s.add(&record{size: 1, pinned: n%10 == 0})
	}
	s.clear(true)
	if len(s.records) != many/10 || s.bytes != many/10 || len(s.pins) != many/10 {
		t.Errorf("%d exchanges, %d bytes, %d pins", len(s.records), s.bytes, len(s.pins))
	}
	for _, number := range []int{1, 11, many - 9} {
		if !s.find(number, func(r *record) {}) {
			t.Errorf("the pinned exchange %d was dropped", number)
		}
	}
	if s.find(2, func(r *record) {}) {
		t.Error("an exchange that is not pinned stays")
	}
}

func TestAnImportTakesNoRequestIDOfARecordedExchange(t *testing.T) {
	t.Parallel()
	const imported, live = true, false
	for name, test := range map[string]struct {
		imports []bool // of the exchanges with the id, in order
		found   int
	}{
		"a copy of a recorded one":     {[]bool{live, imported}, 1},
		"two copies of a recorded one": {[]bool{live, imported, imported}, 1},
		"recorded after an import":     {[]bool{imported, live}, 2},
		"only imports":                 {[]bool{imported, imported}, 2},
		"only recorded ones":           {[]bool{live, live}, 2},
	} {
		s := newStore(10, 1<<20, false)
		for _, isImported := range test.imports {
			r := &record{isImported: isImported}
			r.start.ID = "req_1"
			s.add(r)
		}
		if got := s.findRequest("req_1"); got != test.found {
			t.Errorf("%s: found exchange %d, want %d", name, got, test.found)
		}
		at, _ := s.index(test.found)
		s.drop(at)
		if got := s.findRequest("req_1"); got != 0 {
			t.Errorf("%s: found exchange %d for the id of a dropped one", name, got)
		}
	}
}
