package inspector

import (
	"strconv"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// page is the list of a page that follows the news, as the page's script does.
type followingPage struct {
	cursor
	known map[int]int // the status by number
}

func (p *followingPage) follow(s *store) (resets int) {
	for more := true; more; {
		n, _ := s.news(&p.cursor)
		if n.Reset {
			p.known = map[int]int{}
			resets++
		}
		for _, e := range n.Exchanges {
			p.known[e.Number] = e.Status
		}
		for _, number := range n.Gone {
			delete(p.known, number)
		}
		pinned := map[int]bool{}
		for _, number := range n.Pinned {
			pinned[number] = true
		}
		for number := range p.known {
			if number < n.Oldest && !pinned[number] {
				delete(p.known, number)
			}
		}
		more = n.More
	}
	return resets
}

// A page that follows has the same list as the store, however much happens between two news.
func TestAPageThatFollowsTheNewsHasTheListOfTheStore(t *testing.T) {
	t.Parallel()
	i, err := New(WithMaxExchanges(1000))
	if err != nil {
		t.Fatal(err)
	}
	var p followingPage
	var recorders []exchange.Recorder
	resets := 0
	for step := range 40 {
		for n := range 20 * step {
			start := exchange.Start{ID: strconv.Itoa(n), At: time.Unix(1000, 0)}
			if n%3 == 0 {
				start.Job = "batch_" + strconv.Itoa(n%2)
			}
			recorders = append(recorders, i.Begin(start))
		}
		for n := len(recorders) - 1; n >= 0; n -= 2 {
			recorders[n].End(exchange.End{Status: 200 + n%300})
			recorders = append(recorders[:n], recorders[n+1:]...)
		}
		i.store.settle(t.Context())
		switch step % 5 {
		case 1:
			_, _ = i.store.pin(i.store.records[len(i.store.records)/2].number, true)
		case 3:
			for number := range i.store.pins {
				_, _ = i.store.pin(number, false)
				break
			}
		}
		if step == 25 {
			i.store.clear(true)
		}
		resets += p.follow(i.store)
		if len(p.known) != len(i.store.records) {
			t.Fatalf("step %d: the page has %d exchanges, the store %d", step, len(p.known),
				len(i.store.records))
		}
		for _, r := range i.store.records {
			if status, ok := p.known[r.number]; !ok || r.end != nil && status != r.end.Status {
				t.Fatalf("step %d: the page has %d for exchange %d: %+v", step, status, r.number, r.end)
			}
		}
	}
	if resets != 1 {
		t.Errorf("the page had to forget all %d times", resets)
	}
}

// A page that has missed very much starts again.
func TestAPageThatMissedTooMuchStartsAgain(t *testing.T) {
	t.Parallel()
	i, err := New(WithMaxExchanges(10))
	if err != nil {
		t.Fatal(err)
	}
	var p followingPage
	p.follow(i.store)
	for range 2 * maxGone {
		i.Begin(exchange.Start{At: time.Unix(1000, 0)})
	}
	if resets := p.follow(i.store); resets != 1 || len(p.known) != 10 {
		t.Errorf("%d resets, %d exchanges", resets, len(p.known))
	}
	if resets := p.follow(i.store); resets != 0 {
		t.Error("it starts again without a reason")
	}
}

// The bookkeeping for pages does not grow with the number of exchanges so far.
func TestTheListsForPagesHaveBounds(t *testing.T) {
	t.Parallel()
	i, err := New(WithMaxExchanges(100))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 30_000 {
		i.Begin(exchange.Start{At: time.Unix(1000, 0), ID: strconv.Itoa(n)})
	}
	s := i.store
	if len(s.log) > 4096+200 || len(s.gone) > maxGone || len(s.byID) != 100 ||
		len(s.records) != 100 || cap(s.records) > 1000 {
		t.Errorf("%d changes, %d gone, %d ids, %d of %d records", len(s.log), len(s.gone),
			len(s.byID), len(s.records), cap(s.records))
	}
}
