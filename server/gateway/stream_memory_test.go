package gateway_test

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
)

// stoppingStream is the body of a stream that stops in its middle until it may go on.
type stoppingStream struct {
	chunks  int // until it stops
	stopped func()
	goOn    <-chan struct{}
	rest    io.Reader
}

const (
	middleChunk = `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"a few words of an answer "}]},"index":0}],"usageMetadata":{"promptTokenCount":200,"totalTokenCount":200},"modelVersion":"gemini-2.5-flash","responseId":"abcdefgh"}` + "\n\n"
	lastChunk   = `data: {"candidates":[{"finishReason":"STOP","index":0}]}` + "\n\n"
)

func (s *stoppingStream) Read(p []byte) (int, error) {
	if s.chunks > 0 {
		s.chunks--
		return copy(p, middleChunk), nil // room is there for more
	}
	if s.rest == nil {
		s.stopped()
		<-s.goOn
		s.rest = strings.NewReader(lastChunk)
	}
	return s.rest.Read(p)
}

func (*stoppingStream) Close() error { return nil }

// It measures the heap, so it does not run beside other tests. The connections of package http are not there.
func TestAnOpenStreamOfTheGatewayIsSmallInEachForm(t *testing.T) {
	for i := range askings {
		path, body := askings[i].streamed()
		each := heapOfStreams(t, path, body)
		t.Logf("%s: %d bytes", askings[i].form, each)
		if each > 30_000 {
			t.Errorf("%s: a stream takes %d bytes", askings[i].form, each)
		}
	}
}

// heapOfStreams returns the bytes that a stream takes in its middle.
func heapOfStreams(t *testing.T, path, body string) uint64 {
	t.Helper()
	const count = 300
	var open, ended sync.WaitGroup
	goOn := make(chan struct{})
	open.Add(count)
	handler := newDirectGateway(t, gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
		_, _ = io.Copy(io.Discard, r.Body)
		return &http.Response{
			StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, ContentLength: -1,
			Body: &stoppingStream{chunks: 30, stopped: open.Done, goOn: goOn},
		}, nil
	}))
	before := heapInUse()
	for range count {
		ended.Go(func() { serveDiscarding(handler, path, body) })
	}
	open.Wait()
	after := heapInUse()
	close(goOn)
	ended.Wait()
	return (after - before) / count
}

// heapInUse returns the bytes that are reachable.
func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
