//go:build !race

package interactions_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/transform/interactions"
)

// The race detector increases allocations, and garbage collection empties the pools, so a few more
// are allowed.

func TestAShortAnswerTakesFewAllocations(t *testing.T) {
	body := payloadtest.ShortText()
	n := testing.AllocsPerRun(100, func() {
		if _, err := bytesToBytes(body); err != nil {
			t.Fatal(err)
		}
	})
	if t.Logf("%v allocations", n); n > 36 {
		t.Errorf("%v allocations from bytes to bytes", n)
	}
}

func TestAStreamTakesNoAllocationsBesidesThoseOfItsChunks(t *testing.T) {
	each := openaitest.AllocationsPerChunk(t,
		openaitest.WithOptions(interactions.WriteStream, interactions.WithLossesOnly()))
	if t.Logf("%.2f allocations for each chunk", each); each > 0.1 {
		t.Errorf("%.2f allocations for each chunk", each)
	}
}
