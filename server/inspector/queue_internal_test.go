package inspector

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/gemwire/gemwire/server/gateway/exchange"
)

func TestAQueueKeepsTheOrderAndEndsWhenThereIsNothingToDo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := &queue{backlog: newBacklog(0)}
		var done []int
		for range 2 { // The second time by another goroutine.
			for n := range 100 {
				q.add(func() { done = append(done, n) })
			}
			q.settle(t.Context())
			if len(done) != 100 || !slices.IsSorted(done) {
				t.Fatalf("done: %v", done)
			}
			synctest.Wait() // A goroutine that stays would end the bubble in a panic.
			done = nil
		}
	})
}

func TestAPlaceIsReservedForAsManyBytesAsMayWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shared := newBacklog(0)
		slow, other := &queue{backlog: shared}, &queue{backlog: shared}
		release := make(chan struct{})
		reserve := func(q *queue, bytes int, run func()) bool {
			if !q.reserve(bytes) {
				return false
			}
			q.addReserved(bytes, run)
			return true
		}
		if !reserve(slow, minPending-10, func() { <-release }) || !reserve(other, 10, func() {}) {
			t.Error("a body that fits has no place")
		}
		if !reserve(other, 0, func() {}) {
			t.Error("an empty body has no place")
		}
		if reserve(other, 11, func() {}) {
			t.Error("a body has a place that is not free")
		}
		close(release)
		slow.settle(t.Context())
		other.settle(t.Context())
		if !reserve(other, minPending+1, func() {}) {
			t.Error("one body alone may be larger")
		}
		other.settle(t.Context())
		synctest.Wait()
		if shared.bytes != 0 {
			t.Errorf("%d bytes wait", shared.bytes)
		}
	})
}

func TestLargeBodiesAreReadOneAfterAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shared := newBacklog(0)
		var running, most int
		var mu sync.Mutex
		release := make(chan struct{})
		queues := make([]*queue, 4)
		for n := range queues {
			queues[n] = &queue{backlog: shared}
			queues[n].reserve(largeTask)
			queues[n].addReserved(largeTask, func() {
				mu.Lock()
				running++
				most = max(most, running)
				mu.Unlock()
				<-release
				mu.Lock()
				running--
				mu.Unlock()
			})
		}
		close(release)
		for _, q := range queues {
			q.settle(t.Context())
		}
		synctest.Wait()
		if most != 1 {
			t.Errorf("%d at the same time", most)
		}
	})
}

func TestAWaitForAQueueEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := &queue{backlog: newBacklog(0)}
		release := make(chan struct{})
		q.add(func() { <-release })
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			synctest.Wait()
			cancel()
		}()
		q.settle(ctx) // or the test never ends
		close(release)
		q.settle(t.Context())
		synctest.Wait()
	})
}

// occupy fills the places of all bodies until the returned function is called.
func occupy(t *testing.T, i *Inspector) (release func()) {
	t.Helper()
	if !i.backlog.reserve(i.backlog.max) {
		t.Fatal("bodies wait")
	}
	return func() {
		q := &queue{backlog: i.backlog}
		q.addReserved(i.backlog.max, func() {})
		q.settle(t.Context())
	}
}

// The client waits for these calls, so that the test would not end if one of them waited for a
// place.
func TestABodyWithoutAPlaceIsNotKeptAndNothingWaits(t *testing.T) {
	t.Parallel()
	i, err := New(WithBodies())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	r := i.Begin(exchange.Start{Form: "native", Method: "POST", Path: "/x"}).(*recorder)
	r.Chunk(exchange.Client, []byte(`{"n":1}`))
	r.record.queue.settle(t.Context())
	release := occupy(t, i)
	body := bytes.Repeat([]byte("x"), 1000)
	r.Request(exchange.Client, exchange.Request{Method: "POST", URL: "/x", Body: body})
	r.Request(exchange.Upstream, exchange.Request{Method: "POST", URL: "/y"})
	r.Chunk(exchange.Client, []byte(`{"n":2}`))
	release()
	r.Chunk(exchange.Client, []byte(`{"n":3}`)) // after a gap
	r.Response(exchange.Client, exchange.Response{Status: 200, Body: []byte("whole")})
	r.End(exchange.End{Status: 200})
	kept, _ := i.store.snapshot(t.Context(), 1)
	if b := kept.client.request.body; b.text != "" || b.leftOut != 1000 || !b.cut || !b.isMissed {
		t.Errorf("the request: %+v", b)
	}
	if m := kept.tries[0].upstream.request; m == nil || m.url != "/y" || m.body.isMissed {
		t.Errorf("the upstream's request without a body: %+v", m)
	}
	if b := kept.client.response.body; b.text != "whole" || b.isMissed {
		t.Errorf("the response: %+v", b)
	}
	if chunks := kept.client.chunks; len(chunks) != 1 || kept.leftOut.chunks != 2 ||
		!kept.leftOut.isBusy {
		t.Errorf("%d chunks, left out %+v", len(chunks), kept.leftOut)
	}
	for _, reason := range []string{"replay", "curl/client"} {
		if got := notes(&kept)[reason]; got !=
			"Unavailable: the body was not kept because the inspector was busy" {
			t.Errorf("%s: %q", reason, got)
		}
	}
	d := kept.detail(i.store.groups)
	if !d.Client.Request.Missed || !d.LeftOut.Busy {
		t.Errorf("the page learns %+v, %+v", d.Client.Request, d.LeftOut)
	}
	again := (&restorer{retain: i.retain, forms: i.forms, backlog: i.backlog}).record(
		new(kept.stored()))
	if b := again.client.request.body; !b.isMissed || b.leftOut != 1000 || !again.leftOut.isBusy {
		t.Errorf("from a file: %+v, %+v", b, again.leftOut)
	}
}
