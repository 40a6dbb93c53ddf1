package cli

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"
)

// growing has chunks that each add something to the earlier chunks.
var growing = map[string]string{
	"texts with a usage":    `{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]}}],"usageMetadata":{"totalTokenCount":%d}}`,
	"texts with equal ones": `{"candidates":[{"content":{"role":"model","parts":[{"text":"%d"}]}}],"usageMetadata":{"totalTokenCount":7,"trafficType":"ON_DEMAND"}}`,
	"sources":               `{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/%d"}}]}}]}`,
	"halves of pairs":       `{"candidates":[{"content":{"role":"model","parts":[{"text":"%d \ud83d"}]}}]}`,
	"pieces of a call":      `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a","numberValue":%d}]}}]}}]}`,
}

// hasNoPlace reports whether a form has no place for a value in a chunk of growing. Strict mode
// would refuse such a chunk. The Messages API has no place for the traffic type, and has a place
// for sources only if the request declares web search.
func hasNoPlace(to format, name string) bool {
	isMessage := to == "messages-response" || to == "messages-stream"
	return isMessage && (name == "texts with equal ones" || name == "sources")
}

// It measures allocations, so it does not run in parallel with other tests.
func TestALongStreamTakesNoMoreMemoryPerChunkThanAShortOne(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures memory, which the race detector changes and a full run shows")
	}
	for name, chunk := range growing {
		short, long := longStream(chunk, 400), longStream(chunk, 800)
		for _, c := range builtin.conversions {
			if c.from != geminiStream {
				continue
			}
			for _, strict := range []bool{false, true} {
				if strict && hasNoPlace(c.to, name) {
					continue
				}
				one, two := allocated(t, c, short, strict), allocated(t, c, long, strict)
				if float64(two) > 2.5*float64(one) {
					t.Errorf("%s to %s, strict %v: %d bytes for 400 chunks, %d for 800", name, c.to,
						strict, one, two)
				}
			}
		}
	}
}

// In strict mode the first of them ends the conversion.
func TestSkippedLinesAreCollectedOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures memory, which the race detector changes and a full run shows")
	}
	const chunk = `{"candidates":[{"content":{"role":"model","parts":[{"text":"%d"}]}}]}` +
		"\n\ndta:"
	short, long := longStream(chunk, 400), longStream(chunk, 800)
	for _, c := range builtin.conversions {
		if c.from != geminiStream {
			continue
		}
		if one, two := allocated(t, c, short, false),
			allocated(t, c, long, false); float64(two) > 2.5*float64(one) {
			t.Errorf("to %s: %d bytes for 400 chunks, %d for 800", c.to, one, two)
		}
	}
}

func longStream(chunk string, count int) []byte {
	var out bytes.Buffer
	for i := range count {
		fmt.Fprintf(&out, "data: "+chunk+"\n\n", i)
	}
	fmt.Fprint(&out, `data: {"candidates":[{"finishReason":"STOP"}]}`+"\n\n")
	return out.Bytes()
}

// allocated returns the number of bytes that a conversion allocates.
func allocated(t *testing.T, c conversion, body []byte, strict bool) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := c.run(bytes.NewReader(body), io.Discard,
		settings{includeUsage: true, strict: strict}); err != nil {
		t.Fatalf("to %s: %v", c.to, err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
