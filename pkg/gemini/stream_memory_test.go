package gemini_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
)

// The tests here measure the heap, so they do not run in parallel with others.

func TestALargeEventTakesTwiceItsSize(t *testing.T) {
	tests := map[string]struct {
		size       int
		start, end string
	}{
		"event stream": {20_000_000, "data: ", "\n\n"},
		"array":        {4_000_000, "[", "\n]"},
		"JSON":         {4_000_000, "", ""},
	}
	for name, tt := range tests {
		event := bytes.TrimSpace(bytes.TrimPrefix(largeStream(tt.size), []byte("data: ")))
		body := bytes.Join([][]byte{[]byte(tt.start), event, []byte(tt.end)}, nil)
		before := totalAlloc()
		stream := gemini.NewStreamReader(struct{ io.Reader }{bytes.NewReader(body)})
		if _, err := stream.Next(); err != nil {
			t.Fatal(err)
		}
		if got := float64(totalAlloc()-before) / float64(tt.size); got > 2.25 {
			t.Errorf("%s: an event takes %.2f times its size", name, got)
		}
	}
}

func TestAnEventAboveTheLimitIsNotHeld(t *testing.T) {
	body := io.LimitReader(endless{}, 50<<20)
	before := totalAlloc()
	_, err := readAll(gemini.NewStreamReader(io.MultiReader(strings.NewReader("data: "), body),
		gemini.WithMaxEventSize(1<<20)))
	if got := totalAlloc() - before; got > 2<<20 {
		t.Errorf("%d bytes were allocated, then %v", got, err)
	}
}

func TestACommentIsNotHeld(t *testing.T) {
	comment := io.MultiReader(strings.NewReader(":"), io.LimitReader(endless{}, 50<<20),
		strings.NewReader("\ndata: "+stop))
	before := totalAlloc()
	if _, err := readAll(gemini.NewStreamReader(comment)); err != io.EOF {
		t.Error(err)
	}
	if got := totalAlloc() - before; got > 64<<10 {
		t.Errorf("%d bytes were allocated", got)
	}
}

func TestAnEndlessPageIsGivenUp(t *testing.T) {
	page := &io.LimitedReader{R: endless{}, N: 50 << 20}
	_, err := readAll(gemini.NewStreamReader(io.MultiReader(strings.NewReader("<title>Sign in</title>"),
		page)))
	if err.Error() != "gemini: Sign in" || page.N < 49<<20 {
		t.Errorf("after %d bytes: %v", 50<<20-page.N, err)
	}
}

func TestAnInvalidEventIsGivenUp(t *testing.T) {
	for _, filler := range []string{" ", "\n", "\r", "\r\n", "\t \n", ": comment\n\n", "data: \n\n",
		"event: x\n", "id: 1\n", "a text\n"} {
		for _, before := range []string{"", "data: {}\n\n", "[{},", "{}"} {
			body := &io.LimitedReader{R: &repeated{text: filler}, N: 20 << 20}
			reader := gemini.NewStreamReader(io.MultiReader(strings.NewReader(before), body),
				gemini.WithMaxEventSize(2<<20))
			_, err := readAll(reader)
			if body.N < 17<<20 || err == io.EOF {
				t.Errorf("%q after %q: given up with %d bytes left: %v", filler, before, body.N,
					err)
			}
			if errors.Is(err, wire.ErrEventTooLarge) &&
				!strings.HasSuffix(err.Error(), "no event begins within 2097152 bytes") {
				t.Errorf("%q after %q: %v", filler, before, err)
			}
		}
		body := io.LimitReader(&repeated{text: filler},
			1<<20/int64(len(filler))*int64(len(filler))-100)
		if filler == "a text\n" {
			continue // which is no stream
		}
		if _, err := readAll(gemini.NewStreamReader(io.MultiReader(body,
			strings.NewReader("\n\n\ndata: "+stop)), gemini.WithMaxEventSize(500))); err != io.EOF {
			t.Errorf("%q, as much as may be there: %v", filler, err)
		}
	}
}

// repeated is an endlessly repeated text.
type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.text[r.at]
		r.at = (r.at + 1) % len(r.text)
	}
	return len(p), nil
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestAnOpenReaderIsSmall(t *testing.T) {
	small := string(longStream(8))
	unknown := strings.Repeat("field: of no meaning\n", 5000)
	tests := map[string]struct {
		body    string
		chunks  int
		readers int
		limit   uint64
	}{
		"after small events": {small, 4, 1000, 6 << 10},
		"unknown fields":     {unknown + small + unknown, 7, 100, 6 << 10},
		"after a large one":  {strings.Replace(string(largeStream(3<<20)), `,"finishReason":"STOP"`, "", 1) + small, 4, 20, 24 << 10},
	}
	for name, tt := range tests {
		readers := make([]*gemini.StreamReader, tt.readers)
		before := heapInUse()
		for i := range readers {
			readers[i] = gemini.NewStreamReader(strings.NewReader(tt.body))
			for range tt.chunks {
				if _, err := readers[i].Next(); err != nil {
					t.Fatal(err)
				}
			}
		}
		each := (heapInUse() - before) / uint64(tt.readers)
		t.Logf("%s: %d bytes", name, each)
		if each > tt.limit {
			t.Errorf("%s: a reader holds %d bytes", name, each)
		}
		runtime.KeepAlive(readers)
	}
}

func TestAReaderThatEndedHoldsNothing(t *testing.T) {
	// Enough streams that other allocations of the process are less than a few bytes for each.
	readers := make([]*gemini.StreamReader, 2000)
	body := string(longStream(20))
	before := heapInUse()
	for i := range readers {
		readers[i] = gemini.NewStreamReader(strings.NewReader(body))
		if _, err := readAll(readers[i]); err != io.EOF {
			t.Fatal(err)
		}
	}
	// Its own fields and the strings.Reader take 600 bytes; a buffer would take thousands.
	if each := (heapInUse() - before) / uint64(len(readers)); each > 1024 {
		t.Errorf("a reader holds %d bytes", each)
	}
	runtime.KeepAlive(readers)
}

func TestDeliveredEventsAreNotStored(t *testing.T) {
	chunk := string(longStream(2)[:490])
	r, w := io.Pipe()
	defer r.Close()
	go func() {
		for {
			if _, err := io.WriteString(w, chunk+"\r\n\r\n"); err != nil {
				return
			}
		}
	}()
	stream := gemini.NewStreamReader(r)
	read := func(n int) uint64 {
		for range n {
			if _, err := stream.Next(); err != nil {
				t.Fatal(err)
			}
		}
		return heapInUse()
	}
	before := read(20)
	if after := read(5000); after > before+16<<10 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
}

func TestReadingAllocatesNoMoreThanDecoding(t *testing.T) {
	body := longStream(200)
	chunk := bytes.TrimPrefix(body[:490], []byte("data: "))
	decoding := testing.AllocsPerRun(3, func() {
		for range 200 {
			if _, err := gemini.DecodeResponse(chunk); err != nil {
				t.Fatal(err)
			}
		}
	})
	reading := testing.AllocsPerRun(3, func() {
		stream := gemini.NewStreamReader(bytes.NewReader(body))
		for _, err := range stream.All() {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	if reading > 1.1*decoding { // the race detector makes the decoder's numbers uneven
		t.Errorf("%v allocations, and decoding alone takes %v", reading, decoding)
	}
}

func totalAlloc() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

// heapInUse returns the bytes that are reachable.
func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
