package gemini_test

import (
	"io"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// The tests here measure memory, so they do not run in parallel with others.

// inUse returns the bytes of the heap and of the stacks after a collection.
func inUse() (heap, stacks int64) {
	runtime.GC()
	runtime.GC() // what pools held is gone with the second one
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc), int64(stats.StackInuse)
}

func TestACallInFlightIsSmall(t *testing.T) {
	const limit = 12 << 10
	calls := 10_000
	if testing.Short() {
		calls = 1000
	}
	first := "data: " + `{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}` + "\r\n\r\n"
	const large = "stream after its first chunk, of a large request"
	for name, prefix := range map[string]string{
		"unary": "", "unary without a reply": "", "stream": "",
		"stream after its first chunk": first, large: first,
	} {
		var arrived, done sync.WaitGroup
		arrived.Add(calls)
		release := make(chan struct{})
		ask := func() *geminiapi.GenerateContentRequest { return prompt("m") }
		if name == large {
			ask = func() *geminiapi.GenerateContentRequest {
				return &geminiapi.GenerateContentRequest{Model: new("m"),
					Contents: []geminiapi.Content{gemini.UserText(strings.Repeat("a", 10*limit))}}
			}
		}
		server := gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			_, _ = io.Copy(io.Discard, r.Body)
			if name == "unary without a reply" {
				arrived.Done()
				<-release
				return httpReply(200, "application/json", answer), nil
			}
			out := httpReply(200, "text/event-stream", "")
			out.Body = &gated{prefix: prefix, rest: wholeOf(name), arrived: &arrived,
				release: release}
			return out, nil
		})
		client := newClient(t, gemini.WithHTTPClient(server))
		heap, stacks := inUse()
		for range calls {
			done.Go(func() {
				if strings.HasPrefix(name, "unary") {
					_, _ = client.GenerateContent(t.Context(), prompt("m"))
					return
				}
				for range client.StreamGenerateContent(t.Context(), ask()) {
					continue
				}
			})
		}
		arrived.Wait()
		heapNow, stacksNow := inUse()
		close(release)
		done.Wait()
		own, stack := (heapNow-heap)/int64(calls), (stacksNow-stacks)/int64(calls)
		t.Logf("%s: %d bytes for each of %d calls, and %d of the caller's stack", name, own, calls,
			stack)
		// The stack is shown but has no limit: the runtime starts stacks at the size that earlier
		// ones needed, and the race detector doubles them.
		if own > limit {
			t.Errorf("%s: a call in flight takes more than %d bytes", name, limit)
		}
	}
}

func TestAnImageThatIsDownloadedIsNotHeld(t *testing.T) {
	const size = 5 << 20
	server := gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
		out := httpReply(200, "image/png", "")
		out.Body = io.NopCloser(io.LimitReader(endless{}, size))
		return out, nil
	})
	client := newClient(t, gemini.WithHTTPClient(server))
	before := totalAlloc()
	n, err := client.Files.Download(t.Context(), "files/image", io.Discard)
	if allocated := totalAlloc() - before; err != nil || n != size || allocated > 1<<20 {
		t.Errorf("%d bytes took %d: %v", n, allocated, err)
	}
}

func TestAnAnswerWithAnImageTakesTheRoomOfItsText(t *testing.T) {
	const size, calls = 5 << 20, 8
	body := `{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"` +
		strings.Repeat("iVBORw0K", size/8) + `"}}]},"finishReason":"STOP"}]}`
	client := newClient(t,
		gemini.WithHTTPClient(gemini.DoerFunc(func(*http.Request) (*http.Response, error) {
			return httpReply(200, "application/json", body), nil
		})))
	// a collection would empty the pool of read buffers
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before uint64
	for call := range calls + 1 {
		if call == 1 { // the first fills the pool
			before = totalAlloc()
		}
		response, err := client.GenerateContent(t.Context(), prompt("gemini-3.6-flash"))
		if err != nil || len(*response.Candidates[0].Content.Parts[0].InlineData.Data) != size {
			t.Fatal("no image:", err)
		}
	}
	// With the race detector, pools lose some of their values.
	if each := (totalAlloc() - before) / calls; each > size*7/4 {
		t.Errorf("an answer with %d bytes of base64 takes %d", size, each)
	} else {
		t.Logf("%d bytes for %d of base64", each, size)
	}
}

// wholeOf returns the rest of an answer.
func wholeOf(kind string) string {
	if kind == "unary" {
		return answer
	}
	return "data: " + answer + "\r\n\r\n"
}

// gated is a body whose rest arrives when all readers have reached it.
type gated struct {
	prefix, rest string
	arrived      *sync.WaitGroup
	release      chan struct{}
	isOpen       bool
}

func (g *gated) Read(p []byte) (n int, err error) {
	switch {
	case g.prefix != "":
		n = copy(p, g.prefix)
		g.prefix = g.prefix[n:]
		return n, nil
	case !g.isOpen:
		g.isOpen = true
		g.arrived.Done()
		<-g.release
	case g.rest == "":
		return 0, io.EOF
	}
	n = copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

func (g *gated) Close() error { return nil }

// Gemini announces no length, so a body is read in pieces, whose memory is reused.
func TestALargeAnswerTakesLittleMoreThanItsString(t *testing.T) {
	const size = 5 << 20
	client := newClient(t, gemini.WithHTTPClient(replaying(image(size), false)))
	ask := func() {
		if _, err := client.GenerateContent(t.Context(), prompt("m")); err != nil {
			t.Fatal(err)
		}
	}
	ask() // the pieces are made by the first call, and again after a collection of garbage
	least := uint64(2 * size)
	for range 10 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ask()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	t.Logf("%d bytes for an image of %d", least, size)
	if least > size*7/4 { // the race detector has pools lose a part of what they hold
		t.Errorf("%d bytes for an image of %d", least, size)
	}
}
