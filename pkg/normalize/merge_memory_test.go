package normalize_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// growing has candidates of chunks. Each chunk adds to a list. N is a placeholder for the chunk's
// position.
var growing = map[string]string{
	"sources":         `"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/N","title":"t"}}]}`,
	"supports":        `"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example"}}],"groundingSupports":[{"segment":{"endIndex":N},"groundingChunkIndices":[0]}]}`,
	"queries":         `"groundingMetadata":{"webSearchQueries":["N"],"imageSearchQueries":["N"],"retrievalQueries":["N"]}`,
	"flagged sources": `"groundingMetadata":{"sourceFlaggingUris":[{"sourceId":"N"}]}`,
	"citations":       `"citationMetadata":{"citations":[{"endIndex":N,"uri":"https://a.example/N"}],"citationSources":[{"uri":"N"}]}`,
	"pages":           `"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"https://a.example/N"}]}`,
	"attributions":    `"groundingAttributions":[{"sourceId":{"groundingPassage":{"passageId":"N"}}}]`,
	"tokens":          `"logprobsResult":{"chosenCandidates":[{"token":"N"}],"topCandidates":[{"candidates":[{"token":"N"}]}]}`,
}

// The tests here measure allocations, so they do not run in parallel with others.

func TestALongStreamTakesNoMoreMemoryPerChunkThanAShortOne(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures memory, which the race detector changes and a full run shows")
	}
	ways := map[string]func(chunks []*geminiapi.GenerateContentResponse){
		"merged": func(chunks []*geminiapi.GenerateContentResponse) { normalize.MergeChunks(chunks...) },
		"accumulated": func(chunks []*geminiapi.GenerateContentResponse) {
			_, _ = normalize.Accumulate(normalize.Events(stream{chunks: chunks}.all))
		},
	}
	for name, candidate := range growing {
		short, long := growingChunks(t, candidate, 400), growingChunks(t, candidate, 800)
		for way, run := range ways {
			if one, two := allocated(run, short),
				allocated(run, long); float64(two) > 2.5*float64(one) {
				t.Errorf("%s, %s: %d bytes for 400 chunks, %d for 800", name, way, one, two)
			}
		}
	}
}

func growingChunks(t *testing.T, candidate string, count int) []*geminiapi.GenerateContentResponse {
	t.Helper()
	out := make([]*geminiapi.GenerateContentResponse, count)
	for i := range out {
		var err error
		body := `{"candidates":[{` + strings.ReplaceAll(candidate, "N", strconv.Itoa(i+1)) +
			`,"finishReason":"STOP"}]}`
		if out[i], err = gemini.DecodeResponse([]byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// allocated returns the number of bytes that a function allocates.
func allocated(run func([]*geminiapi.GenerateContentResponse),
	chunks []*geminiapi.GenerateContentResponse) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run(chunks)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestLaterEventsDoNotChangeAnEarlierResponse(t *testing.T) {
	t.Parallel()
	for name, candidate := range growing {
		var a normalize.Accumulator
		var early []*normalize.Response
		var want []string
		events := normalize.NewStream()
		for _, chunk := range growingChunks(t, candidate, 4) {
			pushed, err := events.Push(chunk)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range pushed {
				a.Add(e)
			}
			response, err := a.Response()
			if err != nil {
				t.Fatal(err)
			}
			early, want = append(early, response), append(want, encodeResponse(t, response))
		}
		for i, response := range early {
			if got := encodeResponse(t, response); got != want[i] {
				t.Errorf("%s: the response after %d chunks was %s, now it is %s", name, i+1,
					want[i], got)
			}
		}
	}
}

func encodeResponse(t *testing.T, r *normalize.Response) string {
	t.Helper()
	data, err := normalize.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
