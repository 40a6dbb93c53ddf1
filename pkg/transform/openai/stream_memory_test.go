package openai_test

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/openai"
)

// The tests here measure the heap, so they do not run beside others.

// openStream is a stream in the middle of its conversion.
type openStream struct {
	in  *gemini.StreamReader
	s   *openai.Stream
	out *openai.StreamWriter
}

func TestAnOpenStreamIsSmall(t *testing.T) {
	body := textStream(40)
	for name, chunks := range map[string]int{"before the first chunk": 0, "in the middle": 30} {
		const count = 1000
		streams := make([]openStream, count)
		before := heap()
		for i := range streams {
			o := openStream{
				in:  gemini.NewStreamReader(struct{ io.Reader }{bytes.NewReader(body)}),
				s:   openai.NewStream(openai.WithUsage(true)),
				out: openai.NewStreamWriter(io.Discard),
			}
			for range chunks {
				c, err := o.in.Next()
				if err != nil {
					t.Fatal(err)
				}
				news, err := o.s.PushChunk(c)
				if err != nil || o.out.Write(news...) != nil {
					t.Fatal(err)
				}
			}
			streams[i] = o
		}
		each := (heap() - before) / count
		t.Logf("%s: %d bytes", name, each)
		if each > 30_000 {
			t.Errorf("%s, a stream takes %d bytes", name, each)
		}
		runtime.KeepAlive(streams)
	}
}

// heap returns the bytes that are in use.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// An image is the only large thing in its event: it is read once and decoded once, and never copied
// on its way out.
func TestALargeImageIsNotCopiedOnItsWayOut(t *testing.T) {
	const size = 20_000_000
	event := []byte("data: " + largeImage(size) + "\n\n")
	before := allocated()
	in := gemini.NewStreamReader(struct{ io.Reader }{bytes.NewReader(event)})
	if _, err := openai.WriteStream(struct{ io.Writer }{io.Discard}, in.All()); err != nil {
		t.Fatal(err)
	}
	ratio := float64(allocated()-before) / size
	t.Logf("%.2f times the image", ratio)
	if ratio > 2.3 {
		t.Errorf("%.2f times the image were allocated", ratio)
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
