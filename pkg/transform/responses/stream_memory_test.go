package responses_test

import (
	"bytes"
	"io"
	"runtime"
	"testing"

	"github.com/gemwire/gemwire/internal/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
)

// openStream is a stream in the middle of its conversion.
type openStream struct {
	in  *gemini.StreamReader
	s   *toresponses.Stream
	out *responses.StreamWriter
}

// It measures the heap, so it does not run beside other tests. The events at the end of a stream have all of its text, of
// which a stream therefore keeps 7 KB in the middle.
func TestAnOpenStreamIsSmall(t *testing.T) {
	body := payloadtest.TextStream(40)
	for name, chunks := range map[string]int{"before the first chunk": 0, "in the middle": 30} {
		const count = 1000
		streams := make([]openStream, count)
		before := heap()
		for i := range streams {
			o := openStream{
				in:  gemini.NewStreamReader(struct{ io.Reader }{bytes.NewReader(body)}),
				s:   toresponses.NewStream(),
				out: responses.NewStreamWriter(io.Discard),
			}
			for range chunks {
				c, err := o.in.Next()
				if err != nil {
					t.Fatal(err)
				}
				out, err := o.s.Push(c)
				if err != nil || o.out.Write(out...) != nil {
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
