package interactions_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/interactions"
)

// growing are candidates of chunks that each add to what the chunks before said. N stands for the
// position of the chunk.
var growing = map[string]string{
	"sources": `"content":{"parts":[{"text":"a"}]},"groundingMetadata":{
		"groundingChunks":[{"web":{"uri":"https://a.example/N"}}]}`,
	"supports": `"content":{"parts":[{"text":"a"}]},"groundingMetadata":{
		"groundingChunks":[{"web":{"uri":"https://a.example/N"}}],
		"groundingSupports":[{"segment":{"startIndex":N,"endIndex":N},"groundingChunkIndices":[0]}]}`,
	"searches": `"content":{"parts":[{"text":"a"}]},"groundingMetadata":{"webSearchQueries":["N"]}`,
	"pages": `"content":{"parts":[{"text":"a"}]},"urlContextMetadata":{
		"urlMetadata":[{"retrievedUrl":"https://a.example/N"}]}`,
}

// It measures allocations, so it does not run in parallel with other tests.
func TestALongStreamTakesNoMoreMemoryPerChunkThanAShortOne(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures memory, which the race detector changes and a full run shows")
	}
	for mode, opts := range modes {
		for name, candidate := range growing {
			converted := func(count int) uint64 {
				var bodies []string
				for i := range count {
					bodies = append(bodies, `{"candidates":[{`+
						strings.ReplaceAll(candidate, "N", strconv.Itoa(i))+`}]}`)
				}
				chunks := openaitest.DecodeAll(t,
					append(bodies, `{"candidates":[{"finishReason":"STOP"}]}`))
				before := openaitest.Allocated()
				s := interactions.NewStream(opts...)
				for _, err := range s.Events(openaitest.Pairs(chunks, nil)) {
					if err != nil {
						t.Fatal(err)
					}
				}
				s.Report()
				return openaitest.Allocated() - before
			}
			if short, long := converted(400), converted(800); float64(long) > 2.5*float64(short) {
				t.Errorf("%s, %s: %d bytes for 400 chunks, %d for 800", name, mode, short, long)
			}
		}
	}
}
