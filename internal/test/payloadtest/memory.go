package payloadtest

import (
	"bytes"
	"io"
	"runtime"
	"testing"
)

// mostOfAnOpenStream is the maximum number of bytes that the conversion of a stream may use, with
// its reader and its writer.
const mostOfAnOpenStream = 30_000

// HoldOpenStreams measures the memory of streams that are being converted, and fails the test if
// they use too much. open begins a stream, and step converts its next chunk. It measures the heap,
// so no other test may run in parallel with it.
func HoldOpenStreams(t *testing.T, open func(in io.Reader) (step func() error)) {
	t.Helper()
	body := TextStream(40)
	for name, chunks := range map[string]int{"before the first chunk": 0, "in the middle": 30} {
		const count = 1000
		streams := make([]func() error, count)
		before := Heap()
		for i := range streams {
			streams[i] = open(struct{ io.Reader }{bytes.NewReader(body)})
			for range chunks {
				if err := streams[i](); err != nil {
					t.Fatal(err)
				}
			}
		}
		each := (Heap() - before) / count
		t.Logf("%s: %d bytes", name, each)
		if each > mostOfAnOpenStream {
			t.Errorf("%s, a stream takes %d bytes", name, each)
		}
		runtime.KeepAlive(streams)
	}
}

// Heap returns the number of bytes of the heap in use.
func Heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
