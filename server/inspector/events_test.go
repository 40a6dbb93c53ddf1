package inspector_test

import (
	"bufio"
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/exchange/exchangetest"
	"github.com/gemwire/gemwire/server/inspector"
	"github.com/go-json-experiment/json"
)

// listener is a page that waits for changes.
type listener struct {
	t     *testing.T
	lines *bufio.Scanner
	end   context.CancelFunc
}

type news struct {
	Bodies, Reset, More bool
	Oldest, Bytes       int
	Pinned, Gone        []int
	Store, StoreError   string
	NoReplay            string
	Exchanges           []struct {
		Number, Status, Lost int
		Running, Pinned      bool
	}
}

func (b *browser) listen() *listener {
	b.t.Helper()
	ctx, end := context.WithCancel(b.t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url+"/api/events", nil)
	if err != nil {
		b.t.Fatal(err)
	}
	response, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK ||
		response.Header.Get("Content-Type") != "text/event-stream" {
		b.t.Fatal(response.Status)
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	return &listener{b.t, lines, func() { end(); response.Body.Close() }}
}

// next returns the next change.
func (l *listener) next() (n news) {
	l.t.Helper()
	for l.lines.Scan() {
		if data, ok := strings.CutPrefix(l.lines.Text(), "data: "); ok {
			if err := json.Unmarshal([]byte(data), &n,
				json.MatchCaseInsensitiveNames(true)); err != nil {
				l.t.Fatal(err)
			}
			return n
		}
	}
	l.t.Fatalf("the events have ended: %v", l.lines.Err())
	return n
}

func TestThePageGetsAllExchangesAndThenTheChanges(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithMaxExchanges(2))
	b.gateway.Play(exchangetest.Lossy())
	b.gateway.Play(exchangetest.Refused())
	b.detail(1) // which waits until all of it is kept
	b.detail(2)
	events := b.listen()
	defer events.end()
	if n := events.next(); len(n.Exchanges) != 2 || n.Oldest != 1 || n.Exchanges[0].Lost != 4 ||
		n.Exchanges[1].Status != 400 || n.Bodies {
		t.Errorf("at first: %+v", n)
	}
	b.gateway.Play(exchangetest.Lossy())
	n := events.next()
	for len(n.Exchanges) > 0 && n.Exchanges[0].Running {
		n = events.next()
	}
	if len(n.Exchanges) != 1 || n.Exchanges[0].Number != 3 || n.Oldest != 2 {
		t.Errorf("then: %+v", n)
	}
	if status, _, _ := b.do(http.MethodPost, "/api/bodies",
		`{"keep":true}`); status != http.StatusNoContent {
		t.Error(status)
	}
	if n := events.next(); !n.Bodies || len(n.Exchanges) != 0 {
		t.Errorf("after the switch: %+v", n)
	}
}

func TestCloseEndsTheConnectionsOfPages(t *testing.T) {
	t.Parallel()
	b := open(t)
	events := b.listen()
	defer events.end()
	events.next()
	b.Close()
	b.Close()
	for events.lines.Scan() {
		if line := events.lines.Text(); line != "" {
			t.Errorf("after Close: %q", line)
		}
	}
	b.gateway.Play(exchangetest.Lossy()) // It still accepts reports.
	if b.detail(1).Summary.Number != 1 {
		t.Error("nothing is kept any more")
	}
}

// flushed is a response writer in memory. It is safe for concurrent use.
type flushed struct {
	header http.Header
	mu     sync.Mutex
	text   strings.Builder
}

func (f *flushed) Header() http.Header { return f.header }
func (f *flushed) WriteHeader(int)     {}
func (f *flushed) Flush()              {}
func (f *flushed) Write(data []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.text.Write(data)
}

func (f *flushed) count(text string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Count(f.text.String(), text)
}

func TestManyChunksAreFewNewsAndSilenceIsNoEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ins, err := inspector.New(inspector.WithBodies())
		if err != nil {
			t.Fatal(err)
		}
		page := &flushed{header: http.Header{}}
		open, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, ins.URL("localhost"),
			nil)
		open.Host = "localhost"
		ins.Handler().ServeHTTP(page, open)
		ctx, leave := context.WithCancel(t.Context())
		request, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/api/events",
			nil)
		cookie, _ := http.ParseSetCookie(page.header.Get("Set-Cookie"))
		request.AddCookie(cookie)
		page = &flushed{header: http.Header{}}
		ended := make(chan struct{})
		go func() { ins.Handler().ServeHTTP(page, request); close(ended) }()

		r := ins.Begin(exchange.Start{At: time.Now()})
		for range 1000 {
			r.Chunk(exchange.Upstream, []byte("{}"))
			time.Sleep(time.Millisecond)
		}
		synctest.Wait()
		if n := page.count("data: "); n < 8 || n > 12 {
			t.Errorf("a second of 1000 chunks is %d news", n)
		}
		time.Sleep(time.Minute)
		if n := page.count("\n:\n"); n < 3 {
			t.Errorf("a silent minute has %d signs of life", n)
		}
		leave()
		<-ended
	})
}

func TestManyGoroutinesWriteAndRead(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies(), inspector.WithMaxExchanges(20))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			clock := exchangetest.NewClock(morning)
			gateway := &exchangetest.Gateway{Observer: b.Inspector, Now: clock.Now,
				Sleep: clock.Sleep}
			for range 5 {
				for _, scene := range exchangetest.All() {
					gateway.Play(scene)
				}
			}
		})
	}
	all.Go(func() {
		events := b.listen()
		defer events.end()
		for _, e := range events.next().Exchanges {
			b.do(http.MethodGet, "/api/har", "")
			b.do(http.MethodGet, "/api/exchanges/"+strconv.Itoa(e.Number), "")
		}
	})
	all.Wait()
}
