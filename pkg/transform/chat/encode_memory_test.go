//go:build !race

package chat_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/payloadtest"
)

// A whole conversion may allocate 2.2 times the size of an image: once for the decoded response and
// once for the result. The race detector increases allocations.
func TestALargeImageIsCopiedTwiceFromBytesToBytes(t *testing.T) {
	body := payloadtest.InlineImage()
	allocated := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			if _, err := bytesToBytes(body); err != nil {
				b.Fatal(err)
			}
		}
	}).AllocedBytesPerOp()
	if most := int64(len(body)) * 22 / 10; allocated > most {
		t.Errorf("%d bytes allocated, want at most %d", allocated, most)
	}
}
