package openai_test

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/openaitest"
	"github.com/gemwire/gemwire/internal/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	toopenai "github.com/gemwire/gemwire/pkg/transform/openai"
)

// The tests here measure the heap, so they do not run beside others.

// openStream is a stream in the middle of its conversion.
type openStream struct {
	in  *gemini.StreamReader
	s   *toopenai.Stream
	out *openai.StreamWriter
}

func TestAnOpenStreamIsSmall(t *testing.T) {
	body := payloadtest.TextStream(40)
	for name, chunks := range map[string]int{"before the first chunk": 0, "in the middle": 30} {
		const count = 1000
		streams := make([]openStream, count)
		before := heap()
		for i := range streams {
			o := openStream{
				in:  gemini.NewStreamReader(struct{ io.Reader }{bytes.NewReader(body)}),
				s:   toopenai.NewStream(toopenai.WithUsage()),
				out: openai.NewStreamWriter(io.Discard),
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

// Speech comes in many pieces. They are told as they come, and only their lengths are kept.
func TestAStreamDoesNotGrowWithItsSound(t *testing.T) {
	const pieces, size = 1000, 8 << 10
	for name, opts := range modes {
		s := toopenai.NewStream(opts...)
		before := heap()
		for i := range pieces {
			body := `{"candidates":[{"content":{"role":"model","parts":[` + openaitest.Sound(openaitest.SpeechType, strings.Repeat("AAAA", size/4)) + `]},"index":0}],"responseId":"r","modelVersion":"m"}`
			if out, err := s.Push(openaitest.Decode(t, body)); err != nil || len(out) != 1 || len(*out[0].Choices[0].Delta.Audio.Data) != size {
				t.Fatalf("%s: piece %d becomes %v, %v", name, i, choicesOf(t, out), err)
			}
		}
		each := (int64(heap()) - int64(before)) / pieces
		t.Logf("%s: %d bytes for each piece", name, each)
		if each > size/8 {
			t.Errorf("%s: a stream keeps %d bytes of each piece of %d", name, each, size)
		}
		runtime.KeepAlive(s)
	}
}

func TestAWriterKeepsNoLargeBuffer(t *testing.T) {
	w := openai.NewStreamWriter(io.Discard)
	before := heap()
	large := []openaiapi.ChunkChoice{{Delta: openaiapi.Delta{Content: new(strings.Repeat("a", 8<<20))}}}
	if err := w.Write(chunk{Choices: large}); err != nil {
		t.Fatal(err)
	}
	large = nil
	if after := heap(); after > before+(1<<20) {
		t.Errorf("a writer keeps %d bytes", after-before)
	}
	runtime.KeepAlive(w)
}

// heap returns the bytes that are in use.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// An image or a sound is the only large thing in its event: it is read once and decoded once, and
// never copied on its way out.
func TestLargeMediaAreNotCopiedOnTheirWayOut(t *testing.T) {
	const size = 20_000_000
	for _, mimeType := range []string{"image/png", "audio/wav"} {
		event := []byte("data: " + strings.Replace(largeImage(size), "image/png", mimeType, 1) + "\n\n")
		before := openaitest.Allocated()
		in := gemini.NewStreamReader(struct{ io.Reader }{bytes.NewReader(event)})
		if _, err := toopenai.WriteStream(struct{ io.Writer }{io.Discard}, in.All()); err != nil {
			t.Fatal(err)
		}
		ratio := float64(openaitest.Allocated()-before) / size
		t.Logf("%s: %.2f times the media", mimeType, ratio)
		if ratio > 2.3 {
			t.Errorf("%s: %.2f times the media were allocated", mimeType, ratio)
		}
	}
}
