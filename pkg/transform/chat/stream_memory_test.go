package chat_test

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

// These tests measure the heap, so they do not run in parallel with others.

func TestAnOpenStreamIsSmall(t *testing.T) {
	payloadtest.HoldOpenStreams(t, func(body io.Reader) func() error {
		in, s, out := gemini.NewStreamReader(body), chat.NewStream(chat.WithUsage()),
			openai.NewStreamWriter(io.Discard)
		return func() error {
			c, err := in.Next()
			if err != nil {
				return err
			}
			events, err := s.Push(c)
			if err != nil {
				return err
			}
			return out.Write(events...)
		}
	})
}

// Speech arrives in many pieces. They are sent as they arrive, and only their lengths are kept.
func TestAStreamDoesNotGrowWithItsSound(t *testing.T) {
	const pieces, size = 1000, 8 << 10
	for name, opts := range modes {
		s := chat.NewStream(opts...)
		before := payloadtest.Heap()
		for i := range pieces {
			body := `{"candidates":[{"content":{"role":"model","parts":[` +
				openaitest.Sound(openaitest.SpeechType, strings.Repeat("AAAA", size/4)) +
				`]},"index":0}],"responseId":"r","modelVersion":"m"}`
			if out, err := s.Push(openaitest.Decode(t, body)); err != nil || len(out) != 1 ||
				len(*out[0].Choices[0].Delta.Audio.Data) != size {
				t.Fatalf("%s: piece %d becomes %v, %v", name, i, choicesOf(t, out), err)
			}
		}
		each := (int64(payloadtest.Heap()) - int64(before)) / pieces
		t.Logf("%s: %d bytes for each piece", name, each)
		if each > size/8 {
			t.Errorf("%s: a stream keeps %d bytes of each piece of %d", name, each, size)
		}
		runtime.KeepAlive(s)
	}
}

func TestAWriterKeepsNoLargeBuffer(t *testing.T) {
	w := openai.NewStreamWriter(io.Discard)
	before := payloadtest.Heap()
	large := []openaiapi.ChunkChoice{{Delta: openaiapi.Delta{Content: new(strings.Repeat("a",
		8<<20))}}}
	if err := w.Write(chunk{Choices: large}); err != nil {
		t.Fatal(err)
	}
	large = nil
	if after := payloadtest.Heap(); after > before+(1<<20) {
		t.Errorf("a writer keeps %d bytes", after-before)
	}
	runtime.KeepAlive(w)
}

// An image or a sound is the only large value in its event. It is read once, decoded once and never
// copied on output.
func TestLargeMediaAreNotCopiedOnTheirWayOut(t *testing.T) {
	const size = 20_000_000
	for _, mimeType := range []string{"image/png", "audio/wav"} {
		event := []byte("data: " + strings.Replace(largeImage(size), "image/png", mimeType, 1) +
			"\n\n")
		before := openaitest.Allocated()
		in := gemini.NewStreamReader(struct{ io.Reader }{bytes.NewReader(event)})
		if _, err := chat.WriteStream(struct{ io.Writer }{io.Discard}, in.All()); err != nil {
			t.Fatal(err)
		}
		ratio := float64(openaitest.Allocated()-before) / size
		t.Logf("%s: %.2f times the media", mimeType, ratio)
		if ratio > 2.3 {
			t.Errorf("%s: %.2f times the media were allocated", mimeType, ratio)
		}
	}
}
