package gateway_test

import (
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// stoppingStream is the body of a stream that stops in its middle until it may continue.
type stoppingStream struct {
	chunks  int // until it stops
	stopped func()
	goOn    <-chan struct{}
	rest    io.Reader
}

const (
	middleChunk = `data: {"candidates":[{"content":{"role":"model","parts":[{"text":"a few words of an answer "}]},"index":0}],"usageMetadata":{"promptTokenCount":200,"totalTokenCount":200},"modelVersion":"gemini-2.5-flash","responseId":"abcdefgh"}` +
		"\n\n"
	lastChunk = `data: {"candidates":[{"finishReason":"STOP","index":0}]}` + "\n\n"
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

// It measures the heap, so it does not run in parallel with other tests. It does not include the
// connections of package http.
func TestAnOpenStreamOfTheGatewayIsSmallInEachForm(t *testing.T) {
	for i := range askings {
		path, body := askings[i].streamed()
		each := heapOfStreams(t, path, body, fewChunks)
		t.Logf("%s: %d bytes", askings[i].form, each)
		if each > 30_000 {
			t.Errorf("%s: a stream takes %d bytes", askings[i].form, each)
		}
	}
}

// A request that may be sent again for the next part of its answer is held as JSON. The decoded
// form takes several times as much memory.
func TestAnOpenStreamHoldsItsRequestOnceAsJSON(t *testing.T) {
	messages := strings.Repeat(`{"role":"user","content":"hi"},{"role":"assistant","content":"yes"},`,
		60)
	body := `{"model":"gemini-2.5-flash","stream":true,"messages":[` + messages +
		`{"role":"user","content":"hi"}]}`
	each := heapOfStreams(t, chatPath, body, fewChunks)
	t.Logf("%d bytes, with a request of %d", each, len(body))
	if each > 30_000+2*uint64(len(body)) {
		t.Errorf("a stream takes %d bytes, with a request of %d", each, len(body))
	}
}

// The text of an answer is kept only for sources. Gemini cites sources if the request asks for
// them.
func TestAnOpenStreamKeepsItsTextOnlyIfSourcesMayCiteIt(t *testing.T) {
	const head = `{"model":"gemini-2.5-flash","stream":true,"messages":[{"role":"user","content":"hi"}]`
	const text = 970 * 25 // bytes of the chunks that only the long stream has
	short := heapOfStreams(t, chatPath, head+"}", fewChunks)
	long := heapOfStreams(t, chatPath, head+"}", 1000)
	cited := heapOfStreams(t, chatPath, head+`,"web_search_options":{}}`, 1000)
	t.Logf("%d bytes, with a longer text %d, with sources %d", short, long, cited)
	if long > short+text/4 {
		t.Errorf("a longer text takes %d bytes in place of %d", long, short)
	}
	if cited < long+text/2 {
		t.Errorf("with sources a stream takes %d bytes, without %d", cited, long)
	}
}

// fewChunks is the number of chunks of a stream whose text is short.
const fewChunks = 30

// heapOfStreams returns the bytes that a stream uses after some chunks.
func heapOfStreams(t *testing.T, path, body string, chunks int) uint64 {
	t.Helper()
	const count = 300
	var open, ended sync.WaitGroup
	goOn := make(chan struct{})
	open.Add(count)
	handler := newDirectGateway(t, gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
		_, _ = io.Copy(io.Discard, r.Body)
		return &http.Response{
			StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}},
			ContentLength: -1,
			Body:          &stoppingStream{chunks: chunks, stopped: open.Done, goOn: goOn},
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

// A stream keeps parts of its request until its end, such as tools that its events repeat. These
// parts count against the common memory limit.
func TestAStreamHoldsRoomForWhatItNeedsOfItsRequest(t *testing.T) {
	t.Parallel()
	const size = 100_000 // of which one client has room for two
	long := strings.Repeat("x", size)
	tool := `"name":"f","description":"` + long + `"`
	for name, tt := range map[string]struct {
		path, body string
		isStored   bool
		want       int
	}{
		"tools of a response":  {responsesPath, `"input":"hi","tools":[{"type":"function","parameters":{},` + tool + `}]`, false, 2},
		"instructions":         {responsesPath, `"input":"hi","instructions":"` + long + `"`, false, 2},
		"input of a response":  {responsesPath, `"input":"` + long + `"`, false, 5},
		"input that is stored": {responsesPath, `"input":"` + long + `"`, true, 2},
		"in the background":    {responsesPath, `"background":true,"input":"` + long + `"`, true, 2},
		"tools of a message": {
			messagesPath,
			`"max_tokens":9,"messages":[{"role":"user","content":"hi"}],"tools":[{"input_schema":{"type":"object"},` +
				tool + `}]`, false, 2,
		},
		"messages":        {messagesPath, `"max_tokens":9,"messages":[{"role":"user","content":"` + long + `"}]`, false, 5},
		"tools of a chat": {chatPath, `"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{` + tool + `}}]`, false, 5},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := geminitest.NewServer(t,
				geminitest.WithScript(geminitest.On().Reply(geminitest.Text("a "),
					geminitest.Stall()).Times(9)))
			opts := []gateway.Option{gateway.WithMaxBodySize(2*size - 1),
				gateway.WithMaxBytesInFlight(4*size + 4096)}
			if tt.isStored {
				opts = append(opts,
					gateway.WithResponseStore(responsestore.NewMemory(responsestore.Bounds{})))
			}
			handler := gatewayOf(t, server, opts...)
			var open []*liveAnswer
			for range 5 {
				open = append(open,
					serveLive(handler, http.MethodPost, tt.path,
						`{"model":"gemini-2.5-flash","stream":true,`+tt.body+`}`))
				time.Sleep(3 * time.Second)
			}
			served := 0
			for _, answer := range open {
				answer.mu.Lock()
				if answer.code == http.StatusOK {
					served++
				}
				answer.mu.Unlock()
			}
			if served != tt.want {
				t.Errorf("%s: %d are served, expected %d", name, served, tt.want)
			}
			handler.Close()
			for _, answer := range open {
				<-answer.done
			}
		})
	}
}
