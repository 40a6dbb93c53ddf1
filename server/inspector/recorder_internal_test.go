package inspector

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// The sizes and limits of one exchange are tested inside the package, because the page only shows
// the totals of all exchanges.

// recorded returns the stored data of an exchange, and the bytes by which it grew.
func recorded(t *testing.T, tell func(exchange.Recorder)) (*record, int) {
	t.Helper()
	i, err := New(WithBodies(), WithClock(func() time.Time { return time.Unix(1000, 0) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	r := i.Begin(exchange.Start{At: time.Unix(900, 0)}).(*recorder)
	before := r.record.size
	tell(r)
	r.record.queue.settle(t.Context())
	i.store.ends.settle(t.Context())
	if i.store.bytes != r.record.size {
		t.Errorf("all exchanges have %d bytes, the only one has %d", i.store.bytes, r.record.size)
	}
	return r.record, r.record.size - before
}

// The limit on bytes works only if everything that grows is counted.
func TestEachTextThatIsKeptCounts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		texts int // of the reported length
		tell  func(r exchange.Recorder, text string)
	}{
		"a request": {2, func(r exchange.Recorder, text string) {
			r.Request(exchange.Client, exchange.Request{URL: "/" + text, Body: []byte(text)})
		}},
		"a request that replaces another": {2, func(r exchange.Recorder, text string) {
			r.Request(exchange.Client, exchange.Request{URL: "/before", Body: []byte("before")})
			r.Request(exchange.Client, exchange.Request{URL: "/" + text, Body: []byte(text)})
		}},
		"a response": {2, func(r exchange.Recorder, text string) {
			r.Response(exchange.Upstream,
				exchange.Response{Header: http.Header{"X-Note": {text}}, Body: []byte(text)})
		}},
		"chunks": {3, func(r exchange.Recorder, text string) {
			for range 3 {
				r.Chunk(exchange.Client, []byte(text))
			}
		}},
		"signatures": {2, func(r exchange.Recorder, text string) {
			r.Signature(exchange.Signature{Pointer: text})
			r.Signature(exchange.Signature{Pointer: text})
		}},
		"an attempt": {3, func(r exchange.Recorder, text string) {
			r.Attempt(exchange.Attempt{Account: text, Model: text, Err: text})
		}},
		"a report": {4, func(r exchange.Recorder, text string) {
			r.Report(exchange.Client,
				report.Report{{Pointer: text, Detail: text}, {Pointer: text, Detail: text}})
		}},
		"the end": {1, func(r exchange.Recorder, text string) { r.End(exchange.End{ErrorMessage: text}) }},
	} {
		_, short := recorded(t,
			func(r exchange.Recorder) { test.tell(r, strings.Repeat("a b ", 10)) })
		_, long := recorded(t,
			func(r exchange.Recorder) { test.tell(r, strings.Repeat("a b ", 110)) })
		if long-short != test.texts*400 || short < test.texts*40 {
			t.Errorf("%s: %d bytes with short texts, %d more with long ones, want %d more", name,
				short, long-short, test.texts*400)
		}
	}
}

func TestTheRecordOfAnExchangeHasLimits(t *testing.T) {
	t.Parallel()
	kept, _ := recorded(t, func(r exchange.Recorder) {
		for range maxSignatures + 1 {
			r.Signature(exchange.Signature{Pointer: "/p"})
		}
		for range maxTries + 1 {
			r.Attempt(exchange.Attempt{Model: "m"})
			r.Request(exchange.Upstream, exchange.Request{Method: "POST", URL: "/u"})
		}
		r.Report(exchange.Client, make(report.Report, maxFindings-1))
		r.Report(exchange.Client, make(report.Report, 3))
		for range maxChunks + 2 {
			r.Chunk(exchange.Client, []byte("{}"))
		}
	})
	if len(kept.signatures) != maxSignatures || kept.leftOut.signatures != 1 {
		t.Errorf("%d signatures, %d left out", len(kept.signatures), kept.leftOut.signatures)
	}
	if len(kept.attempts) != maxTries || len(kept.tries) != maxTries {
		t.Errorf("%d attempts, %d tries", len(kept.attempts), len(kept.tries))
	}
	if len(kept.findings) != maxFindings || kept.leftOut.findings != 2 {
		t.Errorf("%d findings, %d left out", len(kept.findings), kept.leftOut.findings)
	}
	if kept.chunks() != maxChunks || kept.leftOut.chunks != 2 {
		t.Errorf("%d chunks, %d left out", kept.chunks(), kept.leftOut.chunks)
	}
}

func TestTimesOfAnExchangeCountFromItsStart(t *testing.T) {
	t.Parallel()
	kept, _ := recorded(t, func(r exchange.Recorder) {
		r.Request(exchange.Client, exchange.Request{Method: "POST"})
		r.Response(exchange.Client, exchange.Response{Status: 200})
		r.Chunk(exchange.Client, []byte("{}"))
	})
	c := kept.client
	if want := 100 * time.Second; c.request.at != want || c.response.at != want ||
		c.chunks[0].at != want {
		t.Errorf("%v, %v, %v", c.request.at, c.response.at, c.chunks[0].at)
	}
}

func TestAnExchangeHasRoomForChunksUpToAQuarterOfAllBytes(t *testing.T) {
	t.Parallel()
	s := newStore(10, 400, true)
	for size, want := range map[int]bool{0: true, 99: true, 100: false, 101: false} {
		if got := s.hasRoom(&record{size: size}); got != want {
			t.Errorf("%d of 400 bytes: %v", size, got)
		}
	}
	for n, want := range map[int]bool{maxChunks - 1: true, maxChunks: false} {
		if got := s.hasRoom(&record{client: conversation{chunks: make([]chunk, n)}}); got != want {
			t.Errorf("%d chunks: %v", n, got)
		}
	}
}

func TestTheStoreIsFullAtItsBounds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		maxExchanges, maxBytes int
		sizes                  []int
		kept, bytes            int
	}{
		"as many as may be":       {3, 1000, []int{1, 1, 1}, 3, 3},
		"one more":                {3, 1000, []int{1, 1, 1, 1}, 3, 3},
		"as many bytes as may be": {9, 100, []int{40, 60}, 2, 100},
		"a byte more":             {9, 100, []int{40, 61}, 1, 61},
		"one that is too large":   {9, 100, []int{40, 101}, 0, 0},
	} {
		s := newStore(test.maxExchanges, test.maxBytes, false)
		for _, size := range test.sizes {
			s.add(&record{size: size})
		}
		if len(s.records) != test.kept || s.bytes != test.bytes {
			t.Errorf("%s: %d exchanges of %d bytes, want %d of %d", name, len(s.records), s.bytes,
				test.kept, test.bytes)
		}
		for number := range len(test.sizes) + 2 {
			isKept := number > len(test.sizes)-test.kept && number <= len(test.sizes)
			if found := s.find(number,
				func(r *record) { isKept = isKept && r.number == number }); found != isKept {
				t.Errorf("%s: exchange %d is found: %v", name, number, found)
			}
		}
		if s.clear(false); len(s.records) != 0 || s.bytes != 0 {
			t.Errorf("%s: cleared, there are %d exchanges of %d bytes", name, len(s.records),
				s.bytes)
		}
	}
}

func TestTextsAreKeptWholeUpToTheirBounds(t *testing.T) {
	t.Parallel()
	r := &retention{maxBody: 100, maxString: 100}
	for n, want := range map[int]int{maxValue: maxValue, maxValue + 1: maxValue + len("…")} {
		if got := r.value(strings.Repeat("a ", n)[:n]); len(got) != want {
			t.Errorf("a value of %d bytes has %d, want %d", n, len(got), want)
		}
	}
	for n, leftOut := range map[int]int{100: 0, 101: 1, 5000: 4900} {
		got := r.body([]byte(strings.Repeat("a ", n)[:n]))
		if len(got.text) != min(n, 100) || got.leftOut != leftOut || got.cut != (leftOut > 0) {
			t.Errorf("a body of %d bytes has %d, %d are left out, cut %v", n, len(got.text),
				got.leftOut, got.cut)
		}
	}
	for text, want := range map[string]string{"ab": "ab", "abc": "abc", "abcd": "abc", "aé": "aé",
		"abé": "ab", "aéb": "aé", "日本": "日"} {
		if got := prefix(text, 3); got != want {
			t.Errorf("the first 3 bytes of %q are %q, want %q", text, got, want)
		}
	}
}
