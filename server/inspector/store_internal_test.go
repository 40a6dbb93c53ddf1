package inspector

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/forms"
	"github.com/gemwire/gemwire/server/gateway/exchange"
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

func TestAReplayCountsAndIsNamedByItsRequest(t *testing.T) {
	t.Parallel()
	i, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	r := newRecord(exchange.Start{ID: "a"}, i.forms, i.backlog)
	i.store.add(r)
	want := newRecord(exchange.Start{ID: "req_longer", UserAgent: "ours"}, i.forms, i.backlog).size
	i.store.adopt(r, exchange.Start{ID: "req_longer", UserAgent: "ours"})
	if r.size != want || i.store.bytes != want {
		t.Errorf("%d bytes, all have %d, want %d", r.size, i.store.bytes, want)
	}
	i.store.adopt(r, exchange.Start{})
	if i.store.findRequest("") != 0 {
		t.Error("a request without an id is found by it")
	}
}

func TestWhatIsReplayedStaysWhileTheReplayWaitsOrRuns(t *testing.T) {
	t.Parallel()
	s := newStore(3, 1<<20, false)
	original := &record{queue: &queue{}}
	s.add(original)
	s.holdReplayed(1)
	for range 5 {
		s.add(&record{queue: &queue{}})
	}
	if !s.has(original) {
		t.Error("the original is dropped")
	}
	s.releaseReplayed(1)
	s.add(&record{queue: &queue{}})
	if s.has(original) {
		t.Error("the original stays after the replay")
	}
}

func TestReplaysTakeAtMostAQuarterOfTheList(t *testing.T) {
	t.Parallel()
	for exchanges, want := range map[int]int{1: 4, 100: 25, 10_000: 500} {
		if got := maxReplaysOf(exchanges); got != want {
			t.Errorf("%d of %d, want %d", got, exchanges, want)
		}
	}
}

func TestAViewerWhoLeavesDoesNotWaitForABodyToBeRead(t *testing.T) {
	t.Parallel()
	s := newStore(3, 1<<20, true)
	r := newRecord(exchange.Start{}, nil, newBacklog(0))
	s.add(r)
	r.isRead = make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := s.snapshot(ctx, 1); !ok { // or the test never ends
		t.Error("the exchange is not found")
	}
}

func TestADroppedExchangeIsNotRead(t *testing.T) {
	t.Parallel()
	s := newStore(1, 1<<20, true)
	r := newRecord(exchange.Start{ID: "req_1"}, forms.All(), newBacklog(0))
	s.add(r)
	r.client.request = &message{body: body{text: `{"contents":[{"parts":[{"text":"Hi"}]}]}`}}
	s.add(newRecord(exchange.Start{}, nil, newBacklog(0)))
	if s.understand(r, true); len(s.groups.byID) != 0 {
		t.Error("a dropped exchange has a conversation")
	}
}

func TestAClosedFolderCollectsNothing(t *testing.T) {
	t.Parallel()
	i, err := New(WithFolder(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	if err := i.CloseFolder(); err != nil {
		t.Fatal(err)
	}
	i.Begin(exchange.Start{}).End(exchange.End{Status: 200})
	i.store.settle(t.Context())
	i.store.clear(false)
	if f := i.disk; len(f.unsaved) != 0 || len(f.dropped) != 0 || f.running {
		t.Errorf("%d to save, %d to drop", len(f.unsaved), len(f.dropped))
	}
}

func TestOneImportRunsAtATime(t *testing.T) {
	t.Parallel()
	i, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	i.importing.Lock()
	answer := httptest.NewRecorder()
	i.importSession(answer, httptest.NewRequest(http.MethodPost, "/api/session",
		strings.NewReader(`{"format":"gemwire-inspector/1","exchanges":[]}`)))
	if answer.Code != http.StatusConflict {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
}
